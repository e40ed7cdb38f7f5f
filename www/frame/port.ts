/** The one way in and out of the frame: a window message that brings a port, and the port. */

import { allowedOrigins } from "./page";

export interface HostPort {
  origin: string;
  port: MessagePort;
}

/**
 * Waits for the bridge's one window message. Accepted once, only from the parent and only from an origin that the
 * link template allows; everything else is ignored without an answer.
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
