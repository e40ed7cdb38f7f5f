// Usage: node compress.mjs FILE... Writes FILE.br and FILE.gz, and prints "bytes brotli path" for each FILE.
import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

// Direct codes for short distances save 0.2 % of the wasm, and cost as much elsewhere.
const DIRECT_DISTANCES = [0, 15];

for (const file of process.argv.slice(2)) {
  const bytes = readFileSync(file);
  const compressed = DIRECT_DISTANCES.map((direct) =>
    brotliCompressSync(bytes, {
      params: {
        // The service compresses the page itself, at last with this quality (packed_pages.rs).
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_LGWIN]: 22,
        [constants.BROTLI_PARAM_NDIRECT]: direct,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  );
  const brotli = compressed.reduce((one, other) => (other.length < one.length ? other : one));
  writeFileSync(`${file}.br`, brotli);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  console.log(`${bytes.length} ${brotli.length} ${file}`);
}
