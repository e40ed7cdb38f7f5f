/** A proxy that simulates a bad network between browser and service: offline, slow, or losing a request part-way. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** Loses the next matching request after this percentage of its body, or of the response's body if it has none. */
export interface Drop {
  method: string;
  path: RegExp;
  percent: number;
}

export class Proxy {
  readonly #server: Server;
  #service = 0;
  #down = false;
  #slowMs = 0;
  #blocked: RegExp | null = null;
  #drop: Drop | null = null;
  #dropped: (() => void) | null = null;
  /** The offset in the file at which the last completed PATCH began. */
  resumedAt = 0;
  /** Method and path of every 2xx response, including those that did not reach the browser. */
  accepted: string[] = [];

  private constructor() {
    this.#server = createServer((incoming, answer) => void this.#forward(incoming, answer));
  }

  static async start(): Promise<Proxy> {
    const proxy = new Proxy();
    await new Promise<void>((listening) => proxy.#server.listen(0, "127.0.0.1", listening));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Sets the port of the service. */
  set service(port: number) {
    this.#service = port;
  }

  /** Rejects new connections and closes the existing ones. */
  cut(): void {
    this.#down = true;
    this.#server.closeAllConnections();
  }

  /** Drops matching requests. */
  block(request: RegExp): void {
    this.#blocked = request;
  }

  mend(): void {
    this.#down = false;
    this.#blocked = null;
    this.#slowMs = 0;
    this.#drop = null;
  }

  slow(ms: number): void {
    this.#slowMs = ms;
  }

  /** Loses one request. Resolves when that has happened. */
  lose(drop: Drop): Promise<void> {
    this.#drop = drop;
    return new Promise((dropped) => (this.#dropped = dropped));
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    incoming.on("error", () => undefined);
    answer.on("error", () => undefined);
    const { method, url, headers } = incoming;
    if (this.#down || this.#blocked?.test(`${method} ${url}`)) return void incoming.socket.destroy();
    const drop = hasBody(incoming) ? this.#losing(incoming) : null;
    if (this.#slowMs > 0) await wait(this.#slowMs);
    const upstream = request({ host: "127.0.0.1", port: this.#service, method, path: url, headers });
    const end = (): void => {
      upstream.destroy();
      incoming.socket.destroy();
    };
    const lose = (): void => {
      end();
      this.#dropped?.();
    };
    upstream.on("error", end);
    answer.on("close", () => upstream.destroy());
    upstream.on("response", (response) => {
      response.on("error", end);
      const status = response.statusCode ?? 502;
      if (status < 300) this.accepted.push(`${method} ${url}`);
      if (status < 300 && method === "PATCH") this.resumedAt = Number(headers["upload-offset"]);
      answer.writeHead(status, response.headers);
      // The response to lose may belong to a long poll that was already in progress.
      const lost = hasBody(incoming) ? null : this.#losing(incoming);
      const share = lost ? (Number(response.headers["content-length"] ?? 0) * lost.percent) / 100 : Infinity;
      let passed = 0;
      if (share === 0) return lose();
      response.on("data", (chunk: Buffer) => {
        passed += chunk.length;
        if (passed < share) return void answer.write(chunk);
        answer.write(chunk.subarray(0, Math.max(0, chunk.length - (passed - share))), lose);
      });
      response.on("end", () => answer.end());
    });
    const share = drop && hasBody(incoming) ? (Number(incoming.headers["content-length"] ?? 0) * drop.percent) / 100 : Infinity;
    let passed = 0;
    incoming.on("data", (chunk: Buffer) => {
      const room = Math.max(0, share - passed);
      passed += chunk.length;
      const part = passed < share ? chunk : chunk.subarray(0, Math.floor(room));
      if (passed < share) {
        if (!upstream.write(part)) {
          incoming.pause();
          upstream.once("drain", () => incoming.resume());
        }
      } else {
        // The written bytes must be sent before the connection closes.
        upstream.write(part, lose);
      }
    });
    incoming.on("end", () => {
      if (passed < share) upstream.end();
    });
  }

  #losing({ method, url }: IncomingMessage): Drop | null {
    const drop = this.#drop;
    if (drop === null || method !== drop.method || !drop.path.test(url ?? "")) return null;
    this.#drop = null;
    return drop;
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return Number(headers["content-length"] ?? 0) > 0;
}
