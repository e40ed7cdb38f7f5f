import { createHash } from "node:crypto";

/** The Content-Security-Policy of the frame's page (link-server, frame_page.rs) with one origin for everything. */
export function policyOf(html) {
  const [, script = ""] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
  const hash = createHash("sha256").update(script).digest("base64");
  return (
    `default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'sha256-${hash}'; style-src 'self'; font-src 'self'; ` +
    "img-src 'self' data: blob:; media-src blob:; connect-src 'self'; form-action 'none'; base-uri 'none'; " +
    "worker-src 'none'; require-trusted-types-for 'script'"
  );
}
