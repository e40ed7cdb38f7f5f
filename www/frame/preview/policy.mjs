import { createHash } from "node:crypto";

/** The Content-Security-Policy of the frame's page (link-server, frame_page.rs) with one origin for everything. */
export function policyOf(html) {
  const inline = (tag) =>
    [...html.matchAll(new RegExp(`<${tag}(?: type="module")?>(.*?)</${tag}>`, "gs"))]
      .map(([, text]) => ` 'sha256-${createHash("sha256").update(text).digest("base64")}'`)
      .join("");
  return (
    `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'${inline("script")}; style-src 'self'${inline("style")}; ` +
    "font-src 'self'; img-src 'self' data: blob:; media-src blob:; connect-src 'self'; form-action 'none'; base-uri 'none'; " +
    "worker-src 'none'; frame-src 'self'; require-trusted-types-for 'script'"
  );
}
