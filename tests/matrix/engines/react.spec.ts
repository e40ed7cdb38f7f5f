/** The React example of `examples`, with the packages as a tenant installs them, and the service. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { Api } from "../support/api";
import { freePort } from "../../e2e/support/ports";
import { answers } from "./drivers";
import { expect, test } from "./widget";

test("the React example links an account", async ({ browser_: browser }) => {
  const examples = process.env["LINCHPIN_EXAMPLES"] as string;
  const api = await Api.find();
  const port = String(await freePort());
  const address = `http://127.0.0.1:${port}`;
  const { apiKey, apiSecret, baseUrl } = api.keys;
  const template = await api.linkTemplate([address]);
  const env = { ...process.env, KEY: apiKey, SECRET: apiSecret, BASE: baseUrl, TEMPLATE: template, CUSTOMER: randomUUID(), PORT: port };
  const server = spawn(process.execPath, ["server.mjs", join("react", "dist")], { cwd: examples, env });
  try {
    await answers(address);
    await browser.driver.switchTo().defaultContent();
    await browser.driver.get(address);
    const connect = await browser.one("button", "Connect an account");
    await expect.poll(() => connect.isEnabled(), { timeout: 30_000 }).toBe(true);
    await connect.click();
    expect(await browser.linkOnPage()).toMatch(/^Connected: /);
  } finally {
    server.kill();
    if (server.exitCode === null) await once(server, "exit");
  }
});
