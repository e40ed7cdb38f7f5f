/**
 * Builds the npm packages. Usage: node build.mjs FOLDER VERSION. The folder then has the tarballs and, in `node_modules`, the
 * packages as they are published. With the same sources and npm, the tarballs are the same.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { generateDtsBundle } from "dts-bundle-generator";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const out = resolve(process.argv[2]);
const version = process.argv[3];

/** Packages in the order of their dependencies. `client`: React must run it in the browser. */
const PACKAGES = [{ name: "link" }, { name: "react", isClient: true }, { name: "server" }];

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
// The types of a package refer to the other packages as they are published.
const config = join(out, "tsconfig.json");
const paths = { "@linchpin/*": [join(out, "node_modules/@linchpin/*")] };
writeFileSync(config, JSON.stringify({ extends: here("tsconfig.json"), compilerOptions: { paths } }));

for (const { name, isClient } of PACKAGES) {
  const source = here(`${name}/`);
  const folder = join(out, "node_modules/@linchpin", name);
  mkdirSync(join(folder, "dist"), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  if (manifest.version !== version) throw new Error(`${name}/package.json has the version ${manifest.version}, not ${version}`);
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(source, "README.md"), join(folder, "README.md"));
  for (const licence of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(here(`../../${licence}`), join(folder, licence));

  const entry = join(source, "src/index.ts");
  const shared = {
    entryPoints: [entry],
    bundle: true,
    target: "es2022",
    minifySyntax: true,
    charset: "utf8",
    logLevel: "warning",
    define: { PACKAGED: "true", RELEASED: "false" },
    packages: "external",
    tsconfigRaw: {},
    ...(isClient && { banner: { js: '"use client";' } }),
  };
  await build({ ...shared, format: "esm", splitting: true, outdir: join(folder, "dist"), chunkNames: "[name]" });
  await build({ ...shared, format: "cjs", outfile: join(folder, "dist/index.cjs") });

  const [types] = generateDtsBundle(
    [{ filePath: entry, output: { noBanner: true, exportReferencedTypes: false, inlineDeclareExternals: false } }],
    { preferredConfigPath: config },
  );
  for (const file of ["index.d.ts", "index.d.cts"]) writeFileSync(join(folder, "dist", file), types);

  const packed = spawnSync("npm", ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", out], {
    cwd: folder,
    encoding: "utf8",
  });
  if (packed.status !== 0) throw new Error(packed.stderr || `npm pack failed for ${name}`);
  console.log(`packages: ${packed.stdout.trim()}`);
}
rmSync(config);
