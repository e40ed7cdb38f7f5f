/** Tests the hosted pages that an invited person sees, from the link in the email to the success page. */
import type { Page } from "@playwright/test";
import { accessible, reflows } from "./support/axe";
import { picture } from "./support/picture";
import { pressApart } from "./support/presses";
import { signIn } from "./support/provider";
import { rest, sandbox, type Keys } from "./support/rest";
import { expect, test, Widget } from "./support/widget";

interface Invite {
  id: string;
  status: string;
  landingPageUrl: string;
  linkTemplateId: string;
  userId: string;
}

/** The tenant's server, which has the API keys. */
class Backend {
  readonly #keys: Keys;

  private constructor(keys: Keys) {
    this.#keys = keys;
  }

  static async of(): Promise<Backend> {
    return new Backend(await sandbox());
  }

  call(method: string, path: string, body?: object): Promise<any> {
    return rest(this.#keys, method, path, body);
  }

  /** Creates an invitation with a separate link template, so that its form and brand affect no other test. */
  async invite(form?: object, theme?: object): Promise<Invite> {
    const { id: linkTemplateId } = await this.call("POST", "/linkTemplates", {
      name: "Invited",
      companyName: "Crédito Sol",
      consentTemplateId: (await this.call("GET", `/linkTemplates/${this.#keys.linkTemplateId}`)).consentTemplateId,
      allowedOrigins: [],
      ...(form && { form }),
      ...(theme && { theme }),
    });
    return this.call("POST", "/invites", {
      fullName: "Ana Ruiz",
      emailAddress: "ana@example.com",
      inviteTemplateId: this.#keys.inviteTemplateId,
      linkTemplateId,
    });
  }

  async status(invite: Invite): Promise<string> {
    return (await this.call("GET", `/invites/${invite.id}`)).status;
  }
}

const FORM = {
  name: "About the loan",
  reference: "loan-2026",
  fields: [
    { name: "purpose", label: "What is it for?", type: "CHOICE", required: true, choices: ["Car", "Home"] },
    { name: "email", label: "E-mail", type: "EMAIL", required: true },
    { name: "truth", label: "What I say is true", type: "CHECKBOX", required: true },
    { name: "notes", label: "Anything else?", type: "TEXT", help: "As much as you like" },
  ],
};

function heading(page: Page) {
  return page.getByRole("heading", { level: 1 });
}

function widgetOn(page: Page): Widget {
  return new Widget(page, page.frameLocator("dialog iframe"));
}

/** Goes from the link in the email to the page that opens the widget. */
async function enter(page: Page, invite: Invite): Promise<Widget> {
  await page.goto(invite.landingPageUrl);
  await page.locator("main form button").click();
  const widget = widgetOn(page);
  await widget.heading.waitFor();
  return widget;
}

test.beforeEach(({ page }) => {
  page.on("console", (message) => {
    const isBroken = /Content Security Policy|Trusted ?Type|panicked/i.test(message.text());
    expect(isBroken, message.text()).toBe(false);
  });
});

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme} theme, at 320 pixels`, () => {
    test.use({ colorScheme, viewport: { width: 320, height: 640 } });

    test("an invited person submits the form, links an account and sees the success page", async ({ page }) => {
      const look = async (screen: string): Promise<void> => {
        await accessible(page, screen);
        await reflows(page, screen);
      };
      const backend = await Backend.of();
      const invite = await backend.invite(FORM);

      await page.goto(invite.landingPageUrl);
      await expect(heading(page)).toContainText("Ana Ruiz");
      await look("landing page");
      await expect.poll(() => backend.status(invite)).toBe("LANDING_PAGE_OPENED");
      await page.locator("main form button").click();

      await expect(heading(page)).toHaveText("About the loan");
      await look("form");
      await page.getByLabel("E-mail").fill("ana");
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByRole("alert")).toHaveText("Please correct the fields marked below.");
      await expect(page.getByLabel("E-mail"), "typed text stays").toHaveValue("ana");
      await expect(page.getByLabel("What is it for?"), "the first invalid field gets the focus").toBeFocused();
      await look("form with faults");
      await page.getByLabel("What is it for?").selectOption("Car");
      await page.getByLabel("E-mail").fill("ana@example.com");
      await page.getByLabel("What I say is true").check();
      await page.getByRole("button", { name: "Continue" }).click();

      const widget = widgetOn(page);
      await widget.heading.waitFor();
      await look("page under the widget");
      await widget.link("good");
      await widget.shows("You’re connected");
      await expect.poll(() => backend.status(invite)).toBe("LINKED");
      await widget.button("Done").click();
      await page.waitForURL("**/visit/done");
      await look("success page");
      const forms = await backend.call("GET", `/alpha/forms?userId=${invite.userId}`);
      expect(forms.items[0].data).toEqual({ purpose: "Car", email: "ana@example.com", truth: true, notes: null });
    });

    test("unknown and used links have pages that say what to do", async ({ page, context }) => {
      const backend = await Backend.of();
      const nowhere = new URL("/invite/none", (await backend.invite()).landingPageUrl);
      expect((await page.goto(nowhere.href))?.status()).toBe(404);
      await accessible(page, "nowhere");
      await reflows(page, "nowhere");

      const invite = await backend.invite();
      await enter(page, invite);
      await context.clearCookies();
      await page.goto(invite.landingPageUrl);
      await expect(heading(page)).toHaveText("This link was already used");
      await accessible(page, "used");
      await reflows(page, "used");
      await page.getByRole("button", { name: "Send me a new link" }).click();
      await expect(heading(page), "one mail a minute at the most").toHaveText("We sent you an email less than a minute ago");
      await accessible(page, "asked again too early");
      await reflows(page, "asked again too early");
    });
  });
}

test("an invited person signs in on the provider's page in the same tab, and is done", async ({ page, context }) => {
  const backend = await Backend.of();
  pressApart(page);
  const invite = await backend.invite();
  const widget = await enter(page, invite);
  await widget.link("oauth");
  await widget.shows("Sign in on the provider’s page");
  await widget.button(/^Continue to /).click();
  await signIn(page);
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await widget.shows("You’re connected");
  expect(context.pages(), "no page opens another one").toHaveLength(1);
  await widget.button("Done").click();
  await page.waitForURL("**/visit/done");
  await expect.poll(() => backend.status(invite)).toBe("LINKED");
});

test("the button to the provider's page says when it cannot lead there", async ({ page }) => {
  const backend = await Backend.of();
  pressApart(page);
  const widget = await enter(page, await backend.invite());
  await page.route("**/visit/sign-in/*", (route) => route.fulfill({ status: 429 }));
  await widget.link("oauth");
  await widget.shows("Sign in on the provider’s page");
  await widget.button(/^Continue to /).click();
  const status = page.getByRole("status");
  await expect(status).toHaveText((await status.getAttribute("data-limited")) as string);
  await page.unroute("**/visit/sign-in/*");
  await page.locator("#connect").click();
  await widget.shows("Sign in on the provider’s page");
  await widget.button(/^Continue to /).click();
  await signIn(page);
});

test("the widget can be opened again after an early close", async ({ page }) => {
  const backend = await Backend.of();
  const widget = await enter(page, await backend.invite());
  await widget.agree();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("status")).toHaveText(/closed the window before an account was linked/);
  const button = page.locator("#connect");
  await expect(button).toBeFocused();
  await button.click();
  await widget.heading.waitFor();
  await expect(widget.main, "a new launch with a new token").toBeVisible();
});

test("opening the email's link again returns to the visit", async ({ page }) => {
  const backend = await Backend.of();
  const invite = await backend.invite();
  await enter(page, invite);
  // A webmail page is another site.
  const mail = `<!doctype html><title>Mail</title><a href="${invite.landingPageUrl}">Link an account</a>`;
  await page.route("http://mail.example/", (route) => route.fulfill({ contentType: "text/html", body: mail }));
  await page.goto("http://mail.example/");
  await page.getByRole("link").click();
  await page.waitForURL("**/visit");
  const widget = widgetOn(page);
  await widget.link("good");
  await widget.shows("You’re connected");
  await expect.poll(() => backend.status(invite)).toBe("LINKED");
});

for (const { locale, lang, dir, greeting, fault, thanks } of [
  {
    locale: "en-US",
    lang: "en",
    dir: "ltr",
    greeting: "Hello Ana Ruiz",
    fault: "This must be an email address, like name@example.com.",
    thanks: "Thank you, Ana Ruiz",
  },
  {
    locale: "ar-EG",
    lang: "ar",
    dir: "rtl",
    greeting: "مرحبًا \u2068Ana Ruiz\u2069",
    fault: "أدخل عنوان بريد إلكتروني، مثل \u2066name@example.com\u2069.",
    thanks: "شكرًا لك، \u2068Ana Ruiz\u2069",
  },
]) {
  for (const colorScheme of ["light", "dark"] as const) {
    test.describe(`in a browser of ${locale} in the ${colorScheme} theme`, () => {
      test.use({ locale, colorScheme });

      test("the pages and the widget speak its language and have the brand", async ({ page }) => {
        const look = async (screen: string): Promise<void> => {
          for (const width of [1280, 360]) {
            await page.setViewportSize({ width, height: 800 });
            await accessible(page, screen);
            await reflows(page, screen);
          }
        };
        const theme = {
          accent: "#b3402d",
          accentDark: "#ff9c8a",
          radius: 4,
          font: "SERIF",
          logoLight: picture(160, 160, [179, 64, 45]),
          logoDark: picture(160, 160, [255, 156, 138]),
        };
        const backend = await Backend.of();
        const invite = await backend.invite(FORM, theme);
        await page.goto(invite.landingPageUrl);
        const root = page.locator("html");
        await expect(root).toHaveAttribute("lang", lang);
        await expect(root).toHaveAttribute("dir", dir);
        await expect(heading(page)).toHaveText(greeting);
        const drawn = page.locator("header img").evaluate((logo: HTMLImageElement) => [logo.currentSrc, logo.width, logo.naturalWidth]);
        const logos = (await backend.call("GET", `/linkTemplates/${invite.linkTemplateId}`)).theme;
        expect(await drawn).toEqual([colorScheme === "dark" ? logos.logoDark : logos.logoLight, 36, 84]);
        const button = page.locator("main form button");
        await expect(button).toHaveCSS("border-radius", "4px");
        await expect(button).toHaveCSS("background-color", colorScheme === "dark" ? "rgb(255, 156, 138)" : "rgb(179, 64, 45)");
        await expect(button).toHaveCSS("font-family", /^Charter,/);
        await look("landing");

        await button.click();
        await expect(heading(page)).toHaveText("About the loan");
        await expect(heading(page), "at the side of the page").toHaveCSS("text-align", dir === "rtl" ? "end" : "start");
        // The form has no translation, so its questions name their language on the Arabic page.
        const foreign = page.locator("main [lang=en][dir=ltr]", { hasText: "Anything else?" });
        await expect(foreign).toHaveCount(lang === "en" ? 0 : 1);
        await page.locator("[type=email]").fill("ana");
        await page.locator("main form button").click();
        await expect(page.getByText(fault)).toBeVisible();
        await look("questions");
        await page.locator("select").selectOption("Car");
        await page.locator("[type=email]").fill("ana@example.com");
        await page.locator("[type=checkbox]").check();
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.locator("main form button").click();

        const widget = widgetOn(page);
        await widget.heading.waitFor();
        await expect(page.frameLocator("dialog iframe").locator("html")).toHaveAttribute("lang", lang);
        await page.goto(new URL("/visit/done", invite.landingPageUrl).href);
        await expect(heading(page)).toHaveText(thanks);
        await look("done");
      });
    });
  }
}
