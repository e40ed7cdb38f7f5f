/** A separate service that sends its mail to a server of the test, because the other tests' service has none. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { freePort } from "./ports";

const PROGRAM = process.env["LINCHPIN_BINARY"] as string;

export class MailingService {
  private constructor(
    readonly url: string,
    readonly folder: string,
    readonly children: ChildProcess[],
  ) {}

  static async start(): Promise<MailingService> {
    const [port, mailPort] = [await freePort(), await freePort()];
    const folder = mkdtempSync(join(tmpdir(), "linchpin-mailing-"));
    const listen = ["--nosetuid", "--smtputf8", "--listen", `127.0.0.1:${mailPort}`];
    const keep = ["--class", "aiosmtpd.handlers.Mailbox", join(folder, "mail")];
    const mails = spawn(process.env["LINCHPIN_SMTP_SERVER"] as string, [...listen, ...keep], { stdio: "ignore" });
    const url = `http://localhost:${port}`;
    const flags = ["--data-dir", join(folder, "data"), "--listen", `127.0.0.1:${port}`, "--public-url", url];
    const send = ["--smtp-url", `smtp://127.0.0.1:${mailPort}`, "--mail-from", "portal@linchpin.example"];
    const service = spawn(PROGRAM, ["serve", ...flags, ...send], { stdio: "ignore" });
    const ready = () => fetch(`${url}/health/ready`).then(({ ok }) => ok, () => false);
    await expect.poll(ready, { timeout: 60_000 }).toBe(true);
    return new MailingService(url, folder, [service, mails]);
  }

  /** Invites an owner of a tenant, who then has not signed in yet. Returns the one-time address. */
  invite(email: string, tenant = "demo"): string {
    const flags = ["--tenant", tenant, "--owner", email, "--json", "--data-dir", join(this.folder, "data")];
    return JSON.parse(String(execFileSync(PROGRAM, ["console", "invite", ...flags]))).address;
  }

  createTenant(id: string, name: string): void {
    execFileSync(PROGRAM, ["tenant", "create", id, "--name", name, "--json", "--data-dir", join(this.folder, "data")]);
  }

  /** Returns the mails received so far, the oldest first. */
  mails(): string[] {
    const box = join(this.folder, "mail/new");
    try {
      const readable = (name: string) => readFileSync(join(box, name), "utf8").replace(/=\r?\n/g, "").replace(/=3D/g, "=");
      return readdirSync(box).sort().map(readable);
    } catch {
      return []; // The first mail creates the folder.
    }
  }

  async stop(): Promise<void> {
    const ended = this.children.map((child) => once(child, "exit"));
    for (const child of this.children) child.kill("SIGKILL");
    await Promise.all(ended);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
