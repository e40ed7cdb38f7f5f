/** The tarballs, installed in a project outside the checkout: their `exports`, their types, and their imports in Node. */
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { requiredVariable } from "./support/variables";

const PROJECT = requiredVariable("LINCHPIN_PROJECT");
const TARBALLS = requiredVariable("LINCHPIN_PACKAGES");
const USES = fileURLToPath(new URL("uses", import.meta.url));
const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** Runs a Node program and returns its output, also if it fails. */
async function run(program: string[], cwd = PROJECT): Promise<{ code: number; output: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, program, { cwd });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

const tarballs = async (): Promise<string[]> =>
  (await readdir(TARBALLS)).filter((name) => name.endsWith(".tgz")).map((name) => join(TARBALLS, name));

test("publint and attw accept each tarball", async () => {
  const all = await tarballs();
  expect(all.length).toBe(3);
  for (const tarball of all) {
    const publint = await run([join(MODULES, "publint/src/cli.js"), "run", tarball, "--strict"]);
    expect(publint.output).toContain("All good!");
    // Without a flag, it checks node10, node16 from CommonJS and from ES modules, and bundlers.
    const attw = await run([join(MODULES, "@arethetypeswrong/cli/dist/index.js"), tarball, "--format", "ascii"]);
    expect(attw.output).toContain("No problems found");
    expect(attw.code).toBe(0);
  }
});

test("package.json puts types first, and the files of a tarball are few", async () => {
  for (const name of ["link", "react", "server"]) {
    const folder = join(PROJECT, "node_modules/@linchpin", name);
    const { exports, sideEffects } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
      sideEffects: boolean;
      exports: { ".": Record<"import" | "require", Record<string, string>> };
    };
    expect(sideEffects).toBe(false);
    for (const way of ["import", "require"] as const) expect(Object.keys(exports["."][way])[0]).toBe("types");
    expect((await readdir(folder)).sort()).toEqual(["LICENSE-APACHE", "LICENSE-MIT", "README.md", "dist", "package.json"]);
  }
});

const CHECK = `
  const before = Object.keys(globalThis).length;
  LOAD
  if (typeof window !== "undefined" || Object.keys(globalThis).length !== before) throw new Error("importing has an effect");
  const modal = new link.LinkModal({ serviceUrl: "https://link.example", templateId: "lt-1" });
  if (modal.state !== "closed" || typeof react.useLinchpinLink !== "function") throw new Error("no package");
  link.loadLinchpin("https://link.example/sdk/v2/linchpin.v2.js").catch(({ cause }) => console.log(cause));
`;

test("Node imports both as ES modules and as CommonJS, without a window", async () => {
  const folder = join(PROJECT, "imports");
  await mkdir(folder, { recursive: true });
  const loads = {
    "check.mjs": `const link = await import("@linchpin/link"), react = await import("@linchpin/react");`,
    "check.cjs": `const link = require("@linchpin/link"), react = require("@linchpin/react");`,
  };
  for (const [name, load] of Object.entries(loads)) {
    await writeFile(join(folder, name), CHECK.replace("LOAD", load));
    expect(await run([join(folder, name)])).toEqual({ code: 0, output: "unsupported\n" });
  }
});

test("React renders the hook on a server", async () => {
  await writeFile(
    join(PROJECT, "render.mjs"),
    `import { createElement } from "react";
     import { renderToString } from "react-dom/server";
     import { LinchpinLink } from "@linchpin/react";
     console.log(renderToString(createElement(LinchpinLink, { serviceUrl: "https://link.example", templateId: "lt-1" }, "Go")));`,
  );
  expect(await run(["render.mjs"])).toEqual({ code: 0, output: '<button type="button">Go</button>\n' });
});

/** Compiles uses of the packages and returns the errors, as `file:line code`. */
async function compile(files: string[], options: object): Promise<string[]> {
  const folder = join(PROJECT, `uses-${test.info().parallelIndex}`);
  await cp(USES, folder, { recursive: true });
  const compilerOptions = { strict: true, noEmit: true, types: [], lib: ["es2022", "dom", "dom.iterable"], jsx: "react-jsx", ...options };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const { output } = await run([join(MODULES, "typescript/bin/tsc"), "--pretty", "false", "-p", "."], folder);
  return [...output.matchAll(/^(\S+?)\((\d+),\d+\): error (TS\d+)/gm)].map(([, file, line, code]) => `${file}:${line} ${code}`);
}

/** The declarations themselves are checked once, with node16. */
const BUNDLER = { module: "esnext", moduleResolution: "bundler", target: "es2022", skipLibCheck: true };

test("right uses compile for bundlers, Node's modules and older resolution", async () => {
  const all = ["right.ts", "right.cts", "right-react.tsx", "right-server.ts"];
  expect(await compile(all, { module: "node16", moduleResolution: "node16", target: "es2022" })).toEqual([]);
  expect(await compile(all.filter((name) => name !== "right.cts"), { ...BUNDLER, exactOptionalPropertyTypes: true })).toEqual([]);
  expect(await compile(all.filter((name) => name !== "right.cts"), { ...BUNDLER, moduleResolution: "node10" })).toEqual([]);
});

for (const [name, atLeast] of [
  ["wrong.tsx", 15],
  ["wrong-server.ts", 7],
] as const) {
  test(`wrong uses do not compile: ${name}`, async () => {
    const lines = (await readFile(join(USES, name), "utf8")).split("\n");
    const expected = lines.flatMap((line, at) => {
      const code = /\/\/ (TS\d+)$/.exec(line)?.[1];
      return code ? [`${name}:${at + 1} ${code}`] : [];
    });
    expect(expected.length).toBeGreaterThanOrEqual(atLeast);
    expect(await compile([name], BUNDLER)).toEqual(expected);
  });
}
