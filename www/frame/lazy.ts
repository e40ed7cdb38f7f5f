/** Loads scripts and style sheets that the first open does not need. */

import { LOAD_MS } from "./page";
import { importServed, whyNot } from "./served";

/**
 * Loads a file on first use, a script by default. Some browsers remember that a URL failed and do not request it again, so
 * each retry uses a new URL.
 */
export function lazy<Loaded>(
  address: string,
  load: (url: string, signal: AbortSignal) => Promise<Loaded> = (url) => importServed(url) as Promise<Loaded>,
): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined;
  let tries = 0;
  return () => {
    const signal = AbortSignal.timeout(LOAD_MS);
    loaded ??= Promise.race([
      load(tries ? `${address}?again=${tries}` : address, signal),
      new Promise<never>((_, reject) => (signal.onabort = () => reject(signal.reason))),
    ]).catch((error: unknown) => {
      loaded = undefined;
      tries += 1;
      throw error;
    });
    return loaded;
  };
}

/**
 * Adds a style sheet to the page, after the others. Resolves once it is applied, so that no screen is drawn before.
 *
 * @throws NotServed or TypeError if it does not load.
 */
export function addStyles(href: string): Promise<void> {
  const applied = new Promise<void>((resolve, reject) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new TypeError("The style sheet did not load"));
    };
    document.head.append(link);
  });
  return applied.catch(whyNot(href));
}
