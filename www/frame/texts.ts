/**
 * The message catalogue: texts by number, compiled from Fluent at build time. The browser's Intl formats plurals and
 * numbers, so that the wasm does not need code for this.
 *
 * Our own: 0.3 KB (brotli) instead of the 37 KB of `fluent-bundle` in the wasm (ADR 13).
 */

import { keysUrl, LOAD_MS, type Locale, ownWords } from "./page";
import { requireServed } from "./served";

type Selector = { arg: number; plural: Record<string, Part[]> };
type Part = string | number | Selector;
/** 0 is a placeholder for a text that is loaded later. */
export type Catalogue = (string | Part[] | 0)[];

export class Texts {
  readonly #catalogue: Catalogue;
  // Created on first use, because the first screen needs neither and each takes the browser milliseconds.
  #numbers: Intl.NumberFormat | undefined;
  #plurals: Intl.PluralRules | undefined;
  readonly #isRtl: boolean;

  constructor(
    readonly locale: string,
    catalogue: Catalogue,
    /** Loads the texts that only the deferred chunk shows. */
    readonly loadChunk: () => Promise<void>,
  ) {
    this.#catalogue = catalogue;
    this.#isRtl = isRtl(locale);
  }

  /** Returns the text with its arguments, or an empty string if there is no such text. */
  text(number: number, args: unknown[]): string {
    const message = this.#catalogue[number];
    if (!message) return "";
    return typeof message === "string" ? message : this.#join(message, args);
  }

  #join(parts: Part[], args: unknown[]): string {
    let text = "";
    for (const part of parts) {
      if (typeof part === "string") text += part;
      else if (typeof part === "number") text += this.#show(args[part]);
      else text += this.#join(this.#select(part, args), args);
    }
    return text;
  }

  #select({ arg, plural }: Selector, args: unknown[]): Part[] {
    const count = Number(args[arg]);
    this.#plurals ??= new Intl.PluralRules(this.locale);
    return plural[String(count)] ?? plural[this.#plurals.select(count)] ?? plural["other"] ?? [];
  }

  #show(value: unknown): string {
    if (typeof value === "number") {
      // Codes, countdowns and sizes within the texts have these digits, too.
      this.#numbers ??= new Intl.NumberFormat(this.locale, { numberingSystem: "latn" });
      return this.#numbers.format(value);
    }
    const text = String(value ?? "");
    // Without isolation, a Latin name would move the punctuation next to it.
    return this.#isRtl ? `\u2068${text}\u2069` : text;
  }
}

/** Returns whether a locale is written from right to left. */
export function isRtl(locale: string): boolean {
  return /^(ar|fa|he|ur)\b/.test(locale);
}

/** Loads the catalogue of a locale. Throws if that fails, because the widget cannot be used without texts. */
export async function loadTexts({ locale, url, chunk }: Locale): Promise<Texts> {
  const catalogue = await load<Catalogue>(url);
  const missing = [...catalogue.keys()].filter((number) => catalogue[number] === 0);
  const own = ownWords && (JSON.parse(ownWords) as Record<string, Record<string, string>>)[locale];
  if (own) {
    for (const [number, line] of (await load<string[]>(keysUrl)).entries()) {
      const [key = "", ...names] = line.split(" ");
      const words = own[key]?.split(/\{\s*\$([\w-]+)\s*}/);
      if (words) catalogue[number] = words.map((part, at) => (at % 2 ? names.indexOf(part) : part));
    }
  }
  return new Texts(locale, catalogue, async () => {
    const texts = await load<Catalogue>(chunk);
    // A tenant's own texts have been set already.
    for (const number of missing) catalogue[number] ||= texts[missing.indexOf(number)]!;
  });
}

async function load<Json>(url: string): Promise<Json> {
  const response = requireServed(await fetch(url, { signal: AbortSignal.timeout(LOAD_MS) }));
  return (await response.json()) as Json;
}
