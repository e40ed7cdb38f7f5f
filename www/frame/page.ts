/** What the service wrote into the page, and where the build put the parts. */

function meta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="linchpin-${name}"]`)?.content ?? "";
}

function part(name: string): string {
  return document.querySelector<HTMLLinkElement>(`#linchpin-${name}`)?.href ?? "";
}

/** Address every API path is relative to, without a slash at its end. */
export const apiBase = meta("api-base").replace(/\/$/, "");

/** The environment: `SANDBOX` or `PRODUCTION`. */
export const mode = meta("mode");

/** Origins that the link template allows to embed this page. */
export const allowedOrigins: ReadonlySet<string> = new Set(meta("origins").split(" ").filter(Boolean));

/** The template's id is the last step of this page's address. */
export const templateId = decodeURIComponent(location.pathname.split("/").pop() ?? "");

/** So long may a part of the page take to load: far more than a slow line needs. */
export const LOAD_MS = 60_000;

export const glueUrl = part("glue");
/** Imported when the first secret is about to leave. */
export const sealUrl = meta("seal");
export const wasmUrl = part("wasm");

/** The part of the wasm that most people never need. */
export const restUrl = meta("rest");

/** Imported when documents are uploaded. */
export const uploadsUrl = meta("uploads");

/** The tenant's own words for some texts: by locale, by key. */
export const ownWords = meta("texts");
export const keysUrl = meta("keys");

/** Where a locale's texts are, and those that only the rest of the program shows. */
export interface Locale {
  locale: string;
  url: string;
  rest: string;
}

/** The locales that the build put beside this page, each with its two addresses; English is the first. */
const known = meta("locales").split(" ");

/** The best locale for a tag; for none, or one that is not known, as the browser is set. */
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
  return { locale: known[at]!, url: known[at + 1]!, rest: known[at + 2]! };
}
