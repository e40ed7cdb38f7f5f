/** Uses a page by the keyboard alone, over WebDriver: the driver sends real keys, and only looks at the page. */
import { expect } from "@playwright/test";
import { Key, type WebDriver } from "selenium-webdriver";

/** Runs in the page: the accessible name of the focused element, and whether it is one that a person types in or chooses from. */
const FOCUSED = `
  const element = document.activeElement;
  const by = element.getAttribute("aria-labelledby")?.split(" ").map((id) => document.getElementById(id)?.textContent).join(" ");
  const heard = element.cloneNode(true);
  for (const hidden of heard.querySelectorAll("[aria-hidden=true]")) hidden.remove();
  const name = element.getAttribute("aria-label") ?? by ?? element.labels?.[0]?.textContent ?? heard.textContent;
  return [element.localName, name.trim().replace(/\\s+/g, " ")];`;

type Kind = "a" | "button" | "input" | "select" | "textarea";

export class Keyboard {
  constructor(readonly driver: WebDriver) {}

  /** Waits until the page has moved the focus to an element with this name. */
  async isAt(name: string): Promise<void> {
    await expect.poll(async () => (await this.#focused())[1], { message: `the focus is on ${name}` }).toBe(name);
  }

  /** Moves the focus forward until it is on an element of these kinds whose name is this, or begins with it and a space. */
  async tabTo(kinds: Kind[], name: string): Promise<void> {
    const seen: string[] = [];
    const deadline = Date.now() + 60_000;
    while (Date.now() < deadline) {
      const [kind, found] = await this.#focused();
      if (kinds.includes(kind as Kind) && (found === name || found.startsWith(`${name} `))) return;
      seen.push(`${kind} ${found}`);
      await this.press(Key.TAB);
    }
    throw new Error(`the keyboard does not reach ${name}, but ${[...new Set(seen)].join(", ")}`);
  }

  async press(...keys: string[]): Promise<void> {
    // Firefox without a screen takes the focus from its window when a frame loads, and then ignores keys but Tab.
    if (!(await this.driver.executeScript("return document.hasFocus()"))) {
      await this.driver.switchTo().window(await this.driver.getWindowHandle());
    }
    await this.driver.actions().sendKeys(...keys).perform();
  }

  async follow(link: string): Promise<void> {
    await this.tabTo(["a"], link);
    await this.press(Key.ENTER);
  }

  async pressButton(name: string): Promise<void> {
    await this.tabTo(["button"], name);
    await this.press(Key.ENTER);
  }

  /** Replaces the text of a field. */
  async type(label: string, text: string): Promise<void> {
    await this.tabTo(["input", "textarea"], label);
    // WebKitGTK types no line feed.
    const lines = text.replaceAll("\n", Key.ENTER);
    await this.driver.actions().keyDown(Key.CONTROL).sendKeys("a").keyUp(Key.CONTROL).sendKeys(lines).perform();
  }

  async check(label: string): Promise<void> {
    await this.tabTo(["input"], label);
    await this.press(Key.SPACE);
  }

  /** Chooses an option with the arrow keys. */
  async choose(label: string, option: string): Promise<void> {
    await this.tabTo(["select"], label);
    const chosen = (): Promise<string> =>
      this.driver.executeScript("return document.activeElement.selectedOptions?.[0]?.textContent ?? ''");
    const options = (): Promise<string[]> =>
      this.driver.executeScript("return [...document.activeElement.options ?? []].map(({ textContent }) => textContent)");
    const isOption = (text: string): boolean => text.startsWith(option);
    await expect.poll(async () => (await options()).some(isOption), { message: `${label} has ${option}` }).toBe(true);
    const all = await options();
    const steps = all.findIndex(isOption) - all.indexOf(await chosen());
    for (let step = 0; step < Math.abs(steps); step++) await this.press(steps > 0 ? Key.ARROW_DOWN : Key.ARROW_UP);
    await expect.poll(async () => isOption(await chosen()), { message: `${option} is chosen` }).toBe(true);
  }

  #focused(): Promise<[string, string]> {
    return this.driver.executeScript(FOCUSED);
  }
}
