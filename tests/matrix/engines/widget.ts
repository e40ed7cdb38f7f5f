/** Page objects for the widget, over WebDriver. The engines share them. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test as base, expect } from "@playwright/test";
import { By, Key, type WebDriver, type WebElement } from "selenium-webdriver";
import { type Engine, start } from "./drivers";

export { expect, Key };

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const AXE = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Kind = "button" | "link" | "textbox" | "heading";

/** Runs in the page: returns the visible controls of a kind whose accessible name begins with the words. */
const FIND = `
  const [kind, words] = arguments;
  const selector = { button: "button", link: "a[href]", textbox: "input:not([type=file]), textarea", heading: "h1, [role=alertdialog] h2" };
  const nameOf = (element) => {
    const by = element.getAttribute("aria-labelledby")?.split(" ").map((id) => document.getElementById(id)?.textContent);
    const visible = element.cloneNode(true);
    for (const hidden of visible.querySelectorAll("[aria-hidden=true]")) hidden.remove();
    return element.getAttribute("aria-label") ?? by?.join(" ") ?? element.labels?.[0]?.textContent ?? visible.textContent;
  };
  return [...document.querySelectorAll(selector[kind])].filter(
    (element) => element.getClientRects().length > 0 && nameOf(element).trim().startsWith(words),
  );`;

/** Runs in the page: finds the shells of the widgets, also of those in a shadow root of the page. */
const SHELLS = `
  const roots = [document, ...[...document.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
  const shells = roots.flatMap((root) => [...root.querySelectorAll("linchpin-modal")]).map(({ shadowRoot }) => shadowRoot);`;

export class Browser {
  constructor(
    readonly engine: Engine,
    readonly driver: WebDriver,
  ) {}

  /** Opens the demo tenant's page as a new customer, and waits until it can open the widget. */
  async goto(): Promise<void> {
    const page = process.env["LINCHPIN_DEMO_URL"] as string;
    await this.driver.switchTo().defaultContent();
    await this.driver.get(`${page}/page.css`);
    await this.driver.manage().deleteAllCookies();
    await this.driver.get(page);
    await expect.poll(async () => this.#connect.isEnabled()).toBe(true);
  }

  /** Goes to another page and back. Returns whether the browser had kept the page. */
  async leaveAndReturn(): Promise<boolean> {
    await this.driver.switchTo().defaultContent();
    await this.driver.executeScript("window.isKept = true");
    await this.driver.get(`${process.env["LINCHPIN_DEMO_URL"]}/page.css`);
    await this.driver.navigate().back();
    await expect.poll(async () => this.#connect.isEnabled()).toBe(true);
    return this.driver.executeScript<boolean>("return window.isKept === true");
  }

  get #connect(): WebElement {
    return this.driver.findElement(By.id("connect"));
  }

  /** Opens the widget, and continues in its frame. */
  async open(): Promise<void> {
    await this.#connect.click();
    await this.enter();
    await this.shows("Share your data with ");
  }

  /** Continues in the frame of the open widget. */
  async enter(): Promise<void> {
    const frame = (): Promise<WebElement | null> =>
      this.driver.executeScript(`${SHELLS}
        return shells.find((root) => root.querySelector("dialog[open]"))?.querySelector("iframe:not([inert])") ?? null;`);
    await expect.poll(async () => (await frame()) !== null, { timeout: 30_000 }).toBe(true);
    await this.driver.switchTo().frame((await frame())!);
  }

  /** Waits until the widget is closed, and continues on the page. */
  async waitForClose(): Promise<void> {
    await this.driver.switchTo().defaultContent();
    const isOpen = `${SHELLS} return shells.some((root) => root.querySelector("dialog[open]"))`;
    await expect.poll(() => this.driver.executeScript(isOpen)).toBe(false);
  }

  async #find(kind: Kind, words: string): Promise<WebElement[]> {
    // While another document loads, the script cannot run, or Firefox responds with null.
    return (await this.driver.executeScript<WebElement[] | null>(FIND, kind, words).catch(() => null)) ?? [];
  }

  async shows(words: string): Promise<void> {
    await expect.poll(async () => (await this.#find("heading", words)).length, { message: words, timeout: 30_000 }).toBeGreaterThan(0);
  }

  async one(kind: Kind, words: string): Promise<WebElement> {
    let found: WebElement | undefined;
    const isFound = async (): Promise<boolean> => !!(found = (await this.#find(kind, words))[0]);
    await expect.poll(isFound, { message: words, timeout: 30_000 }).toBe(true);
    return found!;
  }

  async press(words: string): Promise<void> {
    const click = async (): Promise<void> => (await this.one("button", words)).click();
    // The program may replace the first page between finding and clicking (ADR 187).
    await click().catch((fault: Error) => (fault.name === "StaleElementReferenceError" ? click() : Promise.reject(fault)));
  }

  /** Links an account by the widget that the page opens, and closes it. */
  async link(): Promise<void> {
    await this.enter();
    await this.shows("Share your data with ");
    await this.agree();
    await this.signIn("good");
    await this.shows("You’re connected");
    await this.pressLast("Done");
  }

  /** Does the same on the page of a tenant. Returns what the page then says. */
  async linkOnPage(): Promise<string> {
    await this.link();
    return this.driver.findElement(By.css("[role=status]")).getText();
  }

  /** Presses aside of the middle, where the button of the page before was: a person is not that fast. */
  async pressAside(words: string): Promise<void> {
    const button = await this.one("button", words);
    await this.driver.actions().move({ origin: button, x: 60 }).click().perform();
  }

  /** Follows a link that opens a tab, runs `use` there, closes the tab, and continues in the frame of the widget. */
  async inTab(words: string, use: () => Promise<void>): Promise<void> {
    const page = await this.driver.getWindowHandle();
    await (await this.one("link", words)).click();
    const tab = async (): Promise<string | undefined> => (await this.driver.getAllWindowHandles()).find((it) => it !== page);
    await expect.poll(tab, { timeout: 30_000 }).toBeDefined();
    await this.driver.switchTo().window((await tab())!);
    await use();
    await this.driver.close();
    await this.driver.switchTo().window(page);
    await this.enter();
  }

  /** Presses the button that closes the widget, which may remove the frame before the click has ended. */
  async pressLast(words: string): Promise<void> {
    const button = await this.one("button", words);
    await button.click().catch((error: Error) => expect(error.name).toMatch(/NoSuchWindow|NoSuchFrame|StaleElement/));
    await this.waitForClose();
  }

  async fill(words: string, text: string): Promise<void> {
    const input = await this.one("textbox", words);
    // WebKit lets no script focus an element in a frame of another site before the person has used the frame.
    await input.click();
    await input.sendKeys(text);
  }

  async upload(path: string): Promise<void> {
    const inputs = (): Promise<WebElement[]> => this.driver.findElements(By.css("input[type=file]"));
    await expect.poll(async () => (await inputs()).length, { timeout: 30_000 }).toBeGreaterThan(0);
    await (await inputs())[0]!.sendKeys(path);
  }

  async sees(text: string | RegExp): Promise<void> {
    const body = (): Promise<string> => this.driver.executeScript("return document.body.innerText");
    await expect.poll(body, { timeout: 30_000 }).toMatch(text);
  }

  async agree(): Promise<void> {
    await this.press("Agree and continue");
    await this.shows("Choose your provider");
  }

  async signIn(login: string, provider?: string): Promise<void> {
    await this.fillSignIn(login, provider);
    await this.press("Connect");
  }

  /** Chooses a provider and fills in its login page. */
  async fillSignIn(login: string, provider = "Social Security Mexico"): Promise<void> {
    await this.fill("Search providers", provider);
    await this.press(provider);
    await this.shows(`Sign in to ${provider}`);
    await this.fill("User name", login);
    await this.fill("Password", "pass");
  }

  /** Checks with axe that the screen is accessible, and that only the type tabs scroll horizontally. */
  async looks(screen: string): Promise<void> {
    const wide = await this.driver.executeScript<string[]>(`
      const scrolls = (element) => element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowX);
      return [document.documentElement, ...document.querySelectorAll("main, main *:not(.tabs)")]
        .filter((element) => element.scrollWidth > element.clientWidth && scrolls(element))
        .map((element) => element.localName + "." + element.className + ": " + element.scrollWidth + " in " + element.clientWidth);`);
    expect(wide, `${screen}: scrolls horizontally`).toEqual([]);
    const found = await this.driver.executeAsyncScript<string[]>(
      `const done = arguments[arguments.length - 1];
      ${await AXE};
      // Colors are in between while a page arrives or a button becomes enabled.
      const passing = document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity);
      Promise.allSettled(passing.map(({ finished }) => finished)).then(() => axe.run(document, { runOnly: ${JSON.stringify(RULES)}, iframes: false })).then(
        ({ violations }) => done(violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
          id + ": " + target.join(" ") + ": " + failureSummary))),
        (error) => done([String(error)]));`,
    );
    expect(found, screen).toEqual([]);
  }

  /** Returns the callbacks that the page has logged, except UI events. */
  async callbacks(): Promise<string[]> {
    await this.driver.switchTo().defaultContent();
    const names = await this.driver.executeScript<string[]>(
      `return [...document.querySelectorAll("#log b")].map(({ textContent }) => textContent)`,
    );
    return names.filter((name) => name !== "onUIEvent");
  }
}

/** Each worker starts the browser of its project once. */
export const test = base.extend<object, { browser_: Browser }>({
  browser_: [
    async ({}, use, { project }) => {
      const { driver, stop } = await start(project.name as Engine);
      try {
        await use(new Browser(project.name as Engine, driver));
      } finally {
        await stop();
      }
    },
    { scope: "worker", timeout: 60_000 },
  ],
});
