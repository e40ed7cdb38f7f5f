/** Connects the frame with the host page: accepts one window message, which transfers a port. */

import { allowedOrigins } from "./page";

export interface HostPort {
  origin: string;
  port: MessagePort;
}

/**
 * Waits for the bridge's window message. Accepts it once, only from the parent and from an origin that the link template
 * allows. Ignores all other messages.
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
  });
}
