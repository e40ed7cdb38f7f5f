/** Imports scripts that the first open does not load. */

const LOAD_MS = 30_000;

/**
 * Imports a script on first use. Some browsers remember that a URL failed and do not request it again, so each retry uses a
 * new URL.
 */
export function later<Script>(address: string): () => Promise<Script> {
  let script: Promise<Script> | undefined;
  let tries = 0;
  return () => {
    script ??= Promise.race([
      import(tries ? `${address}?again=${tries}` : address) as Promise<Script>,
      new Promise<never>((_, reject) => setTimeout(reject, LOAD_MS)),
    ]).catch((error: unknown) => {
      script = undefined;
      tries += 1;
      throw error;
    });
    return script;
  };
}
