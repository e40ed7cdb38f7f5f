import { LinkError } from "../../../sdk/src/link-error";
import type { LinkModal as Bridge } from "../../../sdk/src/link-modal";

/** The class that the service's script defines. Its `userToken` is a token, not a function. */
export type ServedLinkModal = typeof Bridge;

/** How the script is loaded. */
export interface LoadOptions {
  /** The nonce of your Content-Security-Policy. */
  nonce?: string | undefined;
  /** The hash of the script, such as `sha384-…`. Only the address of a release (`/sdk/releases/…`) never changes. */
  integrity?: string | undefined;
  /** After how many milliseconds the promise rejects. Default: 15,000. */
  timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 15_000;

/** One promise for each address. A failed one is removed, so that the page can try again. */
const loads = new Map<string, Promise<ServedLinkModal>>();

/**
 * Loads the bridge from the service: a moving address, such as `https://link.example/sdk/v2/linchpin.v2.js`, or the address of
 * a release. Calls with the same address share one promise and one `<script>`, also one that your page already has.
 *
 * @returns the class `LinkModal` of that script.
 * @throws LinkError with the cause `csp`, `blocked`, `network` or `script`, or `unsupported` without a browser.
 */
export function loadLinchpin(url: string, options: LoadOptions = {}): Promise<ServedLinkModal> {
  if (typeof document === "undefined") {
    return Promise.reject(new LinkError("unsupported", "loadLinchpin: call it in the browser, for example in an effect"));
  }
  let address: string;
  try {
    address = new URL(url, document.baseURI).href;
  } catch {
    return Promise.reject(new LinkError("script", "loadLinchpin: url must be the address of the service's script"));
  }
  const known = loads.get(address);
  if (known) return known;
  const load = loadScript(address, options);
  loads.set(address, load);
  load.catch(() => loads.delete(address));
  return load;
}

const findClass = (): ServedLinkModal | undefined => (globalThis as { LinkModal?: ServedLinkModal }).LinkModal;

function loadScript(address: string, { nonce, integrity, timeoutMs = TIMEOUT_MS }: LoadOptions): Promise<ServedLinkModal> {
  return new Promise((resolve, reject) => {
    const present = [...document.scripts].find(({ src }) => src === address);
    const ready = present && findClass();
    if (ready) return resolve(ready);
    const script = present ?? document.createElement("script");
    const life = new AbortController();
    const { signal } = life;
    const fail = (cause: "blocked" | "csp" | "network" | "script", message: string): void => {
      life.abort();
      clearTimeout(overdue);
      // A later call adds another one.
      script.remove();
      reject(new LinkError(cause, `loadLinchpin: ${message}: ${address}`));
    };
    const overdue = setTimeout(() => fail("network", `no script within ${timeoutMs} ms`), timeoutMs);
    addEventListener(
      "securitypolicyviolation",
      ({ disposition, blockedURI }) => {
        if (disposition === "enforce" && blockedURI === address) fail("csp", "the policy of the page forbids the script");
      },
      { signal },
    );
    script.addEventListener(
      "error",
      () => {
        // The browser reports a violation of the policy right after this.
        setTimeout(() => {
          if (!signal.aborted) fail(navigator.onLine ? "blocked" : "network", "the script did not load");
        });
      },
      { signal },
    );
    script.addEventListener(
      "load",
      () => {
        const loaded = findClass();
        if (!loaded) return fail("script", "the script defines no LinkModal");
        life.abort();
        clearTimeout(overdue);
        resolve(loaded);
      },
      { signal },
    );
    if (present) return;
    if (nonce) script.nonce = nonce;
    if (integrity) Object.assign(script, { integrity, crossOrigin: "anonymous" });
    script.src = address;
    document.head.append(script);
  });
}
