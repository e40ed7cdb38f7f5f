/** Connects the frame with the host page: asks for a port, and accepts one window message, which transfers it. */

import { allowedOrigins } from "./page";

export interface HostPort {
  origin: string;
  port: MessagePort;
}

/**
 * Asks the bridge for a port, so that it need not wait until everything has loaded. A bridge that ignores the question
 * sends the port then. Accepts the port once, only from the parent and from an origin that the link template allows, and
 * ignores all other messages.
 */
export function acceptPort(): Promise<HostPort> {
  return new Promise((resolve) => {
    function onMessage(event: MessageEvent): void {
      const [port] = event.ports;
      if (event.source !== window.parent || window.parent === window) return;
      if (!allowedOrigins.has(event.origin)) return;
      if ((event.data as { linchpin?: unknown } | null)?.linchpin !== "p1" || !port) return;
      window.removeEventListener("message", onMessage);
      resolve({ origin: event.origin, port });
    }
    window.addEventListener("message", onMessage);
    // Any page may read this: it says only that the frame has started.
    window.parent.postMessage({ linchpin: "p1" }, "*");
  });
}
