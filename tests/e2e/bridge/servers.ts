/** Two servers in this process: one for the host page, one for the script and a fake frame that tests control. */
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const DIST = new URL("../../../www/sdk/dist/", import.meta.url);

/** The fake frame: asks for its port, does the handshake, records messages, and sends messages for tests. */
const FRAME_SCRIPT = `
  const quiet = location.pathname.endsWith("quiet");
  window.heard = [];
  addEventListener("message", ({ data, origin, ports }) => {
    window.greetings = [...(window.greetings ?? []), { data, origin, ports: ports.length }];
    if (quiet) return;
    const [port] = ports;
    window.say = (message) => port.postMessage(message);
    port.onmessage = ({ data }) => {
      heard.push(data);
      if (data.open && !location.pathname.endsWith("slow")) say({ ready: {} });
    };
    say({ hello: { protocol: "p1", build: "fake" } });
    const { linchpin, ...first } = data;
    if (Object.keys(first).length) port.onmessage({ data: first });
  });
  parent.postMessage({ linchpin: "p1" }, "*");
`;

const page = (head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>${head}</head><body>${body}</body></html>`;

export interface Servers {
  /** The origin of the host page. */
  host: string;
  /** The origin of the script and the frame. */
  sdk: string;
  close(): Promise<void>;
}

export async function startServers(): Promise<Servers> {
  let host = "";
  let sdk = "";

  let tokens = 0;
  const serveSdk = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = "" } = request;
    const path = url.replace(/^\/sdk\//, "");
    response.setHeader("cross-origin-resource-policy", "cross-origin");
    response.setHeader("access-control-allow-origin", "*");
    if (path === "served.js") {
      // As the service sends it, with its address.
      const script = await readFile(new URL("v2/linchpin.v2.js", DIST), "utf8");
      response.setHeader("content-type", "text/javascript");
      response.end(script.replace("__LINCHPIN_SDK__", `${sdk}/sdk/v2/`));
    } else if (/^(v1|v2|esm|help|releases)\//.test(path)) {
      response.setHeader("content-type", "text/javascript");
      response.end(await readFile(new URL(path, DIST)));
    } else if (path.startsWith("frame/p1/")) {
      const template = path.slice("frame/p1/".length);
      if (template === "elsewhere") return void response.writeHead(302, { location: `${host}/listener` }).end();
      if (template === "refused") response.setHeader("content-security-policy", "frame-ancestors 'none'");
      response.setHeader("content-type", "text/html");
      // This page never finishes loading.
      const image = template === "lt-unloaded" ? '<img src="/never" alt="">' : "";
      response.end(page(`<script>${FRAME_SCRIPT}</script>`, `<h1 tabindex=-1>Frame</h1><input aria-label=Code>${image}`));
    } else if (path === "/sandbox/v1/users") {
      // As the REST interface: a new token each time, for a tenant's server with credentials.
      const isKnown = request.headers.authorization === `Basic ${btoa("key:secret")}`;
      response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
      response.end(JSON.stringify({ token: { accessToken: `token-${++tokens}` } }));
    } else if (path === "/never") {
      // No response.
    } else {
      response.writeHead(404).end();
    }
  };

  const strict = (frame: string): string =>
    `default-src 'none'; script-src ${sdk}; style-src 'none'; ${frame}require-trusted-types-for 'script'; trusted-types 'none'`;

  const serveHost = ({ url = "" }: IncomingMessage, response: ServerResponse): void => {
    const { pathname } = new URL(url, host);
    const script = (version: string): string => `<script src="${sdk}/sdk/${version}/linchpin.${version}.js"></script>`;
    const body = "<button>Connect</button><div id=container></div><p>Far down</p>".padEnd(200);
    response.setHeader("content-type", "text/html");
    const pages: Record<string, () => string> = {
      "/": () => page(script("v2"), body),
      "/v1": () => page(script("v1"), body),
      "/twice": () => page(script("v2") + script("v2") + script("v1"), body),
      "/bare": () => page("", body),
      "/listener": () => page(`<script>${FRAME_SCRIPT}</script>`, ""),
      "/strict": () => page(script("v2"), body),
      "/forbidden": () => page(script("v2"), body),
    };
    if (pathname === "/strict") response.setHeader("content-security-policy", strict(`frame-src ${sdk}; `));
    if (pathname === "/forbidden") response.setHeader("content-security-policy", strict(""));
    response.end(pages[pathname]?.() ?? "");
  };

  const hostServer = await listen(serveHost);
  const sdkServer = await listen((request, response) => void serveSdk(request, response));
  host = `http://127.0.0.1:${port(hostServer)}`;
  sdk = `http://localhost:${port(sdkServer)}`;
  return {
    host,
    sdk,
    async close() {
      for (const server of [hostServer, sdkServer]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

const port = (server: Server): number => (server.address() as AddressInfo).port;

function listen(listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer(listener).listen(0, "127.0.0.1", () => resolve(server));
  });
}
