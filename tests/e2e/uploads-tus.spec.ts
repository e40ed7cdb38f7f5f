/** Tests the service's tus interface with the unmodified npm client `tus-js-client`. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { Upload } from "tus-js-client";
import { payslip } from "./faults/payslip";
import { freePort } from "./support/ports";

const ORIGIN = "https://tenant.example";
const SEGMENT = 256 * 1024;

/** A proxy to the service that forwards a limited number of bytes per connection until it is released. */
class Line {
  sent = 0;
  #limit = Infinity;
  readonly #held: Socket[] = [];
  readonly #server: Server;

  constructor(service: number) {
    this.#server = createServer((client) => {
      const upstream = connect(service, "127.0.0.1");
      client.on("error", () => upstream.destroy());
      client.on("close", () => upstream.destroy());
      upstream.on("error", () => client.destroy());
      upstream.pipe(client);
      let passed = 0;
      client.on("data", (bytes) => {
        passed += bytes.length;
        this.sent += bytes.length;
        upstream.write(bytes);
        if (passed < this.#limit) return;
        this.#held.push(client);
        client.pause();
      });
    });
  }

  async open(): Promise<number> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return (this.#server.address() as AddressInfo).port;
  }

  hold(limit: number): void {
    this.#limit = limit;
  }

  release(): void {
    this.#limit = Infinity;
    for (const client of this.#held.splice(0)) client.resume();
  }

  close(): void {
    this.#server.close();
  }
}

interface Widget {
  archive(): Promise<string>;
  progress(archive: string): Promise<{ files: { format: string | null; receivedBytes: number; sha256: string }[] }>;
  upload(archive: string, bytes: Buffer, done: (failure?: Error) => void, more?: More): Upload;
}

interface More {
  /** The URL of an earlier upload to resume. */
  url?: string;
  /** Collects the offset of each PATCH. */
  offsets?: number[];
}

test.describe("tus-js-client", () => {
  let service: ChildProcess;
  let folder: string;
  let line: Line;
  let widget: Widget;

  test.beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "linchpin-tus-"));
    const port = await freePort();
    line = new Line(port);
    const url = `http://localhost:${await line.open()}`;
    service = spawn(
      process.env["LINCHPIN_BINARY"] as string,
      ["serve", "--data-dir", folder, "--listen", `127.0.0.1:${port}`, "--public-url", url],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    // The service prints its first line when it listens.
    await once(service.stdout as NodeJS.ReadableStream, "data");
    widget = await open(`${url}/sandbox/v1`, folder);
  });

  test.afterEach(async () => {
    service.kill("SIGKILL");
    await once(service, "exit");
    line.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("pauses and resumes an upload of 14 MB and repeats at most one segment", async () => {
    const file = payslip("payslip.pdf", 14_000_000).buffer;
    const archive = await widget.archive();
    const before = await memory(service);
    line.hold(4_000_000);
    const ended = deferred();
    const offsets: number[] = [];
    const upload = widget.upload(archive, file, ended.settle, { offsets });
    const idle = line.sent;
    upload.start();
    const received = async (): Promise<number> => (await widget.progress(archive)).files[0]?.receivedBytes ?? 0;
    await expect.poll(received, { timeout: 120_000 }).toBeGreaterThan(4_000_000 - 2 * SEGMENT);
    const passed = line.sent - idle;
    await upload.abort();
    line.release();
    // The aborted request ends during the pause.
    expect(await received()).toBeLessThan(file.length);
    upload.start();
    await ended.promise;
    const [stored] = (await widget.progress(archive)).files;
    expect(stored).toMatchObject({
      format: "PDF",
      receivedBytes: file.length,
      sha256: createHash("sha256").update(file).digest("hex"),
    });
    const [from = -1, again = -1] = offsets;
    const after = await memory(service);
    console.log(
      `tus-js-client: ${file.length} bytes, paused when ${passed} had passed, resumed from ${again}; ` +
        `memory of the service ${before} KiB before, ${after} KiB at its peak`,
    );
    expect(from).toBe(0);
    // The forwarded bytes include headers and polls.
    expect(passed - again).toBeLessThan(SEGMENT + 100_000);
    // The service never had the complete file of 14,001 KB in memory.
    expect(after - before).toBeLessThan(10_000);
  });

  test("resumes an upload by its URL, as after a reload", async () => {
    const file = payslip("payslip.pdf", 3_000_000).buffer;
    const archive = await widget.archive();
    line.hold(1_500_000);
    const first = widget.upload(archive, file, () => undefined);
    first.start();
    await expect.poll(async () => (await widget.progress(archive)).files[0]?.receivedBytes, { timeout: 120_000 }).toBeGreaterThan(1_000_000);
    await first.abort();
    line.release();
    const ended = deferred();
    widget.upload(archive, file, ended.settle, { url: first.url as string }).start();
    await ended.promise;
    const { files } = await widget.progress(archive);
    expect(files.map((it) => it.format)).toEqual(["PDF"]);
  });

  test("deletes a file, and gets the reason for a rejected one", async () => {
    const archive = await widget.archive();
    const ended = deferred();
    const good = widget.upload(archive, payslip("payslip.pdf", 0).buffer, ended.settle);
    good.start();
    await ended.promise;
    await good.abort(true);
    const refused = deferred();
    widget.upload(archive, randomBytes(5_000), refused.settle).start();
    await expect(refused.promise).rejects.toThrow(/"fileFault":"UNSUPPORTED_FORMAT"/);
    expect((await widget.progress(archive)).files).toEqual([]);
  });
});

function deferred(): { promise: Promise<void>; settle: (failure?: Error) => void } {
  let settle: (failure?: Error) => void = () => undefined;
  const promise = new Promise<void>((done, fail) => {
    settle = (failure) => (failure ? fail(failure) : done());
  });
  return { promise, settle };
}

/** Opens a widget session for a new user. */
async function open(base: string, folder: string): Promise<Widget> {
  const keys = JSON.parse(await readFile(join(folder, "first-keys.json"), "utf8")).sandbox;
  const basic = `Basic ${Buffer.from(`${keys.apiKey}:${keys.apiSecret}`).toString("base64")}`;
  const secret = randomBytes(32).toString("base64url");
  const bearer = `Bearer ${secret}`;
  const call = async (method: string, path: string, authorization: string, body?: object) => {
    const headers = { authorization, "content-type": "application/json" };
    const response = await fetch(`${base}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
    return await response.json();
  };
  const templateId = keys.linkTemplateId;
  await call("PATCH", `/linkTemplates/${templateId}`, basic, { allowedOrigins: [ORIGIN], uploadsEnabled: true });
  const user = await call("POST", "/users", basic, {});
  const exchange = { token: user.token.accessToken, secret, templateId, hostOrigin: ORIGIN };
  const session = await call("POST", "/link/sessions", bearer, exchange);
  const { consentTemplateId, version } = session.template.consent;
  const consent = { consentTemplateId, version, locale: "en", givenBy: "PERSON", syncInterval: session.template.syncInterval, retention: session.template.retention };
  return {
    archive: async () => (await call("POST", "/link/archives", bearer, { type: "PAYSLIP", consent })).archiveId,
    progress: (archive) => call("GET", `/link/archives/${archive}`, bearer),
    upload: (archive, bytes, done, { url, offsets } = {}) =>
      new Upload(bytes, {
        endpoint: `${base}/link/uploads`,
        ...(url && { uploadUrl: url }),
        headers: { Authorization: bearer },
        metadata: { archiveId: archive, slot: "PAGE", filename: "payslip.pdf", filetype: "application/pdf" },
        retryDelays: [500, 1_000, 3_000],
        onBeforeRequest: (request) => {
          if (request.getMethod() === "PATCH") offsets?.push(Number(request.getHeader("Upload-Offset")));
        },
        onSuccess: () => done(),
        onError: (error) => done(error),
      }),
  };
}

/** Returns the peak memory of the service in KiB. */
async function memory(service: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]);
}
