/** The Content-Security-Policy of the frame's page (link-server, frame_page.rs) with one origin for everything. */
export const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; media-src blob:; " +
  "connect-src 'self'; form-action 'none'; base-uri 'none'; worker-src 'none'; require-trusted-types-for 'script'";
