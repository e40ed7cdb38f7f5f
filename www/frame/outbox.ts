/**
 * Sends callbacks to the host page, and repeats each until the bridge has acknowledged its key. The wire words are `tell`
 * and `told`; released bridges use them.
 */

import type { UiEvent } from "../generated/types";

/** A callback with its argument. Only the argument of `onUIEvent` is used here. */
export interface Callback {
  onUIEvent?: UiEvent;
  error?: { cause: string };
}

const AGAIN_AFTER_MS = 2_000;

export class Outbox {
  readonly #unacknowledged = new Map<string, Callback>();
  readonly #post: (message: unknown) => void;
  #lastSeq = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(post: (message: unknown) => void) {
    this.#post = post;
  }

  /** Returns the number of the last UI event. A restarted program continues from here. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  send(key: string, callback: Callback): void {
    this.#lastSeq = callback.onUIEvent?.seq ?? this.#lastSeq;
    this.#unacknowledged.set(key, callback);
    this.#post({ tell: { key, callback } });
    this.#timer ??= setInterval(() => this.resend(), AGAIN_AFTER_MS);
  }

  acknowledge(key: string): void {
    this.#unacknowledged.delete(key);
    if (this.#unacknowledged.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Sends the unacknowledged callbacks again, in the original order. The bridge ignores those that it already called. */
  resend(): void {
    for (const [key, callback] of this.#unacknowledged) this.#post({ tell: { key, callback } });
  }
}
