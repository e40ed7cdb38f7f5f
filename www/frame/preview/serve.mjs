// Builds the widget quickly (dev profile) and serves it with the fake service, under the frame's Content-Security-Policy:
//   node www/frame/preview/serve.mjs [port]        then open http://127.0.0.1:8790
// Requires `cargo`, `wasm-bindgen` 0.2.129 and the npm tools; `cargo xtask setup` installs all of them.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { takeFile } from "./files.mjs";
import { policyOf } from "./policy.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const port = Number(process.argv[2] ?? 8790);
const run = (program, args) => execFileSync(program, args, { cwd: here, stdio: ["ignore", "pipe", "inherit"] }).toString();

const { target_directory: target } = JSON.parse(run("cargo", ["metadata", "--format-version", "1", "--no-deps"]));
const out = join(target, "preview");
mkdirSync(out, { recursive: true });
run("cargo", ["build", "--quiet", "-p", "link-widget", "--target", "wasm32-unknown-unknown"]);
run("wasm-bindgen", [
  ...["--target", "web", "--no-typescript", "--out-dir", out],
  join(target, "wasm32-unknown-unknown/debug/link_widget.wasm"),
]);
await build({ entryPoints: [join(here, "preview.ts")], bundle: true, format: "esm", target: "es2022", outdir: out });
for (const name of ["frame", "chunk", "uploads"]) {
  await build({ entryPoints: [join(here, `../styles/${name}.css`)], bundle: true, outdir: out });
}
copyFileSync(join(here, "index.html"), join(out, "index.html"));
for (const name of readdirSync(join(here, "../generated"))) copyFileSync(join(here, "../generated", name), join(out, name));

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json" };
createServer((request, response) => {
  if (takeFile(request, response)) return;
  const name = new URL(request.url ?? "/", "http://preview").pathname.slice(1) || "index.html";
  try {
    const body = readFileSync(join(out, name));
    response.writeHead(200, { "content-type": types[extname(name)] ?? "text/plain", "content-security-policy": policyOf("") });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
}).listen(port, "127.0.0.1", () => console.log(`preview: http://127.0.0.1:${port}`));
