/** Authenticates requests: an HMAC-SHA256 of the request, a recent timestamp, and a nonce that was not used before. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** How far the service's clock and this one may differ, in seconds. */
const WINDOW = 300;

/** Checks requests and signs their responses. */
export class Signing {
  #secrets;
  /** Used nonces and when they arrived. The check of the timestamp rejects the requests of older ones. */
  #seen = new Map();

  constructor(secrets) {
    this.#secrets = secrets;
  }

  /** Returns a function that signs the response, or undefined if the request must be rejected. */
  accept({ method, path, headers, body }, now = Math.floor(Date.now() / 1000)) {
    const { "linchpin-nonce": nonce, "linchpin-timestamp": timestamp, "linchpin-signature": signature } = headers;
    if (!/^[0-9a-f]{32}$/.test(nonce) || !/^\d+$/.test(timestamp) || Math.abs(now - timestamp) > WINDOW) return undefined;
    if (!/^[0-9a-f]{64}$/.test(signature)) return undefined;
    const text = `linchpin/v1 request\n${method}\n${path}\n${timestamp}\n${nonce}\n${digest(body)}`;
    const secret = this.#secrets.find((it) => isEqual(signature, mac(it, text)));
    if (secret === undefined) return undefined;
    for (const [old, at] of this.#seen) if (now - at > 2 * WINDOW) this.#seen.delete(old);
    if (this.#seen.has(nonce)) return undefined;
    this.#seen.set(nonce, now);
    return (response) => mac(secret, `linchpin/v1 answer\n200\n${nonce}\n${digest(response)}`);
  }
}

function mac(secret, text) {
  return createHmac("sha256", secret).update(text).digest("hex");
}

function digest(body) {
  return createHash("sha256").update(body).digest("hex");
}

/** Compares two signatures in constant time. */
function isEqual(given, expected) {
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
