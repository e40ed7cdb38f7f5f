/** Tests of the consent page that the frame draws before the program. */
import { expect, PLACE, test, type Stage } from "./stage";
import { hold, PROGRAM, start } from "./start";

test.use({ reducedMotion: "no-preference" });

const TEXT = "First paragraph,\non two lines.\n\n  Second paragraph.\n\n\n" + "A long one. ".repeat(200);
const CONSENT = { consentTemplateId: `ct-${"0".repeat(32)}`, title: "Terms", version: "2.1", text: TEXT, locale: "en" };

const SCROLL_MS = 300;

/** Returns the markup of header and page, with sorted attributes. Differences that are invisible do not count. */
const drawing = (stage: Stage): Promise<string> =>
  stage.frame.evaluate(() => {
    const markup = (node: Node): string => {
      if (!(node instanceof Element)) return node.textContent?.trim() ? node.textContent : "";
      const attributes = [...node.attributes].filter(({ name }) => name !== "style").map(({ name, value }) => ` ${name}="${value}"`);
      return `<${node.localName}${attributes.sort().join("")}>${[...node.childNodes].map(markup).join("")}</>\n`;
    };
    return [".header", ".screen"].map((part) => markup(document.querySelector(part)!)).join("");
  });

/** Waits until the program has drawn. */
const drawn = (stage: Stage): Promise<void> => stage.page.frameLocator("iframe").locator(".stage .button-primary").waitFor();

const SESSIONS: [string, object, string?][] = [
  ["of a template without settings", {}],
  ["with a daily sync and a long text", { syncInterval: "DAILY", consent: CONSENT }],
  ["with a weekly sync and a help page", { syncInterval: "WEEKLY", helpUrl: "https://help.example/link?a=1&b=2" }],
  ["with a monthly sync and a choice of data", { syncInterval: "MONTHLY", optionalData: ["INCOMES"] }],
  ["of a company with two words", { companyName: "\u00c1rea (de) cr\u00e9dito & Co <b>" }],
  ["with a text that begins with a mark of byte order", { consent: { ...CONSENT, text: "\uFEFFOne.\n\u0085\nTwo." } }],
  ["of a company without Latin letters", { companyName: "\u5e74\u91d1 a" }],
  ["in Spanish", { syncInterval: "DAILY" }, "es-MX"],
  ["from right to left", { companyName: "Northwind (MX)" }, "he"],
];

for (const [name, template, locale] of SESSIONS) {
  test(`the page ${name} is the same before and after the program has loaded`, async ({ stage, page }) => {
    stage.template = template;
    stage.mode = locale ? "PRODUCTION" : "SANDBOX";
    const release = await hold(page);
    await start(stage, locale ? { locale } : {}, locale);
    await stage.until("ready");
    const before = await drawing(stage);
    expect(before).toContain('id="heading"');
    release();
    await drawn(stage);
    expect(await drawing(stage)).toBe(before);
  });
}

test("a press before the program has loaded is repeated when it has", async ({ stage, page }) => {
  const release = await hold(page);
  await start(stage);
  const agree = stage.page.frameLocator("iframe").getByRole("button", { name: "Agree and continue" });
  await agree.click();
  await expect(agree).toHaveAttribute("aria-busy", "true");
  await agree.click({ force: true });
  expect(stage.calls.map(({ line }) => line)).toEqual(["POST /link/sessions"]);
  release();
  await stage.page.frameLocator("iframe").getByRole("button", { name: /Rideo/ }).waitFor();
});

test("a press on a page that an extension has translated is repeated", async ({ stage, page }) => {
  const release = await hold(page);
  await start(stage);
  await stage.until("ready");
  await stage.frame.evaluate(() => (document.querySelector("h1")!.textContent = "Teile deine Daten"));
  await stage.button("Agree and continue").click();
  release();
  await stage.page.frameLocator("iframe").getByRole("button", { name: /Rideo/ }).waitFor();
});

test("a press counts although an extension translates the page during it", async ({ stage, page }) => {
  const release = await hold(page);
  await start(stage);
  await stage.until("ready");
  const translate = (word: string): Promise<void> =>
    stage.frame.evaluate((word) => {
      const texts = document.createTreeWalker(document.querySelector(".button-primary")!, NodeFilter.SHOW_TEXT);
      const font = Object.assign(document.createElement("font"), { textContent: word });
      const text = texts.nextNode()!;
      (text.parentElement!.closest("font") ?? (text as Text)).replaceWith(font);
    }, word);
  await translate("Zustimmen");
  await stage.button("Zustimmen").hover();
  await page.mouse.down();
  await translate("Aceptar");
  await page.mouse.up();
  await expect(stage.button("Aceptar")).toHaveAttribute("aria-busy", "true");
  release();
  await page.frameLocator("iframe").getByRole("button", { name: /Rideo/ }).waitFor();
});

for (const way of ["mouse", "keyboard"] as const) {
  test(`a press of the ${way} that ends after the program has loaded counts`, async ({ stage, page }) => {
    const release = await hold(page);
    await start(stage);
    const agree = stage.page.frameLocator("iframe").getByRole("button", { name: "Agree and continue" });
    await agree.focus();
    const { x, y } = (await agree.boundingBox())!;
    await page.mouse.move(x + 5, y + 5);
    await (way === "mouse" ? page.mouse.down() : page.keyboard.down("Space"));
    const loaded = page.waitForResponse(PROGRAM);
    release();
    await (await loaded).finished();
    await page.waitForTimeout(400);
    await (way === "mouse" ? page.mouse.up() : page.keyboard.up("Space"));
    await stage.page.frameLocator("iframe").getByRole("button", { name: /Rideo/ }).waitFor();
  });
}

test("the program does not wait for a press whose end the frame does not see", async ({ stage, page }) => {
  const release = await hold(page);
  await start(stage);
  const agree = stage.page.frameLocator("iframe").getByRole("button", { name: "Agree and continue" });
  await agree.dispatchEvent("pointerdown");
  release();
  await drawn(stage);
});

test("a press is repeated even if the exchange and the program are slow", async ({ stage, page }) => {
  await page.route(/\/link\/sessions$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    await route.continue();
  });
  const release = await hold(page);
  await start(stage);
  await stage.button("Agree and continue").click();
  release();
  await page.frameLocator("iframe").getByRole("button", { name: /Rideo/ }).waitFor();
});

test("a screen reader reads the page, and that the button waits", async ({ stage, page }) => {
  await hold(page);
  await start(stage);
  const widget = page.frameLocator("iframe");
  await expect(widget.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(widget.getByRole("status")).toHaveText("");
  await stage.button("Agree and continue").click();
  await expect(widget.getByRole("status")).toHaveText("Getting ready");
});

test("a change of language redraws the page, and drops a press", async ({ stage, page }) => {
  const release = await hold(page);
  await start(stage);
  await stage.button("Agree and continue").click();
  await stage.say({ setLocale: { locale: "es-MX" } });
  const heading = page.frameLocator("iframe").getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("Comparte tus datos con Northwind");
  release();
  await drawn(stage);
  await expect(heading).toHaveText("Comparte tus datos con Northwind");
});

test("a response that is not a session is named by the program", async ({ stage, page }) => {
  await page.route(/\/link\/sessions$/, (route) => route.fulfill({ status: 200, body: "<p>Sign in to the network</p>" }));
  await start(stage);
  await stage.button("Try again").waitFor();
  expect((await stage.heard()).filter((message) => message["failed"])).toEqual([]);
});

for (const height of [150, 600]) {
  test(`focus and scroll position stay when the program draws, ${height} px high`, async ({ stage, page }) => {
    stage.template = { consent: CONSENT };
    const release = await hold(page);
    await start(stage);
    await stage.until("ready");
    await page.locator("iframe").evaluate((frame, height) => (frame.style.height = `${height}px`), height);
    await stage.button("Not now").focus();
    await expect(stage.button("Not now")).toBeFocused();
    const scroll = (to?: number): Promise<number> =>
      page.frameLocator("iframe").locator(".content").evaluate((content, to) => {
        const scrolled = content.scrollHeight > content.clientHeight ? content : document.documentElement;
        if (to) scrolled.scrollTop = to;
        return scrolled.scrollTop;
      }, to);
    expect(await scroll(120)).toBe(120);
    release();
    await drawn(stage);
    await expect(stage.button("Not now")).toBeFocused();
    expect(await scroll()).toBe(120);
  });
}

test("the page around the frame scrolls to the heading, and not when the program draws", async ({ stage, page }) => {
  const release = await hold(page);
  await stage.embed();
  await page.addStyleTag({ content: "body{padding:2000px 0}iframe{height:600px}" });
  await stage.until("hello");
  await stage.say({ open: { options: { templateId: "allowed" }, token: "token-1" } });
  const heading = page.frameLocator("iframe").getByRole("heading", { level: 1 });
  await expect(heading).toBeInViewport({ ratio: 1 });
  await page.evaluate(() => scrollTo(0, 2400));
  await expect(heading).not.toBeInViewport();
  await stage.button("Not now").focus();
  const positions = await page.evaluateHandle(() => {
    const positions = new Set([scrollY]);
    addEventListener("scroll", () => positions.add(scrollY));
    return positions;
  });
  release();
  await drawn(stage);
  await expect(stage.button("Not now")).toBeFocused();
  // The browser scrolls the page around a frame of another site later.
  await page.waitForTimeout(SCROLL_MS);
  expect(await positions.evaluate((all) => [...all])).toEqual([2400]);
});

test("the program's heading has the focus if the person has moved it nowhere", async ({ stage, page }) => {
  const release = await hold(page);
  await start(stage);
  await stage.until("ready");
  release();
  await drawn(stage);
  await expect(page.frameLocator("iframe").getByRole("heading", { level: 1 })).toBeFocused();
});

for (const name of ["Not now", "Close"]) {
  test(`${name} closes the widget before the program has loaded`, async ({ stage, page }) => {
    await hold(page);
    await start(stage);
    await stage.until("ready");
    await stage.button(name).click();
    expect(await stage.until("close")).toMatchObject([{ close: { reason: "close" } }]);
  });
}

test("slow loading is shown to a person who waits, not to one who reads", async ({ stage, page }) => {
  await page.clock.install();
  await hold(page);
  await start(stage);
  await expect.poll(() => stage.calls.length).toBe(1);
  await page.clock.runFor(8_100);
  await expect(page.frameLocator("iframe").getByRole("heading", { level: 1 })).toHaveText("Share your data with Northwind");
  await stage.button("Agree and continue").click();
  await expect(page.frameLocator("iframe").getByRole("heading", { level: 1 })).toHaveText("This is taking longer than usual");
});

const ID = "0".repeat(32);
const account = { accountId: `a-${ID}`, providerId: "rideo", version: 1, phase: { connecting: { step: "LOGIN" } } };
const archive = { archiveId: `archive-${ID}`, type: "PAYSLIP", version: 1, files: [], addedDaysAgo: 0, phase: { uploading: {} } };

const OTHERS: [string, (stage: Stage) => object | void][] = [
  ["linked something before", (stage) => void (stage.hasLinked = true)],
  ["continues on the phone", (stage) => void (stage.isHandoff = true)],
  ["signs in to an account", () => ({ accountId: `a-${ID}` })],
  ["has consented on the tenant's page", () => ({ enableConsentPage: false })],
  ["has consented in this session", (stage) => void (stage.attempt = { place: { ...PLACE, consent: {} } })],
  ["signs in again to the account of the attempt", (stage) => void (stage.attempt = { place: { ...PLACE, accountId: `a-${ID}` } })],
  ["need not consent again", (stage) => void (stage.attempt = { consentNeeded: false })],
  ["has an account under way", (stage) => void (stage.attempt = { account })],
  ["has an upload under way", (stage) => void (stage.attempt = { archives: [archive] })],
  ["has chosen a kind of document", (stage) => void (stage.attempt = { place: { ...PLACE, archiveType: "PAYSLIP" } })],
];

for (const [name, set] of OTHERS) {
  test(`a person who ${name} sees the skeleton until the program has loaded`, async ({ stage, page }) => {
    stage.template = { allowConsentSkip: true };
    await hold(page);
    const texts = page.waitForResponse(/\/sdk\/assets\/en-\w+\.json$/);
    const session = page.waitForResponse(/\/link\/sessions$/);
    await start(stage, set(stage) ?? {});
    await (await texts).finished();
    await (await session).finished();
    // What boot.ts draws, it draws by then.
    await stage.frame.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    const widget = page.frameLocator("iframe");
    await expect(widget.getByRole("status")).toHaveText("Getting ready");
    await expect(widget.getByRole("heading")).toHaveCount(0);
    expect((await stage.heard()).filter((message) => message["ready"])).toEqual([]);
  });
}
