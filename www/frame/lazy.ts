/** Loads scripts and style sheets that the first open does not need. */

const LOAD_MS = 30_000;

/**
 * Loads a file on first use, a script by default. Some browsers remember that a URL failed and do not request it again, so
 * each retry uses a new URL.
 */
export function lazy<Loaded>(
  address: string,
  load = (url: string): Promise<Loaded> => import(url),
): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined;
  let tries = 0;
  return () => {
    loaded ??= Promise.race([
      load(tries ? `${address}?again=${tries}` : address),
      new Promise<never>((_, reject) => setTimeout(reject, LOAD_MS)),
    ]).catch((error: unknown) => {
      loaded = undefined;
      tries += 1;
      throw error;
    });
    return loaded;
  };
}
