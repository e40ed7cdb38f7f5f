/** Where the service is. */

/** The service replaces this text by the address of the script when it sends it, so that a copy still finds the service. */
const SERVED = "__LINCHPIN_SDK__";

/** Returns the address of the script: where the service serves it or, if the service did not send it, where it was loaded. */
export function scriptAddress(loaded = ""): string {
  return /^h/.test(SERVED) ? SERVED : loaded;
}
