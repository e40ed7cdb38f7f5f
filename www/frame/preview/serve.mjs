// Builds the widget quickly (dev profile) and serves it with the fake service, under the frame's Content-Security-Policy:
//   node www/frame/preview/serve.mjs [port] [--once]        then open http://127.0.0.1:8790
// Builds again after each change, and the page reloads; with --once, it does neither. `cargo xtask setup` installs what this needs.

import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, watch } from "node:fs";
import { createServer } from "node:http";
import { homedir } from "node:os";
import { delimiter, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { takeFile } from "./files.mjs";
import { policyOf } from "./policy.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const words = process.argv.slice(2);
const isOnce = words.includes("--once");
const port = Number(words.find((word) => word !== "--once") ?? 8790);
const caches = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
const tools = join(process.env.LINCHPIN_CACHE ?? join(caches, "linchpin"), "tools");
const installed = existsSync(tools) ? readdirSync(tools).map((name) => join(tools, name, "bin")) : [];
const env = { ...process.env, PATH: [...installed, process.env.PATH].join(delimiter) };
const run = (program, args) => promisify(execFile)(program, args, { cwd: here, env, maxBuffer: 64e6 });

const { stdout: metadata } = await run("cargo", ["metadata", "--format-version", "1", "--no-deps"]);
const target = JSON.parse(metadata).target_directory;
const out = join(target, "preview");
mkdirSync(out, { recursive: true });

const RELOAD = 'new EventSource("/changes").onmessage = () => location.reload();';
/** An editor writes several files, or one in several steps. */
const SETTLED_MS = 50;

async function buildProgram() {
  await run("cargo", ["build", "--quiet", "-p", "link-widget", "--target", "wasm32-unknown-unknown"]);
  await run("wasm-bindgen", [
    ...["--target", "web", "--no-typescript", "--out-dir", out],
    join(target, "wasm32-unknown-unknown/debug/link_widget.wasm"),
  ]);
}

async function buildPage() {
  const script = { entryPoints: [join(here, "preview.ts")], format: "esm", target: "es2022", banner: isOnce ? {} : { js: RELOAD } };
  const styles = ["frame", "chunk", "uploads"].map((name) => ({ entryPoints: [join(here, `../styles/${name}.css`)] }));
  await Promise.all([script, ...styles].map((it) => build({ ...it, bundle: true, outdir: out, logLevel: "silent" })));
  copyFileSync(join(here, "index.html"), join(out, "index.html"));
  for (const name of readdirSync(join(here, "../generated"))) copyFileSync(join(here, "../generated", name), join(out, name));
}

/** What has to be built, why that failed the last time, and the pages that wait for it. */
const stale = new Set([buildProgram, buildPage]);
let failure = "";
const pages = new Set();

/** Builds what has changed. Then the open pages load again, also to show a failure. */
async function buildStale() {
  try {
    for (const step of [...stale]) {
      // Before it begins, because it may have read a file that changes meanwhile.
      stale.delete(step);
      await step().catch((error) => {
        stale.add(step);
        throw error;
      });
    }
    failure = "";
  } catch (error) {
    failure = error.stderr || error.message;
    console.error(failure);
  }
  for (const page of pages) page.write("data: built\n\n");
}

let building = buildStale();
let settled;

function watchFor(step, folder) {
  watch(folder, () => {
    stale.add(step);
    clearTimeout(settled);
    settled = setTimeout(() => (building = building.then(buildStale)), SETTLED_MS);
  });
}

if (!isOnce) {
  for (const folder of [".", "..", "../generated", "../styles", "../uploads"]) watchFor(buildPage, join(here, folder));
  for (const name of ["types", "flow", "widget"]) {
    const folder = join(here, `../../../crates/link-${name}/src`);
    const below = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isDirectory());
    // Each folder: a recursive watch of Node.js on Linux loses files that an editor replaces.
    for (const path of [folder, ...below.map((it) => join(it.parentPath, it.name))]) watchFor(buildProgram, path);
  }
}
await building;
if (isOnce && failure) process.exit(1);

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json" };
createServer(async (request, response) => {
  if (takeFile(request, response)) return;
  const name = new URL(request.url ?? "/", "http://preview").pathname.slice(1) || "index.html";
  if (name === "changes") {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" }).flushHeaders();
    pages.add(response.on("close", () => pages.delete(response)));
    return;
  }
  await building;
  if (name === "index.html" && failure) {
    response.writeHead(500, { "content-type": "text/html; charset=utf-8" });
    return response.end(`<pre>The build failed.\n\n${failure.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</pre><script>${RELOAD}</script>`);
  }
  try {
    const body = readFileSync(join(out, name));
    response.writeHead(200, { "content-type": types[extname(name)] ?? "text/plain", "content-security-policy": policyOf("") });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
}).listen(port, "127.0.0.1", () => console.log(`preview: http://127.0.0.1:${port}`));
