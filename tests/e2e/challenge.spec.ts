import { expect, test } from "./support/widget";

test("a one-time code", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-otp");
  await widget.answer("1234");
  await widget.shows("You’re connected");
  await tenant.closeBy(widget.button("Done"));
  expect(await tenant.callbacks()).toEqual(["onAccountCreated", "onAccountConnected", "onClose"]);
  expect(await tenant.screens()).toEqual(expect.arrayContaining(["MfaPageOpened", "MfaSubmitted"]));
});

test("a wrong code is said to be wrong, and the right one still connects", async ({ tenant }) => {
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

test("wrong codes to the end are a failure, and a new sign-in starts over", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-otp");
  await widget.shows("Enter your code");
  await expect(async () => {
    // The field is gone when the page of the error has come meanwhile.
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

test("a choice: none is asked for, a wrong one is said to be wrong, and a right one connects", async ({ tenant }) => {
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

test("reloaded in the middle of it, the person answers the same challenge and nothing is asked twice", async ({
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
