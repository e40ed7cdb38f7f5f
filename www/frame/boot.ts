/**
 * The frame's start. It shakes hands with the bridge, keeps the session's secret, lends the wasm its requests and
 * texts, and starts the wasm again once when it trapped. It knows no step and no rule of the widget.
 */

import { Outbox } from "./outbox";
import { localeUrl, mode, templateId } from "./page";
import { acceptPort, type HostPort } from "./port";
import { type Glue, type LinkHost, type LinkModal, loadProgram, onTrap } from "./program";
import { Session } from "./session";
import { loadTexts, type Texts } from "./texts";

const PROTOCOL = "p1";
const BUILD = document.querySelector<HTMLLinkElement>("#linchpin-glue")?.href.split("/").pop() ?? "";

interface OpenMessage {
  options: { locale?: string | null } & Record<string, unknown>;
  token: string;
}

interface HostMessage {
  open?: OpenMessage;
  setToken?: { token: string };
  told?: { key: string };
  closeRequested?: object;
  inset?: { bottom: number };
}

class Frame {
  readonly #port: MessagePort;
  readonly #session: Session;
  readonly #outbox: Outbox;
  readonly #programs: Promise<Glue>[];
  readonly #opening = crypto.randomUUID();
  #opened: OpenMessage | null = null;
  #texts: Texts | null = null;
  #modal: LinkModal | null = null;
  #starts = 0;
  #over = false;

  constructor({ origin, port }: HostPort, program: Promise<Glue>) {
    this.#port = port;
    this.#session = new Session(origin);
    this.#outbox = new Outbox((message) => this.#port.postMessage(message));
    this.#programs = [program];
    port.onmessage = ({ data }: MessageEvent<HostMessage>) => this.#hear(data);
    onTrap((detail) => void this.#restart(detail));
    window.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented && !needsEscape(event)) this.#modal?.requestClose();
    });
    window.addEventListener("pageshow", (event) => {
      if (event.persisted && this.#session.isOpen) void this.#revalidate();
    });
    // Gone for good, by whatever way: the host page closed the modal, went elsewhere or was closed.
    window.addEventListener("pagehide", (event) => {
      if (!event.persisted) this.#session.end();
    });
    this.#post({ hello: { protocol: PROTOCOL, build: BUILD } });
    if (!window.isSecureContext) this.#fail("unsupported", "the page is no secure context");
  }

  #post(message: unknown): void {
    if (!this.#over) this.#port.postMessage(message);
  }

  #hear(message: HostMessage): void {
    if (message.open && this.#opened === null) {
      this.#opened = message.open;
      void this.#start();
    }
    if (message.setToken && this.#opened) {
      this.#opened.token = message.setToken.token;
      this.#modal?.setToken(message.setToken.token);
    }
    if (message.told) this.#outbox.told(message.told.key);
    if (message.closeRequested) this.#closeRequested();
    if (message.inset) document.documentElement.style.setProperty("--inset-bottom", `${message.inset.bottom}px`);
  }

  #closeRequested(): void {
    if (this.#modal) this.#modal.requestClose();
    else this.#close("close");
  }

  async #start(): Promise<void> {
    const opened = this.#opened;
    if (opened === null || this.#over) return;
    let cause = "wasm";
    try {
      const { locale, url } = localeUrl(opened.options.locale ?? null);
      const program = this.#programs.at(-1) as Promise<Glue>;
      const [glue, texts] = await Promise.all([program, this.#texts ?? loadTexts(locale, url)]);
      this.#texts = texts;
      document.documentElement.lang = texts.locale;
      cause = "options";
      this.#modal = new glue.LinkModal(opened.options, this.#lend(texts));
      cause = "wasm";
      this.#modal.open(freshRoot(), opened.token);
    } catch (error) {
      this.#fail(error instanceof TypeError ? "network" : cause, error instanceof Error ? error.message : String(error));
    }
  }

  #lend(texts: Texts): LinkHost {
    return {
      mode,
      opening: this.#opening,
      lastSeq: this.#outbox.lastSeq,
      request: (method, path, body, seal) => this.#session.request(method, path, body, seal),
      exchange: (token, template) => this.#session.exchange(token, template || templateId),
      text: (number, args) => texts.text(number, args),
      tell: (key, callback) => this.#outbox.tell(key, callback),
      ready: () => this.#post({ ready: {} }),
      close: (reason) => this.#close(reason),
    };
  }

  /** The session outlives the program: the same token leads the new instance back to where the attempt stands. */
  async #restart(detail: string): Promise<void> {
    this.#modal = null;
    this.#starts += 1;
    if (this.#starts > 1) return this.#fail("wasm", detail);
    this.#programs.push(loadProgram(this.#starts));
    await this.#start();
  }

  /** Back from the browser's page cache: requests in flight were lost, and the session may be over. */
  async #revalidate(): Promise<void> {
    this.#outbox.tellAgain();
    const { status } = await this.#session.request("GET", "/link/session");
    if (status === 401) this.#close("close");
  }

  /** Once the click or key under way has ended: the bridge drops this frame, and whoever sent it waits for its end. */
  #close(reason: unknown): void {
    setTimeout(() => {
      this.#post({ close: { reason } });
      this.#over = true;
    });
  }

  #fail(cause: string, detail: string): void {
    this.#post({ failed: { cause, detail } });
    this.#over = true;
  }
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
// The failure is reported by whoever awaits the program; before the handshake there is nobody to tell.
program.catch(() => undefined);
void acceptPort().then((host) => new Frame(host, program));
