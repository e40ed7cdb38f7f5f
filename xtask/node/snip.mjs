// Replaces the bodies of functions by a trap: node snip.mjs from.wasm to.wasm feature,.. part of a name...
// Prints how many functions each part of a name matched.

import { readFileSync, writeFileSync } from "node:fs";
import binaryen from "binaryen";

const [from, to, features, ...parts] = process.argv.slice(2);
const module = binaryen.readBinary(readFileSync(from));
module.setFeatures(features.split(",").reduce((all, name) => all | binaryen.Features[name], 0));

const functions = [];
for (let at = 0; at < module.getNumFunctions(); at += 1) {
  const found = binaryen.getFunctionInfo(module.getFunctionByIndex(at));
  // Names are kept escaped, and carry the hash of their crate.
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
// The names stay: they are what a trap report is read with.
binaryen.setDebugInfo(true);
writeFileSync(to, module.emitBinary());
