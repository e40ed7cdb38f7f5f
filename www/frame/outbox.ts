/** Callbacks on their way to the host: each is told until the bridge has acknowledged its key. */

const AGAIN_AFTER_MS = 2_000;

export class Outbox {
  readonly #unacknowledged = new Map<string, unknown>();
  readonly #post: (message: unknown) => void;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(post: (message: unknown) => void) {
    this.#post = post;
  }

  tell(key: string, callback: unknown): void {
    this.#unacknowledged.set(key, callback);
    this.#post({ tell: { key, callback } });
    this.#timer ??= setInterval(() => this.tellAgain(), AGAIN_AFTER_MS);
  }

  told(key: string): void {
    this.#unacknowledged.delete(key);
    if (this.#unacknowledged.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Tells what was never acknowledged, in its first order; the bridge removes what it already had. */
  tellAgain(): void {
    for (const [key, callback] of this.#unacknowledged) this.#post({ tell: { key, callback } });
  }
}
