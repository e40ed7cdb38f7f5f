/** The service speaks tus: the npm client `tus-js-client`, as it comes, uploads, pauses, resumes and takes back. */
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

const ORIGIN = "https://tenant.example";
const SEGMENT = 256 * 1024;

/** A line to the service that lets so many bytes of each connection through, and no more until it is released. */
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
  /** Where an earlier upload stands. */
  url?: string;
  /** Collects the offset of each PATCH. */
  offsets?: number[];
}

test.describe("tus-js-client, unchanged", () => {
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
    // Its first line says that it listens.
    await once(service.stdout as NodeJS.ReadableStream, "data");
    widget = await open(`${url}/sandbox/v1`, folder);
  });

  test.afterEach(async () => {
    service.kill("SIGKILL");
    await once(service, "exit");
    line.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("uploads 14 MB, pauses in the midst of a request and resumes: a segment is sent twice at most", async () => {
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
    // A pause lasts: what the client gave up comes to its end meanwhile.
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
    // What passed has headers and polls in it, too.
    expect(passed - again).toBeLessThan(SEGMENT + 100_000);
    // The file, 14,001 KB of it, never was in its memory.
    expect(after - before).toBeLessThan(10_000);
  });

  test("goes on in another upload by its address, as after a reload", async () => {
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

  test("takes a file back, and is told why one is refused", async () => {
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

/** A widget's session of a new user. */
async function open(base: string, folder: string): Promise<Widget> {
  const keys = JSON.parse(await readFile(join(folder, "first-keys.json"), "utf8")).sandbox;
  const basic = `Basic ${Buffer.from(`${keys.apiKey}:${keys.apiSecret}`).toString("base64")}`;
  const secret = randomBytes(32).toString("base64url");
  const bearer = `Bearer ${secret}`;
  const call = async (method: string, path: string, authorization: string, body?: object) => {
    const headers = { authorization, "content-type": "application/json" };
    const answer = await fetch(`${base}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
    return await answer.json();
  };
  const templateId = keys.linkTemplateId;
  await call("PATCH", `/linkTemplates/${templateId}`, basic, { allowedOrigins: [ORIGIN], uploadsEnabled: true });
  const user = await call("POST", "/users", basic, {});
  const exchange = { token: user.token.accessToken, secret, templateId, hostOrigin: ORIGIN };
  const session = await call("POST", "/link/sessions", bearer, exchange);
  const { consentTemplateId, version } = session.template.consent;
  const consent = { consentTemplateId, version, locale: "en", givenBy: "PERSON" };
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

/** The most memory that the service has had so far, in KiB. */
async function memory(service: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]);
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
