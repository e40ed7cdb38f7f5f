/** Connects the frame with the host page: accepts one window message, which transfers a port. */

import type { Typed } from "./fields";
import { allowedOrigins } from "./page";
import type { Held } from "./session";

/** Options that the program certainly accepts (`link-flow/src/options.rs`), as JSON. More would make the first open larger. */
const FORMS =
  /^{(("templateId":"[^"]+"|"accountId":"a-[\da-f]{32}"|"enable\w+":(true|false)|"locale":"[a-z]{2,3}(-[A-Za-z]{2,8})?"|"theme":"(light|dark|system)"),?)+}$/;

/** Options and token. */
export interface OpenMessage {
  options: { locale?: string | null } & Record<string, unknown>;
  token: string;
}

/**
 * What a page that lost its files passes on to the same page, loaded again inside it: the origin of the host page, the
 * session, and what was typed. Only pages of our origin see it.
 */
export type Again = [origin: string, held: Held, typed?: Typed];

/** A message of the bridge. */
export interface HostMessage {
  open?: OpenMessage;
  setToken?: { token: string };
  setLocale?: { locale: string };
  told?: { key: string };
  closeRequested?: object;
  inset?: { bottom: number };
  again?: Again;
}

export interface HostPort {
  origin: string;
  port: MessagePort;
  /** The first message of the bridge, if it came with the port. */
  first: HostMessage;
}

declare global {
  interface Window {
    /** What the page's first script has received: it asks the bridge for a port before this script runs. */
    linchpinAnswers: MessageEvent[];
  }
}

/** Returns whether the options are certainly right, so that the exchange need not wait for the program. */
export const areCertain = (options: object): boolean => FORMS.test(JSON.stringify(options));

/**
 * Waits for the port. The page has asked for it; a bridge that ignores the question sends the port when the page has loaded.
 * Accepts it once, only from the parent and from an origin that the link template allows, and ignores all other messages.
 */
export function acceptPort(): Promise<HostPort> {
  return new Promise((resolve) => {
    window.onmessage = (event) => {
      const [port] = event.ports;
      if (event.source !== window.parent || window.parent === window) return;
      const { origin } = event;
      const isOwn = origin === location.origin;
      // An origin may be listed with every port.
      const listed = [origin, origin.replace(/:\d+$/, "") + ":*"];
      if (!isOwn && !listed.some((it) => allowedOrigins.has(it))) return;
      const first = event.data as (HostMessage & { linchpin?: unknown }) | null;
      if (first?.linchpin !== "p1" || !port) return;
      window.onmessage = null;
      if (!isOwn) delete first.again;
      resolve({ origin, port, first });
    };
    // Removes them, because one contains the token.
    for (const answer of window.linchpinAnswers.splice(0)) window.onmessage?.(answer);
  });
}
