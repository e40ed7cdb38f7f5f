import { expect, PROVIDER_ID, test } from "./support/widget";

test("the close icon closes at once if nothing can be lost", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await tenant.closeBy(widget.button("Close"));
  expect(await tenant.callbacks()).toEqual(["onClose"]);
  expect(await tenant.argument("onClose")).toEqual({ reason: "close", lastPage: "ConsentPageOpened" });
  await expect(tenant.connect).toBeFocused();
});

test("Escape closes the widget with the focus in the frame or the page", async ({ tenant, page }) => {
  await tenant.goto();
  for (const focus of ["frame", "page"]) {
    await tenant.open();
    if (focus === "page") await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press("Escape");
    await tenant.waitForClose();
  }
  expect(await tenant.callbacks()).toEqual(["onClose", "onClose"]);
});

test("Escape clears the search field before it closes the widget", async ({ tenant, page }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  const search = widget.frame.getByRole("searchbox", { name: "Search providers" });
  await search.fill("bank");
  await page.keyboard.press("Escape");
  await expect(search).toHaveValue("");
  await widget.shows("Choose your provider");
  await page.keyboard.press("Escape");
  await tenant.waitForClose();
});

test("closing asks for confirmation if text was typed", async ({ tenant, page }) => {
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
  expect(await tenant.argument("onClose")).toEqual({
    reason: "close",
    lastPage: "LoginPageOpened",
    providerId: PROVIDER_ID,
  });
  expect(await tenant.screens()).toContain("LeavePageOpened");
});

test("the widget closes while an account waits for the second part", async ({ tenant, page }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-otp");
  await widget.shows("Enter your code");
  await page.route(/link-widget-chunk/, () => undefined);
  await page.reload();
  const loading = page.waitForRequest(/link-widget-chunk/);
  await tenant.open();
  await loading;
  await widget.button("Close").click();
  await tenant.closeBy(widget.button("Leave"));
  expect(await tenant.callbacks()).toEqual(["onAccountCreated", "onClose"]);
});

test("the close icon closes with the reason close after success", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("good");
  await widget.shows("You’re connected");
  await tenant.closeBy(widget.button("Close"));
  expect(await tenant.argument("onClose")).toEqual({ reason: "close", lastPage: "ConnectSuccessPageOpened", providerId: PROVIDER_ID });
});

test("a reload after success shows the connected accounts and repeats no callback", async ({ tenant, page }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("good");
  await widget.shows("You’re connected");
  await page.reload();
  await tenant.open();
  await tenant.widget.shows("Your connected accounts");
  expect(await tenant.callbacks()).toEqual([]);
});

test("a reload asks for the consent again, and continues where the person was", async ({ tenant, page }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  await widget.choose();
  await page.reload();
  await tenant.open();
  await tenant.widget.shows(/^Share your data with /);
  await tenant.widget.button("Agree and continue").click();
  await tenant.widget.shows("Sign in to Social Security Mexico");
});

test("Not now on the consent screen closes the widget", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await tenant.closeBy(widget.button("Not now"));
  expect(await tenant.callbacks()).toEqual(["onClose"]);
});

test("Back on the login screen returns to the provider list", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  await widget.choose();
  await widget.button("Back").click();
  await widget.shows("Choose your provider");
});
