/** Tests uploads with tus and their interruptions. */
import { mkdir, truncate, unlink, writeFile } from "node:fs/promises";
import { expect, test, type Device } from "./device";
import { given, pdf } from "./files";
import { sha256 } from "./service";

const SIZE = 4_000_000;
const SEGMENT = 256 * 1024;

/** Creates a PDF of this size. */
function large(size = SIZE): Buffer {
  const small = pdf(1);
  const filler = Buffer.alloc(size - small.length, "x");
  return Buffer.concat([small.subarray(0, 9), filler, small.subarray(9)]);
}

/** Slows the connection down, so that tests can observe uploads. Returns a function that restores it. */
async function slowly({ page }: Device, rate: number): Promise<() => Promise<void>> {
  const network = await page.context().newCDPSession(page);
  const limit = async (bytes: number): Promise<void> => {
    const rates = { downloadThroughput: bytes, uploadThroughput: bytes };
    await network.send("Network.emulateNetworkConditions", { offline: false, latency: 0, ...rates });
  };
  await limit(rate);
  return () => limit(-1);
}

async function chosen(device: Device, buffer = large(), name = "Nómina №1.pdf"): Promise<number> {
  return Number((await device.look(given(name, buffer)))["handle"]);
}

test("a file is created with its metadata and arrives unchanged", async ({ device }) => {
  const buffer = large();
  await device.send(await chosen(device, buffer));
  await device.until("sent");
  const { metadata, size, bytes } = device.service.only;
  expect(metadata).toEqual({ archiveId: "archive-1", slot: "PAGE", filename: "Nómina №1.pdf", sha256: sha256(buffer) });
  expect([size, sha256(bytes)]).toEqual([SIZE, sha256(buffer)]);
  expect(device.service.calls).toEqual(["POST /link/uploads", "PATCH /link/uploads/{id}"]);
  expect([...device.service.bearers]).toEqual(["Bearer secret"]);
});

for (const [what, change] of [
  ["is gone", (path: string) => unlink(path)],
  ["has other bytes", (path: string) => writeFile(path, large(SIZE).fill("y", 9_000, 10_000))],
  ["is shorter", (path: string) => truncate(path, SIZE / 2)],
] as const) {
  for (const when of ["before it is sent", "while it is sent"]) {
    test(`a file that ${what} ${when} has to be chosen again`, async ({ device }, info) => {
      const path = info.outputPath("payslip.pdf");
      await mkdir(info.outputDir, { recursive: true });
      await writeFile(path, large());
      await device.page.setInputFiles("#page", path);
      const [{ handle }] = (await device.until("inspected")) as [{ handle: number }];
      if (when === "while it is sent") device.service.cutAt = [SIZE / 4];
      else await change(path);
      await device.send(handle);
      if (when === "while it is sent") {
        await device.until("cut");
        await change(path);
        await device.send(handle, "file-1");
      }
      const cuts = await device.until("cut", when === "while it is sent" ? 2 : 1);
      expect(cuts.at(-1)).toEqual({ handle, status: 460, fileFault: "HASH_MISMATCH", retryInMs: 0 });
    });
  }
}

for (const percent of [10, 50, 90]) {
  test(`an upload interrupted at ${percent} % sends only the missing bytes again`, async ({ device }) => {
    const buffer = large();
    device.service.cutAt = [(SIZE * percent) / 100];
    await device.send(await chosen(device, buffer));
    expect(await device.until("cut")).toEqual([{ handle: 1, status: 0, fileFault: null, retryInMs: 0 }]);
    const held = device.service.only.bytes.length;
    await device.send(1, "file-1");
    await device.until("sent");
    const { bytes, parts } = device.service.only;
    expect(sha256(bytes)).toBe(sha256(buffer));
    expect(parts[1]).toEqual({ from: held, came: SIZE - held });
    expect((SIZE * percent) / 100 - held, "bytes sent again").toBeLessThan(SEGMENT);
    expect((await device.until("sending")).map((fact) => fact["offset"])).toContain(held);
  });
}

test("a retry by the browser itself does not damage the file", async ({ device }) => {
  const buffer = large();
  device.service.keepsAlive = true;
  device.service.cutAt = [2_000_000];
  await device.send(await chosen(device, buffer));
  const [cut] = await device.until("cut");
  expect([0, 409]).toContain(cut?.["status"]);
  await device.send(1, "file-1");
  await device.until("sent");
  expect(sha256(device.service.only.bytes)).toBe(sha256(buffer));
  expect(device.service.only.parts.length).toBe(2);
});

test("an upload arrives complete after many interruptions", async ({ device }) => {
  const buffer = large();
  device.service.cutAt = [600_000, 1_500_000, 1_500_000, 3_900_000];
  await device.send(await chosen(device, buffer));
  for (let cuts = 1; cuts <= 4; cuts += 1) {
    await device.until("cut", cuts);
    await device.send(1, "file-1");
  }
  await device.until("sent");
  expect(sha256(device.service.only.bytes)).toBe(sha256(buffer));
});

test("a stopped upload is silent and resumes at its offset", async ({ device }) => {
  const buffer = large(14_000_000);
  const handle = await chosen(device, buffer);
  const fast = await slowly(device, 1_500_000);
  await device.send(handle);
  await device.until("sending", 3);
  await device.order({ stop: { handle } });
  await fast();
  await expect.poll(() => device.service.only.parts.length).toBe(1);
  await device.send(handle, "file-1");
  await device.until("sent");
  const { bytes, parts } = device.service.only;
  expect(sha256(bytes)).toBe(sha256(buffer));
  expect(parts[1]?.from).toBe(parts[0]?.came);
  expect((await device.facts()).filter((fact) => "cut" in fact)).toEqual([]);
});

test("two orders for a file upload it once", async ({ device }) => {
  const buffer = large();
  const handle = await chosen(device, buffer);
  await device.page.evaluate((handle) => {
    const order = (fileId: string | null): void =>
      (window as unknown as { uploads: { order(order: unknown): void } }).uploads.order({
        send: { handle, archiveId: "archive-1", slot: "PAGE", fileId },
      });
    order(null);
    order(null);
  }, handle);
  await device.until("sent");
  expect(device.service.files.size).toBe(1);
});

test("a file is found if the response to its creation was lost", async ({ device }) => {
  device.service.losesCreation = true;
  const buffer = large();
  await device.send(await chosen(device, buffer));
  await device.until("cut");
  await device.send(1);
  await device.until("sent");
  expect(sha256(device.service.only.bytes)).toBe(sha256(buffer));
  expect(device.service.calls).toEqual([
    "POST /link/uploads",
    "GET /link/archives/archive-1",
    "HEAD /link/uploads/{id}",
    "PATCH /link/uploads/{id}",
  ]);
});

test("the Retry-After of a busy service is reported", async ({ device }) => {
  device.service.refusals.set("PATCH /link/uploads/{id}", { status: 503, retryAfter: 5 });
  await device.send(await chosen(device, large()));
  expect(await device.until("cut")).toEqual([{ handle: 1, status: 503, fileFault: null, retryInMs: 5_000 }]);
});

for (const [call, status, fileFault] of [
  ["POST /link/uploads", 413, "TOO_LARGE"],
  ["PATCH /link/uploads/{id}", 422, "ENCRYPTED"],
  ["PATCH /link/uploads/{id}", 401, null],
  ["PATCH /link/uploads/{id}", 503, null],
] as const) {
  test(`status ${status} of ${call} is reported ${fileFault ? "with" : "without"} a fault`, async ({ device }) => {
    device.service.refusals.set(call, fileFault ? { status, fileFault } : { status });
    await device.send(await chosen(device));
    expect(await device.until("cut")).toEqual([{ handle: 1, status, fileFault, retryInMs: 0 }]);
  });
}

test("a file that no longer exists at the service is reported", async ({ device }) => {
  await device.send(await chosen(device), "file-9");
  expect(await device.until("cut")).toEqual([{ handle: 1, status: 404, fileFault: null, retryInMs: 0 }]);
});

test("a file dropped during its upload is deleted at the service", async ({ device }) => {
  device.service.cutAt = [1_000_000];
  const handle = await chosen(device);
  await device.send(handle);
  await device.until("cut");
  await device.order({ drop: { handle, fileId: "file-1" } });
  await device.until("dropped");
  expect(device.service.files.size).toBe(0);
});

test("a file dropped during its creation is deleted at the service", async ({ device }) => {
  const handle = await chosen(device);
  await device.page.context().route("**/link/uploads", async (route) => {
    await device.order({ drop: { handle, fileId: null } });
    await route.continue();
  });
  await device.send(handle);
  await device.until("dropped");
  expect(device.service.calls).toEqual(["POST /link/uploads", "DELETE /link/uploads/{id}"]);
  expect(device.service.files.size).toBe(0);
});

test("a failed drop is reported, and a drop of a missing file succeeds", async ({ device }) => {
  device.service.refusals.set("DELETE /link/uploads/{id}", { status: 503 });
  await device.order({ drop: { handle: 4_294_967_295, fileId: "file-7" } });
  expect(await device.until("cut")).toEqual([{ handle: 4_294_967_295, status: 503, fileFault: null, retryInMs: 0 }]);
  await device.order({ drop: { handle: 4_294_967_295, fileId: "file-7" } });
  expect(await device.until("dropped")).toEqual([{ handle: 4_294_967_295 }]);
});

test("progress is reported in order and never exceeds the file", async ({ device }) => {
  const buffer = large(14_000_000);
  await slowly(device, 7_000_000);
  await device.send(await chosen(device, buffer));
  await device.until("sent");
  const offsets = (await device.until("sending")).map((fact) => Number(fact["offset"]));
  expect(offsets[0]).toBe(0);
  expect(offsets).toEqual([...offsets].sort((one, other) => one - other));
  expect(Math.max(...offsets)).toBeLessThanOrEqual(buffer.length);
  expect(offsets.length).toBeGreaterThan(3);
});
