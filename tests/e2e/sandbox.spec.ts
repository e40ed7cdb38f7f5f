import { ERROR_TITLES, expect, PROVIDER, type Tenant, test, type Widget } from "./support/widget";

/** Every login in `docs/reference/sandbox.md`, except those in linking.spec.ts and challenge.spec.ts. */
const CONNECTING: Record<string, (widget: Widget) => Promise<void>> = {
  many: async () => undefined,
  slow: async () => undefined,
  partial: async () => undefined,
  reauth: async () => undefined,
  "mfa-image": async (widget) => {
    await widget.shows("Type what you see");
    const picture = widget.main.getByRole("img", { name: /^Letters or digits/ });
    await expect(picture).toBeVisible();
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth), "the image is drawn").toBeGreaterThan(0);
    await submit(widget, "Characters in the image", "K7M4");
  },
  "mfa-question": async (widget) => {
    await widget.shows("Answer your security question");
    await submit(widget, /./, "aurora");
  },
  "mfa-push": async (widget) => {
    await widget.shows("Approve on your phone");
  },
  "mfa-email": async (widget) => {
    await widget.shows("Open the link in your e-mail");
  },
  "mfa-many": async (widget) => {
    await widget.shows("Confirm it’s you");
    await widget.frame.getByRole("radio", { name: "Talleres Aurora" }).check();
    await widget.button("Continue").click();
    await widget.answer("1234");
    await widget.shows("Answer your security question");
    await submit(widget, /./, "aurora");
  },
};

const FAILING: Record<string, keyof typeof ERROR_TITLES> = {
  "mfa-push-timeout": "MFA_TIMEOUT",
  "mfa-timeout": "MFA_TIMEOUT",
};

async function submit(widget: Widget, label: string | RegExp, text: string): Promise<void> {
  await widget.main.getByRole("textbox", { name: label }).fill(text);
  await widget.button("Continue").click();
}

async function start(tenant: Tenant, login: string): Promise<Widget> {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link(login);
  return widget;
}

for (const [login, answer] of Object.entries(CONNECTING)) {
  test(`the login ${login} connects`, async ({ tenant }) => {
    const widget = await start(tenant, login);
    await answer(widget);
    await expect(widget.heading).toHaveText("You’re connected", { timeout: 45_000 });
    expect(await tenant.callbacks()).toEqual(["onAccountCreated", "onAccountConnected"]);
  });
}

for (const [login, code] of Object.entries(FAILING)) {
  test(`the login ${login} fails with ${code}`, async ({ tenant }) => {
    const widget = await start(tenant, login);
    await expect(widget.heading).toHaveText(ERROR_TITLES[code], { timeout: 45_000 });
    expect((await tenant.argument("onAccountError"))?.["errorCode"]).toBe(code);
    expect(await tenant.callbacks()).toEqual(["onAccountCreated", "onAccountError"]);
  });
}

test("a declined push says so and fails with INVALID_MFA", async ({ tenant }) => {
  const widget = await start(tenant, "mfa-push-denied");
  await expect(widget.heading).toHaveText("The request was declined", { timeout: 45_000 });
  expect((await tenant.argument("onAccountError"))?.["errorCode"]).toBe("INVALID_MFA");
});

test("a challenge can be extended before it times out", async ({ tenant }) => {
  const widget = await start(tenant, "mfa-timeout");
  await widget.shows("Enter your code");
  await widget.button("I need more time").click();
  await expect(widget.frame.getByRole("status")).toContainText("You have more time now");
  await widget.answer("1234");
  await widget.shows("You’re connected");
});

test("too many failures of a login show a wait", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("nobody");
  for (let failures = 1; failures < 5; failures += 1) {
    await widget.shows(ERROR_TITLES.INVALID_CREDENTIALS);
    await widget.button("Enter your details again").click();
    await widget.password.fill("pass");
    await widget.button("Connect").click();
  }
  await widget.shows(ERROR_TITLES.INVALID_CREDENTIALS);
  await expect(widget.main.getByText(/You can try again in \d+ seconds/)).toBeVisible();
});

test("a limit on logins shows the wait and offers another provider", async ({ tenant }) => {
  const widget = await start(tenant, "guess-user-1");
  await widget.shows(ERROR_TITLES.INVALID_CREDENTIALS);
  await widget.button("Enter your details again").click();
  await widget.shows(`Sign in to ${PROVIDER}`);
  await widget.signIn("guess-user-2");
  await expect(widget.main.getByText("Too many tries to sign in")).toBeVisible();
  await expect(widget.main.getByText("You can try again in 24 hours.")).toBeVisible();
  await expect(widget.button("Connect")).toHaveAttribute("aria-disabled", "true");
  await widget.button("Choose another provider").click();
  await widget.shows("Choose your provider");
});
