/**
 * A connector to copy, for a provider that people sign in to on its own page (OpenID Connect). It serves the protocol of
 * docs/how-to/connectors.md; login.mjs talks to the provider. Usage:
 * node connector.mjs --secret-file FILE [--issuer http://localhost:8792] [--port 8793]
 * During a rotation, repeat --secret-file with the new secret.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { Login } from "./login.mjs";
import { CLIENT } from "./provider.mjs";
import { Signing } from "./signing.mjs";

const flags = parseArgs({
  options: {
    "secret-file": { type: "string", multiple: true },
    issuer: { type: "string", default: "http://localhost:8792" },
    port: { type: "string", default: "8793" },
  },
}).values;
if (!flags["secret-file"]) throw new Error("usage: node connector.mjs --secret-file FILE [--issuer URL] [--port 8793]");

const signing = new Signing(flags["secret-file"].map((file) => readFileSync(file, "utf8").trimEnd()));
const login = new Login(flags.issuer, CLIENT);

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

async function respond(request, response) {
  const { method, url: path, headers } = request;
  const body = Buffer.concat(await request.toArray());
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
