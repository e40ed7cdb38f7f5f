import { expect, test } from "./support/widget";

test("a one-time code connects the account", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-otp");
  await widget.answer("1234");
  await widget.shows("You’re connected");
  await tenant.closeBy(widget.button("Done"));
  expect(await tenant.callbacks()).toEqual(["onAccountCreated", "onAccountConnected", "onClose"]);
  expect(await tenant.screens()).toEqual(expect.arrayContaining(["MfaPageOpened", "MfaSubmitted"]));
});

test("a wrong code is reported, and the correct one then connects", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-otp");
  await widget.answer("9999");
  await expect(widget.main.getByText("That wasn’t right")).toBeVisible();
  await expect(widget.code).toHaveValue("");
  await widget.answer("1234");
  await widget.shows("You’re connected");
  expect(await tenant.callbacks(), "a wrong code is not yet a failed account").toEqual([
    "onAccountCreated",
    "onAccountConnected",
  ]);
});

test("the last wrong code fails the account, and a new login starts over", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-otp");
  await widget.shows("Enter your code");
  await expect(async () => {
    // The field does not exist if the error screen has appeared in the meantime.
    const editable = await widget.code.isEditable({ timeout: 500 }).catch(() => false);
    if (editable) await widget.answer("9999");
    await expect(widget.heading).toHaveText("The code was wrong too often", { timeout: 500 });
  }).toPass();
  expect((await tenant.argument("onAccountError"))?.["errorCode"]).toBe("INVALID_MFA");
  await widget.button("Try again").click();
  await widget.signIn("mfa-otp");
  await widget.answer("1234");
  await widget.shows("You’re connected");
  expect(await tenant.callbacks()).toEqual(["onAccountCreated", "onAccountError", "onAccountConnected"]);
});

test("a choice challenge reports a missing and a wrong choice, and connects with the correct one", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-choice");
  await widget.shows("Confirm it’s you");
  await widget.button("Continue").click();
  await expect(widget.main.getByText("Choose one answer to continue.")).toBeVisible();
  await widget.frame.getByRole("radio", { name: "None of these" }).check();
  await widget.button("Continue").click();
  await expect(widget.main.getByText("That wasn’t right")).toBeVisible();
  await widget.frame.getByRole("radio", { name: "Talleres Aurora" }).check();
  await widget.button("Continue").click();
  await widget.shows("You’re connected");
  expect(await tenant.callbacks()).toEqual(["onAccountCreated", "onAccountConnected"]);
});

test("a reload continues at the same challenge, and the widget asks for nothing twice", async ({
  tenant,
  page,
}) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-otp");
  await widget.shows("Enter your code");
  const created = await tenant.argument("onAccountCreated");
  await page.reload();
  await expect(tenant.connect).toBeEnabled();
  await tenant.connect.click();
  await tenant.widget.answer("1234");
  await tenant.widget.shows("You’re connected");
  await expect.poll(() => tenant.argument("onAccountConnected")).toEqual(created);
});
