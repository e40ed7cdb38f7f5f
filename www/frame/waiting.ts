/** What the frame waits for. */

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

/** Resolves after the next frame has been painted: when the browser begins the one after it. */
export const painted = (): Promise<unknown> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
