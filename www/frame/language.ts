/** The language of the widget: the texts in use, and those that are loading. */

import { localeUrl } from "./page";
import { isRtl, loadTexts, type Texts } from "./texts";

export class Language {
  #wanted: string;
  #loading: { locale: string; texts: Promise<Texts> };
  #texts: Texts | undefined;
  /** Whether the texts that were loading did not load. The next try loads them again. */
  #hasFailed = false;
  /** Whether the deferred chunk, and with it the other texts, has been requested. */
  #whole = false;

  /** Starts to load the texts of a locale. */
  constructor(wanted: string) {
    const address = localeUrl(wanted);
    this.#wanted = wanted;
    this.#loading = { locale: address.locale, texts: loadTexts(address) };
    // `start` reports the failure. Before the handshake, there is no one to report to.
    this.#loading.texts.catch(() => undefined);
  }

  /** The language in use or, before the first texts have loaded, the one that will be. */
  get locale(): string {
    return this.#loading.locale;
  }

  /** Returns a text, or an empty one before the texts have loaded. The program calls this only after `start`. */
  text(number: number, args: unknown[]): string {
    return this.#texts?.text(number, args) ?? "";
  }

  /** Loads the texts that the program starts with. Rejects if they do not load. */
  start(wanted: string): Promise<void> {
    this.#wanted = wanted;
    return this.#apply();
  }

  /** Changes to another locale. Keeps the current texts and rejects if the others do not load. */
  async change(wanted: string): Promise<void> {
    const current = this.#loading;
    this.#wanted = wanted;
    try {
      await this.#apply();
    } catch (error) {
      this.#loading = current;
      throw error;
    }
  }

  /** Loads the texts of the deferred chunk too, in the current language. */
  loadAll(): Promise<void> {
    this.#whole = true;
    return this.#apply();
  }

  async #apply(): Promise<void> {
    const address = localeUrl(this.#wanted);
    const { locale } = address;
    if (locale !== this.#loading.locale || this.#hasFailed) this.#loading = { locale, texts: loadTexts(address) };
    this.#hasFailed = false;
    const { texts } = this.#loading;
    texts.catch(() => (this.#hasFailed = true));
    const loaded = await texts;
    if (this.#whole) await loaded.loadChunk();
    this.#texts = loaded;
    if (this.#loading.texts !== texts) return this.#apply();
    const root = document.documentElement;
    root.lang = locale;
    root.dir = isRtl(locale) ? "rtl" : "ltr";
  }
}
