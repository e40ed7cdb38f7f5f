/** A step that begins on a computer and is finished on a phone. */
import { readFile } from "node:fs/promises";
import { type Browser, type BrowserContext, type Locator, type Page } from "@playwright/test";
import { accessible, reflows } from "./support/axe";
import { signIn } from "./support/provider";
import { scan } from "./support/qr";
import { expect, type Tenant, test, Widget } from "./support/widget";

/** A phone that opens the page of a scanned code. */
class Phone {
  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    readonly urls: string[],
  ) {}

  static async at(browser: Browser, address: string): Promise<Phone> {
    const viewport = { width: 390, height: 740 };
    const context = await browser.newContext({ viewport, hasTouch: true, isMobile: true });
    const page = await context.newPage();
    const urls: string[] = [];
    page.on("request", (request) => urls.push(request.url(), JSON.stringify(request.headers())));
    await page.goto(address);
    return new Phone(page, context, urls);
  }

  get widget(): Widget {
    return new Widget(this.page, this.page.frameLocator("dialog iframe"));
  }

  async continue(): Promise<Widget> {
    await this.widget.shows("Continue on this phone");
    await this.widget.button("Continue").click();
    return this.widget;
  }
}

function code(widget: Widget): Locator {
  return widget.main.getByRole("img", { name: "QR code that opens this step on your phone" });
}

/** Shows the code, and returns the address in it. */
async function offered(widget: Widget): Promise<string> {
  await widget.button("Continue on your phone").click();
  await widget.shows("Continue on your phone");
  await expect(code(widget)).toBeVisible();
  return scan(code(widget));
}

/** Goes to the upload of a payslip. */
async function toPayslip(tenant: Tenant): Promise<Widget> {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  await widget.button("I can’t find mine").click();
  await widget.frame.getByRole("textbox", { name: "Employer or provider" }).fill("Talleres Aurora");
  await widget.button("Send").click();
  await widget.button("Upload a document instead").click();
  await widget.frame.getByRole("button", { name: /^Payslip/ }).click();
  await widget.shows("Payslip");
  return widget;
}

async function toChallenge(tenant: Tenant): Promise<Widget> {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-otp");
  await widget.shows("Enter your code");
  return widget;
}

async function choose(widget: Widget): Promise<void> {
  const [name, mimeType] = ["payslip-mx.pdf", "application/pdf"];
  const file = { name, mimeType, buffer: await readFile(`docs/samples/${name}`) };
  await widget.frame.locator('input[type="file"]').first().setInputFiles(file);
}

test("a document from the phone is reported to the page on the computer", async ({ tenant, browser, page }) => {
  const computer = await toPayslip(tenant);
  const address = await offered(computer);
  expect(address).toMatch(/\/continue\/lt-[\da-f]{32}#lph_[\w-]{43}$/);
  await accessible(page, "the code");
  const phone = await Phone.at(browser, address);
  await computer.shows("You’re continuing on your phone");
  const token = address.split("#")[1]!;
  expect(phone.page.url(), "the code leaves the address bar").not.toContain(token);
  await phone.widget.shows("Continue on this phone");
  await accessible(phone.page, "on the phone");
  await reflows(phone.page, "on the phone");
  const widget = await phone.continue();
  await widget.button("Agree and continue").click();
  await widget.shows("Payslip");
  await choose(widget);
  await expect(widget.button("Submit")).not.toHaveAttribute("aria-disabled");
  await widget.button("Submit").click();
  await widget.shows("Done here");
  await computer.documentWasRead();
  expect(await tenant.argument("onUploadsCreated")).toMatchObject({ uploads: [{ type: "PAYSLIP" }] });
  await tenant.closeBy(computer.button("Done"));
  expect(await tenant.callbacks()).toEqual(["onUploadsCreated", "onClose"]);
  await widget.button("Close").last().click();
  await expect(phone.page.getByRole("status")).toHaveText("You can close this page.");
  expect(phone.urls.join("\n"), "the code is in no request").not.toContain(token);
});

test("an answer on the phone connects the account on the computer", async ({ tenant, browser }) => {
  const computer = await toChallenge(tenant);
  const phone = await Phone.at(browser, await offered(computer));
  const widget = await phone.continue();
  await expect(widget.button("Continue on your phone"), "a phone offers no other phone").toBeHidden();
  await widget.answer("9999");
  await expect(widget.main.getByText("That wasn’t right")).toBeVisible();
  await widget.answer("1234");
  await widget.shows("Done here");
  await computer.shows("You’re connected");
  await tenant.closeBy(computer.button("Done"));
  expect(await tenant.callbacks()).toEqual(["onAccountCreated", "onAccountConnected", "onClose"]);
});

test("a login on the provider's page continues on the phone", async ({ tenant, browser }) => {
  await tenant.goto();
  const computer = await tenant.open();
  await computer.link("oauth");
  await computer.shows("Sign in on the provider’s page");
  const phone = await Phone.at(browser, await offered(computer));
  const widget = await phone.continue();
  await widget.shows("Sign in on the provider’s page");
  const opened = phone.context.waitForEvent("page");
  await widget.frame.getByRole("link", { name: /^Continue to / }).click();
  const provider = await opened;
  await provider.getByRole("button", { name: /^Continue to / }).click();
  await signIn(provider);
  await provider.getByRole("button", { name: "Allow", exact: true }).click();
  await expect(provider.getByRole("heading", { level: 1 })).toHaveText("You can go back now");
  await widget.shows("Done here");
  await computer.shows("You’re connected");
});

test("a code works for one phone", async ({ tenant, browser }) => {
  const computer = await toChallenge(tenant);
  const address = await offered(computer);
  const first = await Phone.at(browser, address);
  await first.widget.shows("Continue on this phone");
  const second = await Phone.at(browser, address);
  await second.widget.shows("This code doesn’t work any more");
  await second.widget.button("Close").last().click();
  await first.page.reload();
  await expect(first.page.getByRole("status")).toHaveText("Show the code on your computer, and scan it again.");
  await computer.shows("You left the page on your phone");
  await computer.button("Show a new code").click();
  await expect(code(computer)).toBeVisible();
  const third = await Phone.at(browser, await scan(code(computer)));
  await (await third.continue()).answer("1234");
  await computer.shows("You’re connected");
});

test("an expired code offers a new one", async ({ tenant, page, browser }) => {
  const computer = await toChallenge(tenant);
  const address = await offered(computer);
  // A newer code replaces this one, as time does.
  await page.route(/\/link\/handoff$/, async (route) => {
    if (route.request().method() !== "GET") return route.fallback();
    await route.fulfill({ json: { phase: { expired: {} }, picture: null } });
  });
  await computer.shows("The code has expired");
  await page.unroute(/\/link\/handoff$/);
  await computer.button("Show a new code").click();
  await expect(code(computer)).toBeVisible();
  const late = await Phone.at(browser, address);
  await late.widget.shows("This code doesn’t work any more");
  await computer.button("Continue here instead").click();
  await computer.answer("1234");
  await computer.shows("You’re connected");
});

test("“Continue here instead” takes the step back from the phone", async ({ tenant, browser }) => {
  const computer = await toPayslip(tenant);
  const phone = await Phone.at(browser, await offered(computer));
  const widget = await phone.continue();
  await widget.button("Agree and continue").click();
  await widget.shows("Payslip");
  await computer.shows("You’re continuing on your phone");
  await computer.button("Continue here instead").click();
  await computer.shows("Payslip");
  await choose(widget);
  await widget.shows("Continue on your computer");
  await choose(computer);
  await computer.button("Submit").click();
  await computer.documentWasRead();
});

test("the page on the phone opens the widget only for a code", async ({ tenant, browser }) => {
  const widget = await toPayslip(tenant);
  const address = await offered(widget);
  const phone = await Phone.at(browser, address.replace("#lph_", "#lpt_"));
  await expect(phone.page.getByRole("status")).toHaveText("Show the code on your computer, and scan it again.");
  await expect(phone.page.locator("dialog")).toHaveCount(0);
});
