/**
 * Drives Chromium over its debugging pipe. Our own: Playwright attaches to a cross-site frame only after it has started, but
 * the bench must slow down its processor and network before that.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--remote-debugging-pipe",
];

export class Browser {
  #process;
  #profile = mkdtempSync(join(tmpdir(), "bench-open-"));
  #next = 1;
  #waiting = new Map();
  #listeners = new Set();

  constructor(program) {
    this.#process = spawn(program, [...FLAGS, `--user-data-dir=${this.#profile}`, "about:blank"], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    let text = "";
    this.#process.stdio[4].setEncoding("utf8").on("data", (data) => {
      const messages = (text + data).split("\0");
      text = messages.pop();
      for (const message of messages) this.#receive(JSON.parse(message));
    });
  }

  /** Sends a command, to the browser or to the target of a session. */
  send(method, params = {}, sessionId = undefined) {
    const id = this.#next++;
    this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, method }));
  }

  on(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close() {
    const exited = new Promise((resolve) => this.#process.once("exit", resolve));
    await this.send("Browser.close").catch(() => undefined);
    await exited;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 3 });
  }

  #receive({ id, error, result, method, params, sessionId }) {
    if (!id) {
      for (const listener of this.#listeners) listener(method, params, sessionId);
      return;
    }
    const { resolve, reject, method: sent } = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) reject(new Error(`${sent}: ${error.message}`));
    else resolve(result);
  }
}

/** A page in a fresh profile, with empty caches. All its frames are slowed down before their first script runs. */
export class Page {
  #browser;
  #context;
  #session;
  #off;
  #isClosed = false;
  /** Sessions of the page and its cross-site frames, by the URL of the target. */
  sessions = [];

  static async open(browser, link, script) {
    const page = new Page();
    page.#browser = browser;
    const { browserContextId } = await browser.send("Target.createBrowserContext");
    page.#context = browserContextId;
    page.#off = browser.on((method, { sessionId, targetInfo, requestId }, parent) => {
      const isOurs = parent && page.sessions.some((session) => session === parent);
      if (method === "Target.attachedToTarget" && isOurs) void page.#prepare(sessionId, link, script, targetInfo.type);
      if (method === "Fetch.requestPaused" && isOurs) void page.#respond(requestId, link.providers, parent);
    });
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
    page.#session = sessionId;
    await page.#prepare(sessionId, link, script, "page");
    return page;
  }

  async goto(url) {
    // The frame of the page before could still respond.
    this.sessions = [this.#session];
    const loaded = new Promise((resolve) => {
      const off = this.#browser.on((method, _, session) => {
        if (method !== "Page.loadEventFired" || session !== this.#session) return;
        off();
        resolve();
      });
    });
    await this.#browser.send("Page.navigate", { url }, this.#session);
    await loaded;
  }

  /** Sends a command to the page. */
  send(method, params = {}) {
    return this.#browser.send(method, params, this.#session);
  }

  /** Sends a command to the cross-site frame. */
  sendToFrame(method, params = {}) {
    return this.#browser.send(method, params, this.sessions.at(-1));
  }

  /** Evaluates an expression in the page. */
  evaluate(expression) {
    return this.#evaluate(expression, this.#session);
  }

  /** Evaluates an expression in the cross-site frame, when it has loaded. */
  async evaluateInFrame(expression) {
    for (;;) {
      // A bench that gave up waiting has closed the page.
      if (this.#isClosed) throw new Error(`the page was closed: ${expression}`);
      const frame = this.sessions.at(-1);
      const isThere = frame !== this.#session && (await this.#evaluate("!!window.__bench", frame).catch(() => false));
      // The frame may still replace its empty document, which rejects the evaluation.
      if (isThere) {
        const value = await this.#evaluate(expression, frame).catch(() => undefined);
        if (value !== undefined) return value;
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async #evaluate(expression, session) {
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.#browser.send("Runtime.evaluate", params, session);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async close() {
    this.#isClosed = true;
    this.#off();
    await this.#browser.send("Target.disposeBrowserContext", { browserContextId: this.#context });
  }

  /** Responds to a request for the list of providers. `body` is in base64, so that it is encoded only once. */
  async #respond(requestId, body, session) {
    const responseHeaders = [{ name: "content-type", value: "application/json" }];
    const response = { requestId, responseCode: 200, responseHeaders, body };
    await this.#browser.send("Fetch.fulfillRequest", response, session).catch(() => undefined);
  }

  async #prepare(session, { cpu, network, providers }, script, type) {
    this.sessions.push(session);
    const send = (method, params) => this.#browser.send(method, params, session);
    const steps = [
      send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
      send("Emulation.setCPUThrottlingRate", { rate: cpu }),
    ];
    if (providers) steps.push(send("Fetch.enable", { patterns: [{ urlPattern: "*/link/providers" }] }));
    if (network) steps.push(send("Network.enable"), send("Network.emulateNetworkConditions", { offline: false, ...network }));
    if (type === "page" || type === "iframe") {
      steps.push(send("Page.enable"), send("Page.addScriptToEvaluateOnNewDocument", { source: script, runImmediately: true }));
    }
    // A service or frame that ends meanwhile rejects these, which does not spoil the measurement.
    await Promise.allSettled(steps);
    await send("Runtime.runIfWaitingForDebugger").catch(() => undefined);
  }
}
