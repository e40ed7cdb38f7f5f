import { type Frame, startFrame } from "./frame";
import { LinkError, type LinkErrorCause } from "./link-error";
import { type CallbackName, type LinkOptions, takeOptions, widgetOptions } from "./options";
import type { Closed, FrameMessage, HostMessage } from "./protocol";
import { createShell, type Shell } from "./shell";
import { missingFeature } from "./support";

/** `closed` until the first open() and again after each close. */
export type LinkState = "closed" | "opening" | "open" | "failed" | "destroyed";

/** The events for `on`: the name of a callback, or `error` for a LinkError. */
export type LinkEvent = CallbackName | "error";

// `any`, because each event has a different argument, and the caller's function may declare its type.
type Listener = (...argument: any[]) => unknown;
type Handlers = { [event in LinkEvent]?: Listener | undefined };

/** The options are properties. A callback may be assigned at any time, even while the modal is open. */
export interface LinkModal extends LinkOptions {}

/** The modal as the host page sees it. The frame owns everything that happens inside. */
export class LinkModal {
  /** URL of the script that contains this class. The frame's URL is relative to it. Set it if a bundler moves the code. */
  static script = "";

  /** Settles when the frame has responded; open() then shows it without delay. New after each close and each failure. */
  declare ready: Promise<void>;

  readonly #listeners: { [event in LinkEvent]?: Set<Listener> } = {};
  /** Keys of the callbacks that were called. A callback may arrive again, from this frame or a later one. */
  readonly #calledKeys = new Set<string>();
  #state: LinkState = "closed";
  #shell: Shell | undefined;
  #frame: Frame | undefined;
  #settle!: [resolve: () => void, reject: (error: LinkError) => void];

  constructor(options: LinkOptions) {
    takeOptions(this, options);
    this.#dropFrame();
    this.#prewarm();
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Opens the modal. Does nothing while it is open, or after destroy(). */
  open(): void {
    if (this.#state !== "closed") return;
    if (missingFeature()) return this.#load();
    // If the page has replaced its body or the container, the prewarmed frame is gone.
    if (this.#shell && !this.#shell.dialog.isConnected) this.#remove();
    this.#build().show();
    this.#state = "opening";
    if (this.#frame) this.#frame?.post(this.#opening());
    else this.#load();
  }

  /** Closes the modal at once, without a question. `onClose` gets the reason "close". */
  close(): void {
    this.#finish({ reason: "close" });
  }

  /** Sets the token, which is valid for one launch. Call this before open(), or while `onTokenExpired` waits. */
  setToken(token: string): void {
    this.userToken = token;
    this.#frame?.post({ setToken: { token } });
  }

  /** Switches the language. Typed text stays. */
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

  /** Removes everything from the page and calls no more callbacks. May be called at any time, any number of times. */
  async destroy(): Promise<void> {
    this.#remove();
    this.#state = "destroyed";
  }

  /** Loads the real frame in the closed dialog, so that open() is almost instant. */
  #prewarm(): void {
    if (typeof document === "undefined" || navigator.connection?.saveData) return;
    // In a page in a frame of another site, or on a busy machine, the browser may never be idle. setTimeout() treats the
    // object as 0.
    (self.requestIdleCallback ?? (setTimeout as unknown as typeof requestIdleCallback))(
      () => {
        if (this.#state === "closed" && !this.#shell && document.body) this.#load();
      },
      { timeout: 2_000 },
    );
  }

  #build(): Shell {
    return (this.#shell ??= createShell(this, (sure) => {
      if (sure || this.#state !== "open") this.close();
      else this.#frame?.post({ closeRequested: {} });
    }));
  }

  #load(): void {
    if (missingFeature()) return this.#fail("unsupported", `The browser lacks ${missingFeature()}`);
    const address = new URL(`../frame/p1/${encodeURIComponent(this.templateId)}`, LinkModal.script);
    if (origin === "null") return this.#fail("unsupported", "Opaque origin: sandbox needs allow-same-origin");
    if (!isSecureContext || address.origin === origin) {
      return this.#fail("unsupported", "Needs https and another origin");
    }
    this.#frame = startFrame(
      this.#build(),
      address,
      (message) => this.#receive(message),
      () => this.#state !== "closed" && this.#opening(),
    );
  }

  /** Returns the message that opens the frame: options and token. */
  #opening(): HostMessage {
    return { open: { options: widgetOptions(this), token: this.userToken } };
  }

  #receive({ restored, hello, ready, tell, close, failed, at }: FrameMessage): void {
    // A frame that has answered may have used the token.
    if (restored && (this.#state === "closed" || !restored.answered)) {
      this.#frame?.end();
      this.#load();
    }
    if (hello) {
      this.#settle[0]();
      this.#shell?.reveal();
    }
    if (ready) this.#state = "open";
    if (tell) {
      // Acknowledge first, because a callback may close or destroy the modal.
      this.#frame?.post({ told: { key: tell.key } });
      if (!this.#calledKeys.has(tell.key)) {
        this.#calledKeys.add(tell.key);
        for (const [name, argument] of Object.entries(tell.callback)) this.#emit(name as CallbackName, argument);
      }
    }
    if (close) {
      this.#finish(close);
      if (at) swallow(at);
    }
    if (failed) this.#fail(failed.cause, failed.detail, failed.shown);
  }

  /** Calls the callback and the listeners. If one throws, reports the error as uncaught and still calls the others. */
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

  /** `shown`: the frame shows the failure and can try again, so it stays. */
  #fail(cause: LinkErrorCause, message: string, shown?: boolean | null): void {
    const error = new LinkError(cause, message);
    this.#settle[1](error);
    if (this.#state === "closed") {
      this.#remove();
    } else {
      this.#state = "failed";
      if (!shown) {
        this.#dropFrame();
        this.#build().cover(() => {
          this.#state = "opening";
          this.#load();
        });
      }
    }
    this.#emit("error", error);
  }

  #finish(closed: Closed): void {
    if (!this.#shell || this.#state === "closed") return;
    this.#remove();
    this.#state = "closed";
    this.#emit("onClose", closed);
    this.#prewarm();
  }

  /** Ends the current frame, and prepares for another. */
  #dropFrame(): void {
    this.#frame?.end();
    this.#frame = undefined;
    this.ready = new Promise((...settle) => (this.#settle = settle));
    // Without this, a rejection would be uncaught if no code awaits `ready`. The shell and `error` report failures too.
    this.ready.catch(() => {});
  }

  #remove(): void {
    // The shell first: while the focus is in the frame, the dialog returns it to the page.
    this.#shell?.remove();
    this.#shell = undefined;
    this.#dropFrame();
  }
}

/** Keeps the second click of a double click that closed the modal from what is below it on the page. */
function swallow([x, y]: [number, number]): void {
  for (const type of ["pointerdown", "mousedown", "click"] as const) {
    addEventListener(
      type,
      (event) => {
        if (Math.hypot(event.screenX - x, event.screenY - y) < 24) {
          event.preventDefault();
          event.stopImmediatePropagation();
        }
      },
      { capture: true, signal: AbortSignal.timeout(500) },
    );
  }
}
