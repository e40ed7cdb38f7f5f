import type { Page, Route } from "@playwright/test";
import { accessible, reflows } from "./support/axe";
import { endSoon, ERROR_TITLES, EXCHANGE, expect, expireTokens, rewrite, test } from "./support/widget";

const REFUSED = {
  type: "about:blank",
  title: "The link token is not valid",
  status: 401,
  code: "INVALID_TOKEN",
  detail: "Ask for another.",
  requestId: "req-1",
  errors: [],
};

const SMALL = { width: 320, height: 640 };

async function look(page: Page, screen: string): Promise<void> {
  await accessible(page, screen);
  await reflows(page, screen);
}

// `cargo xtask screens` shows the same screens in every theme, but without a service.
test.describe("in the dark theme, at 320 pixels, with the service", () => {
  test.use({ colorScheme: "dark", viewport: SMALL });

  test("every step of linking is accessible and reflows", async ({ tenant, page }) => {
    await tenant.goto();
    await look(page, "the demo's page");
    const widget = await tenant.open();
    await look(page, "consent");
    await widget.agree();
    await look(page, "provider list");
    await widget.frame.getByRole("searchbox").fill("zzzz");
    await widget.main.getByText("No provider matches").waitFor();
    await look(page, "nothing found");
    await widget.button("Show all providers").click();
    await widget.choose();
    await look(page, "login");
    await widget.button("Connect").click();
    await expect(widget.password).toHaveAttribute("aria-invalid", "true");
    await look(page, "login with faults");
    await widget.password.fill(" secret");
    await widget.button("Show password").click();
    await look(page, "login with a stray space, the password shown");
    await page.keyboard.press("Escape");
    await widget.frame.getByRole("alertdialog").waitFor();
    await look(page, "leave?");
    await widget.button("Keep going").click();
    await widget.signIn("mfa-otp");
    await widget.shows("Enter your code");
    await look(page, "code");
    await widget.answer("9999");
    await widget.main.getByText("That wasn’t right").waitFor();
    await look(page, "wrong code");
    await widget.answer("1234");
    await widget.shows("You’re connected");
    await look(page, "success");
    await widget.button("Connect another account").click();
    await widget.pick("Housing Fund Mexico");
    await widget.shows("How do you sign in to Housing Fund Mexico?");
    await look(page, "ways to sign in");
    await widget.button(/^User name and password/).click();
    await widget.shows("Sign in to Housing Fund Mexico");
    await look(page, "login of the second account");
    await widget.signIn("mfa-choice");
    await widget.shows("Confirm it’s you");
    await look(page, "choice");
    await widget.button("Continue").click();
    await widget.main.getByText("Choose one answer to continue.").waitFor();
    await look(page, "choice with a fault");
  });

  test("every error screen is accessible, reflows and has a distinct title", async ({ tenant, page }) => {
    await tenant.goto();
    const widget = await tenant.open();
    await widget.agree();
    for (const [code, title] of Object.entries(ERROR_TITLES)) {
      await widget.choose();
      await widget.signIn(`error-${code}`);
      await widget.shows(title);
      await accessible(page, code);
      await reflows(page, code);
      await widget.button("Choose another provider").click();
      await widget.shows("Choose your provider");
    }
    const errors = (await tenant.lines()).filter(({ name }) => name === "onAccountError");
    expect(errors.map(({ argument }) => argument?.["errorCode"])).toEqual(Object.keys(ERROR_TITLES));
  });
});

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme} theme, at 320 pixels`, () => {
    test.use({ colorScheme, viewport: SMALL });
    test.describe.configure({ timeout: 180_000 });

    test("the screen for an expired token is accessible and reflows", async ({ tenant, page }) => {
      await expireTokens(page);
      await tenant.goto();
      await page.route("**/link-token", (route) => route.fulfill({ json: {} }));
      await tenant.connect.click();
      await tenant.widget.shows("This link has expired");
      await accessible(page, "token expired");
      await reflows(page, "token expired");
    });

    test("progress is accessible and reflows, with and without a connection", async ({ tenant, page }) => {
      const polls = /\/link\/accounts\/[^/]+\?/;
      let isLost = false;
      const held: Route[] = [];
      await page.route(polls, (route) => (isLost ? route.abort() : void held.push(route)));
      await tenant.goto();
      const widget = await tenant.open();
      await widget.link("good");
      await widget.shows("Connecting to Social Security Mexico");
      await look(page, "progress");
      isLost = true;
      await Promise.all(held.map((route) => route.abort()));
      await widget.main.getByText("Connection interrupted").waitFor();
      await look(page, "connection lost");
    });

    test("screens for an ended session and a foreign token are accessible and reflow", async ({ tenant, page, browser }) => {
      await tenant.goto();
      const stranger = await browser.newContext();
      const other = await (await stranger.request.post(new URL("/link-token", page.url()).href)).json();
      await stranger.close();
      await endSoon(page);
      await tenant.goto();
      await page.route("**/link-token", (route) => route.fulfill({ status: 503, body: "later" }));
      await tenant.connect.click();
      await tenant.widget.frame.getByRole("alertdialog", { name: "Your session has ended" }).waitFor();
      await look(page, "session ended");
      await page.unroute("**/link-token");
      await page.unroute(EXCHANGE);

      await endSoon(page);
      await tenant.goto();
      await page.route("**/link-token", (route) => route.fulfill({ json: other }));
      await tenant.connect.click();
      await tenant.widget.shows("We had to stop here");
      await look(page, "another person's token");
    });

    test("screens for a failed exchange are accessible and reflow", async ({ tenant, page }) => {
      await page.route(EXCHANGE, (route) => route.abort());
      await tenant.goto();
      await tenant.connect.click();
      await tenant.widget.shows("You seem to be offline");
      await look(page, "offline");
      await page.unroute(EXCHANGE);

      // Before the page loads, because a frame that is already starting could miss the route.
      await rewrite(page, EXCHANGE, () => ({ status: 401, body: REFUSED }));
      await tenant.goto();
      await tenant.connect.click();
      await tenant.widget.shows("This link can’t be opened");
      await look(page, "refused token");
    });

    test("the shell is accessible while it loads and after it fails", async ({ tenant, page }) => {
      await page.clock.install({ time: Date.now() });
      await page.route("**/sdk/frame/**", (route) => route.fulfill({ contentType: "text/html", body: "<title>Quiet</title>" }));
      await tenant.goto();
      await tenant.connect.click();
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).waitFor();
      await accessible(page, "waiting");
      await page.clock.runFor(10_000);
      await page.getByRole("heading", { name: "This window is blocked" }).waitFor();
      await accessible(page, "failed");
    });
  });
}

test("animations are off if reduced motion is preferred", async ({ tenant, page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  const moving = await widget.frame.locator("body").evaluate(() =>
    document
      .getAnimations()
      .map((animation) => Number(animation.effect?.getComputedTiming().duration ?? 0))
      .filter((duration) => duration > 1),
  );
  expect(moving).toEqual([]);
});
