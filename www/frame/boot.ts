/**
 * The entry point of the frame. Does the handshake with the bridge, owns the session secret, provides requests and texts to
 * the wasm, and restarts the wasm once if it traps. It does not know the steps or rules of the widget.
 */

import type { FileFact, FileOrder } from "../generated/types";
import { moveByArrows } from "./arrows";
import { Events } from "./events";
import { submitForms } from "./forms";
import { applyInset } from "./inset";
import { Language } from "./language";
import { later } from "./later";
import { Outbox } from "./outbox";
import { apiBase, mode, restStylesUrl, templateId, uploadsUrl } from "./page";
import { acceptPort, type HostPort } from "./port";
import { type Program, type LinkHost, type LinkModal, loadProgram, onTrap } from "./program";
import { type Reply, Session, SESSION } from "./session";
import { addStyles, stylesLoaded } from "./style-sheet";
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

/** What the frame is doing. It has a program to talk to only while it runs one. */
type Phase =
  /** Waits for the bridge to send the token. */
  | { name: "waiting" }
  /** Loads the program and the texts. */
  | { name: "starting"; opened: OpenMessage }
  /** `ordered`: this program has given an order for files. Before that, it does not understand reports on files. */
  | { name: "running"; opened: OpenMessage; modal: LinkModal; ordered: boolean }
  /** Sends nothing more, because the bridge removes the frame. */
  | { name: "over" };

class Frame {
  readonly #port: MessagePort;
  readonly #session: Session;
  readonly #outbox: Outbox;
  readonly #events: Events;
  readonly #opening = crypto.randomUUID();
  readonly #script = later<{ Uploads: typeof Uploads }>(uploadsUrl);
  readonly #styles = later(restStylesUrl, addStyles);
  readonly #language: Language;
  #phase: Phase = { name: "waiting" };
  #program: Promise<Program>;
  /** The files survive a restart of the program. The promise chain runs the orders in sequence. */
  #uploads: Promise<Uploads> | undefined;
  #starts = 0;
  /** Resolves once the last events of an ended session have been sent. */
  #ended: Promise<unknown> = Promise.resolve();

  constructor({ origin, port }: HostPort, program: Promise<Program>, language: Language) {
    this.#port = port;
    this.#session = new Session(origin);
    this.#events = new Events(this.#session, this.#opening);
    this.#outbox = new Outbox((message) => this.#port.postMessage(message));
    this.#program = program;
    this.#language = language;
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
    if (this.#phase.name !== "over") this.#port.postMessage(message);
  }

  /** Returns the program, if it runs. */
  get #modal(): LinkModal | undefined {
    return this.#phase.name === "running" ? this.#phase.modal : undefined;
  }

  #receive(message: HostMessage): void {
    if (message.open && this.#phase.name === "waiting") {
      onCloseRequest(() => this.#modal?.requestClose());
      void this.#start(message.open);
    }
    if ("opened" in this.#phase) this.#update(this.#phase.opened, message);
    if (message.told) this.#outbox.told(message.told.key);
    if (message.closeRequested) this.#closeRequested();
    if (message.inset) applyInset(message.inset.bottom);
  }

  /** Applies a new token or locale, also for the case that the program restarts. */
  #update(opened: OpenMessage, { setToken, setLocale }: HostMessage): void {
    if (setToken) {
      opened.token = setToken.token;
      this.#modal?.setToken(setToken.token);
    }
    if (setLocale) {
      opened.options.locale = setLocale.locale;
      this.#redrawAfter(this.#language.change(setLocale.locale)).catch(() => undefined);
    }
  }

  #closeRequested(): void {
    if (this.#modal) this.#modal.requestClose();
    else void this.#close("close");
  }

  async #start(opened: OpenMessage): Promise<void> {
    const starting: Phase = { name: "starting", opened };
    this.#phase = starting;
    let cause = "wasm";
    try {
      const [glue] = await Promise.all([
        this.#program,
        this.#language.start(opened.options.locale ?? ""),
        stylesLoaded(),
      ]);
      // The frame was closed meanwhile, or the program trapped and starts again.
      if (this.#phase !== starting) return;
      cause = "options";
      const modal = new glue.LinkModal(opened.options, this.#host());
      this.#phase = { name: "running", opened, modal, ordered: false };
      cause = "wasm";
      modal.open(freshRoot(), opened.token);
    } catch (error) {
      const unloaded = error instanceof TypeError || error instanceof DOMException;
      this.#fail(unloaded ? "network" : cause, error instanceof Error ? error.message : String(error));
    }
  }

  /** Redraws the screen with the new texts in the same elements. */
  async #redrawAfter(texts: Promise<void>): Promise<void> {
    await texts;
    this.#modal?.redraw();
  }

  #host(): LinkHost {
    return {
      mode,
      opening: this.#opening,
      lastSeq: this.#outbox.lastSeq,
      request: (method, path, body, seal) =>
        method === "DELETE" && path === SESSION ? this.#end() : this.#session.request(method, path, body, seal),
      exchange: (token, template) => this.#session.exchange(token, template || templateId),
      text: (number, args) => this.#language.text(number, args),
      tell: (key, callback) => {
        if (callback.onUIEvent) this.#events.add(callback.onUIEvent);
        this.#outbox.tell(key, callback);
      },
      file: (order) => this.#order(order),
      rest: () =>
        Promise.all([
          this.#program.then((program) => program.rest()),
          this.#styles(),
          this.#redrawAfter(this.#language.loadAll()),
        ]).then(
          () => ({ status: 200 }),
          () => ({ status: 0 }),
        ),
      ready: () => this.#post({ ready: {} }),
      close: (reason) => void this.#close(reason),
    };
  }

  #order(order: FileOrder): void {
    if (this.#phase.name === "running") this.#phase.ordered = true;
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
          report: (fact) => this.#report(fact),
        });
      } catch {
        this.#report({ connection: { online: false, saveData: false } });
        await pause(SCRIPT_AGAIN_MS);
      }
    }
  }

  #report(fact: FileFact): void {
    if (this.#phase.name === "running" && this.#phase.ordered) this.#phase.modal.file(fact);
  }

  /** Starts the program again. The session survives, so with the same token the new instance continues the attempt. */
  async #restart(error: Error): Promise<void> {
    this.#starts += 1;
    this.#events.trapped(error);
    if (this.#starts > 1) {
      void this.#events.flush(true);
      return this.#fail("wasm", error.message);
    }
    this.#program = loadProgram(this.#starts);
    if ("opened" in this.#phase) await this.#start(this.#phase.opened);
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
    this.#ended = ended;
    return ended.then(({ reply }) => reply);
  }

  /** Asks the bridge to remove this frame, after the current click or key event, whose sender waits until it ends. */
  async #close(reason: unknown): Promise<void> {
    await pause(0);
    await this.#ended;
    this.#post({ close: { reason } });
    this.#phase = { name: "over" };
  }

  #fail(cause: string, detail: string): void {
    this.#post({ failed: { cause, detail } });
    this.#phase = { name: "over" };
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

submitForms();
moveByArrows();
const program = loadProgram(0);
// The bridge passes the locale in the URL, so that its texts load together with the other files.
const language = new Language(location.hash.slice(1));
// The code that awaits this promise reports the failure. Before the handshake, there is no one to report to.
program.catch(() => undefined);
void acceptPort().then((host) => new Frame(host, program, language));
