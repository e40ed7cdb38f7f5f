// Usage: node types.mjs OPENAPI_JSON TYPES_TS. The command line of openapi-typescript would type binary bodies as `string`.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";
import ts from "typescript";

const [source, target] = process.argv.slice(2);
const document = JSON.parse(readFileSync(source, "utf8"));
const blob = ts.factory.createTypeReferenceNode("Blob");
const types = await openapiTS(document, {
  alphabetize: true,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  transform: (schema) => (schema.format === "binary" ? blob : undefined),
});
writeFileSync(target, `${COMMENT_HEADER}${astToString(types)}`);
