/** The values that the service and the build write into the page. */

function meta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="linchpin-${name}"]`)?.content ?? "";
}

/** Base URL of all API paths, without a trailing slash. */
export const apiBase = meta("api-base").replace(/\/$/, "");

/** The environment: `SANDBOX` or `PRODUCTION`. */
export const mode = meta("mode");

/** The name of the tenant. */
export const company = meta("company");

/** Its branding, as CSS properties. */
export const brand = meta("theme");

/** Origins that the link template allows to embed this page. One that ends with `:*` has every port. */
export const allowedOrigins: ReadonlySet<string> = new Set(meta("origins").split(" ").filter(Boolean));

/** Id of the link template: the last segment of this page's path. */
export const templateId = decodeURIComponent(location.pathname.split("/").pop() ?? "");

/** Timeout for loading a file of the page, generous for slow connections. */
export const LOAD_MS = 60_000;

export const glueUrl = meta("glue");
/** Imported before the first secret is sent. */
export const sealUrl = meta("seal");
export const wasmUrl = meta("wasm");

/** The deferred chunk of the wasm and its style sheet, which load while the person chooses a provider. */
export const chunkUrl = meta("chunk");
export const chunkStylesUrl = meta("chunk-styles");

/** Imported with the deferred chunk. */
export const fieldsUrl = meta("fields");

/** Imported to upload documents. */
export const uploadsUrl = meta("uploads");

/** The tenant's own texts as JSON, by locale and key. */
export const ownWords = meta("texts");
export const keysUrl = meta("keys");

/** The URLs of a locale's texts. `chunk` is the URL of those that only the deferred chunk shows. */
export interface Locale {
  locale: string;
  url: string;
  chunk: string;
}

/** All locales, each followed by its two URLs. English is the first. */
const known = meta("locales").split(" ");

/** Returns the best locale for a tag. Without a known tag, uses the languages of the browser. */
export function localeUrl(wanted: string): Locale {
  for (const tag of [wanted, ...navigator.languages].filter(Boolean)) {
    for (const part of [tag, tag.split("-")[0]!]) {
      const like = `${part}-`.toLowerCase();
      const at = known.findIndex((word, at) => at % 3 === 0 && `${word}-`.toLowerCase().startsWith(like));
      if (at >= 0) return localeAt(at);
    }
  }
  return localeAt(0);
}

function localeAt(at: number): Locale {
  return { locale: known[at]!, url: known[at + 1]!, chunk: known[at + 2]! };
}
