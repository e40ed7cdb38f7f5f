/** A demo tenant with a separate sandbox, for tests that change what all of a tenant's people see. */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "./ports";
import { rest } from "./rest";
import { test as base } from "./widget";

function requiredVariable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the browser tests with \`cargo xtask e2e\``);
  return value;
}

/** The keys of a tenant's sandbox. */
export interface Keys {
  apiKey: string;
  apiSecret: string;
  linkTemplateId: string;
}

interface OwnTenant {
  id: string;
  url: string;
  sandbox: Keys;
}

/** The link template of a new tenant. */
const TEMPLATE = { companyName: "Ardilla Loans", theme: {}, optionalData: [], helpUrl: "" };

/** Like the other tests, but with a tenant that no test in another process uses. Its link template is as new in each test. */
export const test = base.extend<{ asNew: void }, { ownTenant: OwnTenant }>({
  asNew: [
    async ({ ownTenant: { sandbox } }, use) => {
      await rest(sandbox, "PATCH", `/linkTemplates/${sandbox.linkTemplateId}`, TEMPLATE);
      await use();
    },
    { auto: true },
  ],
  ownTenant: [
    async ({}, use, worker) => {
      const id = `own${Date.now().toString(36)}${worker.workerIndex}`;
      const data = requiredVariable("LINCHPIN_DATA");
      const create = ["tenant", "create", id, "--name", "Ardilla Loans", "--json", "--data-dir", data];
      const folder = mkdtempSync(join(tmpdir(), "own-tenant-"));
      const keys = join(folder, "keys.json");
      writeFileSync(keys, execFileSync(requiredVariable("LINCHPIN_BINARY"), create));
      const port = String(await freePort());
      const program = join(dirname(requiredVariable("LINCHPIN_BINARY")), "examples", "demo_tenant");
      const tenant = spawn(program, ["--port", port, "--service", requiredVariable("LINCHPIN_SERVICE_URL"), "--keys", keys]);
      await new Promise<void>((resolve, reject) => {
        tenant.stdout.on("data", (text) => String(text).includes("demo tenant:") && resolve());
        tenant.on("exit", (code) => reject(new Error(`the demo tenant exited with ${code}`)));
      });
      await use({ id, url: `http://127.0.0.1:${port}`, sandbox: JSON.parse(readFileSync(keys, "utf8")).sandbox });
      tenant.kill();
      rmSync(folder, { recursive: true });
    },
    { scope: "worker" },
  ],
  baseURL: ({ ownTenant }, use) => use(ownTenant.url),
});
