import { expect, PROVIDER, PROVIDER_ID, test } from "./support/widget";

const SCREENS = [
  "ConsentPageOpened",
  "ConsentGiven",
  "ProviderListPageOpened",
  "ProviderSelected",
  "LoginPageOpened",
  "LoginSubmitted",
  "ConnectProgressPageOpened",
  "ConnectSuccessPageOpened",
];

test.use({ reducedMotion: "no-preference" });

for (const sdk of ["v2", "v1"] as const) {
  test(`an account is linked with SDK ${sdk}, and the callbacks are in order`, async ({ tenant }) => {
    await tenant.goto(sdk);
    const widget = await tenant.open();
    await widget.shows(/^Share your data with /);
    await widget.link("good");
    await widget.shows("You’re connected");
    await tenant.closeBy(widget.button("Done"));

    expect(await tenant.callbacks()).toEqual(["onAccountCreated", "onAccountConnected", "onClose"]);
    const created = await tenant.argument("onAccountCreated");
    expect(created).toEqual({
      accountId: expect.stringMatching(/^a-[0-9a-f]+$/),
      userId: expect.any(String),
      providerId: PROVIDER_ID,
    });
    expect(await tenant.argument("onAccountConnected")).toEqual(created);
    expect(await tenant.argument("onClose")).toEqual({
      reason: "exit",
      lastPage: "ConnectSuccessPageOpened",
      providerId: PROVIDER_ID,
    });
    expect(await tenant.screens()).toEqual(SCREENS);
    const events = (await tenant.lines()).filter(({ name }) => name === "onUIEvent").map(({ argument }) => argument);
    expect(events.map((event) => event?.["seq"])).toEqual(SCREENS.map((_, index) => index + 1));
    for (const event of events) {
      expect(event).toMatchObject({ mode: "SANDBOX", userId: created?.["userId"], archive: null });
      expect(event?.["eventTime"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
  });
}

test("the consent screen shows the company name of the link template", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.shows("Share your data with Ardilla Loans");
  await expect(widget.frame.locator("body")).toContainText("Ardilla Loans never sees your password");
  await expect(widget.frame.locator("body")).not.toContainText("Demo Company");
  await expect(widget.frame.locator("body")).not.toContainText("used once");
});

test("signed webhooks arrive, and the data is available over REST", async ({ tenant, page }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("good");
  await widget.shows("You’re connected");
  await tenant.closeBy(widget.button("Done"));
  const accountId = (await tenant.argument("onAccountConnected"))?.["accountId"];
  const types = async (): Promise<string[]> => (await tenant.received(accountId)).map(({ type }) => type);
  await expect.poll(types).toContain("TASK_FINISHED");
  const all = await types();
  expect(all.slice(0, 3)).toEqual(["ACCOUNT_CREATED", "ACCOUNT_CONNECTED", "TASK_STARTED"]);
  expect(all.at(-1)).toBe("TASK_FINISHED");
  expect(all.slice(3, -1).every((type) => type.endsWith("_ADDED"))).toBe(true);
  const received = await tenant.received(accountId);
  expect(received.map(({ verified }) => verified)).toEqual(received.map(() => true));
  expect(new Set(received.map(({ id }) => id)).size).toBe(received.length);
  const finished = received.at(-1)?.data as { status: string; payload: { identity: { fullName: string } } };
  expect(finished.status).toBe("SUCCEEDED");

  const account = page.getByRole("article").filter({ hasText: PROVIDER_ID });
  await expect(account).toContainText("CONNECTED");
  await expect(account).toContainText(finished.payload.identity.fullName);
});

test("the search finds a provider despite accents, case and a typo", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  const search = widget.frame.getByRole("searchbox", { name: "Search providers" });
  const found = widget.frame.getByRole("list", { name: "Matching providers" }).getByRole("button");
  for (const words of ["SOCIAL SECURITY MEXICO", "sociál security méxico", "socail security mexico"]) {
    await search.fill(words);
    await expect(found.first()).toContainText(PROVIDER);
  }
  await search.fill("zzzz");
  await expect(widget.main.getByText("No provider matches")).toBeVisible();
  await widget.button("Show all providers").click();
  await expect(found.or(widget.frame.getByRole("listitem")).first()).toBeVisible();
});

test("a second account can be linked in the same session", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("good");
  await widget.button("Connect another account").click();
  await widget.shows("Choose your provider");
  await widget.choose("Health Insurance Mexico");
  await widget.signIn("good");
  await widget.shows("You’re connected");
  await tenant.closeBy(widget.button("Done"));
  expect(await tenant.callbacks()).toEqual([
    "onAccountCreated",
    "onAccountConnected",
    "onAccountCreated",
    "onAccountConnected",
    "onClose",
  ]);
});

test("reopening after success shows the connected accounts and repeats no callback", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("good");
  await widget.shows("You’re connected");
  await tenant.closeBy(widget.button("Done"));
  const before = await tenant.callbacks();
  const again = await tenant.open();
  await again.shows("Your connected accounts");
  await tenant.closeBy(again.button("Close"));
  expect(await tenant.callbacks()).toEqual([...before, "onClose"]);
});
