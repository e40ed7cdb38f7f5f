/**
 * The tenant's server of every example: it serves the built page, and requests a link token for each launch. Usage:
 * node server.mjs FOLDER, with the variables of docs/quickstart.md: KEY, SECRET, BASE and TEMPLATE.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { createLinchpin } from "@linchpin/server";

const { KEY, SECRET, BASE = "http://localhost:8787/sandbox/v1", TEMPLATE, CUSTOMER = "customer-4711", PORT = "3000" } = process.env;
const [folder] = process.argv.slice(2);
if (!folder || !TEMPLATE) throw new Error("usage: KEY=… SECRET=… TEMPLATE=lt-… node server.mjs FOLDER");
const linchpin = createLinchpin({ baseUrl: BASE, apiKey: KEY, apiSecret: SECRET });

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css" };

/** Each launch needs a new token. A real server knows from its session who the person is. */
async function requestToken(response) {
  const { data, error } = await linchpin.POST("/users", { body: { reference: CUSTOMER } });
  if (error) return response.writeHead(502).end();
  response.writeHead(200, { "content-type": "text/plain", "cache-control": "no-store" }).end(data.token.accessToken);
}

async function sendFile(path, response) {
  const name = path === "/" ? "/index.html" : path;
  const type = TYPES[extname(name)];
  const content = type && !name.includes("..") && (await readFile(join(folder, name)).catch(() => undefined));
  if (content) response.writeHead(200, { "content-type": type }).end(content);
  else response.writeHead(404).end();
}

createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  if (pathname === "/link-token" && request.method === "POST") return requestToken(response);
  if (pathname === "/config.json") {
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(JSON.stringify({ serviceUrl: new URL(BASE).origin, templateId: TEMPLATE }));
  }
  return sendFile(pathname, response);
}).listen(PORT, "127.0.0.1", () => console.log(`http://localhost:${PORT}`));
