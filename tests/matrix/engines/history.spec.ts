/** Leaving the page and coming back, which restores it from the back/forward cache. */
import { expect, test } from "./widget";

test("the open widget continues after the page returns from the back/forward cache", async ({ browser_: browser }) => {
  await browser.goto();
  await browser.open();
  await browser.agree();
  await browser.driver.switchTo().defaultContent();
  await browser.driver.executeScript(
    `window.left = true; addEventListener("pageshow", ({ persisted }) => (window.persisted = persisted));`,
  );
  await browser.driver.get(`${process.env["LINCHPIN_SERVICE_URL"]}/health/ready`);
  await browser.driver.navigate().back();
  const [left, persisted] = await browser.driver.executeScript<boolean[]>("return [window.left, window.persisted]");
  expect([left, persisted], "the engine restored the page").toEqual([true, true]);
  await browser.enter();
  await browser.shows("Choose your provider");
  await browser.signIn("good");
  await browser.shows("You’re connected");
  await browser.pressLast("Done");
  expect(await browser.callbacks()).toEqual(["onAccountCreated", "onAccountConnected", "onClose"]);
});
