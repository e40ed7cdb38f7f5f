// Usage: node types.mjs OPENAPI_JSON TYPES_TS HOST_TS. The command line of openapi-typescript would type binary bodies as
// `string`. HOST_TS has only the types of the messages between the bridge and the frame, which the npm packages publish.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";
import ts from "typescript";

const HOST_TYPES = ["HostMessage", "FrameMessage", "LoadFailure", "LinkMistake"];

const [source, target, hostTarget] = process.argv.slice(2);
const document = JSON.parse(readFileSync(source, "utf8"));
const blob = ts.factory.createTypeReferenceNode("Blob");

async function writeTypes(file, document) {
  const types = await openapiTS(document, {
    alphabetize: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    transform: (schema) => (schema.format === "binary" ? blob : undefined),
  });
  writeFileSync(file, `${COMMENT_HEADER}${astToString(types)}`);
}

/** Returns the document with only the schemas that the named ones need, and without paths. */
function keepSchemas({ openapi, info, components }, names) {
  const schemas = {};
  const todo = [...names];
  for (let name = todo.pop(); name; name = todo.pop()) {
    if (schemas[name]) continue;
    schemas[name] = components.schemas[name];
    for (const [, found] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g)) todo.push(found);
  }
  return { openapi, info, components: { schemas } };
}

await writeTypes(target, document);
await writeTypes(hostTarget, keepSchemas(document, HOST_TYPES));
