/** Tests a person's own page, from the address that they type to the end of what they gave. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { accessible, reflows } from "./support/axe";
import { rest } from "./support/rest";
import { expect, test, Widget } from "./support/widget";

const run = promisify(execFile);
const DATA = process.env["LINCHPIN_DATA"] as string;

/** Calls the API as the tenant's server does. */
async function call(method: string, path: string, body?: object): Promise<any> {
  const { sandbox } = JSON.parse(await readFile(join(DATA, "first-keys.json"), "utf8"));
  return rest(sandbox, method, path, body);
}

/** Invites a person, and waits until the mail is stored. */
async function invite(emailAddress: string): Promise<{ landingPageUrl: string; userId: string }> {
  const { sandbox } = JSON.parse(await readFile(join(DATA, "first-keys.json"), "utf8"));
  const { id, landingPageUrl, userId } = await call("POST", "/invites", {
    fullName: "Ana Ruiz",
    emailAddress,
    inviteTemplateId: sandbox.inviteTemplateId,
    linkTemplateId: sandbox.linkTemplateId,
    // The helper of the widget knows the English words.
    locale: "en",
  });
  await expect.poll(async () => (await call("GET", `/invites/${id}`)).invitedAt).not.toBeNull();
  return { landingPageUrl, userId };
}

/** Returns the link in the stored mail, as the operator reads it. */
async function mailedLink(address: string): Promise<string> {
  const program = process.env["LINCHPIN_BINARY"] as string;
  const show = () =>
    run(program, ["mail", "page-link", address, "--data-dir", DATA]).then(
      ({ stdout }) => /\S+\/me\/open\/\S+/.exec(stdout)?.[0] ?? "",
      () => "",
    );
  await expect.poll(show).not.toBe("");
  return show();
}

async function look(page: Page, screen: string): Promise<void> {
  await accessible(page, screen);
  await reflows(page, screen);
  const folder = process.env["SHOTS"];
  const { width, scheme } = await page.evaluate(() => ({
    width: innerWidth,
    scheme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
  }));
  if (folder) await page.screenshot({ path: join(folder, `${screen}-${width}-${scheme}.png`), fullPage: true });
}

for (const [colorScheme, width, locale] of [
  ["light", 1280, "en-US"],
  ["dark", 360, "en-US"],
  ["light", 360, "ar"],
] as const) {
  test.describe(`in the ${colorScheme} theme, at ${width} pixels, in ${locale}`, () => {
    test.use({ colorScheme, viewport: { width, height: 800 }, locale });

    test("a person revokes from their own page", async ({ page }) => {
      page.on("console", (message) => {
        expect(/Content Security Policy|Trusted ?Type/i.test(message.text()), message.text()).toBe(false);
      });
      const address = `ana-${colorScheme}-${width}-${locale.toLowerCase()}@example.com`;
      const { landingPageUrl, userId } = await invite(address);
      await page.goto(landingPageUrl);
      await page.locator("main form button").click();
      const widget = new Widget(page, page.frameLocator("dialog iframe"));
      await widget.link("good");
      const account = async () => (await call("GET", `/accounts?userId=${userId}`)).items[0];
      await expect.poll(async () => (await account())?.connectionStatus).toBe("CONNECTED");
      const { id } = await account();
      await page.context().clearCookies();

      await page.goto(new URL("/me", page.url()).href);
      await look(page, "ask");
      await page.locator("#address").fill("ana");
      await page.locator("main .primary").click();
      await expect(page.locator("#address")).toBeFocused();
      await look(page, "ask with a fault");
      await page.locator("#address").fill(address);
      await page.locator("main .primary").click();
      await look(page, "asked");

      await page.goto(await mailedLink(address));
      await look(page, "open");
      await page.locator("main .primary").click();
      await page.waitForURL("**/me/data");
      await page.locator("summary").click();
      await look(page, "list");
      await page.locator("summary").click();
      const copied = page.waitForEvent("download");
      await page.locator('form:has([value="JSON"]) button').click();
      expect((await copied).suggestedFilename()).toBe(`${id}.json`);

      await page.locator('.actions form[action="/me/confirm"] button').click();
      await look(page, "confirm");
      await page.locator("main .primary").click();
      await look(page, "done");
      const { connectionStatus, connection } = await call("GET", `/accounts/${id}`);
      expect([connectionStatus, connection.endReason]).toEqual(["DISCONNECTED", "REVOKED"]);
      await page.locator("main .primary").click();
      await expect(page.locator(".gift")).toHaveCount(0);
      await look(page, "empty list");
      await page.locator("main form button").click();
      await look(page, "left");
    });
  });
}
