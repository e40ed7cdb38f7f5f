// Builds the widget quickly (dev profile) and serves it with the fake service, under the frame's Content-Security-Policy:
//   node www/frame/preview/serve.mjs [port]        then open http://127.0.0.1:8790
// Reload the page after a change: it is built again if a source is newer. `cargo xtask setup` installs what this needs.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { homedir } from "node:os";
import { delimiter, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { takeFile } from "./files.mjs";
import { policyOf } from "./policy.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const port = Number(process.argv[2] ?? 8790);
const tools = join(process.env.LINCHPIN_CACHE ?? join(homedir(), ".cache/linchpin"), "tools");
const installed = existsSync(tools) ? readdirSync(tools).map((name) => join(tools, name, "bin")) : [];
const env = { ...process.env, PATH: [...installed, process.env.PATH].join(delimiter) };
const run = (program, args) => execFileSync(program, args, { cwd: here, env, stdio: ["ignore", "pipe", "inherit"] }).toString();

const { target_directory: target } = JSON.parse(run("cargo", ["metadata", "--format-version", "1", "--no-deps"]));
const out = join(target, "preview");
mkdirSync(out, { recursive: true });

/** Builds everything into `out`. */
async function buildAll() {
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
}

const sources = ["../..", "../../../crates/link-types/src", "../../../crates/link-flow/src", "../../../crates/link-widget/src"];

/** Returns when the newest source was changed, in milliseconds. */
function changedAt() {
  const files = sources.flatMap((folder) =>
    readdirSync(join(here, folder), { recursive: true, withFileTypes: true }).filter(
      (it) => it.isFile() && !it.parentPath.includes("/dist"),
    ),
  );
  return Math.max(...files.map((it) => statSync(join(it.parentPath, it.name)).mtimeMs));
}

let builtAt = 0;

/** Builds again if a source has changed. */
async function refresh() {
  const changed = changedAt();
  if (changed <= builtAt) return;
  await buildAll();
  builtAt = changed;
}

await refresh();

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json" };
createServer(async (request, response) => {
  if (takeFile(request, response)) return;
  const name = new URL(request.url ?? "/", "http://preview").pathname.slice(1) || "index.html";
  try {
    if (name === "index.html") await refresh();
  } catch (error) {
    response.writeHead(500, { "content-type": "text/plain" });
    return response.end(`The build failed: see the terminal.\n${error.message}`);
  }
  try {
    const body = readFileSync(join(out, name));
    response.writeHead(200, { "content-type": types[extname(name)] ?? "text/plain", "content-security-policy": policyOf("") });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
}).listen(port, "127.0.0.1", () => console.log(`preview: http://127.0.0.1:${port}`));
