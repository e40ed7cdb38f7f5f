/** Scripts that are no part of the first open. */

const LOAD_MS = 30_000;

/**
 * Imports a script when it is first needed. Some browsers remember that an address failed and do not ask again, so
 * each new try has a new one.
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
