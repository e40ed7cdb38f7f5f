/**
 * A connector to copy, for a provider that people sign in to on its own page (OpenID Connect). It serves the protocol of
 * docs/how-to/connectors.md; login.mjs talks to the provider. Usage:
 * node connector.mjs --secret-file FILE [--issuer URL --client-id ID --client-secret-file FILE] [--port 8793]
 * During a rotation, repeat --secret-file with the new secret. Without --issuer, the provider is provider.mjs.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { Login } from "./login.mjs";
import { Signing } from "./signing.mjs";

/** The maximum size of a request's body, in bytes. The `state` in it has at most 65,536. */
const MAX_BODY = 262_144;
/** The client's secret at provider.mjs. */
const DEMO_SECRET = "a secret that this provider issued";

const flags = parseArgs({
  options: {
    "secret-file": { type: "string", multiple: true },
    issuer: { type: "string", default: "http://localhost:8792" },
    "client-id": { type: "string", default: "linchpin" },
    "client-secret-file": { type: "string" },
    port: { type: "string", default: "8793" },
  },
}).values;
const isDemo = new URL(flags.issuer).hostname === "localhost";
if (!flags["secret-file"] || !(flags["client-secret-file"] || isDemo)) {
  console.error("usage: node connector.mjs --secret-file FILE [--issuer URL --client-id ID --client-secret-file FILE] [--port N]");
  process.exit(2);
}

const signing = new Signing(flags["secret-file"].map(read));
const clientSecret = flags["client-secret-file"] ? read(flags["client-secret-file"]) : DEMO_SECRET;
const login = new Login(flags.issuer, { id: flags["client-id"], secret: clientSecret });

const CATALOG = {
  providers: [{
    id: "mx_openid",
    name: "OpenID Example",
    type: "GOVERNMENT",
    country: "MX",
    mfa: true,
    monitorSupported: true,
    supported: ["IDENTITIES"],
    loginOptions: [{
      id: "email",
      label: "Email address",
      fields: [{ name: "email", label: "Email address", type: "email", autocomplete: "email" }],
    }],
  }],
};

const OPERATIONS = {
  "GET /linchpin/v1/providers": async () => CATALOG,
  "POST /linchpin/v1/start": ({ credentials }) => login.start(credentials.email),
  "POST /linchpin/v1/step": ({ state, input }) => login.finish(state, input),
  "POST /linchpin/v1/fetch": ({ state }) => login.read(state),
  "POST /linchpin/v1/refresh": ({ state }) => login.read(state),
  "POST /linchpin/v1/revoke": ({ state }) => login.end(state),
};

/** Returns the secret in a file. */
function read(file) {
  return readFileSync(file, "utf8").trimEnd();
}

/** Returns the body, or undefined if it is too large. */
async function receive(request) {
  const parts = [];
  let size = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    size += part.length;
    if (size > MAX_BODY) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function respond(request, response) {
  const { method, url: path, headers } = request;
  const body = await receive(request);
  if (!body) return response.writeHead(413, { connection: "close" }).end();
  const sign = signing.accept({ method, path, headers, body });
  if (!sign) return response.writeHead(401).end();
  const operation = OPERATIONS[`${method} ${path}`];
  if (!operation) return response.writeHead(404).end();
  const result = JSON.stringify(await operation(body.length ? JSON.parse(body) : null));
  response.writeHead(200, { "content-type": "application/json", "linchpin-signature": sign(result) }).end(result);
}

createServer((request, response) => {
  respond(request, response).catch((error) => {
    // The message of an error has no tokens, but its cause may have them.
    console.error(`${request.url}: ${error.message}`);
    response.writeHead(503).end();
  });
}).listen(flags.port, "127.0.0.1", () => console.log(`connector: http://127.0.0.1:${flags.port}`));
