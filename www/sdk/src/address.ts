/** Where the service is. */

/** The service replaces this text by the address of the script when it sends it, so that a copy still finds the service. */
const SERVED = "__LINCHPIN_SDK__";

/**
 * Returns the address of the script: where the service serves it or, if the service did not send it, where it was loaded. The
 * file of a release is the same on every service, so it knows only the latter.
 */
export function scriptAddress(loaded = ""): string {
  if (RELEASED) return loaded && new URL("../../v2/", loaded).href;
  return /^h/.test(SERVED) ? SERVED : loaded;
}
