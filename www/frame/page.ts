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

export const glueUrl = part("glue");
/** Imported when the first secret is about to leave. */
export const sealUrl = meta("seal");
export const wasmUrl = part("wasm");

/** The locales that the build put beside this page, most wanted first. */
export function localeUrl(wanted: string | null): { locale: string; url: string } {
  const known = [...document.querySelectorAll<HTMLLinkElement>('link[id^="linchpin-locale-"]')].map((link) => ({
    locale: link.id.slice("linchpin-locale-".length),
    url: link.href,
  }));
  const asked = wanted ? [wanted] : navigator.languages;
  for (const tag of asked) {
    const found =
      known.find(({ locale }) => locale.toLowerCase() === tag.toLowerCase()) ??
      known.find(({ locale }) => locale.split("-")[0] === tag.split("-")[0]?.toLowerCase());
    if (found) return found;
  }
  return known[0] ?? { locale: "en", url: "" };
}
