/** Choosing what to share: with the mouse, with the keyboard only, and what the tenant then gets. */
import { accessible, reflows } from "./support/axe";
import { test, type Keys } from "./support/own-tenant";
import { rest } from "./support/rest";
import { expect, PROVIDER, type Tenant, type Widget } from "./support/widget";

/** Makes contributions, documents and loans optional, and opens the widget. */
async function start(tenant: Tenant, keys: Keys): Promise<Widget> {
  const optionalData = ["DOCUMENTS", "CONTRIBUTIONS", "LIABILITIES"];
  await rest(keys, "PATCH", `/linkTemplates/${keys.linkTemplateId}`, { optionalData });
  await tenant.goto();
  return tenant.open();
}

/** Waits until the account is read, and checks what the tenant gets. */
async function check(tenant: Tenant, keys: Keys, shared: string[], declined: string[]): Promise<void> {
  const accountId = (await tenant.argument("onAccountConnected"))?.["accountId"];
  const types = async (): Promise<string[]> => (await tenant.received(accountId)).map(({ type }) => type);
  await expect.poll(types, { timeout: 60_000 }).toContain("TASK_FINISHED");
  for (const [kinds, isShared] of [[shared, true], [declined, false]] as const) {
    for (const kind of kinds) {
      const { items } = await rest(keys, "GET", `/${kind.toLowerCase()}?size=1&accountId=${accountId}`);
      expect(items.length > 0, kind).toBe(isShared);
      expect((await types()).includes(`${kind.replace("IDENTITIES", "IDENTITY")}_ADDED`), kind).toBe(isShared);
    }
  }
  const receipt = await rest(keys, "GET", `/accounts/${accountId}/consent`);
  expect(receipt["declinedData"]).toEqual(declined);
  expect(receipt["sharedData"]).toEqual(expect.arrayContaining(shared));
}

test("what is not selected is not shared", async ({ tenant, page, ownTenant }) => {
  const widget = await start(tenant, ownTenant.sandbox);
  await widget.button("Choose what to share").click();
  await widget.shows("Choose what to share with Ardilla Loans");
  await accessible(page, "choice of data");
  const boxes = widget.frame.getByRole("group", { name: "Your choice" }).getByRole("checkbox");
  await expect(boxes).toHaveCount(3);
  for (const box of await boxes.all()) await expect(box).not.toBeChecked();
  await expect(widget.frame.getByRole("list", { name: "Always shared" }).getByRole("listitem")).toHaveCount(8);
  await expect(widget.main).toContainText("You share only what is always shared.");
  await widget.frame.getByRole("checkbox", { name: "Contributions to funds" }).check();
  await widget.frame.getByRole("checkbox", { name: "Loans" }).check();
  await widget.frame.getByRole("checkbox", { name: "Loans" }).uncheck();
  await expect(widget.main).toContainText("You also share what you selected: 1 of 3.");
  await widget.button("Back").click();
  await widget.button("Choose what to share").click();
  await expect(widget.frame.getByRole("checkbox", { name: "Contributions to funds" })).toBeChecked();
  await widget.link("good");
  await widget.shows("You’re connected");
  await check(tenant, ownTenant.sandbox, ["IDENTITIES", "EMPLOYMENTS", "CONTRIBUTIONS"], ["DOCUMENTS", "LIABILITIES"]);
  expect(await tenant.screens()).toContain("DataChoicePageOpened");
});

test("the choice works with the keyboard only, at 320 px", async ({ tenant, page, ownTenant }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const widget = await start(tenant, ownTenant.sandbox);
  await widget.button("Choose what to share").press("Enter");
  await widget.shows("Choose what to share with Ardilla Loans");
  await expect(widget.heading).toBeFocused();
  await reflows(page, "choice of data at 320 px");
  const box = widget.frame.getByRole("checkbox", { name: "Documents and their files" });
  for (let presses = 0; presses < 4 && !(await box.evaluate((it) => it === document.activeElement)); presses += 1) {
    await page.keyboard.press("Tab");
  }
  await expect(box).toBeFocused();
  await page.keyboard.press("Space");
  await expect(box).toBeChecked();
  await expect(box, "the page is drawn again, and the focus stays").toBeFocused();
  await widget.button("Agree and continue").press("Enter");
  await widget.shows("Choose your provider");
  await widget.choose(PROVIDER);
  await widget.signIn("good");
  await widget.shows("You’re connected");
  await check(tenant, ownTenant.sandbox, ["DOCUMENTS"], ["CONTRIBUTIONS", "LIABILITIES"]);
});
