/**
 * The frame's start. It shakes hands with the bridge, keeps the session's secret, lends the wasm its requests and
 * texts, and starts the wasm again once when it trapped. It knows no step and no rule of the widget.
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
  /** The rest of the program is wanted, and with it the rest of the texts. */
  #whole = false;
  /** The files outlive the program, and orders keep their order. */
  #uploads: Promise<Uploads> | null = null;
  /** A program that has given an order for files understands what is reported of them; one just started does not yet. */
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
    port.onmessage = ({ data }: MessageEvent<HostMessage>) => this.#hear(data);
    onTrap((error) => void this.#restart(error));
    const on = (type: string, heard: (event: PageTransitionEvent) => void): void =>
      window.addEventListener(type, heard as EventListener);
    on("pageshow", ({ persisted }) => {
      if (persisted && this.#session.isOpen) void this.#revalidate();
    });
    on("pagehide", ({ persisted }) => {
      void this.#events.flush(true);
      // Gone for good, by whatever way: the host page closed the modal, went elsewhere or was closed.
      if (!persisted) this.#session.end();
    });
    on("online", () => void this.#events.flush());
    this.#post({ hello: { protocol: PROTOCOL, build: BUILD } });
    if (!window.isSecureContext) this.#fail("unsupported", "the page is no secure context");
  }

  #post(message: unknown): void {
    if (!this.#over) this.#port.postMessage(message);
  }

  #hear(message: HostMessage): void {
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
      const spoken = this.#loading;
      this.#opened.options.locale = message.setLocale.locale;
      this.#speak().catch(() => (this.#loading = spoken));
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
      const [glue] = await Promise.all([this.#program, this.#speak()]);
      cause = "options";
      this.#modal = new glue.LinkModal(opened.options, this.#lend());
      cause = "wasm";
      this.#modal.open(freshRoot(), opened.token);
    } catch (error) {
      const unloaded = error instanceof TypeError || error instanceof DOMException;
      this.#fail(unloaded ? "network" : cause, error instanceof Error ? error.message : String(error));
    }
  }

  /** The language asked for. What is on the screen is written anew, in the same elements. */
  async #speak(): Promise<void> {
    const wanted = localeUrl(this.#opened?.options.locale ?? "");
    const { locale } = wanted;
    if (locale !== this.#loading.locale) this.#loading = { locale, texts: loadTexts(wanted) };
    const { texts } = this.#loading;
    const spoken = await texts;
    if (this.#whole) await spoken.rest();
    this.#texts = spoken;
    if (this.#loading.texts !== texts) return this.#speak();
    const root = document.documentElement;
    root.lang = locale;
    root.dir = /^(ar|fa|he|ur)\b/.test(locale) ? "rtl" : "ltr";
    this.#modal?.redraw();
  }

  /** The texts of the program's rest, of whichever language is spoken by then. */
  async #speakWhole(): Promise<void> {
    this.#whole = true;
    await this.#speak();
  }

  #lend(): LinkHost {
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
        Promise.all([this.#program.then((program) => program.rest()), this.#speakWhole()])
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

  /** Tried until it is there: the page that needs it waits, and says so. */
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

  /** The session outlives the program: the same token leads the new instance back to where the attempt stands. */
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

  /** Back from the browser's page cache: requests in flight were lost, and the session may be over. */
  async #revalidate(): Promise<void> {
    this.#outbox.tellAgain();
    const { status } = await this.#session.request("GET", SESSION);
    if (status === 401) void this.#close("close");
  }

  /** A session that is over takes no more events: the last ones go before, if they go soon. */
  #end(): Promise<Reply> {
    const sent = Promise.race([this.#events.flush(true), pause(LAST_EVENTS_MS)]);
    const ended = sent.then(() => ({ reply: this.#session.request("DELETE", SESSION) }));
    this.#ending = ended;
    return ended.then(({ reply }) => reply);
  }

  /** Once the click or key under way has ended: the bridge drops this frame, and whoever sent it waits for its end. */
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

/** Escape and Android's Back. Where the browser tells the two as one, it also knows what Escape meant before that. */
function onCloseRequest(heard: () => void): void {
  if ("CloseWatcher" in window) {
    // One is good for one request.
    new (window.CloseWatcher as new () => { onclose: () => void })().onclose = () => {
      onCloseRequest(heard);
      heard();
    };
    return;
  }
  window.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && !needsEscape(event)) heard();
  });
}

/** Escape first ends what is being composed, and empties a search box. */
function needsEscape({ isComposing, target }: KeyboardEvent): boolean {
  return isComposing || (target instanceof HTMLInputElement && target.type === "search" && target.value !== "");
}

/** A new element each time: a trapped program's listeners stay on the old one. */
function freshRoot(): Element {
  const root = document.createElement("div");
  root.id = "linchpin";
  root.className = "root";
  document.getElementById("linchpin")?.replaceWith(root);
  return root;
}

const program = loadProgram(0);
// The bridge says the language in the address, so that its texts load with all the rest.
const wanted = localeUrl(location.hash.slice(1));
const loading = { locale: wanted.locale, texts: loadTexts(wanted) };
// A failure is reported by whoever awaits it; before the handshake there is nobody to tell.
program.catch(() => undefined);
loading.texts.catch(() => undefined);
void acceptPort().then((host) => new Frame(host, program, loading));
