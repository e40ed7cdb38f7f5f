import { endSoon, expect, expireTokens, test } from "./support/widget";

test("a used token: the page gives another, and the person goes on", async ({ tenant, page }) => {
  let token: string | undefined;
  let asked = 0;
  // The server hands the same token out twice: the second launch finds it used.
  await page.route("**/link-token", async (route) => {
    asked += 1;
    if (asked > 2) return route.continue();
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

test("launched again and again with a used token, the one LinkModal asks for another each time", async ({
  tenant,
  page,
}) => {
  let first: string | undefined;
  let asked = 0;
  // Whoever closes gets the first token again, whoever is told that it expired a new one.
  await page.route("**/link-token", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    first ??= body.userToken;
    asked += 1;
    await route.fulfill({ response, json: asked % 2 ? body : { ...body, userToken: first } });
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

test("opened again before the page has its next token, the widget waits for it", async ({ tenant, page }) => {
  await tenant.goto();
  const widget = await tenant.open();
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/link-token", async (route) => {
    await held;
    await route.continue();
  });
  await tenant.closeBy(widget.button("Close"));
  await expect(tenant.connect).toBeFocused();
  await tenant.connect.click();
  answer();
  await widget.shows(/^Share your data with /);
  expect(await tenant.callbacks()).toEqual(["onClose"]);
});

test("an expired token is told once, without arguments, and a page that gives no other leaves the person a way out", async ({
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

test("near its end a session is renewed in place, with what was typed", async ({ tenant, page }) => {
  const begun = await endSoon(page);
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  await widget.choose();
  const name = widget.frame.getByRole("textbox", { name: "User name" });
  await name.fill("good");
  await expect.poll(begun).toBe(2);
  await widget.shows("Sign in to Social Security Mexico");
  await expect(name).toHaveValue("good");
  await widget.password.fill("pass");
  await widget.button("Connect").click();
  await widget.shows("You’re connected");
  expect(await tenant.callbacks()).toEqual(["onTokenExpired", "onAccountCreated", "onAccountConnected"]);
});

test("a token of another person is refused, and the screen cleared", async ({ tenant, page, browser }) => {
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
