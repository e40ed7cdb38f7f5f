/**
 * Writes a collection for Bruno from the OpenAPI document. Usage: node build.mjs FOLDER. A folder for each resource has its
 * requests, in an order in which they can be sent: an id that a response contains is a variable of the later requests.
 *
 * Our own: Bruno's import has 2.6 MB with invented bodies of errors, and the widget's requests (ADR 255).
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import lang from "@usebruno/lang";

const document = JSON.parse(readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8"));
const [out] = process.argv.slice(2);
const ENVIRONMENTS = { Sandbox: "https://link.example/sandbox/v1", Production: "https://link.example/v1" };
const ORDER = ["list", "create", "get", "update"];

/** Returns the variable with the id of a resource: `linkTemplateId` for `linkTemplates`. */
const variableOf = (resource) => `${resource.replace(/ies$/, "y").replace(/s$/, "")}Id`;

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { security }]) => security?.some(({ apiKey }) => apiKey))
    .map(([method, operation]) => ({ path, method, ...operation })),
);
/** Every variable that a response sets. */
const variables = new Set();

/** Returns the resource that a path ends with, and the variables of the ids in it. */
function read(path) {
  const ids = {};
  let resource = "";
  for (const part of path.split("/")) {
    const name = /^{(.*)}$/.exec(part)?.[1];
    if (name) ids[name] = variableOf(resource);
    else if (part) resource = part;
  }
  return { resource, ids };
}

/** Returns the script that stores an id of the response, if later requests need it. */
function scriptOf({ path, method, responses }) {
  const { resource } = read(path);
  const variable = variableOf(resource);
  const isNeeded = operations.some((it) => it.path.startsWith(`${path}/{`));
  if (!isNeeded || !(method === "get" || method === "post")) return undefined;
  variables.add(variable);
  const id = responses["200"] && method === "get" ? "res.body.items?.[0]?.id" : "res.body.id";
  return `const id = res.status < 300 && ${id};\nif (id) bru.setVar("${variable}", id);`;
}

/** A hosted link and its sessions name the link template without `link`. */
const aliasOf = (name) => (name === "templateId" ? "linkTemplateId" : name);

/** Returns an example of a body, in which ids of other resources are variables. */
function withVariables(value) {
  if (Array.isArray(value)) return value.map(withVariables);
  if (typeof value !== "object" || value === null) return value;
  const replace = ([name, it]) => [name, typeof it === "string" && variables.has(aliasOf(name)) ? `{{${aliasOf(name)}}}` : withVariables(it)];
  return Object.fromEntries(Object.entries(value).map(replace));
}

function requestOf(operation, seq) {
  const { path, method, parameters = [], requestBody, summary, description } = operation;
  const { ids } = read(path);
  const params = parameters.filter((it) => it.in === "path" || it.in === "query").map((it) => ({
    name: it.name,
    value: it.in === "path" ? (it.name === "version" ? "1" : `{{${ids[it.name]}}}`) : it.required ? `{{${queryVariable(path, it.name)}}}` : "",
    enabled: it.required === true,
    type: it.in,
  }));
  const headers = parameters
    .filter((it) => it.in === "header")
    .map((it) => ({ name: it.name, value: "{{$guid}}", enabled: false }));
  const example = requestBody?.content["application/json"].example;
  const script = scriptOf(operation);
  return {
    meta: { name: operation.operationId, type: "http", seq },
    http: { method, url: `{{baseUrl}}${path.replace(/{(.*?)}/g, ":$1")}`, body: requestBody ? "json" : "none", auth: "inherit" },
    params,
    headers,
    ...(requestBody && { body: { json: JSON.stringify(withVariables(example ?? {}), null, 2) } }),
    ...(script && { script: { res: script } }),
    docs: [summary, description].filter(Boolean).join("\n\n"),
  };
}

/** `DELETE /accounts?id=` means the id of an account. */
const queryVariable = (path, name) => (name === "id" ? variableOf(read(path).resource) : name);

function write(file, content) {
  writeFileSync(join(out, file), content);
}

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "environments"), { recursive: true });
write("bruno.json", `${JSON.stringify({ version: "1", name: "Linchpin", type: "collection" }, null, 2)}\n`);
const auth = { mode: "basic", basic: { username: "{{apiKey}}", password: "{{apiSecret}}" } };
const docs = "Set baseUrl, apiKey and apiSecret of an environment. Bruno stores the key and the secret outside these files.";
write("collection.bru", lang.jsonToCollectionBru({ meta: { name: "Linchpin" }, auth, docs }));
for (const [name, baseUrl] of Object.entries(ENVIRONMENTS)) {
  const secrets = ["apiKey", "apiSecret"].map((it) => ({ name: it, value: "", enabled: true, secret: true }));
  const environment = { variables: [{ name: "baseUrl", value: baseUrl, enabled: true, secret: false }, ...secrets] };
  write(`environments/${name}.bru`, lang.envJsonToBruV2(environment));
}
operations.forEach(scriptOf);
for (const { path, operationId } of operations) {
  const missing = Object.entries(read(path).ids).find(([name, it]) => name !== "version" && !variables.has(it));
  if (missing) throw new Error(`no response sets ${missing[1]}, which ${operationId} needs`);
}
let count = 0;
for (const [at, tag] of [...new Set(operations.map(({ tags }) => tags[0]))].sort().entries()) {
  mkdirSync(join(out, tag));
  write(`${tag}/folder.bru`, lang.jsonToCollectionBru({ meta: { name: tag, seq: at + 1 } }));
  const rank = ({ path, method, operationId }) => {
    const verb = ORDER.findIndex((it) => operationId.startsWith(it));
    return (method === "delete" ? 1_000 : 0) + 10 * path.split("/").length + (verb < 0 ? ORDER.length : verb);
  };
  const sorted = operations.filter(({ tags }) => tags[0] === tag).sort((a, b) => rank(a) - rank(b));
  for (const [index, operation] of sorted.entries()) {
    const text = lang.jsonToBruV2(requestOf(operation, index + 1));
    // What Bruno reads must be what was written.
    const { http } = lang.bruToJsonV2(text);
    if (http.method !== operation.method) throw new Error(`Bruno cannot read ${operation.operationId}`);
    write(`${tag}/${operation.operationId}.bru`, text);
    count += 1;
  }
}
console.log(`packages: the Bruno collection has ${count} requests`);
