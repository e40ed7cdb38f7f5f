/** The link to the tenant's help opens in another tab, and the widget stays as it is. */
import { accessible } from "./support/axe";
import { test, type Keys } from "./support/own-tenant";
import { rest } from "./support/rest";
import { expect } from "./support/widget";

const HELP = "https://help.example.com/linking";

const setHelp = (keys: Keys, helpUrl: string): Promise<void> => rest(keys, "PATCH", `/linkTemplates/${keys.linkTemplateId}`, { helpUrl });

test("help opens in another tab, from the first page and from an error", async ({ tenant, page, ownTenant }) => {
  await page.context().route(HELP, (route) => route.fulfill({ contentType: "text/html", body: "<title>Help</title>" }));
  await setHelp(ownTenant.sandbox, HELP);
  await tenant.goto();
  const widget = await tenant.open();
  const link = widget.frame.getByRole("link", { name: "Get help (opens in a new tab)" });
  await expect(link).toHaveAttribute("rel", "noopener noreferrer");
  const [first] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
  await first.waitForURL(HELP);
  expect(await first.evaluate(() => [window.opener, document.referrer])).toEqual([null, ""]);
  await first.close();
  await widget.shows("Share your data with Ardilla Loans");
  await accessible(page, "consent with help");
  await widget.link("error-ACCOUNT_LOCKED");
  await widget.shows("This account is locked");
  const [second] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
  await second.close();
  await widget.shows("This account is locked");
  await accessible(page, "an error with help");
  expect((await tenant.screens()).filter((name) => name === "HelpOpened")).toHaveLength(2);
});

test("a template without an address shows no link", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await expect(widget.frame.getByRole("link")).toHaveCount(0);
});
