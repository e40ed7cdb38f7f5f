/**
 * Tests link sites in frames on a page of another site, in a browser that blocks third-party cookies: the shop is on
 * `localhost`, the hosted pages are on `127.0.0.1`.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { accessible, checkAtWidths, reflows } from "./support/axe";
import { pressApart } from "./support/presses";
import { signIn } from "./support/provider";
import { rest, sandbox } from "./support/rest";
import { fits, frameOf, heard, openShop, pageWith, press, publish, send, site } from "./support/shop";
import { expect, test, Widget } from "./support/widget";

test.use({
  launchOptions: {
    executablePath: process.env["LINCHPIN_CHROMIUM"] as string,
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--test-third-party-cookie-phaseout"],
  },
});

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
  // The form is the response to a form, which must not begin another visit.
  await (await frameOf(page, 0)).evaluate(() => {
    Object.assign(window, { isOld: true });
    setTimeout(() => location.reload());
  });
  const shown = async (): Promise<unknown> => (await frameOf(page, 0)).evaluate(() => (window as any).isOld ?? document.title);
  await expect.poll(() => shown().catch(() => "")).toBe("About the loan");
  await expect(frame.getByLabel("Tell us more")).toHaveValue("It is red.");
  // A failure that passes does not end the visit.
  await page.route(`${one.url}/embed`, (route) => {
    return route.request().method() === "POST" ? route.fulfill({ status: 429, contentType: "text/html", body: "<title>Busy</title>" }) : route.fallback();
  }, { times: 2 });
  await page.goto(shop.origin);
  await expect.poll(async () => (await frameOf(page, 0)).title()).toBe("Busy");
  await page.unrouteAll();
  await page.goto(shop.origin);
  await expect(frame.getByLabel("Tell us more")).toHaveValue("It is red.");
  const forms = await rest(keys, "GET", `/alpha/forms?linkSiteId=${one.id}&status=STARTED`);
  expect(forms.items, "one visit").toHaveLength(1);
  expect(await page.evaluate(() => scrollY), "a page that the person only reloaded does not scroll").toBe(0);
  shop.close();
});

test("another person in the same tab does not continue the visit", async ({ page }) => {
  const [keys, shop] = [await sandbox(), await openShop()];
  const one = await publish(keys, shop);
  shop.pages["/"] = pageWith(one);
  await page.goto(`${shop.origin}/?campaign=customer-7`);
  const frame = site(page, 0);
  await press(frame);
  await frame.getByLabel("Tell us more").fill("It is red.");
  const saved = page.waitForResponse((it) => it.url().endsWith("/visit/draft"));
  await frame.getByLabel("What is it for?").selectOption("Car");
  await saved;
  await page.goto(`${shop.origin}/?campaign=customer-8`);
  await expect(frame.getByRole("heading", { level: 1 })).toHaveText("Apply for a loan");
  await press(frame);
  await expect(frame.getByLabel("Tell us more")).toHaveValue("");
  await page.goto(`${shop.origin}/?campaign=customer-7`);
  await expect(frame.getByLabel("Tell us more")).toHaveValue("It is red.");
  shop.close();
});

test("a person uploads a file in a frame", async ({ page }) => {
  const [keys, shop] = [await sandbox(), await openShop()];
  const proof = { name: "proof", label: "Proof of income", type: "FILE", required: true, files: { maxFiles: 1, formats: ["PDF"] } };
  const one = await publish(keys, shop, {
    steps: ["FORM", "THANK_YOU"],
    form: { name: "About your income", reference: "income-2026", fields: [proof] },
    prefill: [],
  });
  shop.pages["/"] = pageWith(one);
  await page.goto(shop.origin);
  const frame = site(page, 0);
  await press(frame);
  const sent = page.waitForRequest((it) => it.url().includes("/visit/uploads/") && it.method() === "PATCH");
  await frame.getByLabel("Proof of income").setInputFiles(fileURLToPath(new URL("../../docs/samples/payslip-mx.pdf", import.meta.url)));
  await sent;
  await expect(frame.getByText("payslip-mx.pdf")).toBeVisible();
  await expect(frame.getByRole("progressbar")).toHaveCount(0);
  // The file stays if the page of the tenant is loaded again.
  await page.goto(shop.origin);
  await expect(frame.getByText("payslip-mx.pdf")).toBeVisible();
  await send(frame, "All done");
  const [form] = (await rest(keys, "GET", `/alpha/forms?linkSiteId=${one.id}`)).items;
  expect(form.data.proof).toEqual(["payslip-mx.pdf"]);
  expect(form.files).toHaveLength(1);
  shop.close();
});

test("a login on the provider's page has a link if its tab is blocked", async ({ page, context }) => {
  pressApart(page);
  const [keys, shop] = [await sandbox(), await openShop()];
  const one = await publish(keys, shop, { steps: ["WIDGET", "THANK_YOU"], form: undefined, prefill: [] });
  shop.pages["/"] = pageWith(one);
  await page.goto(shop.origin);
  const frame = site(page, 0);
  await frame.getByRole("button", { name: "Continue" }).click();
  const widget = new Widget(page, frame.frameLocator("dialog iframe"));
  await widget.heading.waitFor();
  await (await frameOf(page, 0)).evaluate(() => (window.open = () => null));
  await widget.link("oauth");
  await widget.shows("Sign in on the provider’s page");
  await widget.frame.getByRole("button", { name: /^Continue to / }).click();
  const link = frame.getByRole("link", { name: "Continue", exact: true });
  await expect(link).toBeFocused();
  const opened = context.waitForEvent("page");
  await link.click();
  const provider = await opened;
  await signIn(provider);
  expect(await provider.evaluate(() => window.opener), "the tab has no opener").toBeNull();
  await provider.getByRole("button", { name: "Allow", exact: true }).click();
  await expect(provider.getByRole("heading", { level: 1 })).toHaveText("You can go back now");
  shop.close();
});

test("an element with another address shows nothing, and runs nothing", async ({ page }) => {
  const [keys, shop] = [await sandbox(), await openShop()];
  const one = await publish(keys, shop);
  const foreign = ["javascript:window.foreign=1", `${shop.origin}/s/other`, one.url.replace("/s/", "/sdk/"), `${one.url}/../../console`];
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  shop.pages["/"] = pageWith(...foreign.map((url) => ({ id: "", url })), { ...one, url: `${one.url}/` });
  await page.goto(shop.origin);
  await expect(site(page, foreign.length).getByRole("heading", { level: 1 })).toHaveText("Apply for a loan");
  await expect(page.locator("iframe")).toHaveCount(1);
  expect(errors).toHaveLength(foreign.length);
  expect(await page.evaluate(() => (window as any).foreign)).toBeUndefined();
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
