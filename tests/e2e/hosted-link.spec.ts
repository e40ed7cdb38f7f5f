/** Tests a hosted link as a person opens it: in browsers and in the windows of apps, from the address to the return. */
import { join } from "node:path";
import type { Page, TestInfo } from "@playwright/test";
import { accessible, reflows } from "./support/axe";
import { pressApart } from "./support/presses";
import { showsLogin, signIn } from "./support/provider";
import { rest, sandbox, type Keys } from "./support/rest";
import { expect, test, Widget } from "./support/widget";

const APP = "com.example.app:/linked";

/** The tenant's server, with a separate link template. */
class Backend {
  private constructor(
    readonly keys: Keys,
    readonly templateId: string,
    readonly linked: string,
  ) {}

  static async of(baseURL: string | undefined): Promise<Backend> {
    const keys = await sandbox();
    const { consentTemplateId } = await rest(keys, "GET", `/linkTemplates/${keys.linkTemplateId}`);
    const linked = new URL("/?from=link", baseURL).href;
    const template = { name: "Hosted", companyName: "Crédito Sol", consentTemplateId, redirectUrls: [linked, APP] };
    return new Backend(keys, (await rest(keys, "POST", "/linkTemplates", template)).id, linked);
  }

  create(fields: object = {}): Promise<{ id: string; url: string }> {
    const body = { templateId: this.templateId, redirectUrl: this.linked, ...fields };
    return rest(this.keys, "POST", "/linkSessions", body);
  }

  read({ id }: { id: string }): Promise<any> {
    return rest(this.keys, "GET", `/linkSessions/${id}`);
  }
}

function heading(page: Page) {
  return page.getByRole("heading", { level: 1 });
}

async function widgetOn(page: Page): Promise<Widget> {
  const widget = new Widget(page, page.frameLocator("dialog iframe"));
  await widget.heading.waitFor();
  return widget;
}

async function enter(page: Page, url: string): Promise<Widget> {
  await page.goto(url);
  await page.getByRole("button", { name: "Link an account" }).click();
  return widgetOn(page);
}

async function lookAt(page: Page, info: TestInfo, screen: string): Promise<void> {
  await accessible(page, screen);
  await reflows(page, screen);
  const name = `hosted-link-${screen.replaceAll(" ", "-")}.png`;
  const folder = process.env["LINCHPIN_PICTURES"];
  await page.screenshot({ path: folder ? join(folder, name) : info.outputPath(name), fullPage: true });
}

test.beforeEach(async ({ page }) => {
  page.on("console", (message) => {
    expect(/Content Security Policy|Trusted ?Type|panicked/i.test(message.text()), message.text()).toBe(false);
  });
  // A browser that blocks every popup.
  await page.addInitScript(() => void (window.open = () => null));
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1280]) {
    test.describe(`in the ${colorScheme} theme, at ${width} pixels`, () => {
      test.use({ colorScheme, viewport: { width, height: 740 } });

      test("a person links an account by a hosted link and returns with its status", async ({ page, baseURL, context }, info) => {
        const look = (screen: string) => lookAt(page, info, `${screen}-${width}-${colorScheme}`);
        const backend = await Backend.of(baseURL);
        const link = await backend.create();
        await page.goto(link.url);
        await expect(heading(page)).toHaveText("Crédito Sol asks you to link an account.");
        await look("first page");
        await page.getByRole("button", { name: "Link an account" }).click();
        await (await widgetOn(page)).agree();
        expect((await backend.read(link)).status).toBe("OPENED");

        // The person continues after a reload, and with the address again. A consent counts in its session only.
        await page.reload();
        await (await widgetOn(page)).agree();
        await page.goto(link.url);
        await page.waitForURL("**/visit");
        const widget = await widgetOn(page);
        await look("page under the widget");
        await widget.link("good");
        await widget.shows("You’re connected");
        await widget.button("Done").click();
        await page.waitForURL(`${backend.linked}&linkSessionId=${link.id}&status=COMPLETED`);
        expect(context.pages(), "no page opens another one").toHaveLength(1);
        const read = await backend.read(link);
        expect(read).toMatchObject({ status: "COMPLETED", lastPage: "ConnectSuccessPageOpened" });
        expect(read.accounts).toHaveLength(1);
      });

      test("other browsers and late people see what to do", async ({ page, baseURL, context }, info) => {
        const look = (screen: string) => lookAt(page, info, `${screen}-${width}-${colorScheme}`);
        const backend = await Backend.of(baseURL);
        const link = await backend.create();
        await enter(page, link.url);
        await context.clearCookies();
        expect((await page.goto(link.url))?.status()).toBe(410);
        await expect(heading(page)).toHaveText("This link was already used");
        await expect(page.getByText("ask Crédito Sol for a new link")).toBeVisible();
        await look("used");
        expect((await page.goto(new URL("/l/none", link.url).href))?.status()).toBe(404);
        await look("unknown");
      });
    });
  }
}

/** Goes from the address to the login page of the sandbox's provider, in the same tab. */
async function leave(page: Page, url: string): Promise<Widget> {
  pressApart(page);
  const widget = await enter(page, url);
  await widget.link("oauth");
  await widget.shows("Sign in on the provider’s page");
  await widget.button(/^Continue to /).click();
  await showsLogin(page);
  return widget;
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}

test("a login on the provider's page leads away in the same tab and comes back", async ({ page, baseURL, context }) => {
  const backend = await Backend.of(baseURL);
  const link = await backend.create();
  const widget = await leave(page, link.url);
  expect(await page.evaluate(() => document.referrer), "the provider sees no address").toBe("");
  await signIn(page);
  await press(page, "Allow");
  await widget.shows("You’re connected");
  expect(new URL(page.url()).pathname + new URL(page.url()).search, "the address is clean").toBe("/visit?widget");
  expect(context.pages(), "no page opens another one").toHaveLength(1);
  await widget.button("Done").click();
  await page.waitForURL(`${backend.linked}&linkSessionId=${link.id}&status=COMPLETED`);
  expect((await backend.read(link)).accounts).toHaveLength(1);
});

test("Back and a reload on the way to the provider lose nothing", async ({ page, baseURL }) => {
  const backend = await Backend.of(baseURL);
  const link = await backend.create();
  const widget = await leave(page, link.url);
  await page.goBack();
  await widget.shows("Sign in on the provider’s page");
  await page.reload();
  await widget.shows("Sign in on the provider’s page");
  await accessible(page, "the widget before the login");
  await widget.button(/^Continue to /).click();
  await showsLogin(page);
  await page.reload();
  await signIn(page);
  await press(page, "Allow");
  await widget.shows("You’re connected");
  // Back leads to the provider's page, whose response has already counted.
  await page.goBack();
  await press(page, "Allow");
  await expect(heading(page)).toHaveText("This sign-in has already ended");
  await accessible(page, "the page of a sign-in that has ended");
  await reflows(page, "the page of a sign-in that has ended");
  await page.getByRole("link", { name: "Continue in this window" }).click();
  await page.waitForURL("**/visit?widget");
  await widget.heading.waitFor();
});

test("a person who refuses on the provider's page is back at the widget", async ({ page, baseURL }) => {
  const backend = await Backend.of(baseURL);
  const widget = await leave(page, (await backend.create()).url);
  await signIn(page);
  await press(page, "Don’t allow");
  await widget.shows("The request was declined");
});

test("a person who closes the widget returns, and can come back to complete", async ({ page, baseURL }) => {
  const backend = await Backend.of(baseURL);
  const link = await backend.create();
  const widget = await enter(page, link.url);
  await widget.agree();
  await page.keyboard.press("Escape");
  await page.waitForURL(`${backend.linked}&linkSessionId=${link.id}&status=CLOSED`);
  expect(await backend.read(link)).toMatchObject({ status: "CLOSED", lastPage: "ProviderListPageOpened" });
  await page.goto(link.url);
  const again = await widgetOn(page);
  await again.link("good");
  await again.shows("You’re connected");
  await expect.poll(async () => (await backend.read(link)).status).toBe("COMPLETED");
});

test("the page of an app begins at once, and shows a link if the app does not open", async ({ page, baseURL }) => {
  const backend = await Backend.of(baseURL);
  const link = await backend.create({ redirectUrl: APP, isMobileApp: true });
  await page.goto(link.url);
  const widget = await widgetOn(page);
  await widget.agree();
  await page.keyboard.press("Escape");
  const back = page.getByRole("link", { name: "Continue to Crédito Sol" });
  await expect(back).toHaveAttribute("href", `${APP}?linkSessionId=${link.id}&status=CLOSED`);
  await expect(back).toBeFocused();
  await expect(page.locator("#connect")).toBeHidden();
});

test("a link without an address to return to ends on its page", async ({ page, baseURL }) => {
  const backend = await Backend.of(baseURL);
  const link = await backend.create({ redirectUrl: null });
  const widget = await enter(page, link.url);
  await widget.agree();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("status")).toHaveText(/closed the window before an account was linked/);
  expect((await backend.read(link)).status).toBe("CLOSED");
  await page.locator("#connect").click();
  const again = await widgetOn(page);
  await again.link("good");
  await again.shows("You’re connected");
  await again.button("Done").click();
  await page.waitForURL("**/visit/done");
  await expect(heading(page)).toHaveText("Your account is linked.");
});

const APP_WINDOWS = {
  "ASWebAuthenticationSession":
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  "Auth Tab and Custom Tab":
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
  "WKWebView": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
  "Android WebView":
    "Mozilla/5.0 (Linux; Android 16; Pixel 9; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36",
};

for (const [window, userAgent] of Object.entries(APP_WINDOWS)) {
  test.describe(`as ${window}`, () => {
    test.use({ userAgent, hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });

    test("a person links and returns", async ({ page, baseURL, context }) => {
      const backend = await Backend.of(baseURL);
      const link = await backend.create({ isMobileApp: true });
      await page.goto(link.url);
      const widget = await widgetOn(page);
      await widget.link("good");
      await widget.shows("You’re connected");
      await widget.button("Done").click();
      await page.waitForURL(`${backend.linked}&linkSessionId=${link.id}&status=COMPLETED`);
      expect(context.pages()).toHaveLength(1);
    });
  });
}
