// Usage: node snip.mjs FROM.wasm TO.wasm FEATURE,... NAME_PART... Replaces the bodies of the functions whose names contain
// one of the parts with a trap. Prints the number of functions that each part matched.

import { readFileSync, writeFileSync } from "node:fs";
import binaryen from "binaryen";

const [from, to, features, ...parts] = process.argv.slice(2);
const module = binaryen.readBinary(readFileSync(from));
module.setFeatures(features.split(",").reduce((all, name) => all | binaryen.Features[name], 0));

const functions = [];
for (let at = 0; at < module.getNumFunctions(); at += 1) {
  const found = binaryen.getFunctionInfo(module.getFunctionByIndex(at));
  // Binaryen escapes names, and they contain the hash of their crate.
  const name = found.name.replace(/\\([0-9a-f]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
  if (!found.module) functions.push({ ...found, plain: name.replace(/\[[0-9a-f]{16}\]/g, "") });
}
for (const part of parts) {
  const matched = functions.filter(({ plain }) => plain.includes(part));
  for (const { name, params, results } of matched) {
    module.removeFunction(name);
    module.addFunction(name, params, results, [], module.unreachable());
  }
  console.log(`${matched.length} ${part}`);
}
// Trap reports are read with the function names.
binaryen.setDebugInfo(true);
writeFileSync(to, module.emitBinary());
