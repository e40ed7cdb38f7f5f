/**
 * The entry point of the frame. Does the handshake with the bridge, owns the session secret, provides requests and texts to
 * the wasm, and restarts the wasm once if it traps. It does not know the steps or rules of the widget.
 */

import type { FileOrder } from "../generated/types";
import { Events } from "./events";
import { later } from "./later";
import { Outbox } from "./outbox";
import { apiBase, localeUrl, mode, templateId, uploadsUrl } from "./page";
import { acceptPort, type HostPort } from "./port";
import { type Program, type LinkHost, type LinkModal, loadProgram, onTrap } from "./program";
import { type Reply, Session, SESSION } from "./session";
import { loadTexts, type Texts } from "./texts";
import type { Uploads } from "./uploads";

const PROTOCOL = "p1";
const SCRIPT_AGAIN_MS = 2_000;
const LAST_EVENTS_MS = 300;
const BUILD = document.querySelector<HTMLLinkElement>("#linchpin-glue")?.href.split("/").pop() ?? "";

interface OpenMessage {
  options: { locale?: string | null } & Record<string, unknown>;
  token: string;
}

interface HostMessage {
  open?: OpenMessage;
  setToken?: { token: string };
  setLocale?: { locale: string };
  told?: { key: string };
  closeRequested?: object;
  inset?: { bottom: number };
}

class Frame {
  readonly #port: MessagePort;
  readonly #session: Session;
  readonly #outbox: Outbox;
  readonly #events: Events;
  readonly #opening = crypto.randomUUID();
  readonly #script = later<{ Uploads: typeof Uploads }>(uploadsUrl);
  #program: Promise<Program>;
  #opened: OpenMessage | null = null;
  #loading: { locale: string; texts: Promise<Texts> };
  #texts: Texts | null = null;
  /** Whether the second part of the program, and with it the other texts, has been requested. */
  #whole = false;
  /** The files survive a restart of the program. The promise chain runs the orders in sequence. */
  #uploads: Promise<Uploads> | null = null;
  /** The program to report to. A restarted program understands reports on files only after it has given an order. */
  #listener: LinkModal | null = null;
  #modal: LinkModal | null = null;
  #starts = 0;
  #over = false;
  #ending: Promise<unknown> | null = null;

  constructor({ origin, port }: HostPort, program: Promise<Program>, loading: { locale: string; texts: Promise<Texts> }) {
    this.#port = port;
    this.#session = new Session(origin);
    this.#events = new Events(this.#session, this.#opening);
    this.#outbox = new Outbox((message) => this.#port.postMessage(message));
    this.#program = program;
    this.#loading = loading;
    port.onmessage = ({ data }: MessageEvent<HostMessage>) => this.#receive(data);
    onTrap((error) => void this.#restart(error));
    const on = (type: string, listener: (event: PageTransitionEvent) => void): void =>
      window.addEventListener(type, listener as EventListener);
    on("pageshow", ({ persisted }) => {
      if (persisted && this.#session.isOpen) void this.#revalidate();
    });
    on("pagehide", ({ persisted }) => {
      void this.#events.flush(true);
      // The page will not return: the host page has closed the modal, navigated away or been closed.
      if (!persisted) this.#session.end();
    });
    on("online", () => void this.#events.flush());
    this.#post({ hello: { protocol: PROTOCOL, build: BUILD } });
    if (!window.isSecureContext) this.#fail("unsupported", "The page is not a secure context");
  }

  #post(message: unknown): void {
    if (!this.#over) this.#port.postMessage(message);
  }

  #receive(message: HostMessage): void {
    if (message.open && this.#opened === null) {
      this.#opened = message.open;
      onCloseRequest(() => this.#modal?.requestClose());
      void this.#start();
    }
    if (message.setToken && this.#opened) {
      this.#opened.token = message.setToken.token;
      this.#modal?.setToken(message.setToken.token);
    }
    if (message.setLocale && this.#opened) {
      const current = this.#loading;
      this.#opened.options.locale = message.setLocale.locale;
      this.#applyLocale().catch(() => (this.#loading = current));
    }
    if (message.told) this.#outbox.told(message.told.key);
    if (message.closeRequested) this.#closeRequested();
    if (message.inset) document.documentElement.style.setProperty("--inset-bottom", `${message.inset.bottom}px`);
  }

  #closeRequested(): void {
    if (this.#modal) this.#modal.requestClose();
    else void this.#close("close");
  }

  async #start(): Promise<void> {
    const opened = this.#opened;
    if (opened === null || this.#over) return;
    let cause = "wasm";
    try {
      const [glue] = await Promise.all([this.#program, this.#applyLocale()]);
      cause = "options";
      this.#modal = new glue.LinkModal(opened.options, this.#host());
      cause = "wasm";
      this.#modal.open(freshRoot(), opened.token);
    } catch (error) {
      const unloaded = error instanceof TypeError || error instanceof DOMException;
      this.#fail(unloaded ? "network" : cause, error instanceof Error ? error.message : String(error));
    }
  }

  /** Loads the texts of the requested locale, and redraws the screen with them in the same elements. */
  async #applyLocale(): Promise<void> {
    const wanted = localeUrl(this.#opened?.options.locale ?? "");
    const { locale } = wanted;
    if (locale !== this.#loading.locale) this.#loading = { locale, texts: loadTexts(wanted) };
    const { texts } = this.#loading;
    const loaded = await texts;
    if (this.#whole) await loaded.rest();
    this.#texts = loaded;
    if (this.#loading.texts !== texts) return this.#applyLocale();
    const root = document.documentElement;
    root.lang = locale;
    root.dir = /^(ar|fa|he|ur)\b/.test(locale) ? "rtl" : "ltr";
    this.#modal?.redraw();
  }

  /** Loads the texts of the second part of the program, in the current language. */
  async #loadAllTexts(): Promise<void> {
    this.#whole = true;
    await this.#applyLocale();
  }

  #host(): LinkHost {
    return {
      mode,
      opening: this.#opening,
      lastSeq: this.#outbox.lastSeq,
      request: (method, path, body, seal) =>
        method === "DELETE" && path === SESSION ? this.#end() : this.#session.request(method, path, body, seal),
      exchange: (token, template) => this.#session.exchange(token, template || templateId),
      text: (number, args) => this.#texts!.text(number, args),
      tell: (key, callback) => {
        if (callback.onUIEvent) this.#events.add(callback.onUIEvent);
        this.#outbox.tell(key, callback);
      },
      file: (order) => this.#order(order),
      rest: () =>
        Promise.all([this.#program.then((program) => program.rest()), this.#loadAllTexts()])
          .then(
            () => ({ status: 200 }),
            () => ({ status: 0 }),
          ),
      ready: () => this.#post({ ready: {} }),
      close: (reason) => void this.#close(reason),
    };
  }

  #order(order: FileOrder): void {
    this.#listener = this.#modal;
    this.#uploads = (this.#uploads ?? this.#loadUploads()).then((uploads) => {
      uploads.order(order);
      return uploads;
    });
  }

  /** Tries until the script has loaded. Meanwhile the upload page shows that it is offline. */
  async #loadUploads(): Promise<Uploads> {
    for (;;) {
      try {
        const { Uploads } = await this.#script();
        return new Uploads({
          apiBase,
          bearer: () => this.#session.bearer,
          report: (fact) => this.#listener?.file(fact),
        });
      } catch {
        this.#listener?.file({ connection: { online: false, saveData: false } });
        await pause(SCRIPT_AGAIN_MS);
      }
    }
  }

  /** Starts the program again. The session survives, so with the same token the new instance continues the attempt. */
  async #restart(error: Error): Promise<void> {
    this.#modal = this.#listener = null;
    this.#starts += 1;
    this.#events.trapped(error);
    if (this.#starts > 1) {
      void this.#events.flush(true);
      return this.#fail("wasm", error.message);
    }
    this.#program = loadProgram(this.#starts);
    await this.#start();
  }

  /** Checks the session after the page returns from the back/forward cache, which aborts requests. */
  async #revalidate(): Promise<void> {
    this.#outbox.tellAgain();
    const { status } = await this.#session.request("GET", SESSION);
    if (status === 401) void this.#close("close");
  }

  /** Ends the session. Sends the last events first, because an ended session accepts none, but waits at most 300 ms. */
  #end(): Promise<Reply> {
    const sent = Promise.race([this.#events.flush(true), pause(LAST_EVENTS_MS)]);
    const ended = sent.then(() => ({ reply: this.#session.request("DELETE", SESSION) }));
    this.#ending = ended;
    return ended.then(({ reply }) => reply);
  }

  /** Asks the bridge to remove this frame, after the current click or key event, whose sender waits until it ends. */
  async #close(reason: unknown): Promise<void> {
    await pause(0);
    await this.#ending;
    this.#post({ close: { reason } });
    this.#over = true;
  }

  #fail(cause: string, detail: string): void {
    this.#post({ failed: { cause, detail } });
    this.#over = true;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Listens to Escape and Android's Back. A CloseWatcher handles both, and knows the other uses of Escape. */
function onCloseRequest(listener: () => void): void {
  if ("CloseWatcher" in window) {
    // A CloseWatcher handles one request.
    new (window.CloseWatcher as new () => { onclose: () => void })().onclose = () => {
      onCloseRequest(listener);
      listener();
    };
    return;
  }
  window.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && !needsEscape(event)) listener();
  });
}

/** Returns whether Escape has another use: to cancel a composition, or to clear a search field. */
function needsEscape({ isComposing, target }: KeyboardEvent): boolean {
  return isComposing || (target instanceof HTMLInputElement && target.type === "search" && target.value !== "");
}

/** Creates a new root element. The listeners of a trapped program stay on the old one. */
function freshRoot(): Element {
  const root = document.createElement("div");
  root.id = "linchpin";
  root.className = "root";
  document.getElementById("linchpin")?.replaceWith(root);
  return root;
}

const program = loadProgram(0);
// The bridge passes the locale in the URL, so that its texts load together with the other files.
const wanted = localeUrl(location.hash.slice(1));
const loading = { locale: wanted.locale, texts: loadTexts(wanted) };
// The code that awaits these promises reports failures. Before the handshake, there is no one to report to.
program.catch(() => undefined);
loading.texts.catch(() => undefined);
void acceptPort().then((host) => new Frame(host, program, loading));
