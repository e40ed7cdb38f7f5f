// Usage: node manifest.mjs RELEASES MANIFEST. Lists the files of all releases, newest first, with their hashes for `integrity`.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder, manifest] = process.argv.slice(2);
const newestFirst = (one, other) => other.localeCompare(one, "en", { numeric: true });

function describe(version, name) {
  const content = readFileSync(join(folder, version, name));
  const integrity = `sha384-${createHash("sha384").update(content).digest("base64")}`;
  return { path: `/sdk/releases/${version}/${name}`, integrity, bytes: content.length };
}

const versions = readdirSync(folder, { withFileTypes: true }).filter((it) => it.isDirectory());
const releases = versions
  .map(({ name }) => name)
  .sort(newestFirst)
  .map((version) => {
    const names = readdirSync(join(folder, version)).filter((name) => name.endsWith(".js"));
    return { version, files: names.sort().map((name) => describe(version, name)) };
  });
writeFileSync(manifest, `${JSON.stringify({ releases }, null, 2)}\n`);
