/** Two servers in this process: a fake service with the real frame, and a host page whose bridge tests control. */
import { readdir, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { policyOf } from "../../../www/frame/preview/policy.mjs";
import { test as base, type Frame, type Locator, type Page } from "@playwright/test";
import { pressApart } from "../support/presses";

export { expect } from "@playwright/test";

const DIST = new URL("../../../www/frame/dist/", import.meta.url);
const RELEASED = new URL("../../fixtures/bridges/", import.meta.url);
const SEALED = new URL("../../contract/sealed-box.json", import.meta.url);
const HEX = "0123456789abcdef0123456789abcdef";
export const PLACE = { consent: null, providerId: null, loginOption: null, archiveType: null, accountId: null };

const SESSION = {
  sessionId: `ls-${HEX}`,
  userId: `demo-${HEX}`,
  mode: "SANDBOX",
  expiresInMs: 1_800_000,
  endsInMs: 18_000_000,
  template: {
    id: `lt-${HEX}`,
    companyName: "Northwind",
    consent: { consentTemplateId: `ct-${HEX}`, title: "Consent", version: "1", text: "I agree.", locale: "en" },
    allowConsentSkip: false,
    providers: [],
    topProviders: [],
    uploadsEnabled: false,
    fileTypes: [],
    optionalData: [],
    syncInterval: null,
    retention: "FROM_CONNECTION",
    helpUrl: null,
  },
  hasLinked: false,
  isHandoff: false,
  mayHandOff: false,
  attempt: { id: `at-${HEX}`, account: null, archives: [], place: PLACE, consentNeeded: true, chosenData: [] },
};

const field = (name: string, type: string): object => ({
  ...{ name, label: name, type, required: true, format: { text: { min: 1, max: 100 } }, pattern: null, minLength: 1 },
  ...{ maxLength: 100, choices: [], help: null, prefix: null, autocomplete: null, visibleWhen: null },
});
const SUMMARY = {
  ...{ id: "rideo", name: "Rideo", longName: "Rideo Drivers", logoUrl: null, type: "GIG", country: "MX" },
  ...{ enabled: true, loginRequired: true, searchKey: "rideo drivers" },
};
const PROVIDER = {
  ...SUMMARY,
  ...{ subType: "", mfa: false, monitorSupported: false, supported: [] },
  loginOptions: [{ id: "password", label: "Password", fields: [field("username", "text"), field("password", "password")] }],
};

const ARCHIVE = { archiveId: `archive-${HEX}`, type: "PAYSLIP", version: 1, files: [], addedDaysAgo: 0 };

/** A bridge that sends only the messages that tests request. */
const HOST_PAGE = `<!doctype html><html lang="en"><title>Shop</title><body><script>
  const heard = [];
  function embed(address) {
    const frame = document.createElement("iframe");
    frame.src = address;
    // The page /asked greets the frame when it asks for its port, like the bridge; the others do it like released bridges.
    if (location.pathname === "/asked") addEventListener("message", () => greet(), { once: true });
    else frame.onload = () => greet();
    document.body.append(frame);
  }
  function greet(greeting = { linchpin: "p1" }) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => heard.push(data);
    window.say = (message) => port1.postMessage(message);
    document.querySelector("iframe").contentWindow.postMessage(greeting, "*", [port2]);
  }
</script>`;

/** A message from the frame on the port. */
export type Said = Record<string, Record<string, unknown> & { callback?: Record<string, Record<string, unknown>> }>;

export interface Call {
  line: string;
  bearer: string | undefined;
  body: Record<string, unknown>;
}

export class Stage {
  /** The requests to the service in order, without batches of UI events. */
  readonly calls: Call[] = [];
  /** Method and path of all requests, including batches of UI events. */
  readonly lines: string[] = [];
  /** The batches of UI events, including rejected ones. */
  readonly batches: Record<string, unknown>[] = [];
  /** The statuses for the next batches. Later batches are accepted. */
  readonly refusals: number[] = [];
  /** The `Retry-After` of rejected batches, in seconds. */
  retryAfter = 0;
  /** The statuses for the next requests for the style sheet of later pages. Later ones get the style sheet. */
  readonly styleFaults: number[] = [];
  /** The names of the frame's loaded files. */
  readonly loaded: string[] = [];
  /** Whether the person has linked something before. The widget then starts with the list. */
  hasLinked = false;
  /** Whether this is the phone of a hand-off. */
  isHandoff = false;
  /** Other settings of the link template. */
  template: object = {};
  /** Another state of the attempt. */
  attempt: object = {};
  /** The environment of the session. */
  mode = SESSION.mode;
  /** The tenant's own texts as JSON, as the service writes them into the page. */
  words = "";
  #frameOrigin = "";
  #hostOrigin = "";
  #servers: Server[] = [];

  constructor(readonly page: Page) {}

  async start(): Promise<void> {
    this.#frameOrigin = `http://localhost:${await this.#serve((request, response) => this.#service(request, response))}`;
    const host = await this.#serve(async ({ url }, response) => {
      // `/0.1.0/v2` is a page with this released bridge.
      const [, release, version] = /^\/([\d.]+)\/(v\d)$/.exec(url ?? "") ?? [];
      const script = `<script src="${this.#frameOrigin}/sdk/${version}/linchpin.${version}.js?${release}"></script>`;
      if (url === "/without-forms") response.setHeader("content-security-policy", "sandbox allow-scripts allow-same-origin");
      response.setHeader("content-type", "text/html").end(release ? `<!doctype html><title>Shop</title><body>${script}` : HOST_PAGE);
    });
    this.#hostOrigin = `http://127.0.0.1:${host}`;
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) server.close().closeAllConnections();
  }

  /** Opens the host page with the frame. The page greets the frame when it has loaded. */
  async embed(template = "allowed", path = "/"): Promise<void> {
    await this.page.goto(this.#hostOrigin + path);
    await this.page.evaluate(`embed("${this.#frameOrigin}/sdk/frame/p1/${template}")`);
  }

  /** Embeds the frame, sends `open`, and waits for the first screen. */
  async open(options: { locale?: string } = {}, path = "/"): Promise<void> {
    await this.embed(options.locale ? `allowed#${options.locale}` : "allowed", path);
    await this.until("hello");
    await this.say({ open: { options: { templateId: "allowed", ...options }, token: "token-1" } });
    await this.button(options.locale === "he" ? "⟦Agree and continue⟧" : "Agree and continue").waitFor();
  }

  /** Opens the host page with a released bridge, which defines `LinkModal`. */
  async release(bridge: string): Promise<void> {
    await this.page.goto(`${this.#hostOrigin}/${bridge}`);
  }

  button(name: string): Locator {
    return this.page.frameLocator("iframe").getByRole("button", { name, exact: true });
  }

  async say(message: object): Promise<void> {
    await this.page.evaluate(`say(${JSON.stringify(message)})`);
  }

  async heard(): Promise<Said[]> {
    return this.page.evaluate("heard");
  }

  /** Waits for `count` messages of a kind, and returns all of them. */
  async until(kind: string, count = 1): Promise<Said[]> {
    const words = `heard.filter((message) => message["${kind}"]).length >= ${count}`;
    await this.page.waitForFunction(words);
    return (await this.heard()).filter((message) => message[kind]);
  }

  get frame(): Frame {
    const [, frame] = this.page.frames();
    if (!frame) throw new Error("There is no frame");
    return frame;
  }

  async #serve(listener: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<number> {
    const server = createServer((request, response) => void listener(request, response));
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, resolve));
    return (server.address() as AddressInfo).port;
  }

  async #service(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? "/", this.#frameOrigin);
    const [, bridge] = /^\/sdk\/v\d\/(.+)$/.exec(pathname) ?? [];
    if (bridge) {
      const script = await readFile(new URL(`${search.slice(1)}/${bridge}`, RELEASED));
      return void response.writeHead(200, { "content-type": "text/javascript" }).end(script);
    }
    if (pathname.startsWith("/sdk/frame/p1/")) return this.#framePage(pathname, response);
    if (pathname.startsWith("/sdk/assets/")) return this.#asset(pathname.slice("/sdk/assets/".length), response);
    let text = "";
    for await (const part of request) text += part;
    const line = `${request.method} ${pathname.slice("/v1".length)}`;
    const sent = text ? JSON.parse(text) : {};
    this.lines.push(line);
    if (line === "POST /link/events") {
      this.batches.push(sent);
      if (this.retryAfter > 0) response.setHeader("retry-after", this.retryAfter);
      return void response.writeHead(this.refusals.shift() ?? 204).end();
    }
    this.calls.push({ line, bearer: request.headers.authorization, body: sent });
    const responses: Record<string, [number, unknown]> = {
      "POST /link/sessions": [201, this.#session()],
      "GET /link/session": [200, this.#session()],
      "GET /link/linked": [200, { accounts: [], archives: [{ ...ARCHIVE, phase: { analyzed: {} } }] }],
      "GET /link/providers": [200, { items: [SUMMARY], nextCursor: null }],
      "GET /link/providers/rideo": [200, PROVIDER],
      "GET /link/sealingKey": [200, JSON.parse(await readFile(SEALED, "utf8")).key],
      "POST /link/accounts": [201, { accountId: `a-${HEX}`, providerId: "rideo", version: 1, phase: { connected: {} } }],
    };
    const [status, body] = responses[line] ?? [204, null];
    response.writeHead(status, { "content-type": "application/json" }).end(body ? JSON.stringify(body) : "");
  }

  #session(): object {
    const { hasLinked, isHandoff, mode } = this;
    const template = { ...SESSION.template, ...this.template };
    return { ...SESSION, hasLinked, isHandoff, mode, template, attempt: { ...SESSION.attempt, ...this.attempt } };
  }

  async #framePage(pathname: string, response: ServerResponse): Promise<void> {
    const origins = pathname.endsWith("foreign") ? "https://elsewhere.example" : this.#hostOrigin;
    const brand = { company: "Northwind", theme: "--brand-light:#112233;--on-brand-light:#ffffff;--brand-dark:#ddeeff;--on-brand-dark:#000000" };
    const facts = { "api-base": `${this.#frameOrigin}/v1`, origins, mode: "SANDBOX", ...brand };
    let html = await readFile(new URL("index.html", DIST), "utf8");
    for (const [name, fact] of Object.entries(facts)) {
      html = html.replace(`name="linchpin-${name}" content=""`, `name="linchpin-${name}" content="${fact}"`);
    }
    // Fake locales, generated from English: one from right to left, and one whose texts are long.
    const [fake, long] = ["he", "en-XA"].map((tag) => `${tag} /sdk/assets/${tag}.json /sdk/assets/${tag}-chunk.json`);
    html = html.replace(/name="linchpin-locales" content="([^"]*)/, `name="linchpin-locales" content="${fake} $1 ${long}`);
    html = html.replace("<title>", `<meta name="linchpin-texts" content="${this.words.replaceAll('"', "&quot;")}">$&`);
    response.writeHead(200, { "content-type": "text/html", "content-security-policy": policyOf(html) }).end(html);
  }

  async #asset(name: string, response: ServerResponse): Promise<void> {
    const types: Record<string, string> = { js: "text/javascript", css: "text/css", wasm: "application/wasm" };
    const type = types[name.split(".").pop() ?? ""] ?? "application/json";
    this.loaded.push(name);
    const fault = /^chunk-.*css$/.test(name) ? this.styleFaults.shift() : undefined;
    if (fault) return void response.writeHead(fault).end();
    const fake = /^(he|en-XA)(|-chunk)\.json$/.exec(name);
    if (fake) return void response.writeHead(200, { "content-type": type }).end(await bracketed(fake[2]!, fake[1] === "en-XA"));
    response.writeHead(200, { "content-type": type }).end(await readFile(new URL(name, DIST)));
  }
}

/** Returns the English texts in brackets. Long ones are 50 % longer, like the longest translations. */
async function bracketed(part: string, isLong: boolean): Promise<string> {
  const english = (await readdir(DIST)).find((name) => new RegExp(`^en${part}-[0-9a-f]{8}\\.json$`).test(name)) ?? "";
  const texts = JSON.parse(await readFile(new URL(english, DIST), "utf8")) as unknown[];
  const end = (text: unknown): string => (isLong ? ` ${"länger ".repeat(Math.ceil(JSON.stringify(text).length / 14))}⟧` : "⟧");
  const bracket = (text: unknown): unknown =>
    typeof text === "string" ? `⟦${text}${end(text)}` : text && ["⟦", ...(text as unknown[]), end(text)];
  return JSON.stringify(texts.map(bracket));
}

export const test = base.extend<{ stage: Stage }>({
  stage: async ({ page }, use) => {
    pressApart(page);
    const stage = new Stage(page);
    await stage.start();
    await use(stage);
    await stage.stop();
  },
});
