/** The states of the frame, and how long it waits in them. */

import type { OpenMessage } from "./port";
import type { LinkModal } from "./program";

/** How long after a script failed to load it is loaded again. */
export const SCRIPT_AGAIN_MS = 2_000;
/** How long the last events of a session may take. */
export const LAST_EVENTS_MS = 300;
/** How long the first screen waits for the session, so that it is drawn once. Then the program shows that it waits. */
export const ONE_SCREEN_MS = 1_000;
/** A frame that has been opened gets its token within this time after its port. */
export const PREWARM_MS = 300;
/** How long the consent page may take to be painted. Browsers paint no hidden page. */
export const PAINT_MS = 200;
/** How long the parts may load before the person reads that it takes longer than usual. */
export const SLOW_MS = 8_000;

/** The state of the frame. Only `running` has a program. */
export type Phase =
  /** Waits for the bridge to send the token. */
  | { name: "waiting" }
  /** Loads the program and the texts. */
  | { name: "starting"; opened: OpenMessage }
  /** Shows that a part did not load, and waits for the person to try again. */
  | { name: "failed"; opened: OpenMessage }
  /** `ordered`: this program has given an order for files. Before that, it does not understand reports on files. */
  | { name: "running"; opened: OpenMessage; modal: LinkModal; ordered: boolean }
  /** Sends nothing more, because the bridge removes the frame. */
  | { name: "over" };

/** Resolves after the next frame has been painted: when the browser begins the one after it. */
export const waitForPaint = (): Promise<unknown> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
