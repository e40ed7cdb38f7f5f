/** The files that docs/quickstart.md shows, with the packages as a tenant installs them, and the service. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../../e2e/support/ports";
import { Api } from "../support/api";
import { answers } from "./drivers";
import { expect, test } from "./widget";

const GUIDE = new URL("../../../docs/quickstart.md", import.meta.url);

/** Returns the files of the quickstart by name, each replacement made wherever its text is. */
async function filesOf(replacements: Record<string, string>): Promise<Map<string, string>> {
  let guide = await readFile(GUIDE, "utf8");
  for (const [text, replacement] of Object.entries(replacements)) {
    expect(guide).toContain(text);
    guide = guide.replaceAll(text, replacement);
  }
  const blocks = guide.matchAll(/^```(?:html|js) (\S+)\n(.*?)^```$/gms);
  return new Map([...blocks].map(([, name, text]) => [name!, text!]));
}

test("the quickstart's page links an account, and its server verifies the events", async ({ browser_: browser }) => {
  const api = await Api.find();
  const port = String(await freePort());
  const address = `http://localhost:${port}`;
  const secret = "a long random text of your own";
  const files = await filesOf({
    "http://localhost:8787": api.service,
    "3000": port,
    "customer-4711": randomUUID(),
  });
  expect([...files.keys()]).toEqual(["index.html", "main.js", "server.mjs"]);
  const folder = join(process.env["LINCHPIN_EXAMPLES"] as string, `quickstart-${randomUUID()}`);
  await mkdir(folder);
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  // Vite keeps the packages that it has bundled next to this file.
  await writeFile(join(folder, "package.json"), "{}");

  const { apiKey, apiSecret, baseUrl } = api.keys;
  const template = await api.linkTemplate([address]);
  const env = { ...process.env, KEY: apiKey, SECRET: apiSecret, BASE: baseUrl, VITE_TEMPLATE: template };
  const server = spawn(process.execPath, ["server.mjs"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  server.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const registration = { active: true, url: `${address}/webhooks`, eventTypes: ["ALL_EVENTS"], secret };
  const webhook = await api.call<{ id: string }>("POST", "/webhooks", registration);
  try {
    await answers(address);
    await browser.driver.switchTo().defaultContent();
    await browser.driver.get(address);
    await (await browser.one("button", "Connect an account")).click();
    const shown = await browser.linkOnPage();
    const [, account] = /^Connected: (a-[0-9a-f]{32})$/.exec(shown) ?? [];
    expect(account, shown).toBeDefined();
    // Other tests link accounts of the same tenant meanwhile.
    const connected = (): string[] => output.match(new RegExp(`^{.*"type":"ACCOUNT_CONNECTED".*${account}.*}$`, "gm")) ?? [];
    await expect.poll(() => connected().length, { timeout: 30_000 }).toBe(1);
  } finally {
    await api.call("DELETE", `/webhooks/${webhook.id}`);
    server.kill();
    if (server.exitCode === null) await once(server, "exit");
    await rm(folder, { recursive: true });
  }
});
