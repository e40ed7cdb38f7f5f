/** Builds the host pages into the folder that the first argument names, with the packages of this folder. */
import { spawnSync } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { compile } from "svelte/compiler";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const [out] = process.argv.slice(2);

const svelte = {
  name: "svelte",
  setup({ onLoad }) {
    onLoad({ filter: /\.svelte$/ }, async ({ path }) => ({
      contents: compile(await readFile(path, "utf8"), { generate: "client", filename: path }).js.code,
    }));
  },
};

/** React's StrictMode mounts twice only in development builds. */
const shared = {
  bundle: true,
  // Aliases are resolved here.
  absWorkingDir: here("."),
  outdir: out,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  logLevel: "warning",
  define: { "process.env.NODE_ENV": '"development"' },
  conditions: ["browser", "development"],
  plugins: [svelte],
};

const pages = ["plain", "module", "inline", "two", "dialog", "popover", "radix", "mui", "headless", "vue", "svelte", "angular"];
const source = (page) => here(`pages/${page}.${["radix", "mui", "headless"].includes(page) ? "jsx" : "js"}`);
await build({
  ...shared,
  entryPoints: [...pages.map((page) => ({ in: source(page), out: page })), { in: here("pages/react.jsx"), out: "react19" }],
});
await build({
  ...shared,
  entryPoints: [{ in: here("pages/react.jsx"), out: "react18" }],
  alias: { react: "react18", "react-dom": "react-dom18" },
});

const next = here("pages/next");
const built = spawnSync(process.execPath, [here("node_modules/next/dist/bin/next"), "build"], {
  cwd: next,
  env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" },
  encoding: "utf8",
});
if (built.status !== 0) throw new Error(`next build failed:\n${built.stdout}${built.stderr}`);
await cp(`${next}/out`, `${out}/next`, { recursive: true });
