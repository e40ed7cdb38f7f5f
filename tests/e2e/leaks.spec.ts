import type { CDPSession } from "@playwright/test";
import { expect, test } from "./support/widget";

/** For a longer run: LINCHPIN_CYCLES=1000 cargo xtask e2e leaks. */
const CYCLES = Number(process.env["LINCHPIN_CYCLES"] ?? 20);
const WARM_UP = 5;

interface Host {
  frames: number;
  documents: number;
  nodes: number;
  listeners: number;
  heap: number;
}

/** Returns the objects of the host page after garbage collection. */
async function held(session: CDPSession): Promise<Host> {
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const metric = (name: string): number => metrics.find((it) => it.name === name)?.value ?? Number.NaN;
  return {
    frames: metric("Frames"),
    documents: metric("Documents"),
    nodes: metric("Nodes"),
    listeners: metric("JSEventListeners"),
    heap: metric("JSHeapUsedSize"),
  };
}

type Counts = Omit<Host, "heap">;

function counts({ heap: _, ...counted }: Host): Counts {
  return counted;
}

/**
 * Returns by how much metrics grew by at least one object a cycle. Smaller differences are not leaks: depending on the moment,
 * the page has 191 or 198 nodes.
 */
function leaks(before: Host, after: Host): Partial<Counts> {
  const grown = (Object.keys(counts(before)) as (keyof Counts)[]).map((name) => [name, after[name] - before[name]] as const);
  return Object.fromEntries(grown.filter(([, objects]) => objects >= CYCLES));
}

/** Returns the metrics after they have been stable for two seconds: longer than the bridge's timer holds a closed shell. */
async function settled(session: CDPSession): Promise<Host> {
  let host = await held(session);
  let unchanged = 0;
  await expect
    .poll(
      async () => {
        const seen = JSON.stringify(counts(host));
        host = await held(session);
        unchanged = JSON.stringify(counts(host)) === seen ? unchanged + 1 : 0;
        return unchanged;
      },
      { intervals: [250] },
    )
    .toBeGreaterThanOrEqual(8);
  return host;
}

test(`opening and closing ${CYCLES} times does not leak memory in the host page`, async ({ tenant, page }) => {
  test.setTimeout(60_000 + CYCLES * 3_000);
  await tenant.goto();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const cycle = async (): Promise<void> => {
    const widget = await tenant.open();
    await tenant.closeBy(widget.button("Close"));
    await expect.poll(() => tenant.callbacks()).toContain("onClose");
    // The page's log and the prewarmed frame are not leaks.
    await page.evaluate(() => document.getElementById("log")?.replaceChildren());
    await expect(page.locator("dialog iframe")).toHaveCount(1);
    // Until a frame has loaded its page, it has an empty document in the host's process. (An element handle would be a leak
    // itself.)
    const prewarmed = page.mainFrame().childFrames().at(-1);
    await prewarmed?.waitForURL((url) => url.protocol.startsWith("http"), { waitUntil: "load" });
  };
  for (let turn = 0; turn < WARM_UP; turn += 1) await cycle();
  const before = await settled(session);
  for (let turn = 0; turn < CYCLES; turn += 1) await cycle();
  // The objects of a closed frame are released when its process responds, possibly after the next frame has loaded.
  let after = await held(session);
  await expect
    .poll(async () => {
      after = await held(session);
      return leaks(before, after);
    })
    .toEqual({});
  console.log(`leaks: ${CYCLES} cycles: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`);
  // The engine's internal data (compiled code, inline caches) varies by hundreds of KB in every page.
  await expect
    .poll(async () => ((await held(session)).heap - before.heap) / CYCLES, { message: "bytes a cycle" })
    .toBeLessThan(CYCLES >= 1_000 ? 1_000 : 25_000);
});
