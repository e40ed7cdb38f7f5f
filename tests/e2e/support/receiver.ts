/** A receiver of webhooks. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";

/** A request that a receiver got. */
export interface Received {
  body: string;
  signature: string;
}

/** A receiver on this machine that records what it gets, and responds with `status`. */
export class Receiver {
  readonly received: Received[] = [];
  status = 200;
  #server: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
      this.received.push({ body, signature: String(request.headers["service-signature"]) });
      response.writeHead(this.status, { "content-type": "text/plain" }).end("thanks");
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  stop(): void {
    this.#server.close();
  }

  /** Returns the first request whose body contains a text. */
  async first(text: string): Promise<Received> {
    await expect.poll(() => this.received.some(({ body }) => body.includes(text))).toBe(true);
    return this.received.find(({ body }) => body.includes(text)) as Received;
  }
}
