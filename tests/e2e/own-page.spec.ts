/** Tests a person's own page, from the address that they type to the end of what they gave. */
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { accessible, reflows } from "./support/axe";
import { invitePerson, mailedLink } from "./support/person";
import { rest, sandbox } from "./support/rest";
import { expect, test, Widget } from "./support/widget";

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
      const keys = await sandbox();
      const address = `ana-${colorScheme}-${width}-${locale.toLowerCase()}@example.com`;
      const { landingPageUrl, userId } = await invitePerson(address);
      await page.goto(landingPageUrl);
      await page.locator("main form button").click();
      const widget = new Widget(page, page.frameLocator("dialog iframe"));
      await widget.link("good");
      const account = async () => (await rest(keys, "GET", `/accounts?userId=${userId}`)).items[0];
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
      const { connectionStatus, connection } = await rest(keys, "GET", `/accounts/${id}`);
      expect([connectionStatus, connection.endReason]).toEqual(["DISCONNECTED", "REVOKED"]);
      await page.locator("main .primary").click();
      await expect(page.locator(".gift")).toHaveCount(0);
      await look(page, "empty list");
      await page.locator("main form button").click();
      await look(page, "left");
    });
  });
}
