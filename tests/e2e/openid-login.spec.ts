/** The connector of examples/openid at an unusual provider, and if a response is lost. It runs without a service. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { fileURLToPath } from "node:url";
import { expect, type Page, test as base } from "@playwright/test";
import { freePort } from "./support/ports";

const FOLDER = new URL("../../examples/openid/", import.meta.url);
const SECRET = "a long random secret of the connector";

type Fields = Record<string, any>;

/** The provider. A test can change its responses to the connector, by path. */
class Provider {
  readonly change: Record<string, (response: { status: number; body: Fields }) => void> = {};
  /** How many requests arrived from the connector, by path. */
  readonly calls: Record<string, number> = {};
  /** Whether requests to end an access reach it. */
  revokes = true;

  private constructor(readonly issuer: string, readonly client: { id: string; secret: string }, readonly server: Server) {}

  static async run(use: (provider: Provider) => Promise<void>): Promise<void> {
    const { CLIENT, startProvider } = await load("provider.mjs");
    const port = await freePort();
    const { provider, server } = await startProvider({ port, callback: `http://localhost:${port}/back` });
    const started = new Provider(provider.issuer, CLIENT, server);
    const original = globalThis.fetch;
    globalThis.fetch = (input, init) => started.#fetch(original, input, init);
    try {
      await use(started);
    } finally {
      globalThis.fetch = original;
      started.stop();
    }
  }

  get callback(): string {
    return `${this.issuer}/back`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** Returns the connector's side of a login. */
  async connect(secret = this.client.secret): Promise<Fields> {
    const { Login } = await load("login.mjs");
    return new Login(this.issuer, { id: this.client.id, secret });
  }

  async isActive(token: string): Promise<boolean> {
    const authorization = `Basic ${btoa(`${this.client.id}:${encodeURIComponent(this.client.secret)}`)}`;
    const body = new URLSearchParams({ token });
    const response = await fetch(`${this.issuer}/token/introspection`, { method: "POST", headers: { authorization }, body });
    return (await response.json()).active;
  }

  async #fetch(original: typeof fetch, input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
    const path = new URL(`${input}`).pathname;
    this.calls[path] = (this.calls[path] ?? 0) + 1;
    if (path === "/token/revocation" && !this.revokes) throw new TypeError("fetch failed", { cause: path });
    const response = await original(input, init);
    const change = this.change[path];
    if (!change) return response;
    const changed = { status: response.status, body: await response.json() };
    change(changed);
    return Response.json(changed.body, { status: changed.status });
  }
}

function load(program: string): Promise<any> {
  return import(new URL(program, FOLDER).href);
}

const test = base.extend<{ provider: Provider }>({
  provider: async ({}, use) => Provider.run(use),
});

/** Signs in at the provider as the person who was asked for, and returns the state and what the service sends then. */
async function signIn(page: Page, provider: Provider, login: Fields, email: string): Promise<[string, Fields]> {
  const { state, challenge } = await login["start"](email);
  await page.goto(`${challenge.kind.redirect.url}&state=s&redirect_uri=${encodeURIComponent(provider.callback)}`);
  const name = page.getByPlaceholder("Enter any login");
  if (await name.isVisible()) {
    await page.getByPlaceholder("and password").fill("any");
    await page.getByRole("button", { name: "Sign-in" }).click();
  }
  const returned = page.waitForRequest((request) => request.url().startsWith(provider.callback));
  await page.getByRole("button", { name: "Continue" }).click();
  return [state, { code: new URL((await returned).url()).searchParams.get("code"), redirectUri: provider.callback }];
}

test("a person without a phone and with only a year of birth can be read", async ({ page, provider }) => {
  const login = await provider.connect();
  const connected = await login["finish"](...(await signIn(page, provider, login, "carmen@example.com")));
  const { data } = await login["read"](connected.state);
  expect(data.identity).toMatchObject({ fullName: "Carmen Ortiz", phones: [], emails: [{ address: "carmen@example.com" }] });
  expect(data.identity.dob).toBeUndefined();
});

test("a repeated reading continues with the newest token", async ({ page, provider }) => {
  const login = await provider.connect();
  const connected = await login["finish"](...(await signIn(page, provider, login, "lucia@example.com")));
  const before = provider.calls["/token"]!;
  const [first, second] = await Promise.all([login["read"](connected.state), login["read"](connected.state)]);
  expect(second).toEqual(first);
  expect(provider.calls["/token"], "the second reading uses the access token of the first").toBe(before + 1);

  provider.change["/token"] = ({ body }) => { body["expires_in"] = 30; };
  const last = await login["read"](first.state);
  const repeated = await login["read"](first.state);
  expect(repeated.outcome, "the access token was stale").toBe("COMPLETE");
  expect(repeated.state).not.toBe(last.state);
  await login["end"](first.state);
  expect(await provider.isActive(JSON.parse(repeated.state).refreshToken)).toBe(false);
});

test("a repeated step gets the same response", async ({ page, provider }) => {
  const login = await provider.connect();
  const step = await signIn(page, provider, login, "lucia@example.com");
  expect(await login["finish"](...step)).toEqual(await login["finish"](...step));
});

test("the tokens of a failed login are revoked, at the latest by revoke", async ({ page, provider }) => {
  const login = await provider.connect();
  const tokens: string[] = [];
  provider.change["/token"] = ({ body }) => tokens.push(body["refresh_token"]);
  provider.change["/me"] = ({ body }) => { body["email_verified"] = false; };
  const failed = { outcome: "FAILED", errorCode: "INVALID_CREDENTIALS" };
  expect(await login["finish"](...(await signIn(page, provider, login, "lucia@example.com")))).toEqual(failed);
  expect(await provider.isActive(tokens[0]!)).toBe(false);

  const step = await signIn(page, provider, login, "lucia@example.com");
  provider.revokes = false;
  expect(await login["finish"](...step)).toEqual(failed);
  await expect(login["end"](step[0])).rejects.toThrow();
  provider.revokes = true;
  expect(await provider.isActive(tokens[1]!)).toBe(true);
  await login["end"](step[0]);
  expect(await provider.isActive(tokens[1]!)).toBe(false);
});

test("a login without a refresh token fails", async ({ page, provider }) => {
  const login = await provider.connect();
  let access = "";
  provider.change["/token"] = ({ body }) => {
    delete body["refresh_token"];
    access = body["access_token"];
  };
  const step = await signIn(page, provider, login, "lucia@example.com");
  expect(await login["finish"](...step)).toEqual({ outcome: "FAILED", errorCode: "INVALID_AUTH" });
  expect(await provider.isActive(access)).toBe(false);
});

test("the issuer is compared only if the provider sends it", async ({ page, provider }) => {
  const { challenge } = await (await provider.connect())["start"]("lucia@example.com");
  expect(challenge.kind.redirect.issuer).toBe(provider.issuer);
  provider.change["/.well-known/openid-configuration"] = ({ body }) => {
    delete body["authorization_response_iss_parameter_supported"];
  };
  const login = await provider.connect();
  expect((await login["start"]("lucia@example.com")).challenge.kind.redirect.issuer).toBeUndefined();
  const step = await signIn(page, provider, login, "lucia@example.com");
  expect((await login["finish"](...step)).outcome).toBe("CONNECTED");
});

test("the end of one access leaves the others of the same person", async ({ page, provider }) => {
  const login = await provider.connect();
  const first = await login["finish"](...(await signIn(page, provider, login, "lucia@example.com")));
  const second = await login["finish"](...(await signIn(page, provider, login, "lucia@example.com")));
  await login["end"](first.state);
  expect((await login["read"](first.state)).errorCode).toBe("EXPIRED_CREDENTIALS");
  expect((await login["read"](second.state)).outcome).toBe("COMPLETE");
});

test("an error code names who can mend the failure", async ({ page, provider }) => {
  const login = await provider.connect();
  const [state, input] = await signIn(page, provider, login, "lucia@example.com");
  const other = JSON.stringify({ ...JSON.parse(state), nonce: "other" });
  expect(await login["finish"](other, input), "nonce").toMatchObject({ errorCode: "INVALID_AUTH" });
  expect(await login["finish"](state, input), "a used code").toMatchObject({ errorCode: "MFA_TIMEOUT" });

  const stranger = await provider.connect("another secret");
  const reading = JSON.stringify({ refreshToken: "r", sub: "lucia@example.com" });
  expect(await stranger["read"](reading), "invalid_client").toMatchObject({ errorCode: "SYSTEM_ERROR" });
  provider.change["/token"] = (response) => { response.status = 502; };
  expect(await login["read"](reading), "502").toMatchObject({ errorCode: "SERVICE_UNAVAILABLE" });
  provider.stop();
  expect(await login["read"](reading), "no connection").toMatchObject({ errorCode: "SERVICE_UNAVAILABLE" });
});

/** Starts the connector with flags for its client, and returns its address. */
async function startConnector(folder: string, issuer: string): Promise<[ChildProcess, string]> {
  writeFileSync(`${folder}/openid.secret`, `${SECRET}\n`);
  writeFileSync(`${folder}/client.secret`, "a wrong client secret\n");
  const port = `${await freePort()}`;
  const client = ["--issuer", issuer, "--client-id", "linchpin", "--client-secret-file", "client.secret"];
  const program = fileURLToPath(new URL("connector.mjs", FOLDER));
  const args = [program, "--secret-file", "openid.secret", ...client, "--port", port];
  const connector = spawn("node", args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((started) => connector.stdout!.once("data", started));
  return [connector, `http://127.0.0.1:${port}`];
}

/** Sends a signed request. */
function send(url: string, path: string, body: string, more: Fields = {}): Promise<Response> {
  const [nonce, timestamp] = [randomBytes(16).toString("hex"), `${Math.floor(Date.now() / 1000)}`];
  const digest = createHash("sha256").update(body).digest("hex");
  const text = `linchpin/v1 request\nPOST\n${path}\n${timestamp}\n${nonce}\n${digest}`;
  const signature = createHmac("sha256", SECRET).update(text).digest("hex");
  const headers = { "linchpin-nonce": nonce, "linchpin-timestamp": timestamp, "linchpin-signature": signature, ...more };
  return fetch(`${url}${path}`, { method: "POST", body, headers });
}

test("the connector takes its client from flags, and refuses bad requests", async ({ provider }, info) => {
  const [connector, url] = await startConnector(info.outputPath(), provider.issuer);
  try {
    const state = JSON.stringify({ refreshToken: "r", sub: "lucia@example.com" });
    const refused = await send(url, "/linchpin/v1/fetch", JSON.stringify({ state }));
    expect(await refused.json(), "the provider refuses the secret of the file").toMatchObject({ errorCode: "SYSTEM_ERROR" });
    for (const signature of ["é".repeat(64), "0".repeat(64), ""]) {
      expect((await send(url, "/linchpin/v1/fetch", "{}", { "linchpin-signature": signature })).status).toBe(401);
    }
    expect((await send(url, "/linchpin/v1/unknown", " ".repeat(262_144))).status).toBe(404);
    expect((await send(url, "/linchpin/v1/unknown", " ".repeat(262_145))).status).toBe(413);
  } finally {
    connector.kill();
  }
});
