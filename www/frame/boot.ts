/**
 * The entry point of the frame. Does the handshake with the bridge, owns the session secret, provides requests and texts to
 * the wasm, and restarts the wasm once if it traps. It does not know the steps or rules of the widget, except whether a
 * session begins with the consent page, which it draws while the program loads (ADR 187).
 */

import type { Closed, FileFact, FileOrder, LinkSession } from "../generated/types";
import { onCloseRequest } from "./close-request";
import { opensWithConsent } from "./consent";
import { freshRoot } from "./elements";
import { Events } from "./events";
import { FirstScreen } from "./first";
import type { Typed, watchFields } from "./fields";
import { applyInset, moveByArrows } from "./focus";
import { submitForms } from "./forms";
import { Language } from "./language";
import { addStyles, lazy } from "./lazy";
import { Outbox } from "./outbox";
import { apiBase, brand, chunkStylesUrl, fieldsUrl, glueUrl, mode, templateId, uploadsUrl } from "./page";
import { LAST_EVENTS_MS, ONE_SCREEN_MS, PAINT_MS, pause, type Phase, PREWARM_MS, SCRIPT_AGAIN_MS, SLOW_MS, waitForPaint } from "./phase";
import { ignoreDoubleClicks, lastPress } from "./presses";
import { acceptPort, areCertain, type HostMessage, type HostPort, type OpenMessage } from "./port";
import { type Instantiate, type LinkHost, type LinkModal, loadProgram, onTrap } from "./program";
import { causeOf, DAMAGED, isGone, isOffline, NotServed } from "./served";
import { type Reply, Session, SESSION } from "./session";
import { applyBrand, applyScheme } from "./theme";
import type { Uploads } from "./uploads";

const PROTOCOL = "p1";
const AGAIN = "/sdk/assets/again.js";
const FEATURES = "selector(:has(*)) and (color:color-mix(in srgb,red,red))";
const BUILD = glueUrl.split("/").pop();

class Frame {
  readonly #port: MessagePort;
  readonly #session: Session;
  readonly #outbox: Outbox;
  readonly #events: Events;
  readonly #origin: string;
  readonly #opening = crypto.randomUUID();
  /** Whether this page was loaded because another build's files are gone, which happens once, and what was typed there. */
  #isAgain: boolean;
  readonly #typed: Typed | undefined;
  readonly #script = lazy<{ Uploads: typeof Uploads }>(uploadsUrl);
  readonly #chunkStyles = lazy(chunkStylesUrl, addStyles);
  readonly #language: Language;
  #phase: Phase = { name: "waiting" };
  /** The exchange that began before the program ran, until the program asks for one. */
  #exchange: { token: string; sent: Promise<Reply> } | undefined;
  #program: Promise<Instantiate>;
  /** The program of a frame that waited. It checks the options before the token is used. */
  #waiting: Awaited<ReturnType<Instantiate>> | undefined;
  /** The files survive a restart of the program. The promise chain runs the orders in sequence. */
  #uploads: Promise<Uploads> | undefined;
  /** How often the program was loaded again; it gets another URL each time. */
  #loads = 0;
  #traps = 0;
  #isReady = false;
  readonly #first: FirstScreen;
  readonly #fieldsScript = lazy<{ watchFields: typeof watchFields }>(fieldsUrl);
  /** Set once the deferred chunk has been loaded. */
  #fields: ReturnType<typeof watchFields> | undefined;
  /** Resolves once the last events of an ended session have been sent. */
  #ended: Promise<unknown> = Promise.resolve();

  constructor({ origin, port, first }: HostPort, program: Promise<Instantiate>, language: Language) {
    const [hostOrigin, held, typed] = first.again ?? [origin];
    this.#port = port;
    this.#origin = hostOrigin;
    [this.#isAgain, this.#typed] = [!!held, typed];
    this.#session = new Session(hostOrigin, () => language.locale, (error) => this.#lost(error), held);
    this.#events = new Events(this.#session, this.#opening);
    this.#outbox = new Outbox((message) => this.#port.postMessage(message));
    this.#program = program;
    this.#language = language;
    this.#first = new FirstScreen({
      text: (number, args) => language.text(number, args),
      close: () => void this.#close({ reason: "close" }),
      retry: () => this.#retry(),
    });
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
    void this.#prewarm();
    if (!isSecureContext || !self.WebAssembly || !CSS.supports(FEATURES)) this.#fail("unsupported", FEATURES);
    this.#receive(first);
  }

  /** Instantiates the program of a frame that waits to be opened. Otherwise this happens when the person sees the first page. */
  async #prewarm(): Promise<void> {
    await pause(PREWARM_MS);
    const instantiate = await this.#program.catch(() => undefined);
    if (this.#phase.name === "waiting") this.#waiting = await instantiate?.().catch(() => undefined);
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
      onCloseRequest(() => this.#closeRequested());
      void this.#start(message.open);
    }
    if ("opened" in this.#phase) this.#update(this.#phase.opened, message);
    if (message.told) this.#outbox.acknowledge(message.told.key);
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
      const fail = (it: unknown): void => this.#outbox.send(crypto.randomUUID(), { error: { cause: causeOf(it) } });
      this.#redrawAfter(this.#language.change(setLocale.locale)).catch(fail);
    }
  }

  #closeRequested(): void {
    if (this.#modal) this.#modal.requestClose();
    else void this.#close({ reason: "close" });
  }

  async #start(opened: OpenMessage): Promise<void> {
    const starting: Phase = { name: "starting", opened };
    let phase: Phase = starting;
    this.#phase = phase;
    this.#isReady = false;
    const { options } = opened;
    applyScheme(options["theme"]);
    // Before the exchange, which asks for texts in this language.
    const texts = this.#language.start(String(options.locale ?? ""));
    void texts.then(() => this.#first.translate()).catch(() => undefined);
    const slow = setTimeout(() => this.#phase === starting && this.#first.slow(), SLOW_MS);
    // A wrong option must not use up the token. If the program does not load, that is reported below.
    const checks = this.#waiting ?? (areCertain(options) ? undefined : await this.#program.then((it) => it()).catch(() => undefined));
    this.#waiting = undefined;
    if (this.#phase !== starting) return;
    let modal: LinkModal | undefined;
    try {
      modal = checks && new checks.LinkModal(options, this.#host());
    } catch (error) {
      return this.#fail("options", (error as Error).message);
    }
    const token = (opened.token = `${opened.token}`);
    // This page's template is the default.
    const sent = this.#session.exchange(token, String(options["templateId"] || templateId));
    this.#exchange = { token, sent };
    const early: { reply?: Reply } = {};
    const seen = Promise.all([sent, texts]).then(async ([reply]) => {
      early.reply = reply;
      if (this.#phase === starting) await this.#showConsent(options, reply);
    });
    let cause = "wasm";
    try {
      const [instantiate] = await Promise.all([
        this.#program,
        Promise.race([seen, pause(ONE_SCREEN_MS)]),
        texts,
      ]);
      const program = await instantiate();
      await this.#first.released();
      // The frame was closed meanwhile, or the person tries again.
      if (this.#phase !== starting) return;
      cause = "options";
      modal ??= new program.LinkModal(options, this.#host());
      phase = { name: "running", opened, modal, ordered: false };
      this.#phase = phase;
      cause = "wasm";
      modal.open(this.#first.handOver(freshRoot), opened.token, opened.token === token ? early.reply : undefined);
    } catch (error) {
      if (this.#phase === phase) this.#failStart(opened, cause, error as Error);
    } finally {
      clearTimeout(slow);
    }
  }

  /** Shows the consent page if that is the session's first one. Resolves when the person can see it. */
  async #showConsent(options: Record<string, unknown>, { status, body }: Reply): Promise<void> {
    const session = body as LinkSession | null;
    // If the response is not a session, the program names the fault.
    if (status < 200 || status >= 300 || !session?.attempt?.place || !opensWithConsent(options, session)) return;
    this.#first.consent(session);
    this.#showsPage();
    await Promise.race([waitForPaint(), pause(PAINT_MS)]);
  }

  /** Reports to the bridge, once for each start, that the person sees a page and may not be interrupted without a question. */
  #showsPage(): void {
    if (!this.#isReady) this.#post({ ready: {} });
    this.#isReady = true;
  }

  /** Reports a failed start. If a part did not load, the frame stays, and with it the session of the token. */
  #failStart(opened: OpenMessage, cause: string, error: Error): void {
    if (isGone(error) && !this.#isAgain) return this.#reload(opened, error);
    const isRefused = error instanceof NotServed;
    if (!isRefused && !isOffline(error)) return this.#fail(cause, error.message);
    this.#phase = { name: "failed", opened };
    this.#first.notice(isRefused ? "broken" : "offline");
    this.#post({ failed: { cause: causeOf(error), detail: error.message, shown: true } });
  }

  /** Handles the failure of a file of a running program, if the service no longer serves it. */
  #lost(error: unknown): void {
    if (!isGone(error) || !("opened" in this.#phase)) return;
    this.#uploads = undefined;
    this.#failStart(this.#phase.opened, "files", error);
  }

  /** Loads the page of the current build inside this one. A reload in place would lose the session's secret. */
  #reload(opened: OpenMessage, error: Error): void {
    this.#isAgain = true;
    this.#phase = { name: "failed", opened };
    const typed = this.#fields?.takeTyped();
    const failed = (): void => this.#failStart(opened, "files", error);
    const handOver = (): object => {
      this.#phase = { name: "over" };
      return { linchpin: PROTOCOL, again: [this.#origin, this.#session.release(), typed], open: opened };
    };
    import(AGAIN).then(({ again }: typeof import("./again")) => again(handOver, this.#port, failed), failed);
  }

  /** Loads what has not loaded, because the person asked for it. */
  #retry(): void {
    if (this.#phase.name !== "starting" && this.#phase.name !== "failed") return;
    this.#first.wait();
    this.#program = loadProgram(++this.#loads);
    void this.#start(this.#phase.opened);
  }

  /** Redraws the screen with the new texts in the same elements. */
  async #redrawAfter(texts: Promise<void>): Promise<void> {
    await texts;
    if (this.#modal) this.#modal.redraw();
    else this.#first.translate();
  }

  #host(): LinkHost {
    return {
      mode,
      isTouch: matchMedia("(pointer: coarse)").matches,
      opening: this.#opening,
      lastSeq: this.#outbox.lastSeq,
      request: (method, path, body, seal) =>
        method === "DELETE" && path === SESSION ? this.#end() : this.#session.request(method, path, body, seal),
      exchange: (token, template) => {
        const exchange = this.#exchange;
        // Another try is another request.
        this.#exchange = undefined;
        if (exchange?.token === token) return exchange.sent;
        return this.#session.exchange(token, template || templateId);
      },
      text: (number, args) => this.#language.text(number, args),
      tell: (key, callback) => {
        if (callback.onUIEvent) this.#events.add(callback.onUIEvent);
        this.#outbox.send(key, callback);
      },
      file: (order) => this.#order(order),
      loadChunk: () =>
        Promise.all([
          this.#program.then((instantiate) => instantiate()).then((program) => program.loadChunk()),
          this.#chunkStyles(),
          this.#fieldsScript().then((it) => (this.#fields ??= it.watchFields(() => this.#modal?.redraw(), this.#typed))),
          this.#redrawAfter(this.#language.loadAll()),
        ]).then(
          () => ({ status: 200, body: null }),
          (error: unknown) => {
            this.#lost(error);
            return { status: (error as NotServed).status ?? (isOffline(error) ? 0 : DAMAGED), body: null };
          },
        ),
      focus: (element) => this.#first.focus(element),
      showNotice: () => document.querySelector("main .notice")?.scrollIntoView({ block: "nearest" }),
      isHeld: () => this.#fields?.isHeld(),
      ready: () => this.#showsPage(),
      close: (closed) => void this.#close(closed),
    };
  }

  #order(order: FileOrder): void {
    if (this.#phase.name === "running") this.#phase.ordered = true;
    this.#uploads = (this.#uploads ?? this.#loadUploads()).then((uploads) => {
      uploads.order(order);
      return uploads;
    });
  }

  /** Tries until the script has loaded. Meanwhile the upload page shows that it is offline, and no recording plays. */
  async #loadUploads(): Promise<Uploads> {
    for (;;) {
      try {
        const { Uploads } = await this.#script();
        return new Uploads({
          apiBase,
          bearer: () => this.#session.bearer,
          report: (fact) => this.#report(fact),
        });
      } catch (error) {
        this.#lost(error);
        if (isGone(error)) return new Promise(() => undefined);
        this.#report({ connection: { online: false, saveData: false } });
        this.#report({ unplayable: {} });
        await pause(SCRIPT_AGAIN_MS);
      }
    }
  }

  #report(fact: FileFact): void {
    if (this.#phase.name === "running" && this.#phase.ordered) this.#phase.modal.file(fact);
  }

  /** Starts the program again. The session survives, so with the same token the new instance continues the attempt. */
  async #restart(error: Error): Promise<void> {
    this.#traps += 1;
    this.#events.reportTrap(error);
    this.#fields?.fillIn(this.#fields.takeTyped());
    if (this.#traps > 1 && "opened" in this.#phase) {
      const { opened } = this.#phase;
      void this.#events.flush(true);
      // The frame stays, and with it the session. The person decides when to start again.
      this.#phase = { name: "failed", opened };
      this.#first.notice("trapped");
      return this.#post({ failed: { cause: "wasm", detail: error.message, shown: true } });
    }
    this.#program = loadProgram(++this.#loads);
    if ("opened" in this.#phase) await this.#start(this.#phase.opened);
  }

  /** Checks the session after the page returns from the back/forward cache, which aborts requests. */
  async #revalidate(): Promise<void> {
    this.#outbox.resend();
    const { status } = await this.#session.request("GET", SESSION);
    if (status === 401) void this.#close({ reason: "close" });
  }

  /** Ends the session. Sends the last events first, because an ended session accepts none, but waits at most 300 ms. */
  #end(): Promise<Reply> {
    const sent = Promise.race([this.#events.flush(true), pause(LAST_EVENTS_MS)]);
    const ended = sent.then(() => ({ reply: this.#session.request("DELETE", SESSION) }));
    this.#ended = ended;
    return ended.then(({ reply }) => reply);
  }

  /** Asks the bridge to remove this frame, after the current click or key event, whose sender waits until it ends. */
  async #close(closed: Closed): Promise<void> {
    if (this.#phase.name === "over") return;
    this.#phase = { name: "over" };
    const at = lastPress();
    await pause(0);
    await this.#ended;
    this.#port.postMessage({ close: closed, at });
  }

  #fail(cause: string, detail: string): void {
    this.#post({ failed: { cause, detail } });
    this.#phase = { name: "over" };
  }
}

const host = acceptPort();
// The bridge passes the locale in the URL, so that its texts load together with the program.
const language = new Language(location.hash.slice(1));
// If the port is here, this sends the exchange of the token before anything else runs.
void host.then((host) => new Frame(host, program, language));
const program = Promise.resolve(0).then(loadProgram);
// The code that awaits this promise reports the failure. Before the handshake, there is no one to report to.
program.catch(() => undefined);
queueMicrotask(() => {
  applyBrand(brand);
  submitForms();
  moveByArrows();
  ignoreDoubleClicks();
});
