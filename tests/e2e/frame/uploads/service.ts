/** A fake tus service that can interrupt connections at any point. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A file as received so far. */
export interface Arrived {
  id: string;
  metadata: Record<string, string>;
  size: number;
  bytes: Buffer;
  /** The offset of each PATCH, and the number of bytes received. */
  parts: { from: number; came: number }[];
}

const SEGMENT = 256 * 1024;

export class Service {
  readonly files = new Map<string, Arrived>();
  readonly calls: string[] = [];
  readonly bearers = new Set<string | undefined>();
  /** The next PATCHes are interrupted when this number of bytes of the file has been received. */
  cutAt: number[] = [];
  /** The next responses to these calls. */
  readonly refusals = new Map<string, { status: number; fileFault?: string; retryAfter?: number }>();
  /** Whether connections are reused. A browser itself retries an interrupted request on a reused connection. */
  keepsAlive = false;
  /** Whether the response to the next creation is lost. */
  losesCreation = false;
  #server: Server | null = null;

  async start(page: (path: string, response: ServerResponse) => Promise<boolean>): Promise<string> {
    this.#server = createServer((request, response) => void this.#respond(request, response, page));
    await new Promise<void>((resolve) => this.#server?.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server?.close().closeAllConnections();
  }

  get only(): Arrived {
    const [file] = this.files.values();
    if (!file || this.files.size !== 1) throw new Error(`There are ${this.files.size} files instead of 1`);
    return file;
  }

  async #respond(
    request: IncomingMessage,
    response: ServerResponse,
    page: (path: string, response: ServerResponse) => Promise<boolean>,
  ): Promise<void> {
    const path = new URL(request.url ?? "/", "http://service").pathname;
    if (!this.keepsAlive) response.setHeader("connection", "close");
    if (await page(path, response)) return;
    const id = path.split("/").pop() ?? "";
    const call = `${request.method} ${path.slice("/v1".length).replace(/\/file-\d+$/, "/{id}")}`;
    this.calls.push(call);
    this.bearers.add(request.headers.authorization);
    const refusal = this.refusals.get(call);
    if (refusal) {
      this.refusals.delete(call);
      request.resume();
      const { status, retryAfter, ...rest } = refusal;
      if (retryAfter) response.setHeader("retry-after", retryAfter);
      response.writeHead(status, { "content-type": "application/problem+json" }).end(JSON.stringify(rest));
      return;
    }
    switch (call) {
      case "POST /link/uploads":
        return this.#create(request, response);
      case "HEAD /link/uploads/{id}":
        return this.#offset(response, this.files.get(id));
      case "PATCH /link/uploads/{id}":
        return this.#append(request, response, this.files.get(id));
      case "DELETE /link/uploads/{id}":
        response.writeHead(this.files.delete(id) ? 204 : 404).end();
        return;
      default:
        return this.#archive(response);
    }
  }

  #create(request: IncomingMessage, response: ServerResponse): void {
    const pairs = String(request.headers["upload-metadata"]).split(",");
    const metadata = Object.fromEntries(
      pairs.map((pair) => pair.split(" ")).map(([key, value]) => [key, Buffer.from(value ?? "", "base64").toString()]),
    );
    const id = `file-${this.files.size + 1}`;
    this.files.set(id, { id, metadata, size: Number(request.headers["upload-length"]), bytes: Buffer.alloc(0), parts: [] });
    if (this.losesCreation) {
      this.losesCreation = false;
      request.socket.destroy();
      return;
    }
    response.writeHead(201, { location: `/v1/link/uploads/${id}`, "upload-offset": "0" }).end();
  }

  #offset(response: ServerResponse, file: Arrived | undefined): void {
    if (!file) return void response.writeHead(404).end();
    response.writeHead(204, { "upload-offset": String(file.bytes.length), "upload-length": String(file.size) }).end();
  }

  async #append(request: IncomingMessage, response: ServerResponse, file: Arrived | undefined): Promise<void> {
    const from = Number(request.headers["upload-offset"]);
    if (!file) return void response.writeHead(404).end();
    if (from !== file.bytes.length) return void response.writeHead(409).end();
    const part = { from, came: 0 };
    file.parts.push(part);
    const end = this.cutAt.shift() ?? Infinity;
    try {
      for await (const chunk of request) {
        file.bytes = Buffer.concat([file.bytes, chunk as Buffer]);
        part.came = file.bytes.length - from;
        if (file.bytes.length < end) continue;
        // The service only stores complete segments.
        file.bytes = file.bytes.subarray(0, Math.max(from, end - (end % SEGMENT)));
        request.socket.destroy();
        return;
      }
    } catch {
      return; // The browser aborted the request.
    }
    response.writeHead(204, { "upload-offset": String(file.bytes.length) }).end();
  }

  #archive(response: ServerResponse): void {
    const files = [...this.files.values()].map(({ id, metadata, size, bytes }) => ({
      fileId: id,
      name: metadata["filename"],
      slot: metadata["slot"],
      sizeBytes: size,
      sha256: metadata["sha256"] ?? null,
      receivedBytes: bytes.length,
    }));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ files }));
  }
}

export function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
