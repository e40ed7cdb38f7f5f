/** UI events on their way to the service: in batches, each until it has arrived; a trap's place goes with the next. */

import type { TrapReport, UiEvent, UiEventBatch, UiEventRecord } from "../generated/types";
import { wasmUrl } from "./page";
import type { Session } from "./session";

const EVERY_MS = 2_000;
const SELDOM_MS = 60_000;
const SILENT_MS = 3_600_000;
const ENOUGH = 20;
const MOST = 100;
/** Events that wait at most: nobody misses the oldest of a service that is away for long. */
const KEPT = 500;
const DEEPEST = 32;

export class Events {
  readonly #session: Session;
  readonly #opening: string;
  readonly #opened = performance.now();
  #waiting: UiEventRecord[] = [];
  #trap: TrapReport | null = null;
  #sending = false;
  #pause = EVERY_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(session: Session, opening: string) {
    this.#session = session;
    this.#opening = opening;
  }

  add({ seq, eventName, account, archive }: UiEvent): void {
    const afterMs = Math.round(performance.now() - this.#opened);
    const accountId = account?.accountId ?? null;
    this.#waiting.push({ seq, eventName, afterMs, accountId, archiveId: archive?.archiveId ?? null });
    this.#waiting = this.#waiting.slice(-KEPT);
    this.#plan();
    if (this.#waiting.length >= ENOUGH && this.#pause === EVERY_MS) void this.flush();
  }

  /** Where the program trapped: places in the module, which a kept symbol file turns into names; never the text. */
  trapped({ stack = "" }: Error): void {
    const offsets = [...stack.matchAll(/(-rest-\w+\.wasm)?:wasm-function\[\d+]:0x([\da-f]+)/g)].slice(0, DEEPEST);
    this.#trap = {
      build: wasmUrl.split("/").pop() ?? "",
      // A place in the second part of the program has the highest bit set.
      offsets: offsets.map(([, rest, offset]) => parseInt(offset!, 16) + (rest ? 2 ** 31 : 0)),
    };
    this.#plan();
  }

  /** Sends what waits. The service knows an event by its number, so that one sent twice is there once. */
  async flush(leaving = false): Promise<void> {
    if ((this.#sending && !leaving) || !this.#session.isOpen || !(this.#waiting.length || this.#trap)) return;
    this.#sending = true;
    const events = this.#waiting.slice(0, MOST);
    const trap = this.#trap;
    const body: UiEventBatch = { opening: this.#opening, events, trap };
    const { status, retryAfter = 0 } = await this.#session.request("POST", "/link/events", body, null, leaving);
    this.#sending = false;
    // The quota of the session or the user is used up: what was not sent is left out, and the widget goes on.
    if (status === 429 && retryAfter * 1000 > SELDOM_MS) {
      this.#waiting = [];
      this.#trap = null;
      this.#pause = Math.min(retryAfter * 1000, SILENT_MS);
      return;
    }
    // Kept for later when nothing came back, the session is over, the service busy or broken; what it refuses for any
    // other reason, it would refuse again.
    if (!status || status === 401 || status === 429 || status >= 500) {
      this.#pause = Math.min(2 * this.#pause, SELDOM_MS);
      return this.#plan();
    }
    this.#pause = EVERY_MS;
    this.#waiting = this.#waiting.filter((event) => !events.includes(event));
    if (this.#trap === trap) this.#trap = null;
    if (this.#waiting.length) this.#plan();
  }

  #plan(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#session.isOpen) void this.flush();
      else this.#plan();
    }, this.#pause);
  }
}
