/** A widget in an element of the page: whether the page scrolls around it, and where the focus goes. */
import { By } from "selenium-webdriver";
import { Site } from "../support/site";
import { type Browser, expect, test } from "./widget";

const SCROLL = `
  const done = arguments[0];
  window.positions = [];
  addEventListener("scroll", () => {
    addEventListener("scroll", () => window.positions.push(scrollY));
    done();
  }, { once: true });
  scrollTo(0, 200);`;

/** Opens a page, runs the test, and stops the page's server. */
async function onPage({ driver }: Browser, path: string, body: () => Promise<void>): Promise<void> {
  const site = await Site.start();
  try {
    await driver.switchTo().defaultContent();
    await driver.get(site.origin + path);
    await expect.poll(() => driver.executeScript("return window.modal?.state")).toBe("closed");
    await body();
  } finally {
    site.close();
  }
}

for (const [name, path] of [
  ["inline container", "/inline"],
  ["inline container in a shadow root", "/inline-shadow"],
] as const) {
  test(`${name}: the page stays where it is`, ({ browser_: browser }) =>
    onPage(browser, path, async () => {
      const { driver } = browser;
      await driver.executeAsyncScript(SCROLL);
      await browser.open();
      await browser.agree();
      await browser.signIn("good");
      await browser.shows("You’re connected");
      await browser.pressLast("Done");
      expect(await driver.executeScript("return window.positions")).toEqual([]);
      expect(await driver.executeScript("return scrollY")).toBe(200);
    }));

  test(`${name}: a click on a field of a new screen focuses it`, ({ browser_: browser }) =>
    onPage(browser, path, async () => {
      const { driver } = browser;
      // WebKitGTK's driver does not scroll the page to a button in its frame.
      if (test.info().project.name === "webkit") await driver.executeScript("scrollTo(0, 200)");
      await browser.open();
      await browser.agree();
      await browser.fillSignIn("mfa-otp");
      await driver.switchTo().defaultContent();
      await driver.findElement(By.id("name")).click();
      await browser.enter();
      await driver.executeScript("arguments[0].click()", await browser.one("button", "Connect"));
      await browser.shows("Enter your code");
      await driver.switchTo().defaultContent();
      expect(await driver.executeScript("return document.activeElement.id")).toBe("name");
      await browser.enter();
      const code = await browser.one("textbox", "Code");
      await code.click();
      await expect.poll(() => driver.executeScript("return document.activeElement === arguments[0]", code)).toBe(true);
    }));
}
