/**
 * The connector of examples/openid at a provider that is not ours: a login on its own pages, continuous sync with its refresh
 * tokens, and the end of the access. The programs start with the commands of the guide, next to a separate service.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { pressApart } from "./support/presses";
import { type ApiKey, restOf } from "./support/rest";
import { expect, test as base, Widget } from "./support/widget";

const ROOT = new URL("../../", import.meta.url);
const GUIDE = readFileSync(new URL("docs/how-to/connectors.md", ROOT), "utf8");
const EMAIL = "lucia@example.com";
const DAY = 86_400;

interface Keys extends ApiKey {
  linkTemplateId: string;
}

/** The provider, as it sees its own tokens. */
class Provider {
  readonly refreshTokens: string[] = [];

  private constructor(
    readonly url: string,
    readonly client: { id: string; secret: string },
    readonly people: Record<string, Record<string, string>>,
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
class Stack {
  private constructor(
    readonly provider: Provider,
    readonly keys: Keys,
    readonly rest: (method: string, path: string, body?: object) => Promise<any>,
  ) {}

  static async run(use: (stack: Stack) => Promise<void>): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), "linchpin-openid-"));
    const [service, issuer, connector] = [await freePort(), await freePort(), await freePort()];
    const provider = await Provider.start(issuer, `http://127.0.0.1:${service}/sign-in/callback/mx_openid`);
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

/** Starts a program of the example with the command of the guide and more flags. A later flag replaces an earlier one. */
function startAsInGuide(folder: string, program: string, ...flags: string[]): ChildProcess {
  const [, words] = new RegExp(`^\\$ node examples/openid/${program} ([^#\n]*)`, "m").exec(GUIDE) ?? [];
  if (!words) throw new Error(`the guide does not start ${program}`);
  const path = fileURLToPath(new URL(`examples/openid/${program}`, ROOT));
  return start(folder, "node", path, ...words.trim().split(/ +/), ...flags);
}

async function isReady(url: string): Promise<boolean> {
  return fetch(url).then(({ ok }) => ok, () => false);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === "string") throw new Error("Found no free port");
  return address.port;
}

const test = base.extend<object, { stack: Stack }>({
  stack: [async ({}, use) => Stack.run(use), { scope: "worker" }],
});

/** Opens a hosted link, and goes to the provider's login page in the same tab. */
async function leave(page: Page, url: string): Promise<Widget> {
  pressApart(page);
  await page.goto(url);
  await page.getByRole("button", { name: "Link an account" }).click();
  const widget = new Widget(page, page.frameLocator("dialog iframe"));
  await widget.agree();
  await widget.pick("OpenID Example");
  await widget.frame.getByRole("textbox", { name: "Email address" }).fill(EMAIL);
  await widget.button("Connect").click();
  await widget.button("Continue to OpenID Example").click();
  await expect(page.getByRole("heading", { name: "Sign-in" })).toBeVisible();
  return widget;
}

async function signIn(page: Page, email: string): Promise<void> {
  const name = page.getByPlaceholder("Enter any login");
  await expect(name, "the address that the person typed").toHaveValue(EMAIL);
  await name.fill(email);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await expect(page.getByRole("heading", { name: "Authorize" })).toBeVisible();
}

test("a certified provider links, refreshes and ends an access", async ({ page, stack }) => {
  const { provider } = stack;
  const widget = await leave(page, await stack.createLink());
  await signIn(page, EMAIL);
  await page.getByRole("button", { name: "Continue" }).click();
  await widget.shows(/^You’re connected$|^Your connected accounts$/);
  const [{ id }] = (await stack.rest("GET", "/accounts?connectionStatus=CONNECTED")).items;
  await expect.poll(() => stack.identities(id)).toContain("Lucía Méndez Aurora");

  const before = [...provider.refreshTokens];
  provider.people[EMAIL]!["phone_number"] = "+525500000999";
  await stack.rest("POST", "/clock/advance", { seconds: 2 * DAY });
  await expect.poll(() => stack.identities(id), "a sync reads the change").toContain("+525500000999");
  expect(provider.refreshTokens.length, "the sync has a new token").toBeGreaterThan(before.length);
  const newest = provider.refreshTokens.at(-1)!;
  expect(await provider.isActive(newest)).toBe(true);

  await stack.rest("DELETE", `/accounts/${id}`);
  await expect.poll(() => provider.isActive(newest), "the provider has ended the access").toBe(false);
  expect(await provider.refresh(newest)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
});

test("an access of another person than the one who was asked is ended", async ({ page, stack }) => {
  const { provider } = stack;
  const widget = await leave(page, await stack.createLink());
  await signIn(page, "bruno@example.com");
  await page.getByRole("button", { name: "Continue" }).click();
  await widget.shows("Those details didn’t match");
  const newest = provider.refreshTokens.at(-1)!;
  await expect.poll(() => provider.isActive(newest)).toBe(false);
});

test("a person who cancels at the provider has shared nothing", async ({ page, stack }) => {
  const widget = await leave(page, await stack.createLink());
  const before = stack.provider.refreshTokens.length;
  await page.getByRole("link", { name: "Cancel" }).click();
  await widget.shows("The request was declined");
  expect(stack.provider.refreshTokens).toHaveLength(before);
});

test("the provider starts with the command of the guide", async ({}, info) => {
  const port = await freePort();
  const provider = startAsInGuide(info.outputPath(), "provider.mjs", "--port", `${port}`);
  await expect.poll(() => isReady(`http://localhost:${port}/.well-known/openid-configuration`)).toBe(true);
  provider.kill();
});
