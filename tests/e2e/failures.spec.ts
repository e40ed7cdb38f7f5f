import { ERROR_TITLES, expect, PROVIDER, PROVIDER_ID, rewrite, test } from "./support/widget";

test("after a wrong password the user name stays, and the correct one connects", async ({
  tenant,
}) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("good", "wrong");
  await widget.shows("Those details didn’t match");
  await widget.button("Enter your details again").click();
  await widget.shows(`Sign in to ${PROVIDER}`);
  await expect(widget.frame.getByRole("textbox", { name: "User name" })).toHaveValue("good");
  await expect(widget.password).toHaveValue("");
  await widget.password.fill("pass");
  await widget.button("Connect").click();
  await widget.shows("You’re connected");

  expect(await tenant.callbacks(), "one account, created once").toEqual([
    "onAccountCreated",
    "onAccountError",
    "onAccountConnected",
  ]);
  const created = await tenant.argument("onAccountCreated");
  expect(await tenant.argument("onAccountError")).toEqual({ ...created, errorCode: "INVALID_CREDENTIALS" });
  expect(await tenant.argument("onAccountConnected")).toEqual(created);
  await expect
    .poll(async () => (await tenant.received(created?.["accountId"])).map(({ type }) => type))
    .toEqual(expect.arrayContaining(["ACCOUNT_CREATED", "ACCOUNT_FAILED", "ACCOUNT_CONNECTED"]));
});

test("a locked account is reported to page and tenant, and the person can close", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("error-ACCOUNT_LOCKED");
  await widget.shows(ERROR_TITLES.ACCOUNT_LOCKED);
  const created = await tenant.argument("onAccountCreated");
  expect(await tenant.argument("onAccountError")).toEqual({ ...created, errorCode: "ACCOUNT_LOCKED" });
  expect(await tenant.screens()).toContain("ConnectErrorPageOpened");
  await tenant.closeBy(widget.button("Close"));
  expect(await tenant.callbacks()).toEqual(["onAccountCreated", "onAccountError", "onClose"]);
  expect(await tenant.argument("onClose")).toEqual({
    reason: "close",
    lastPage: "ConnectErrorPageOpened",
    providerId: PROVIDER_ID,
    errorCode: "ACCOUNT_LOCKED",
  });
  const failed = async () => (await tenant.received(created?.["accountId"])).find(({ type }) => type === "ACCOUNT_FAILED");
  await expect.poll(failed).toMatchObject({
    verified: true,
    data: { userId: created?.["userId"], providers: [PROVIDER_ID], errorCode: "ACCOUNT_LOCKED" },
  });
});

test("an unknown error code has a generic screen", async ({ tenant, page }) => {
  await rewrite(page, /\/link\/accounts/, (body) => {
    const text = JSON.stringify(body);
    return text.includes("ACCOUNT_LOCKED") ? { body: JSON.parse(text.replaceAll("ACCOUNT_LOCKED", "NEW_IN_2031")) } : undefined;
  });
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("error-ACCOUNT_LOCKED");
  await widget.shows("We couldn’t connect your account");
  await expect(widget.main.getByText("NEW_IN_2031")).toHaveCount(0);
  expect(await tenant.callbacks()).toEqual(["onAccountCreated", "onAccountError"]);
});

test("a missing value is reported at its field, which gets the focus", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  await widget.choose();
  await widget.button("Connect").click();
  const name = widget.frame.getByRole("textbox", { name: "User name" });
  await expect(name).toBeFocused();
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await expect(name).toHaveAccessibleDescription(/Enter this to continue/);
  expect(await tenant.callbacks()).toEqual([]);
});

test("a lost submission is reported, and the next one connects", async ({ tenant, page }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  await widget.choose();
  await page.route(/\/link\/accounts$/, (route) =>
    route.request().method() === "POST" ? route.abort() : route.fallback(),
  );
  await widget.signIn("good");
  await expect(widget.main.getByText("Your details didn’t reach us")).toBeVisible();
  await page.unroute(/\/link\/accounts$/);
  await widget.password.fill("pass");
  await widget.button("Connect").click();
  await widget.shows("You’re connected");
  expect(await tenant.callbacks()).toEqual(["onAccountCreated", "onAccountConnected"]);
});

test("a lost second login does not return the first account", async ({ tenant, page }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("good");
  await widget.shows("You’re connected");
  await widget.button("Connect another account").click();
  await widget.choose();
  await page.route(/\/link\/accounts$/, (route) =>
    route.request().method() === "POST" ? route.abort() : route.fallback(),
  );
  await widget.signIn("mfa-otp");
  await expect(widget.main.getByText("Your details didn’t reach us")).toBeVisible();
  await page.unroute(/\/link\/accounts$/);
  await widget.password.fill("pass");
  await widget.button("Connect").click();
  await widget.shows("Enter your code");
});
