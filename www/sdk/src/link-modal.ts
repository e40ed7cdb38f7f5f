import { type Frame, startFrame } from "./frame";
import { LinkError, type LinkErrorCause } from "./link-error";
import type { Help } from "./helper";
import {
  type CallbackName,
  checkOptions,
  isWord,
  type LinkListeners,
  type LinkOptions,
  takeOptions,
  widgetOptions,
} from "./options";
import type { Closed, FrameMessage, HostMessage } from "./protocol";
import { createShell, type Shell } from "./shell";
import { asPackaged, greet, isGreeted } from "./packaged";

/** `closed` until the first open() and again after each close. */
export type LinkState = "closed" | "opening" | "open" | "failed" | "destroyed";

/** The events for `on`: the name of a callback, or `error` for a LinkError. */
export type LinkEvent = keyof LinkListeners;

// `any`, because each event has a different argument, and the caller's function may declare its type.
type Listener = (...argument: any[]) => unknown;
type Handlers = { [event in LinkEvent]?: Listener | undefined };

/** The script loads once, unless it does not load. */
let help: Promise<Help> | undefined;

/** The options are properties. A callback may be assigned at any time, even while the modal is open. */
export interface LinkModal extends LinkOptions {}

/** Calls `run` when the page is idle, unless the person saves data. */
export function whenIdle(run: () => void): void {
  if (navigator.connection?.saveData) return;
  // In a page in a frame of another site, or on a busy machine, the browser may never be idle. setTimeout() treats the
  // object as 0.
  (self.requestIdleCallback ?? (setTimeout as unknown as typeof requestIdleCallback))(run, { timeout: 2_000 });
}

/** The modal as the host page sees it. The frame owns everything that happens inside. */
export class LinkModal {
  /** URL of the script that contains this class. Other URLs are relative to it. Set it if the script did not come from the service. */
  static script = "";

  /** Settles when the frame has responded; open() then shows it without delay. New after each close and each failure. */
  declare ready: Promise<void>;

  readonly #listeners: { [event in LinkEvent]?: Set<Listener> } = {};
  /** Keys of the callbacks that were called. A callback may arrive again, from this frame or a later one. */
  readonly #calledKeys = new Set<string>();
  #state: LinkState = "closed";
  /** What the last `error` of this opening reported, unless the widget has continued since. */
  #cause: LinkErrorCause | undefined;
  #shell: Shell | undefined;
  #frame: Frame | undefined;
  #settle!: [resolve: () => void, reject: (error: LinkError) => void];

  constructor(options: LinkOptions) {
    takeOptions(this, options);
    this.#dropFrame();
    this.#prewarm();
  }

  /** What the modal does now. */
  get state(): LinkState {
    return this.#state;
  }

  /** Opens the modal. Does nothing while it is open, or after destroy(). */
  open(): void {
    if (this.#state !== "closed") return;
    this.#cause = undefined;
    // Without these, not even the dialog can be shown.
    if (!document.adoptedStyleSheets) return this.#load();
    if (this.container !== undefined && !this.container?.isConnected) this.#report("container");
    // If the page has replaced its body or the container, the prewarmed frame is gone.
    if (this.#shell && !this.#shell.element.isConnected) this.#remove();
    this.#build().showDialog();
    // The prewarmed frame shows nothing of use before it has the token.
    if (PACKAGED && this.#frame && !this.userToken) this.#build().coverFrame();
    this.#load(true);
  }

  /** Closes the modal at once, without a question. `onClose` gets the reason "close". */
  close(): void {
    this.#finish({ reason: "close" });
  }

  /**
   * Sets the token, which is valid for one launch. Call this before open(), or while `onTokenExpired` waits. Keeps the current
   * token and reports an error if the value is not a token.
   */
  setToken(token: string): void {
    this.#setToken(token, "options");
  }

  /** Switches the language. Typed text stays. Keeps the current language and reports an error if the value is not a locale. */
  setLocale(locale: string): void {
    let tag = "";
    try {
      tag = `${new Intl.Locale(locale)}`;
    } catch {}
    // As the program requires: Intl.Locale also accepts `english`.
    if (!/^\D{2,3}(-.{1,31})?$/.test(tag)) return void this.#report("options", "locale");
    this.locale = tag;
    this.#frame?.send({ setLocale: { locale: this.locale } });
    this.#shell?.translate();
  }

  /** Adds a listener, which is called after the callback of the same name. */
  on<Event extends LinkEvent>(event: Event, listener: LinkListeners[Event]): void {
    (this.#listeners[event] ??= new Set()).add(listener);
  }

  /** Removes a listener that `on` has added. */
  off<Event extends LinkEvent>(event: Event, listener: LinkListeners[Event]): void {
    this.#listeners[event]?.delete(listener);
  }

  /** Removes everything from the page and calls no more callbacks. May be called at any time, any number of times. */
  async destroy(): Promise<void> {
    this.#remove();
    this.#state = "destroyed";
  }

  #setToken(token: string, cause: LinkErrorCause): void {
    if (!isWord(token)) return void this.#report(cause, "userToken");
    const opens = PACKAGED && this.#state === "opening" && !this.userToken;
    this.userToken = token;
    this.#frame?.send(opens ? (this.#opening() as HostMessage) : { setToken: { token } });
    if (opens && isGreeted(this.#frame)) this.#shell?.reveal();
  }

  /** Loads the real frame in the closed dialog, so that open() is almost instant. */
  #prewarm(): void {
    if (typeof document === "undefined") return;
    whenIdle(() => {
      this.#advise();
      if (this.#state === "closed" && !this.#shell && (this.container ?? document.body)?.isConnected) this.#load();
    });
  }

  /** Calls `use` with the script for what is slow or fails or, if it does not load, `otherwise`. */
  #advise(use?: (help: Help) => void, otherwise?: () => void): void {
    (help ??= (async () => (PACKAGED || RELEASED ? import("./help") : import(this.#address("help/p1.js").href)))()).then(
      use,
      () => {
        help = undefined;
        otherwise?.();
      },
    );
  }

  /** Throws if the script does not know the service, so that the page's own server is asked for nothing. */
  #address(path: string): URL {
    const script = PACKAGED ? asPackaged(this).script : LinkModal.script;
    // No address can be relative to an empty one.
    return new URL(`../${path}`, new URL(script, script && document.baseURI));
  }

  #build(): Shell {
    return (this.#shell ??= createShell(
      this,
      (use) => this.#advise(use),
      (sure) => {
        if (sure || this.#state !== "open") this.#finish({ reason: "close" }, sure);
        else this.#frame?.send({ closeRequested: {} });
      },
    ));
  }

  /** Loads the frame and, with `isOpen`, opens it. An option that was assigned later, or the script's address, may be wrong. */
  #load(isOpen?: boolean): void {
    try {
      if (isOpen) {
        this.#state = "opening";
        checkOptions(this);
        if (PACKAGED && !this.userToken) {
          // Until setToken() is called, the frame loads as it does before open().
          asPackaged(this).requestToken((message) => this.#fail("token-handler", message));
          if (this.#frame) return;
        } else if (this.#frame) return this.#frame.send(this.#opening() as HostMessage);
      }
      // The frame checks what else it needs, and reports it.
      if (!document.adoptedStyleSheets || !isSecureContext || origin === "null") return this.#fail("unsupported");
      const address = this.#address(`frame/p1/${encodeURIComponent(this.templateId)}`);
      // Reported below, as an address that the browser cannot read.
      if (address.origin === origin) throw 0;
      this.#frame = startFrame(
        this.#build(),
        address,
        (message) => this.#receive(message),
        () => this.#state !== "closed" && this.#opening(),
      );
    } catch (error) {
      const { cause, message } = error as LinkError;
      if (cause) this.#fail(cause, message);
      else this.#fail("script", "set LinkModal.script to the service");
    }
  }

  /** Returns the message that opens the frame, options and token, or false while the package waits for the token. */
  #opening(): HostMessage | false {
    if (PACKAGED && !this.userToken) return false;
    return { open: { options: widgetOptions(this), token: this.userToken } };
  }

  #receive({ restored, hello, ready, tell, close, failed, at }: FrameMessage): void {
    if (restored) {
      this.#frame?.stop();
      this.#load();
    }
    if (hello) {
      this.#settle[0]();
      if (PACKAGED) greet(this.#frame!);
      if (!PACKAGED || this.#state !== "opening" || this.userToken) this.#shell?.reveal();
    }
    if (ready) {
      this.#state = "open";
      // Earlier failures are over. A container that is not used stays the cause.
      if (this.#cause !== "container") this.#cause = undefined;
    }
    if (tell) {
      // Acknowledge first, because a callback may close or destroy the modal.
      this.#frame?.send({ told: { key: tell.key } });
      if (!this.#calledKeys.has(tell.key)) {
        this.#calledKeys.add(tell.key);
        for (const [name, argument] of Object.entries(tell.callback)) {
          if (name === "error") this.#report(argument.cause);
          else this.#emit(name as CallbackName, argument);
        }
      }
    }
    if (close) this.#finish(close, at);
    if (failed) this.#fail(failed.cause, failed.detail, failed.shown);
  }

  /**
   * Calls the callback and the listeners, until one destroys the modal. If one throws, reports the error as uncaught and still
   * calls the others.
   */
  #emit(event: LinkEvent, argument: unknown): void {
    const frame = this.#frame;
    const expired = event === "onTokenExpired";
    // The handler may set the new token at once.
    const { userToken } = this;
    if (expired) this.#advise((help) => help.awaitToken(this, userToken, (cause, message) => this.#report(cause, message)));
    for (const listener of [(this as Handlers)[event], ...(this.#listeners[event] ?? [])]) {
      (async () => {
        if (this.#state === "destroyed") return;
        // The console has a warning about what is not a function.
        const token = await listener?.apply?.(null, (expired ? [] : [argument]) as never);
        if (expired && token != null && frame === this.#frame) this.#setToken(token as string, "token-handler");
      })().catch(reportError);
    }
  }

  /** Reports a mistake to the host page, and writes the remedy to the console. */
  #report(cause: LinkErrorCause, message?: string): LinkError {
    const error = new LinkError(cause, message);
    this.#cause = cause;
    this.#advise((help) => help.report(error), () => console.error(error));
    this.#emit("error", error);
    return error;
  }

  /** `shown`: the frame shows the failure and can try again, so it stays. */
  #fail(cause: LinkErrorCause, message?: string, shown?: boolean | null): void {
    const settle = this.#settle[1];
    if (this.#state === "closed") {
      this.#remove();
    } else {
      this.#state = "failed";
      if (!shown) {
        this.#dropFrame();
        this.#build().coverFrame(cause, () => this.#load(true));
      }
    }
    settle(this.#report(cause, message));
  }

  /** `at`: where on the screen the last press was, if it was in the frame, or the click on the bridge's own button. */
  #finish(closed: Closed, at?: unknown): void {
    if (!this.#shell || this.#state === "closed") return;
    this.#remove();
    this.#advise((help) => help.swallow(at));
    this.#state = "closed";
    this.#emit("onClose", { ...closed, cause: this.#cause });
    this.#prewarm();
  }

  /** Ends the current frame, and prepares for another. */
  #dropFrame(): void {
    this.#frame?.stop();
    this.#frame = undefined;
    this.ready = new Promise((...settle) => (this.#settle = settle));
    // Without this, a rejection would be uncaught if no code awaits `ready`. The shell and `error` report failures too.
    this.ready.catch(() => {});
  }

  #remove(): void {
    // The shell first: while the focus is in the frame, the dialog returns it to the page.
    this.#shell?.removeAll();
    this.#shell = undefined;
    this.#dropFrame();
  }
}
