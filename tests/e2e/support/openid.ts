/**
 * The connector of examples/openid at a provider that is not ours, next to a separate service. The programs start with the
 * commands of the guide.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "@playwright/test";
import { freePort } from "./ports";
import { type ApiKey, restOf } from "./rest";

const ROOT = new URL("../../../", import.meta.url);
const GUIDE = readFileSync(new URL("docs/how-to/connectors.md", ROOT), "utf8");
export const EMAIL = "lucia@example.com";

interface Keys extends ApiKey {
  linkTemplateId: string;
}

/** The provider, as it sees its own tokens. */
class Provider {
  readonly refreshTokens: string[] = [];

  private constructor(
    readonly url: string,
    readonly client: { id: string; secret: string },
    readonly people: Record<string, Record<string, unknown>>,
    readonly server: Server,
  ) {}

  static async start(port: number, callback: string): Promise<Provider> {
    const { CLIENT, PEOPLE, startProvider } = await import(new URL("examples/openid/provider.mjs", ROOT).href);
    const { provider, server } = await startProvider({ port, callback });
    const started = new Provider(provider.issuer, CLIENT, PEOPLE, server);
    provider.on("refresh_token.saved", ({ jti }: { jti: string }) => {
      if (!started.refreshTokens.includes(jti)) started.refreshTokens.push(jti);
    });
    return started;
  }

  /** Returns whether the provider accepts a token (RFC 7662). */
  async isActive(token: string): Promise<boolean> {
    return (await this.#send("/token/introspection", { token })).body.active;
  }

  /** Uses a refresh token, as a thief would who has the client's secret too. */
  refresh(token: string): Promise<{ status: number; body: any }> {
    return this.#send("/token", { grant_type: "refresh_token", refresh_token: token });
  }

  async #send(path: string, form: Record<string, string>): Promise<{ status: number; body: any }> {
    const { id, secret } = this.client;
    const authorization = `Basic ${btoa(`${id}:${encodeURIComponent(secret)}`)}`;
    const response = await fetch(`${this.url}${path}`, {
      method: "POST",
      headers: { authorization },
      body: new URLSearchParams(form),
    });
    return { status: response.status, body: await response.json() };
  }
}

/** The provider, its connector, and a service that has both. */
export class Stack {
  private constructor(
    readonly provider: Provider,
    readonly keys: Keys,
    readonly rest: (method: string, path: string, body?: object) => Promise<any>,
  ) {}

  static async run(use: (stack: Stack) => Promise<void>): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), "linchpin-openid-"));
    const [service, issuer, connector] = [await freePort(), await freePort(), await freePort()];
    const provider = await Provider.start(issuer, callbackInGuide(service));
    writeFileSync(join(folder, "openid.secret"), "a long random secret of the connector\n");
    const programs = [startAsInGuide(folder, "connector.mjs", "--issuer", provider.url, "--port", `${connector}`)];
    try {
      // The service asks the connector at its start. Without a signature, the connector responds with 401.
      await expect.poll(() => fetch(`http://127.0.0.1:${connector}`).then(({ status }) => status, () => 0)).toBe(401);
      programs.push(start(
        folder, process.env["LINCHPIN_BINARY"] as string, "serve", "--data-dir", "data",
        "--listen", `127.0.0.1:${service}`, "--public-url", `http://localhost:${service}`, "--connector",
        `name=openid,environment=sandbox,url=http://127.0.0.1:${connector},providers=mx_openid,secret-file=openid.secret`,
      ));
      const url = `http://localhost:${service}`;
      await expect.poll(() => isReady(`${url}/health/ready`), { timeout: 60_000 }).toBe(true);
      const keys: Keys = JSON.parse(readFileSync(join(folder, "data/first-keys.json"), "utf8")).sandbox;
      await use(new Stack(provider, keys, restOf(url, keys)));
    } finally {
      await Promise.all(programs.map((program) => program.kill() && once(program, "exit")));
      provider.server.close();
      provider.server.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Creates a hosted link of a template that keeps accounts in sync. */
  async createLink(): Promise<string> {
    const path = `/linkTemplates/${this.keys.linkTemplateId}`;
    await this.rest("PATCH", path, { syncEnabled: true, syncInterval: "DAILY" });
    return (await this.rest("POST", "/linkSessions", { templateId: this.keys.linkTemplateId })).url;
  }

  /** Returns the data of an account, as text. */
  async identities(accountId: string): Promise<string> {
    return JSON.stringify((await this.rest("GET", `/identities?sourceId=${accountId}`)).items);
  }
}

function start(folder: string, program: string, ...args: string[]): ChildProcess {
  return spawn(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

/** Returns the flags with which the guide starts a program of the example. */
function flagsInGuide(program: string): string[] {
  const [, words] = new RegExp(`^\\$ node examples/openid/${program} ([^#\n]*)`, "m").exec(GUIDE) ?? [];
  if (!words) throw new Error(`the guide does not start ${program}`);
  return words.trim().split(/ +/);
}

/** Returns the callback address of the guide, at the port of this service. */
function callbackInGuide(port: number): string {
  const [flag, callback] = flagsInGuide("provider.mjs");
  if (flag !== "--callback" || !callback?.includes(":8787/")) throw new Error("the guide names no callback at the default port");
  return callback.replace(":8787/", `:${port}/`);
}

/** Starts a program of the example with the command of the guide and more flags. A later flag replaces an earlier one. */
export function startAsInGuide(folder: string, program: string, ...flags: string[]): ChildProcess {
  const path = fileURLToPath(new URL(`examples/openid/${program}`, ROOT));
  return start(folder, "node", path, ...flagsInGuide(program), ...flags);
}

export async function isReady(url: string): Promise<boolean> {
  return fetch(url).then(({ ok }) => ok, () => false);
}
