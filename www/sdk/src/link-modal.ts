import { type Frame, startFrame } from "./frame";
import { LinkError, type LinkErrorCause } from "./link-error";
import { type CallbackName, type LinkOptions, takeOptions, widgetOptions } from "./options";
import type { CloseReason, FrameMessage } from "./protocol";
import { createShell, type Shell } from "./shell";

/** `closed` until the first open() and again after each close. */
export type LinkState = "closed" | "opening" | "open" | "failed" | "destroyed";

/** What `on` listens for: a callback by its name, or a LinkError. */
export type LinkEvent = CallbackName | "error";

// `any`: each event has its own argument, and the caller's function may name that type.
type Listener = (...argument: any[]) => unknown;
type Handlers = { [event in LinkEvent]?: Listener | undefined };

/** The options are properties; a callback may be assigned at any time, even while the modal is open. */
export interface LinkModal extends LinkOptions {}

/** The modal as the host page sees it. All that happens inside belongs to the frame. */
export class LinkModal {
  /** Address of the script this class came with; the frame is found beside it. Set it when a bundler moved the code. */
  static script = "";

  /** Settles when the frame has answered: from then on open() shows it without a wait. A new one for each frame. */
  declare ready: Promise<void>;

  readonly #listeners: { [event in LinkEvent]?: Set<Listener> } = {};
  /** Keys of the callbacks this modal has had: one may arrive again, from this frame or from a later one. */
  readonly #told = new Set<string>();
  #state: LinkState = "closed";
  #shell: Shell | undefined;
  #frame: Frame | undefined;
  /** The frame has said hello. */
  #warm = false;
  #settle!: [resolve: () => void, reject: (error: LinkError) => void];

  constructor(options: LinkOptions) {
    takeOptions(this, options);
    this.#dropFrame();
    this.#prewarm();
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Does nothing while the modal is open, nor after destroy(). */
  open(): void {
    if (this.#state !== "closed") return;
    // A page that swapped its body or its container has taken the waiting frame with it.
    if (this.#shell && !this.#shell.dialog.isConnected) this.#remove();
    this.#build().show();
    this.#state = "opening";
    if (this.#warm) this.#start();
    else if (!this.#frame) this.#load();
  }

  /** Closes at once and asks nothing; `onClose` gets the reason "close". */
  close(): void {
    this.#finish("close");
  }

  /** A token is good for one launch: give the next one before open(), or while `onTokenExpired` waits. */
  setToken(token: string): void {
    this.userToken = token;
    this.#frame?.post({ setToken: { token } });
  }

  /** Goes on in another language; what is typed stays where it is. */
  setLocale(locale: string): void {
    this.locale = locale;
    this.#frame?.post({ setLocale: { locale } });
  }

  on(event: LinkEvent, listener: Listener): void {
    (this.#listeners[event] ??= new Set()).add(listener);
  }

  off(event: LinkEvent, listener: Listener): void {
    this.#listeners[event]?.delete(listener);
  }

  /** Leaves nothing on the page and calls nobody any more. May be called at any time, any number of times. */
  async destroy(): Promise<void> {
    this.#remove();
    this.#state = "destroyed";
  }

  /** The real frame in the closed dialog, so that open() has next to nothing left to do. */
  #prewarm(): void {
    if (typeof document === "undefined" || navigator.connection?.saveData) return;
    (self.requestIdleCallback ?? setTimeout)(() => {
      if (this.#state === "closed" && !this.#shell && document.body) this.#load();
    });
  }

  #build(): Shell {
    return (this.#shell ??= createShell(this, (sure) => {
      if (sure || this.#state !== "open") this.close();
      else this.#frame?.post({ closeRequested: {} });
    }));
  }

  #load(): void {
    const address = new URL(`../frame/p1/${encodeURIComponent(this.templateId)}`, LinkModal.script);
    if (!isSecureContext || address.origin === location.origin) {
      return this.#fail("unsupported", "Needs https and another origin");
    }
    this.#frame = startFrame(this.#build(), address, (message) => this.#receive(message));
  }

  #start(): void {
    this.#frame?.post({ open: { options: widgetOptions(this), token: this.userToken } });
  }

  #receive({ hello, ready, tell, close, failed }: FrameMessage): void {
    if (hello) {
      this.#warm = true;
      this.#settle[0]();
      if (this.#state !== "closed") this.#start();
    }
    if (ready && this.#state === "opening") {
      this.#state = "open";
      this.#shell?.reveal();
    }
    if (tell) {
      // First, as a callback may close or destroy.
      this.#frame?.post({ told: { key: tell.key } });
      if (!this.#told.has(tell.key)) {
        this.#told.add(tell.key);
        for (const [name, argument] of Object.entries(tell.callback)) this.#emit(name as CallbackName, argument);
      }
    }
    if (close) this.#finish(close.reason);
    if (failed) this.#fail(failed.cause, failed.detail);
  }

  /** One that throws is reported as uncaught and keeps none of the others from being called. */
  #emit(event: LinkEvent, argument: unknown): void {
    const frame = this.#frame;
    const expired = event === "onTokenExpired";
    for (const listener of [(this as Handlers)[event], ...(this.#listeners[event] ?? [])]) {
      (async () => {
        const token = await listener?.(...(expired ? [] : [argument]));
        if (expired && typeof token === "string" && frame === this.#frame) this.setToken(token);
      })().catch(reportError);
    }
  }

  #fail(cause: LinkErrorCause, message: string): void {
    const error = new LinkError(cause, message);
    this.#settle[1](error);
    if (this.#state === "closed") {
      this.#remove();
    } else {
      this.#dropFrame();
      this.#state = "failed";
      this.#build().cover(() => {
        this.#build().cover();
        this.#state = "opening";
        this.#load();
      });
    }
    this.#emit("error", error);
  }

  #finish(reason: CloseReason): void {
    if (!this.#shell || this.#state === "closed") return;
    this.#remove();
    this.#state = "closed";
    this.#emit("onClose", { reason });
    this.#prewarm();
  }

  /** Ends the frame there is and expects another. */
  #dropFrame(): void {
    this.#frame?.end();
    this.#frame = undefined;
    this.#warm = false;
    this.ready = new Promise((...settle) => (this.#settle = settle));
    // Whoever wants to know awaits it; the others have the shell and the error event.
    this.ready.catch(() => {});
  }

  #remove(): void {
    this.#dropFrame();
    this.#shell?.remove();
    this.#shell = undefined;
  }
}
