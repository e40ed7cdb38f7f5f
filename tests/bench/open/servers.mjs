/** Serves the host page on 127.0.0.1 and the peers' files on localhost: two sites, as in production. Compressed with brotli. */
import { Agent, createServer, request } from "node:http";
import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import { buildSync } from "esbuild";
import { institutions, members } from "./mx.mjs";

const here = (path) => new URL(path, import.meta.url).pathname;

function script(path, format) {
  const { outputFiles } = buildSync({
    entryPoints: [here(path)],
    bundle: true,
    minify: true,
    write: false,
    format,
    target: "es2022",
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"', global: "globalThis" },
    loader: { ".css": "empty" },
  });
  return outputFiles[0].contents;
}

const page = (head, body) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>${head}<body>${body}</body></html>`;

/** Passes a request of a peer's frame to the service, which accepts exchanges from its own pages alone. */
function pass(service, api, agent, incoming, response) {
  const kept = ["content-type", "content-length", "authorization"].filter((name) => incoming.headers[name]);
  const headers = { origin: service, ...Object.fromEntries(kept.map((name) => [name, incoming.headers[name]])) };
  const url = api + incoming.url.slice("/api".length);
  const passed = request(url, { method: incoming.method, agent, headers }, (reply) => {
    response.writeHead(reply.statusCode, { "content-type": "application/json" });
    reply.pipe(response);
  });
  passed.on("error", (error) => response.writeHead(502).end(String(error)));
  incoming.pipe(passed);
}

/** Builds the peers and serves them. Prints their size, so that a later run can be compared. */
export async function serve(service, { baseUrl, linkTemplateId }) {
  const css = '<link rel="stylesheet" href="/card.css">';
  const files = {
    "/preact.js": ["text/javascript", script("peers/preact.js", "esm")],
    "/react.js": ["text/javascript", script("peers/react.js", "iife")],
    "/mx.js": ["text/javascript", script("peers/mx.js", "esm")],
    "/bridge.js": ["text/javascript", script("peers/bridge.js", "esm")],
    "/session-react.js": ["text/javascript", script("peers/session-react.js", "iife")],
    "/session-preact.js": ["text/javascript", script("peers/session-preact.js", "iife")],
    "/card.css": ["text/css", readFileSync(here("peers/card.css"))],
    "/mx.css": ["text/css", readFileSync(here("node_modules/@mxenabled/connect-widget/dist/style.css"))],
    "/mx/institutions": ["application/json", JSON.stringify(institutions)],
    "/mx/members": ["application/json", JSON.stringify(members)],
    "/react": ["text/html", page(`${css}<script defer src="/react.js"></script>`, '<div id="root"></div>')],
    "/session-react": ["text/html", page(`${css}<script defer src="/session-react.js"></script>`, '<div id="root"></div>')],
    "/session-preact": ["text/html", page(`${css}<script defer src="/session-preact.js"></script>`, '<div id="root"></div>')],
    "/tenant": ["text/html", page('<script type="module">import { open } from "/bridge.js"; window.openPeer = open;</script>', "<button>Connect</button>")],
    "/mx": ["text/html", page('<link rel="stylesheet" href="/mx.css">', "<button>Connect</button>")],
    "/peer": ["text/html", page("", "<button>Connect</button>")],
    "/styled": ["text/html", page(css, "<button>Connect</button>")],
    "/ours": [
      "text/html",
      page(`<script src="${service}/sdk/v2/linchpin.v2.js"></script>`, "<button>Connect</button>") +
        `<script>const template = ${JSON.stringify(linkTemplateId)};</script>`,
    ],
  };
  const packed = Object.fromEntries(
    Object.entries(files).map(([path, [type, body]]) => {
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
      return [path, { type, body: brotliCompressSync(body, { params }) }];
    }),
  );
  for (const path of ["/session-react.js", "/session-preact.js", "/preact.js", "/react.js", "/mx.js"]) console.log(`bench: ${path.slice(1)} ${packed[path].body.length} bytes brotli`);
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, response) => {
    if (incoming.url.startsWith("/api/")) return pass(service, baseUrl, agent, incoming, response);
    const file = packed[incoming.url];
    if (!file) return void response.writeHead(404).end();
    // As files with a hash in their name are served.
    const cache = /html|json/.test(file.type) ? "no-cache" : "public, max-age=31536000, immutable";
    const headers = { "content-type": `${file.type}; charset=utf-8`, "content-encoding": "br", "cache-control": cache };
    response.writeHead(200, headers).end(file.body);
  });
  await new Promise((resolve) => server.listen(0, resolve));
  const { port } = server.address();
  return { host: `http://127.0.0.1:${port}`, frames: `http://localhost:${port}`, close: () => (agent.destroy(), server.close()) };
}
