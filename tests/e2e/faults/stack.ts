/** A separate service behind a bad network and a separate demo tenant, so that a kill affects only this worker. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../support/ports";
import { Proxy } from "./proxy";

export class Stack {
  #service: ChildProcess | null = null;
  #tenant: ChildProcess | null = null;

  private constructor(
    readonly proxy: Proxy,
    readonly port: number,
    readonly tenantPort: number,
    readonly folder: string,
  ) {}

  static async start(): Promise<Stack> {
    const proxy = await Proxy.start();
    const stack = new Stack(proxy, await freePort(), await freePort(), await mkdtemp(join(tmpdir(), "linchpin-faults-")));
    proxy.service = stack.port;
    await stack.startService();
    stack.#tenant = spawn(join(dirname(binary()), "examples/demo_tenant"), [
      "--port", String(stack.tenantPort),
      "--service", stack.serviceUrl,
      "--keys", join(stack.folder, "data/first-keys.json"),
    ], { stdio: "ignore" });
    await answers(`${stack.page}/`);
    return stack;
  }

  /** The URL of the tenant's page. */
  get page(): string {
    return `http://127.0.0.1:${this.tenantPort}`;
  }

  /** Returns the number of webhooks of this type that the tenant's server has received, without duplicates. */
  async receivedCount(type: string): Promise<number> {
    const received = (await (await fetch(`${this.page}/received`)).json()) as { type: string }[];
    return received.filter((event) => event.type === type).length;
  }

  /** The service's URL through the bad network. */
  get serviceUrl(): string {
    return `http://localhost:${this.proxy.port}`;
  }

  async startService(): Promise<void> {
    this.#service = spawn(binary(), [
      "serve",
      "--data-dir", join(this.folder, "data"),
      "--listen", `127.0.0.1:${this.port}`,
      "--public-url", this.serviceUrl,
      "--webhook-allow", "127.0.0.0/8,::1/128",
    ], { stdio: "ignore" });
    await answers(`http://localhost:${this.port}/health/ready`);
  }

  /** Kills the service with SIGKILL, which it cannot handle. */
  async killService(): Promise<void> {
    const service = this.#service;
    if (service === null) return;
    this.#service = null;
    service.kill("SIGKILL");
    await once(service, "exit");
  }

  async stop(): Promise<void> {
    await this.killService();
    this.#tenant?.kill("SIGKILL");
    this.proxy.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function binary(): string {
  const given = process.env["LINCHPIN_BINARY"];
  if (!given) throw new Error("LINCHPIN_BINARY is not set: run the browser tests with `cargo xtask e2e`");
  return given;
}

async function answers(url: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // Not ready yet.
    }
    if (Date.now() > deadline) throw new Error(`${url} did not respond within 60 s`);
    await wait(50);
  }
}
