import { endSoon, expect, expireTokens, test } from "./support/widget";

test("a used token is replaced by the page, and the person continues", async ({ tenant, page }) => {
  let token: string | undefined;
  let requests = 0;
  // The server returns the same token twice, so the second launch finds it used.
  await page.route("**/link-token", async (route) => {
    requests += 1;
    if (requests > 2) return route.continue();
    const response = await route.fetch();
    const body = await response.json();
    token ??= body.userToken;
    await route.fulfill({ response, json: { ...body, userToken: token } });
  });
  await tenant.goto();
  await tenant.closeBy((await tenant.open()).button("Close"));
  await tenant.connect.click();
  await tenant.widget.shows(/^Share your data with /);
  expect(await tenant.callbacks()).toEqual(["onClose", "onTokenExpired"]);
  await tenant.widget.link("good");
  await tenant.widget.shows("You’re connected");
});

test("a LinkModal asks for a new token at each launch with a used one", async ({
  tenant,
  page,
}) => {
  let first: string | undefined;
  let requests = 0;
  // onClose gets the first token again, and onTokenExpired gets a new one.
  await page.route("**/link-token", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    first ??= body.userToken;
    requests += 1;
    await route.fulfill({ response, json: requests % 2 ? body : { ...body, userToken: first } });
  });
  await tenant.goto();
  for (const _launch of [1, 2, 3]) {
    const widget = await tenant.open();
    await widget.shows(/^Share your data with /);
    const next = page.waitForResponse("**/link-token");
    await tenant.closeBy(widget.button("Close"));
    await (await next).finished();
  }
  expect(await tenant.callbacks()).toEqual(["onClose", "onTokenExpired", "onClose", "onTokenExpired", "onClose"]);
  const screens = await tenant.screens();
  expect(screens.filter((name) => name === "ConsentPageOpened")).toHaveLength(3);
  expect(screens.filter((name) => name === "TokenExpiredPageOpened")).toHaveLength(2);
});

test("reopening waits until the page has its next token", async ({ tenant, page }) => {
  await tenant.goto();
  const widget = await tenant.open();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/link-token", async (route) => {
    await held;
    await route.continue();
  });
  await tenant.closeBy(widget.button("Close"));
  await expect(tenant.connect).toBeFocused();
  await tenant.connect.click();
  release();
  await widget.shows(/^Share your data with /);
  expect(await tenant.callbacks()).toEqual(["onClose"]);
});

test("onTokenExpired is called once, and the person can close if no token follows", async ({
  tenant,
  page,
}) => {
  await expireTokens(page);
  await tenant.goto();
  await page.route("**/link-token", (route) => route.fulfill({ status: 503, body: "later" }));
  await tenant.connect.click();
  await tenant.widget.shows("This link has expired");
  expect(await tenant.lines()).toContainEqual({ name: "onTokenExpired", argument: undefined });
  expect(await tenant.screens()).toContain("TokenExpiredPageOpened");
  await tenant.closeBy(tenant.widget.button("Close").first());
  expect((await tenant.callbacks()).slice(0, 2)).toEqual(["onTokenExpired", "onClose"]);
});

test("a session is renewed in place before it ends, and typed text stays", async ({ tenant, page }) => {
  const sessions = await endSoon(page);
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  await widget.choose();
  const name = widget.frame.getByRole("textbox", { name: "User name" });
  await name.fill("good");
  await expect.poll(sessions).toBe(2);
  await widget.shows("Sign in to Social Security Mexico");
  await expect(name).toHaveValue("good");
  await widget.password.fill("pass");
  await widget.button("Connect").click();
  await widget.shows("You’re connected");
  expect(await tenant.callbacks()).toEqual(["onTokenExpired", "onAccountCreated", "onAccountConnected"]);
});

test("another person's token is rejected, and the screen is cleared", async ({ tenant, page, browser }) => {
  await endSoon(page);
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  await widget.choose();
  await widget.frame.getByRole("textbox", { name: "User name" }).fill("good");
  const stranger = await browser.newContext();
  const other = await (await stranger.request.post(new URL("/link-token", page.url()).href)).json();
  await page.route("**/link-token", (route) => route.fulfill({ json: other }));
  await widget.shows("We had to stop here");
  await expect(widget.frame.getByRole("textbox")).toHaveCount(0);
  await stranger.close();
});
