/** Sends UI events to the service in batches, until they have arrived. Reports the offsets of a trap with the next batch. */

import type { TrapReport, UiEvent, UiEventBatch, UiEventRecord } from "../generated/types";
import { wasmUrl } from "./page";
import type { Session } from "./session";

const EVERY_MS = 2_000;
const SELDOM_MS = 60_000;
const SILENT_MS = 3_600_000;
const MAX_REPORTED = 20;
const MAX_EVENTS = 100;
/** The maximum number of waiting events. If the service is unavailable for long, the oldest are dropped. */
const MAX_WAITING = 500;
const MAX_OFFSETS = 32;

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
    this.#waiting = this.#waiting.slice(-MAX_WAITING);
    this.#plan();
    if (this.#waiting.length >= MAX_REPORTED && this.#pause === EVERY_MS) void this.flush();
  }

  /** Records where the program trapped: offsets in the module, which `cargo xtask symbols` resolves. Never the message. */
  reportTrap({ stack = "" }: Error): void {
    const offsets = [...stack.matchAll(/(-chunk-\w+\.wasm)?:wasm-function\[\d+]:0x([\da-f]+)/g)].slice(0, MAX_OFFSETS);
    this.#trap = {
      build: wasmUrl.split("/").pop() ?? "",
      // An offset in the deferred chunk has the highest bit set.
      offsets: offsets.map(([, inChunk, offset]) => parseInt(offset!, 16) + (inChunk ? 2 ** 31 : 0)),
    };
    this.#plan();
  }

  /** Sends the waiting events. The service stores an event once even if it arrives twice, because events have numbers. */
  async flush(leaving = false): Promise<void> {
    if ((this.#sending && !leaving) || !this.#session.isOpen || !(this.#waiting.length || this.#trap)) return;
    this.#sending = true;
    const events = this.#waiting.slice(0, MAX_EVENTS);
    const trap = this.#trap;
    const body: UiEventBatch = { opening: this.#opening, events, trap };
    const { status, retryAfter = 0 } = await this.#session.request("POST", "/link/events", body, null, leaving);
    this.#sending = false;
    // The quota of the session or the user is used up. Drop the events; the widget continues without them.
    if (status === 429 && retryAfter * 1000 > SELDOM_MS) {
      this.#waiting = [];
      this.#trap = null;
      this.#pause = Math.min(retryAfter * 1000, SILENT_MS);
      return;
    }
    // Retry later if there was no response, the session has ended, or the service is busy or broken. The service would
    // reject the same events again after any other error.
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
