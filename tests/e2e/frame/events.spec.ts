/** Tests how UI events and trap reports are sent to the service. */
import { expect, test, type Stage } from "./stage";

/** A module that exports a function which traps. */
const TRAP = "0061736d0100000001040160000003020100070801046661696c00000a05010300000b";

/** The stack of a trap in Firefox, in the deferred chunk. */
const STACK = `fail@https://service.example/link-widget-chunk-0.wasm:wasm-function[7]:0x2c
call@https://service.example/link-widget-0.wasm:wasm-function[12]:0x1a2b
start@https://service.example/link-widget-0.wasm:wasm-function[3]:0xff
listen@https://service.example/boot.js:1:20`;

interface Sent {
  opening: string;
  events: { seq: number; eventName: string; afterMs: number }[];
  trap: { build: string; offsets: number[] } | null;
}

test("events are numbered and sent in batches with the id of the opening", async ({ stage }) => {
  await stage.open();
  await stage.button("Agree and continue").click();
  const seqs = (): number[] => (stage.batches as unknown as Sent[]).flatMap(({ events }) => events.map(({ seq }) => seq));
  await expect.poll(() => Math.max(0, ...seqs())).toBeGreaterThan(2);
  expect(seqs()).toEqual(seqs().map((_, at) => at + 1));
  const batches = stage.batches as unknown as Sent[];
  expect(new Set(batches.map(({ opening }) => opening)).size).toBe(1);
  expect(batches[0]?.opening).toMatch(/^[A-Za-z0-9-]{8,64}$/);
  expect(batches[0]?.events[0]).toMatchObject({ seq: 1, afterMs: expect.any(Number), accountId: null, archiveId: null });
});

test("a failed batch is sent again, and a successful one is not", async ({ stage }) => {
  stage.refusals.push(503);
  await stage.open();
  await expect.poll(() => stage.batches.length, { timeout: 20_000 }).toBe(2);
  const [lost, again] = stage.batches as unknown as Sent[];
  expect(again?.events.map(({ seq }) => seq)).toEqual(lost?.events.map(({ seq }) => seq));
  await stage.button("Agree and continue").click();
  await expect.poll(() => stage.batches.length).toBe(3);
  expect((stage.batches as unknown as Sent[])[2]?.events[0]?.seq).toBe((again?.events.length ?? 0) + 1);
});

test("an exhausted quota drops events without disturbing the widget", async ({ stage }) => {
  stage.refusals.push(429);
  stage.retryAfter = 180;
  await stage.open();
  await expect.poll(() => stage.batches.length).toBe(1);
  const count = (await stage.heard()).filter((message) => "tell" in message).length;
  await stage.button("Agree and continue").click();
  await stage.until("tell", count + 1);
  await stage.frame.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
  await expect.poll(() => stage.batches.length).toBe(2);
  const [refused, later] = stage.batches as unknown as Sent[];
  const last = Math.max(...(refused?.events ?? []).map(({ seq }) => seq));
  expect(later?.events[0]?.seq, "rejected events are not sent again").toBeGreaterThan(last);
});

test("waiting events are sent when the page is hidden", async ({ stage }) => {
  await stage.open();
  await stage.frame.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
  // A timer sends them every two seconds, perhaps before.
  await expect.poll(() => stage.batches.length, { timeout: 1_500 }).toBeGreaterThanOrEqual(1);
});

test("the last events are sent before the session ends", async ({ stage }) => {
  await stage.open();
  // The first page can be there before the program, which has the events.
  await stage.until("tell");
  await stage.say({ closeRequested: {} });
  await stage.until("close");
  await expect.poll(() => stage.lines.slice(-2)).toEqual(["POST /link/events", "DELETE /link/session"]);
});

test("a trap report contains offsets in the module and no text", async ({ stage }) => {
  await stage.open();
  await stage.frame.evaluate((hex) => {
    const bytes = Uint8Array.from(hex.match(/../g)!, (byte) => parseInt(byte, 16));
    const { fail } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as { fail: () => void };
    setTimeout(fail);
  }, TRAP);
  await expect.poll(() => traps(stage).length).toBe(1);
  expect(traps(stage)).toEqual([{ build: expect.stringMatching(/^link-widget-.*\.wasm$/), offsets: [33] }]);
});

test("offsets of a trap are parsed from Firefox's stack format", async ({ stage }) => {
  await stage.open();
  await stage.frame.evaluate((stack) => {
    setTimeout(() => {
      throw Object.assign(new WebAssembly.RuntimeError("unreachable executed"), { stack });
    });
  }, STACK);
  await expect.poll(() => traps(stage).map((trap) => trap?.offsets)).toEqual([[2 ** 31 + 0x2c, 0x1a2b, 0xff]]);
});

function traps(stage: Stage): Sent["trap"][] {
  return (stage.batches as unknown as Sent[]).map(({ trap }) => trap).filter((trap) => trap !== null);
}
