/** Starts each example with its own server, and opens the widget in it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { freePort } from "../e2e/support/ports";
import { expect, test } from "./support/page";
import { requiredVariable } from "./support/variables";

const EXAMPLES = requiredVariable("LINCHPIN_EXAMPLES");

/** Starts the tenant's server of an example, and returns its address. */
async function start(example: string, service: string): Promise<[string, ChildProcess]> {
  const port = String(await freePort());
  const env = { ...process.env, BASE: `${service}/sandbox/v1`, KEY: "key", SECRET: "secret", TEMPLATE: "lt-1", PORT: port };
  const server =
    example === "next"
      ? spawn(process.execPath, ["node_modules/next/dist/bin/next", "start", "-p", port], { cwd: join(EXAMPLES, "next"), env })
      : spawn(process.execPath, ["server.mjs", join(example, "dist")], { cwd: EXAMPLES, env });
  const ended = once(server, "exit").then(() => expect(server.exitCode, "the server runs").toBe(null));
  const address = `http://127.0.0.1:${port}`;
  await Promise.race([ended, expect.poll(() => fetch(address).then(({ ok }) => ok, () => false)).toBe(true)]);
  return [address, server];
}

test("example next renders the page on the server", async ({ request, servers }) => {
  const [address, server] = await start("next", servers.sdk);
  const page = await (await request.get(address)).text();
  server.kill();
  expect(page).toContain("Connect an account");
  expect(page).not.toContain("linchpin-modal");
});

for (const example of ["plain", "react", "vue", "svelte", "angular", "next"]) {
  test(`example ${example} has one frame after mount, unmount and remount`, async ({ tenant, page, servers }) => {
    const [address, server] = await start(example, servers.sdk);
    try {
      await page.goto(address);
      const connect = page.getByRole("button", { name: "Connect an account" });
      await tenant.hasFrames(1);
      await connect.click();
      const { token } = await tenant.opening();
      const account = { accountId: "a-1", userId: "u-1", providerId: "p-1" };
      await tenant.frame
        .locator("html")
        .evaluate((_, account) => window.say({ tell: { key: "k", callback: { onAccountConnected: account } } }), account);
      await tenant.frame.locator("html").evaluate(() => window.say({ close: { reason: "exit" } })).catch(() => undefined);
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(page.getByRole("status")).toHaveText("Connected: a-1");
      await tenant.hasFrames(1);

      await page.getByRole("checkbox").uncheck();
      await expect(page.locator("linchpin-modal")).toHaveCount(0);
      await expect(connect).toBeHidden();
      await page.getByRole("checkbox").check();
      await tenant.hasFrames(1);
      await connect.click();
      expect((await tenant.opening()).token).not.toBe(token);
      await tenant.hasFrames(1);
      await expect(page.locator("linchpin-modal")).toHaveCount(1);
      expect(await page.locator(`script[src^="${servers.sdk}"]`).count()).toBe(0);
    } finally {
      server.kill();
    }
  });
}
