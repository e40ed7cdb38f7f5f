// Prints the pages that the site's search finds, a line per search: node search.mjs <site> <words> ...
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [site, ...searches] = process.argv.slice(2);
const file = (prefix) => resolve(join(site, readdirSync(site).find((name) => name.startsWith(prefix))));
const elasticlunr = createRequire(import.meta.url)(file("elasticlunr-"));
const window = { search: {} };
new Function("window", readFileSync(file("searchindex-"), "utf8"))(window);
const index = elasticlunr.Index.load(window.search.index);
const LIMIT = 30; // as in www/book/book.toml
for (const words of searches) {
  const results = index.search(words, window.search.search_options).slice(0, LIMIT);
  const pages = results.map(({ ref }) => window.search.doc_urls[ref].split("#")[0]);
  console.log([...new Set(pages)].join(" "));
}
