import { expect, test } from "./support/widget";

test("the close icon closes, with nothing to lose and nothing asked", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await tenant.closeBy(widget.button("Close"));
  expect(await tenant.callbacks()).toEqual(["onClose"]);
  expect(await tenant.argument("onClose")).toEqual({ reason: "close" });
  await expect(tenant.connect).toBeFocused();
});

test("Escape closes as the icon does, whoever has the focus", async ({ tenant, page }) => {
  await tenant.goto();
  for (const focus of ["frame", "page"]) {
    await tenant.open();
    if (focus === "page") await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press("Escape");
    await tenant.closed();
  }
  expect(await tenant.callbacks()).toEqual(["onClose", "onClose"]);
});

test("Escape empties a search before it closes", async ({ tenant, page }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  const search = widget.frame.getByRole("searchbox", { name: "Search providers" });
  await search.fill("bank");
  await page.keyboard.press("Escape");
  await expect(search).toHaveValue("");
  await widget.shows("Choose your provider");
  await page.keyboard.press("Escape");
  await tenant.closed();
});

test("what was typed is not lost by a slip: first the person is asked", async ({ tenant, page }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  await widget.choose();
  const name = widget.frame.getByRole("textbox", { name: "User name" });
  await name.fill("good");
  await page.keyboard.press("Escape");
  const question = widget.frame.getByRole("alertdialog", { name: "Leave before you’re done?" });
  await expect(question).toBeVisible();
  await question.getByRole("button", { name: "Keep going" }).click();
  await expect(question).toBeHidden();
  await expect(name).toHaveValue("good");
  await widget.button("Close").click();
  await tenant.closeBy(question.getByRole("button", { name: "Leave" }));
  expect(await tenant.argument("onClose")).toEqual({ reason: "close" });
  expect(await tenant.screens()).toContain("LeavePageOpened");
});

test("after success the icon closes with its own reason", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("good");
  await widget.shows("You’re connected");
  await tenant.closeBy(widget.button("Close"));
  expect(await tenant.argument("onClose")).toEqual({ reason: "close" });
});

test("a page left after success begins with what is connected the next time, and tells nothing twice", async ({ tenant, page }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("good");
  await widget.shows("You’re connected");
  await page.reload();
  await tenant.open();
  await tenant.widget.shows("Your connected accounts");
  expect(await tenant.callbacks()).toEqual([]);
});

test("not now is a way out of the consent", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await tenant.closeBy(widget.button("Not now"));
  expect(await tenant.callbacks()).toEqual(["onClose"]);
});

test("back from the sign-in leads to the list, with the search as it was", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  await widget.choose();
  await widget.button("Back").click();
  await widget.shows("Choose your provider");
});

test("by keyboard alone, from the page's button to Done", async ({ tenant, page }) => {
  await tenant.goto();
  await tenant.connect.focus();
  await page.keyboard.press("Enter");
  const widget = tenant.widget;
  const press = async (name: string): Promise<void> => {
    const target = widget.button(name);
    await expect(async () => {
      await page.keyboard.press("Tab");
      await expect(target).toBeFocused({ timeout: 50 });
    }).toPass();
    await page.keyboard.press("Enter");
  };
  await widget.shows(/^Share your data with /);
  await expect(widget.heading, "each step starts at its heading").toBeFocused();
  await press("Agree and continue");
  await widget.shows("Choose your provider");
  const search = widget.frame.getByRole("searchbox", { name: "Search providers" });
  await expect(async () => {
    await page.keyboard.press("Tab");
    await expect(search).toBeFocused({ timeout: 50 });
  }).toPass();
  await page.keyboard.type("social security mexico");
  const first = widget.frame.getByRole("list", { name: "Matching providers" }).getByRole("button").first();
  await expect(first).toContainText("Social Security Mexico");
  await expect(async () => {
    await page.keyboard.press("Tab");
    await expect(first).toBeFocused({ timeout: 50 });
  }).toPass();
  await page.keyboard.press("Enter");
  await widget.shows("Sign in to Social Security Mexico");
  await expect(async () => {
    await page.keyboard.press("Tab");
    await expect(widget.frame.getByRole("textbox", { name: "User name" })).toBeFocused({ timeout: 50 });
  }).toPass();
  await page.keyboard.type("good");
  await page.keyboard.press("Tab");
  await page.keyboard.type("pass");
  await page.keyboard.press("Enter");
  await widget.shows("You’re connected");
  await press("Done");
  await tenant.closed();
  expect(await tenant.argument("onClose")).toEqual({ reason: "exit" });
});
