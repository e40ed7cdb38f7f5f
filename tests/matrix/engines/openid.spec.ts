/** A login on the pages of a certified OpenID provider whose code is not ours, on a hosted page, in the same tab. */
import { By } from "selenium-webdriver";
import { EMAIL, Stack } from "../../e2e/support/openid";
import { expect, test } from "./widget";

test("a login at a certified provider connects the account", async ({ browser_: browser }) => {
  await Stack.run(async (stack) => {
    await browser.driver.switchTo().defaultContent();
    await browser.driver.get(await stack.createLink());
    await browser.press("Link an account");
    await browser.enter();
    await browser.shows("Share your data with ");
    await browser.agree();
    await browser.fill("Search providers", "OpenID");
    await browser.press("OpenID Example");
    await browser.shows("Sign in to OpenID Example");
    await browser.fill("Email address", EMAIL);
    await browser.press("Connect");
    await browser.pressAside("Continue to OpenID Example");

    await browser.driver.switchTo().defaultContent();
    await browser.shows("Sign-in");
    await browser.driver.findElement(By.css("input[name=password]")).sendKeys("any");
    await browser.press("Sign-in");
    await browser.shows("Authorize");
    await browser.press("Continue");

    await browser.enter();
    await browser.shows("You");
    const [account] = (await stack.rest("GET", "/accounts?connectionStatus=CONNECTED")).items;
    await expect.poll(() => stack.identities(account.id)).toContain("Lucía Méndez Aurora");
  });
});
