/** Scripts that are no part of the first open. */

/**
 * Imports a script when it is first needed. Some browsers remember that an address failed and do not ask again, so
 * each new try has a new one.
 */
export function later<Script>(address: string): () => Promise<Script> {
  let script: Promise<Script> | undefined;
  let tries = 0;
  return () => {
    script ??= import(tries ? `${address}?again=${tries}` : address).catch((error: unknown) => {
      script = undefined;
      tries += 1;
      throw error;
    });
    return script as Promise<Script>;
  };
}
