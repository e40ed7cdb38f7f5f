/** A login on the provider's own page, in another tab. */
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { accessible, reflows } from "./support/axe";
import { filesOf } from "./support/files";
import { showsLogin, signIn, trySignIn } from "./support/provider";
import { expect, PROVIDER_ID, type Tenant, test, type Widget } from "./support/widget";

const LINK = /^Continue to /;

function link(widget: Widget, name: string | RegExp = LINK): Locator {
  return widget.frame.getByRole("link", { name });
}

async function toRedirect(tenant: Tenant): Promise<Widget> {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("oauth");
  await widget.shows("Sign in on the provider’s page");
  return widget;
}

/** Opens the link in the widget. Returns the page that asks, because the widget is on another site here than the page. */
async function openQuestion(widget: Widget, name: string | RegExp = LINK): Promise<Page> {
  const opened = widget.page.context().waitForEvent("page");
  await link(widget, name).click();
  const page = await opened;
  await expect(page.getByRole("heading", { name: /^Sign in to .*\?$/ })).toBeVisible();
  return page;
}

/** Follows the link in the widget, and signs in. Returns the provider's page that asks. */
async function follow(widget: Widget, name: string | RegExp = LINK, look = async (_: Page, _screen: string): Promise<void> => {}): Promise<Page> {
  const provider = await openQuestion(widget, name);
  await look(provider, "question");
  await provider.getByRole("button", { name: LINK }).click();
  await showsLogin(provider);
  await look(provider, "login");
  await signIn(provider);
  return provider;
}

async function press(provider: Page, name: string, title: string): Promise<void> {
  await provider.getByRole("button", { name, exact: true }).click();
  await expect(provider.getByRole("heading", { level: 1 })).toHaveText(title);
}

test("a login on the provider's page connects the account", async ({ tenant }) => {
  const widget = await toRedirect(tenant);
  await accessible(widget.page, "before the login");
  await reflows(widget.page, "before the login");
  const provider = await follow(widget);
  expect(await provider.evaluate(() => window.opener), "the tab has no opener").toBeNull();
  expect(await provider.evaluate(() => document.referrer), "the provider sees no address").toBe("");
  await press(provider, "Allow", "You can go back now");
  expect(new URL(provider.url()).search, "the address is clean").toBe("");
  await accessible(provider, "the end page");
  await reflows(provider, "the end page");
  await provider.close();
  await widget.shows("You’re connected");
  await tenant.closeBy(widget.button("Done"));
  expect(await tenant.callbacks()).toEqual(["onAccountCreated", "onAccountConnected", "onClose"]);
});

test("blocked popups do not stop the login", async ({ tenant, page }) => {
  await page.addInitScript(() => {
    window.open = () => null;
  });
  const widget = await toRedirect(tenant);
  const provider = await follow(widget);
  await press(provider, "Allow", "You can go back now");
  await widget.shows("You’re connected");
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1280]) {
    test.describe(`in the ${colorScheme} theme, at ${width} pixels`, () => {
      test.use({ colorScheme, viewport: { width, height: 740 } });

      test("every page of the login fits and is accessible", async ({ tenant }, info) => {
        const look = async (page: Page, screen: string): Promise<void> => {
          await accessible(page, screen);
          const name = `redirect-${screen.replaceAll(" ", "-")}-${width}-${colorScheme}.png`;
          const folder = process.env["LINCHPIN_PICTURES"];
          await page.screenshot({ path: folder ? join(folder, name) : info.outputPath(name) });
        };
        const widget = await toRedirect(tenant);
        await look(widget.page, "before");
        const provider = await follow(widget, LINK, async (page, screen) => {
          await page.setViewportSize({ width, height: 740 });
          await look(page, screen);
        });
        await look(provider, "provider");
        await widget.button("Continue").click();
        await look(widget.page, "after");
        await press(provider, "Don’t allow", "You didn’t allow access");
        await look(provider, "refused");
      });
    });
  }
}

test("a wrong password is named on the provider's page, and the person can try again", async ({ tenant }) => {
  const widget = await toRedirect(tenant);
  const provider = await openQuestion(widget);
  await provider.getByRole("button", { name: LINK }).click();
  await trySignIn(provider, "word");
  await expect(provider.getByRole("alert")).toHaveText("The user name or the password is wrong.");
  await expect(provider.getByRole("textbox", { name: "Password" })).toHaveValue("");
  await expect(provider.getByRole("textbox", { name: "User name" })).toHaveValue("oauth");
  await accessible(provider, "the provider's login page after a wrong password");
  await signIn(provider);
  await press(provider, "Allow", "You can go back now");
  await widget.shows("You’re connected");
});

test("a person who comes back early can continue or start again", async ({ tenant }) => {
  const widget = await toRedirect(tenant);
  const first = await follow(widget);
  await first.close();
  await expect(widget.main.getByText(/^Finish signing in to /)).toBeVisible();
  await widget.button("Continue").click();
  await expect(widget.main.getByText(/^Nothing has arrived from /)).toBeVisible();
  await accessible(widget.page, "after coming back");
  const second = await follow(widget, "Start again");
  await press(second, "Allow", "You can go back now");
  await widget.shows("You’re connected");
});

test("of two tabs, the first that comes back counts", async ({ tenant }) => {
  const widget = await toRedirect(tenant);
  const first = await follow(widget);
  const second = await follow(widget, "Start again");
  await press(first, "Allow", "You can go back now");
  await press(second, "Allow", "This sign-in has already ended");
  await widget.shows("You’re connected");
});

test("Back and a replay in the provider's tab change nothing", async ({ tenant }) => {
  const widget = await toRedirect(tenant);
  const provider = await follow(widget);
  const callback = provider.waitForRequest((request) => request.url().includes("/sign-in/callback"));
  await press(provider, "Allow", "You can go back now");
  await widget.shows("You’re connected");
  await provider.goBack();
  await press(provider, "Allow", "This sign-in has already ended");
  await provider.goto((await callback).url());
  await expect(provider.getByRole("heading", { level: 1 })).toHaveText("This sign-in has already ended");
  await widget.shows("You’re connected");
});

test("a reload of the tenant's page does not lose the login", async ({ tenant, page }) => {
  const widget = await toRedirect(tenant);
  const provider = await follow(widget);
  await page.reload();
  await tenant.connect.click();
  await tenant.widget.shows("Sign in on the provider’s page");
  await press(provider, "Allow", "You can go back now");
  await tenant.widget.shows("You’re connected");
});

test("a refusal is named, and the person can try again", async ({ tenant }) => {
  const widget = await toRedirect(tenant);
  await press(await follow(widget), "Don’t allow", "You didn’t allow access");
  await widget.shows("The request was declined");
  expect((await tenant.argument("onAccountError"))?.["errorCode"]).toBe("INVALID_MFA");
});

for (const [name, title, heading] of [
  ["Fail with server_error", "The provider could not sign you in", /isn’t answering$/],
  ["Return an expired code", "You can go back now", "Time ran out"],
  ["Allow, and connect slowly", "You can go back now", "You’re connected"],
] as const) {
  test(`the widget shows the outcome of the button: ${name}`, async ({ tenant }) => {
    const widget = await toRedirect(tenant);
    await press(await follow(widget), name, title);
    await widget.shows(heading);
  });
}

test("a response of another provider is rejected, and the login still waits", async ({ tenant }) => {
  const widget = await toRedirect(tenant);
  const provider = await follow(widget);
  await press(provider, "Return the iss of another provider", "The response did not come from your provider");
  await accessible(provider, "the page of a rejected response");
  await press(await follow(widget, "Start again"), "Allow", "You can go back now");
  await widget.shows("You’re connected");
});

test("a response at the callback address of another provider is rejected", async ({ tenant }) => {
  const widget = await toRedirect(tenant);
  const provider = await follow(widget);
  // A page that sends the person on to another provider, with the callback address that is registered there.
  const own = provider.url();
  const other = own.replace(`callback%2F${PROVIDER_ID}`, "callback%2Fmx_government_pension");
  expect(other, "each provider has its callback address").not.toBe(own);
  await provider.goto(other);
  await press(provider, "Allow", "The response did not come from your provider");
  await press(await follow(widget, "Start again"), "Allow", "You can go back now");
  await widget.shows("You’re connected");
});

test("a response in another browser is rejected", async ({ tenant, browser }) => {
  const widget = await toRedirect(tenant);
  const provider = await follow(widget);
  const other = await (await browser.newContext()).newPage();
  await other.goto(provider.url());
  await signIn(other);
  await press(other, "Allow", "This sign-in was started in another browser");
  await other.context().close();
  await press(provider, "Allow", "You can go back now");
  await widget.shows("You’re connected");
});

test("the ticket, the state and the code are in no storage, log, callback or webhook", async ({ tenant, page }) => {
  const logged: string[] = [];
  page.on("console", (message) => logged.push(message.text()));
  const widget = await toRedirect(tenant);
  const secrets = [(await link(widget).getAttribute("href"))!.split(".").pop()!];
  const provider = await follow(widget);
  const asked = new URL(provider.url()).searchParams;
  const callback = provider.waitForRequest((request) => request.url().includes("/sign-in/callback"));
  await press(provider, "Allow", "You can go back now");
  secrets.push(asked.get("state")!, new URL((await callback).url()).searchParams.get("code")!);
  await widget.shows("You’re connected");
  const accountId = (await tenant.argument("onAccountConnected"))?.["accountId"];
  const types = async (): Promise<unknown[]> => (await tenant.received(accountId)).map(({ type }) => type);
  // Reading the data takes longer than a response on a busy machine.
  await expect.poll(types, { timeout: 60_000 }).toContain("TASK_FINISHED");
  const stored = await provider.evaluate(() => [{ ...localStorage }, { ...sessionStorage }, history.state, location.href]);
  const data = process.env["LINCHPIN_DATA"] as string;
  const found = [
    ["console", logged.join("\n")],
    ["callbacks", JSON.stringify(await tenant.lines())],
    ["webhooks", await (await page.request.get("/received")).text()],
    ["the last page", JSON.stringify(stored)],
    ...(await filesOf(join(data, ".."))),
  ] as const;
  for (const secret of secrets) {
    for (const [place, text] of found) expect(text.includes(secret), place).toBe(false);
  }
});
