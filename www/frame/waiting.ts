/** What the frame waits for. */

/** Resolves after the next frame has been painted: when the browser begins the one after it. */
export const painted = (): Promise<unknown> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
