/** The servers of the host pages, on two origins of different sites that the link template allows. */
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { randomUUID } from "node:crypto";
import { extname, join } from "node:path";
import { Api } from "./api";
import { THEMES } from "./themes";

/** A host page: one of the built scripts, and what its server adds. */
interface HostPage {
  script: string;
  head?: string;
  body?: string;
  attributes?: string;
  headers?: Record<string, string>;
}

const MAIN = '<h1>Loans</h1><input id="name" aria-label="Name" value="Ana"><button id="connect">Connect</button>';
const APP = '<div id="app"></div>';
const LAYOUT =
  "main{padding:500px 60px 3000px}main:has(#container){padding-top:220px}#container{position:relative;width:500px;height:500px}";
const TYPES: Record<string, string> = { ".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".txt": "text/x-component" };

const plain = (more: Partial<HostPage> = {}): HostPage => ({ script: "plain", ...more });
const app = (script: string): HostPage => ({ script, body: APP });

export class Site {
  readonly #pages: Record<string, HostPage>;

  private constructor(
    /** The origin of the host pages. */
    readonly origin: string,
    /** Another site, for pages that embed a host page. */
    readonly other: string,
    readonly api: Api,
    readonly templateId: string,
    readonly close: () => void,
  ) {
    const sdk = api.service;
    const strict =
      `default-src 'none'; script-src 'self' ${sdk}; frame-src ${sdk}; style-src 'self'; connect-src 'self'; ` +
      "img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
    const isolated = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
    this.#pages = {
      "/plain": plain(),
      "/module": plain({ script: "module" }),
      "/two": plain({ script: "two", body: `<main>${MAIN}<button id="other">Other</button></main>` }),
      "/twice": plain({ head: `<script src="${sdk}/sdk/v1/linchpin.v1.js"></script>` }),
      "/inline": plain({ script: "inline", body: `<main>${MAIN}<div id="container"></div></main>` }),
      "/inline-shadow": plain({
        script: "inline",
        attributes: "data-shadow",
        body: `<main>${MAIN}<div id="container"></div></main>`,
      }),
      "/dialog": plain({
        script: "dialog",
        body: `<main><button id="show">Show</button></main><dialog id="host-dialog">${MAIN}</dialog>`,
      }),
      "/popover": plain({
        script: "popover",
        body: `<main><button id="show" popovertarget="host-dialog">Show</button></main><div id="host-dialog" popover>${MAIN}</div>`,
      }),
      "/popover-manual": plain({
        script: "popover",
        body:
          '<main><button id="show" popovertarget="host-dialog">Show</button></main>' +
          `<div id="host-dialog" popover="manual">${MAIN}</div>`,
      }),
      "/rtl": plain({ attributes: 'dir="rtl"' }),
      "/strict": plain({ headers: { "content-security-policy": strict } }),
      "/isolated": plain({ headers: isolated }),
      ...Object.fromEntries(
        ["react18", "react19", "vue", "svelte", "angular", "radix", "mui", "headless"].map((name) => [`/${name}`, app(name)]),
      ),
    };
  }

  static async start(): Promise<Site> {
    const api = await Api.find();
    let site: Site | undefined;
    const servers = ["127.0.0.1", "127.0.0.2"].map((address) =>
      createServer((request, response) => {
        site?.serve(request, response).catch((error) => response.writeHead(500).end(String(error)));
      }).listen(0, address),
    );
    await Promise.all(servers.map((server) => new Promise((listening) => server.once("listening", listening))));
    const [origin, other] = servers.map((server) => {
      const { address, port } = server.address() as AddressInfo;
      return `http://${address}:${port}`;
    }) as [string, string];
    const close = (): void =>
      servers.forEach((server) => {
        server.closeAllConnections();
        server.close();
      });
    site = new Site(origin, other, api, await api.linkTemplate([origin, other]), close);
    return site;
  }

  /** Returns the path of the plain page with a theme's style sheet. */
  static themed(name: string): string {
    return `/plain?theme=${encodeURIComponent(name)}`;
  }

  async serve({ url = "", method }: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(url, this.origin);
    response.setHeader("content-type", TYPES[extname(pathname)] ?? "text/html");
    // Modules of a page with an opaque origin need it.
    response.setHeader("access-control-allow-origin", "*");
    if (pathname === "/launch.js") return void response.end(await this.#launch());
    if (pathname === "/token" && method === "POST") {
      return void response.end((await this.api.user(searchParams.get("user") ?? "")).token);
    }
    if (pathname === "/page.css") return void response.end(LAYOUT);
    if (pathname === "/theme.css") return void response.end(THEMES[searchParams.get("name") ?? ""]);
    if (pathname.startsWith("/pages/")) return void response.end(await built(pathname.slice("/pages/".length)));
    if (pathname === "/next" || pathname.startsWith("/_next/") || /^\/(index|__next).*\.txt$/.test(pathname)) {
      const file = pathname === "/next" ? "index.html" : pathname;
      const text = await built(join("next", file));
      return void response.end(text.toString().replaceAll("__SERVICE__", this.api.service));
    }
    if (pathname === "/framing") {
      const attributes = searchParams.has("sandbox") ? `sandbox="${searchParams.get("sandbox")}"` : "";
      const frame = `<iframe ${attributes} src="${searchParams.get("src")}" style="width:100%;height:95vh"></iframe>`;
      return void response.end(`<!doctype html><html lang="en"><title>Outer</title><body>${frame}</body></html>`);
    }
    if (pathname === "/elsewhere") return void response.end('<!doctype html><html lang="en"><title>Elsewhere</title></html>');
    const page = this.#pages[pathname];
    if (!page) return void response.writeHead(404).end();
    for (const [name, value] of Object.entries(page.headers ?? {})) response.setHeader(name, value);
    const theme = searchParams.get("theme");
    response.end(this.#html(page, theme ? `<link rel="stylesheet" href="/theme.css?name=${encodeURIComponent(theme)}">` : ""));
  }

  #html({ script, head = "", body = `<main>${MAIN}</main>`, attributes = "" }: HostPage, theme: string): string {
    const dir = attributes.startsWith("dir") ? attributes : "";
    const data = attributes.startsWith("data") ? attributes : "";
    return `<!doctype html><html lang="en" ${dir}><head><meta charset="utf-8"><title>Loans</title>
      <link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css">${theme}<script src="/launch.js"></script>
      <script src="${this.api.service}/sdk/v2/linchpin.v2.js"></script>${head}</head>
      <body ${data}>${body}<script type="module" src="/pages/${script}.js"></script></body></html>`;
  }

  /** A new user for each page, so that no page continues where another was. */
  async #launch(): Promise<string> {
    const reference = randomUUID();
    const { token } = await this.api.user(reference);
    const launch = { templateId: this.templateId, userToken: token };
    return `Object.assign(window, ${JSON.stringify({ calls: [], launch, launchReference: reference, launchService: this.api.service })});`;
  }
}

async function built(path: string): Promise<Buffer> {
  return readFile(join(process.env["LINCHPIN_PAGES"] as string, path));
}
