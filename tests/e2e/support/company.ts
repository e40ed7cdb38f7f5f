/** A separate service whose tenant has its own OpenID provider: the certified one of examples/openid. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { freePort } from "./ports";

const PROGRAM = process.env["LINCHPIN_BINARY"] as string;
const ROOT = new URL("../../../", import.meta.url);

export class Company {
  private constructor(
    readonly url: string,
    readonly issuer: string,
    readonly client: { id: string; secret: string },
    readonly callback: string,
    readonly folder: string,
    readonly child: ChildProcess,
    readonly server: Server,
  ) {}

  static async start(): Promise<Company> {
    const [port, providerPort] = [await freePort(), await freePort()];
    const url = `http://localhost:${port}`;
    const callback = `${url}/console/sign-in/callback/demo`;
    const { CLIENT, startProvider } = await import(new URL("examples/openid/provider.mjs", ROOT).href);
    const { provider, server } = await startProvider({ port: providerPort, callback });
    const folder = mkdtempSync(join(tmpdir(), "linchpin-company-"));
    const flags = ["--data-dir", join(folder, "data"), "--listen", `127.0.0.1:${port}`, "--public-url", url];
    // The provider is on this machine.
    const near = ["--webhook-allow", "127.0.0.0/8,::1/128"];
    const child = spawn(PROGRAM, ["serve", ...flags, ...near], { stdio: ["ignore", "ignore", "inherit"] });
    const ready = () => fetch(`${url}/health/ready`).then(({ ok }) => ok, () => false);
    await expect.poll(ready, { timeout: 60_000 }).toBe(true);
    return new Company(url, provider.issuer, CLIENT, callback, folder, child, server);
  }

  /** Invites an owner, and returns the one-time address. */
  invite(email: string): string {
    return JSON.parse(this.#run("invite", "--owner", email)).address;
  }

  /** Confirms a domain, as the operator does. */
  confirmDomain(domain: string): void {
    this.#run("confirm-domain", domain);
  }

  #run(command: string, ...flags: string[]): string {
    const all = ["console", command, "--tenant", "demo", ...flags, "--json", "--data-dir", join(this.folder, "data")];
    return String(execFileSync(PROGRAM, all));
  }

  async stop(): Promise<void> {
    const ended = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await ended;
    this.server.close();
    this.server.closeAllConnections();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
