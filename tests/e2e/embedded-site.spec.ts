/**
 * Tests link sites in frames on a page of another site, in a browser that blocks third-party cookies: the shop is on
 * `localhost`, the hosted pages are on `127.0.0.1`.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Frame, FrameLocator, Page } from "@playwright/test";
import { accessible, checkAtWidths, reflows } from "./support/axe";
import { rest } from "./support/rest";
import { expect, test, Widget } from "./support/widget";

test.use({
  launchOptions: {
    executablePath: process.env["LINCHPIN_CHROMIUM"] as string,
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--test-third-party-cookie-phaseout"],
  },
});

const SERVICE = process.env["LINCHPIN_SERVICE_URL"] as string;

interface Keys {
  apiKey: string;
  apiSecret: string;
  linkTemplateId: string;
}

interface Site {
  id: string;
  url: string;
}

/** A tenant's own server: each path has a page. */
interface Shop {
  origin: string;
  pages: Record<string, string>;
  close(): void;
}

async function openShop(host = "localhost"): Promise<Shop> {
  const pages: Record<string, string> = {};
  const server = createServer(({ url }, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(pages[new URL(url!, "http://shop").pathname] ?? "<!doctype html><title>Nothing</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return { origin: `http://${host}:${(server.address() as AddressInfo).port}`, pages, close: () => server.close() };
}

async function sandbox(): Promise<Keys> {
  const file = join(process.env["LINCHPIN_DATA"] as string, "first-keys.json");
  return JSON.parse(await readFile(file, "utf8")).sandbox;
}

let last = 0;

/** Publishes a site that pages of the shop may embed. */
async function publish(keys: Keys, shop: Shop, change: object = {}): Promise<Site> {
  const own = await rest(keys, "GET", `/linkTemplates/${keys.linkTemplateId}`);
  const template = await rest(keys, "POST", "/linkTemplates", {
    name: "Embedded",
    companyName: "Demo Company",
    consentTemplateId: own.consentTemplateId,
    allowedOrigins: [shop.origin],
  });
  last += 1;
  return rest(keys, "POST", "/alpha/linkSites", {
    name: "Loans",
    slug: `framed-${process.pid}-${Date.now()}-${last}`,
    status: "PUBLISHED",
    linkTemplateId: template.id,
    steps: ["FORM", "WIDGET", "THANK_YOU"],
    form: {
      name: "About the loan",
      reference: "loan-2026",
      fields: [
        { name: "purpose", label: "What is it for?", type: "CHOICE", required: true, choices: ["Car", "Home"] },
        { name: "story", label: "Tell us more", type: "LONG_TEXT" },
        { name: "amount", label: "How much?", type: "NUMBER", help: "In pesos" },
        { name: "campaign", label: "Campaign", type: "HIDDEN" },
      ],
    },
    prefill: ["campaign"],
    embedOrigins: [shop.origin],
    startPage: { title: "Apply for a loan", text: "A few questions, and the account of your employer." },
    endPage: { title: "All done", text: "We will write to you within two days." },
    ...change,
  });
}

/** Returns a page with text around its sites. It counts the events of each place. */
function pageWith(...sites: Site[]): string {
  const places = sites.map(({ url }, place) => {
    return `<div id="site-${place}" data-linchpin-site="${url}" data-linchpin-prefill="campaign"></div><p>Text of the shop.</p>`;
  });
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Shop</title>
    <style>body { font-family: system-ui; margin: 16px; color-scheme: light dark }</style>
    <main><h1>The shop</h1>${places.join("")}</main>
    <script>
      window.heard = [];
      for (const name of ["linchpin:submitted", "linchpin:ended"]) {
        addEventListener(name, ({ target, detail }) => heard.push([target.id, name, detail.linkSiteSessionId]));
      }
    </script>
    <script src="${SERVICE}/sdk/embed.js" defer></script></html>`;
}

const heard = (page: Page): Promise<string[][]> => page.evaluate(() => (window as any).heard);

const site = (page: Page, place: number): FrameLocator => page.frameLocator(`#site-${place} > iframe`);

async function frameOf(page: Page, place: number): Promise<Frame> {
  const element = await page.locator(`#site-${place} > iframe`).elementHandle();
  return (await element!.contentFrame())!;
}

/** Waits until a frame is as high as its page. */
async function fits(page: Page, place: number): Promise<number> {
  let height = 0;
  await expect(async () => {
    const frame = await frameOf(page, place);
    const [content, window] = await frame.evaluate(() => [document.body.getBoundingClientRect().height, innerHeight]);
    expect(Math.abs(content! - window!)).toBeLessThanOrEqual(1);
    height = window!;
  }).toPass({ timeout: 15_000 });
  return height;
}

async function press(frame: FrameLocator, name = "Continue"): Promise<void> {
  await frame.getByRole("button", { name }).click();
}

/** Sends the form, again if the service takes the person for a program. */
async function send(frame: FrameLocator, next: string): Promise<void> {
  await expect(async () => {
    const button = frame.getByRole("button", { name: "Continue" });
    if (await button.isVisible()) await button.click();
    await expect(frame.getByRole("heading", { level: 1 })).toHaveText(next, { timeout: 1_500 });
  }).toPass();
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1280]) {
    test.describe(`in the ${colorScheme} theme, at ${width} pixels`, () => {
      test.use({ colorScheme, viewport: { width, height: 740 } });

      test("a person links an account in one of two frames on a page", async ({ page, context }) => {
        const look = async (name: string): Promise<void> => {
          await reflows(page, name);
          const folder = process.env["LINCHPIN_PICTURES"];
          const path = join(folder ?? "", `embedded-${name}-${width}-${colorScheme}.png`);
          if (folder) await page.screenshot({ path, fullPage: true });
        };
        const [keys, shop] = [await sandbox(), await openShop()];
        const [one, other] = [await publish(keys, shop), await publish(keys, shop)];
        shop.pages["/"] = pageWith(one, other);
        await page.goto(`${shop.origin}/?campaign=spring&private=1`);
        const frame = site(page, 0);
        await expect(frame.getByRole("heading", { level: 1 })).toHaveText("Apply for a loan");
        const first = await fits(page, 0);
        await expect(page.locator("#site-0 > iframe")).toHaveAttribute("title", "Apply for a loan");
        expect((await frameOf(page, 0)).url(), "only the listed name is passed on").toBe(`${one.url}/embed?campaign=spring`);
        await look("start");
        await press(frame);
        await expect(frame.getByRole("heading", { level: 1 })).toHaveText("About the loan");
        expect(await fits(page, 0), "the form is higher").toBeGreaterThan(first);
        await look("form");
        await frame.getByLabel("How much?").fill("a lot");
        // The service takes a person who sends the form within two seconds for a program.
        await expect(async () => {
          await press(frame);
          await expect(frame.getByLabel("What is it for?")).toHaveAttribute("aria-invalid", "true", { timeout: 1_500 });
        }).toPass();
        // The page around the frame shows the first wrong answer, which has the focus.
        await expect(frame.getByLabel("What is it for?")).toBeFocused();
        await expect(frame.getByLabel("What is it for?")).toBeInViewport();
        await look("faults");
        await accessible(page, "a form in a frame");
        await frame.getByLabel("What is it for?").selectOption("Car");
        await frame.getByLabel("How much?").fill("1250.50");
        await send(frame, "Apply for a loan");

        const widget = new Widget(page, frame.frameLocator("dialog iframe"));
        await widget.heading.waitFor();
        await expect(async () => {
          expect(await (await frameOf(page, 0)).evaluate(() => innerHeight), "room for the widget").toBeGreaterThanOrEqual(680);
        }).toPass();
        await look("widget");
        await widget.link("good");
        await widget.shows("You’re connected");
        await widget.button("Done").click();
        await expect(frame.getByRole("heading", { level: 1 })).toHaveText("All done");
        await fits(page, 0);
        await look("end");

        const [form] = (await rest(keys, "GET", `/alpha/forms?linkSiteId=${one.id}`)).items;
        expect(form.data).toMatchObject({ purpose: "Car", amount: "1250.5", campaign: "spring" });
        expect(await heard(page)).toEqual([
          ["site-0", "linchpin:submitted", form.linkSiteSessionId],
          ["site-0", "linchpin:ended", form.linkSiteSessionId],
        ]);
        const accounts = await rest(keys, "GET", `/accounts?linkSiteSessionId=${form.linkSiteSessionId}`);
        expect(accounts.items).toHaveLength(1);
        await expect(site(page, 1).getByRole("heading", { level: 1 })).toHaveText("Apply for a loan");
        expect(await context.cookies(), "no frame has set a cookie").toEqual([]);
        shop.close();
      });
    });
  }
}

test("a person who reloads the page of the tenant continues their visit", async ({ page }) => {
  const [keys, shop] = [await sandbox(), await openShop()];
  const one = await publish(keys, shop);
  shop.pages["/"] = pageWith(one);
  await page.goto(shop.origin);
  const frame = site(page, 0);
  await press(frame);
  await frame.getByLabel("Tell us more").fill("It is red.");
  await frame.getByLabel("What is it for?").selectOption("Car");
  await expect
    .poll(async () => (await rest(keys, "GET", `/alpha/forms?linkSiteId=${one.id}&status=STARTED`)).items[0]?.data)
    .toMatchObject({ purpose: "Car" });
  await page.goto("about:blank");
  await page.goto(shop.origin);
  await expect(frame.getByLabel("Tell us more")).toHaveValue("It is red.");
  expect(await page.evaluate(() => scrollY), "a page that the person only reloaded does not scroll").toBe(0);
  shop.close();
});

test("messages of other windows change no frame", async ({ page }) => {
  const [keys, shop] = [await sandbox(), await openShop()];
  const one = await publish(keys, shop);
  shop.pages["/foreign"] = `<!doctype html><title>Foreign</title><script>
    for (const message of [{ height: 5000 }, { event: "ended", linkSiteSessionId: "visit-1" }, { top: 0 }]) {
      parent.postMessage({ linchpin: "site", ...message }, "*");
    }
    parent.postMessage("done", "*");
  </script>`;
  shop.pages["/"] = pageWith(one);
  await page.goto(shop.origin);
  await expect(site(page, 0).getByRole("heading", { level: 1 })).toBeVisible();
  const height = await fits(page, 0);
  await page.evaluate(() => {
    return new Promise<void>((resolve) => {
      addEventListener("message", ({ data }) => data === "done" && requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
      const foreign = Object.assign(document.createElement("iframe"), { src: "/foreign", title: "Foreign" });
      document.body.append(foreign);
      postMessage({ linchpin: "site", height: 5000 }, "*");
    });
  });
  expect(await fits(page, 0)).toBe(height);
  expect(await heard(page)).toEqual([]);
  // The window of the site has no power beyond the limits either.
  const frame = await frameOf(page, 0);
  await frame.evaluate((to) => parent.postMessage({ linchpin: "site", height: 1e9 }, to), shop.origin);
  await expect(page.locator("#site-0 > iframe")).toHaveCSS("height", "10000px");
  shop.close();
});

test("a page whose origin is not listed shows nothing of the site", async ({ page }) => {
  const [keys, shop, stranger] = [await sandbox(), await openShop(), await openShop()];
  const one = await publish(keys, shop);
  stranger.pages["/"] = pageWith(one);
  const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
  await page.goto(stranger.origin);
  await refused;
  expect((await frameOf(page, 0)).url()).toBe("chrome-error://chromewebdata/");
  // The pages with a cookie are in no frame, also not on the listed page.
  shop.pages["/"] = `<!doctype html><title>Shop</title><iframe src="${one.url}" title="Site"></iframe>`;
  const blocked = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
  await page.goto(shop.origin);
  await blocked;
  for (const it of [shop, stranger]) it.close();
});

test("the page at the end opens only by a press, in the whole window", async ({ page }) => {
  const [keys, shop] = [await sandbox(), await openShop()];
  // A redirect is an https URL, so the browser cannot load this one.
  const one = await publish(keys, shop, { steps: ["FORM", "THANK_YOU"] });
  const template = (await rest(keys, "GET", `/alpha/linkSites/${one.id}`)).linkTemplateId;
  const origins = { allowedOrigins: [shop.origin, "https://end.example"] };
  await rest(keys, "PATCH", `/linkTemplates/${template}`, origins);
  const endPage = { title: "All done", text: "Thank you.", redirectUrl: "https://end.example/thanks" };
  await rest(keys, "PATCH", `/alpha/linkSites/${one.id}`, { endPage });
  await page.route("https://end.example/**", (route) => route.fulfill({ contentType: "text/html", body: "<title>Thanks</title>" }));
  shop.pages["/"] = pageWith(one);
  await page.goto(shop.origin);
  const frame = site(page, 0);
  await press(frame);
  await frame.getByLabel("What is it for?").selectOption("Home");
  await send(frame, "All done");
  await expect.poll(() => heard(page)).toHaveLength(2);
  const [[, , visit]] = (await heard(page)) as [string[]];
  await frame.getByRole("link", { name: "Continue to Demo Company" }).click();
  await page.waitForURL(`https://end.example/thanks?linkSiteSessionId=${visit}`);
  shop.close();
});

test("the whole flow works in a plain frame without the script of the service", async ({ page }) => {
  const [keys, shop] = [await sandbox(), await openShop()];
  const one = await publish(keys, shop, { steps: ["FORM", "THANK_YOU"] });
  shop.pages["/"] = `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1>
    <div id="site-0"><iframe src="${one.url}/embed" title="Loan" width="340" height="700"></iframe></div></main></html>`;
  await page.goto(shop.origin);
  const look = checkAtWidths(page, "light", [360]);
  const frame = site(page, 0);
  await press(frame);
  await look("embedded-plain");
  await frame.getByLabel("What is it for?").selectOption("Home");
  await send(frame, "All done");
  shop.close();
});
