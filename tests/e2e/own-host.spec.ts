/**
 * Tests a link site on a host of its tenant, from the first page to the end. `apply.localhost` leads to this machine, and the
 * browser takes it for another site than `localhost` and `127.0.0.1`.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkAtWidths } from "./support/axe";
import { isReady } from "./support/openid";
import { freePort } from "./support/ports";
import { pressApart } from "./support/presses";
import { signIn } from "./support/provider";
import { restOf, type Keys } from "./support/rest";
import { expect, test, Widget } from "./support/widget";

const PROGRAM = process.env["LINCHPIN_BINARY"] as string;
const HOST = "apply.localhost";

let folder: string;
let service: ChildProcess;
let port: number;
let keys: Keys;
let rest: ReturnType<typeof restOf>;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "linchpin-own-host-"));
  port = await freePort();
  const url = `http://localhost:${port}`;
  const data = join(folder, "data");
  const flags = ["--data-dir", data, "--listen", `127.0.0.1:${port}`, "--public-url", url, "--site-host-target", "sites.localhost"];
  service = spawn(PROGRAM, ["serve", ...flags], { stdio: ["ignore", "ignore", "inherit"] });
  await expect.poll(() => isReady(`${url}/health/ready`), { timeout: 60_000 }).toBe(true);
  keys = JSON.parse(readFileSync(join(data, "first-keys.json"), "utf8")).sandbox;
  rest = restOf(url, keys);
  // No public name server has the host.
  execFileSync(PROGRAM, ["tenant", "confirm-host", HOST, "--tenant", "demo", "--json", "--data-dir", data]);
});

test.afterAll(async () => {
  const ended = once(service, "exit");
  service.kill("SIGKILL");
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

async function publish(slug: string, steps: string[]): Promise<string> {
  const site = await rest("POST", "/alpha/linkSites", {
    name: "Loans",
    slug,
    host: HOST,
    status: "PUBLISHED",
    linkTemplateId: keys.linkTemplateId,
    steps,
    ...(steps.includes("FORM") && {
      form: { name: "About the loan", reference: "loan", fields: [{ name: "purpose", label: "What is it for?", type: "TEXT" }] },
    }),
    startPage: { title: "Apply for a loan", text: "A question, and the account of your employer." },
    endPage: { title: "All done", text: "We will write to you within two days." },
  });
  expect(site.url).toBe(`http://${HOST}:${port}/s/${slug}`);
  return site.url;
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });

    test("a person answers the form and links an account on the tenant's host", async ({ page }) => {
      const look = checkAtWidths(page, colorScheme, [360, 1280]);
      await page.goto(await publish(`loans-${colorScheme}`, ["FORM", "WIDGET", "THANK_YOU"]));
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Apply for a loan");
      await look("own-host-start");
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("About the loan");
      await page.getByLabel("What is it for?").fill("A car");
      const widget = new Widget(page, page.frameLocator("dialog iframe"));
      // The service takes a person who sends the form within two seconds for a program.
      await expect(async () => {
        const again = page.getByRole("button", { name: "Continue" });
        if (await again.isVisible()) await again.click({ timeout: 2_000 });
        await widget.heading.waitFor({ timeout: 2_000 });
      }).toPass();
      expect(new URL(page.url()).host).toBe(`${HOST}:${port}`);
      await widget.link("good");
      await widget.shows("You’re connected");
      await widget.button("Done").click();
      await page.waitForURL(`http://${HOST}:${port}/visit/done`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("All done");
      await look("own-host-end");
    });
  });
}

test("a login on the provider's page leads back to the tenant's host", async ({ page }) => {
  pressApart(page);
  await page.goto(await publish("accounts", ["WIDGET", "THANK_YOU"]));
  await page.getByRole("button", { name: "Continue" }).click();
  const widget = new Widget(page, page.frameLocator("dialog iframe"));
  await widget.heading.waitFor();
  await widget.link("oauth");
  await widget.shows("Sign in on the provider’s page");
  await widget.button(/^Continue to /).click();
  await expect(page.getByRole("heading", { name: /^Sign in to .*\?$/ })).toBeVisible();
  expect(new URL(page.url()).host, "the service's host asks").toBe(`127.0.0.1:${port}`);
  await page.getByRole("button", { name: /^Continue to / }).click();
  await signIn(page);
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await page.waitForURL(`http://${HOST}:${port}/visit?widget`);
  await widget.shows("You’re connected");
});

test("other pages of the service are not on the tenant's host", async ({ request }) => {
  await publish("only", ["WIDGET", "THANK_YOU"]);
  const status = async (path: string): Promise<number> =>
    (await request.get(`http://127.0.0.1:${port}${path}`, { headers: { host: `${HOST}:${port}` } })).status();
  expect(await status("/s/only")).toBe(200);
  for (const path of ["/", "/me", "/console", "/docs", "/sandbox/v1/users"]) expect(await status(path), path).toBe(404);
});
