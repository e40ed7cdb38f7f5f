/** A login on the provider's own page, in another tab. */
import { expect, test } from "./widget";

test("a login on the provider's page connects the account", async ({ browser_: browser }) => {
  await browser.goto();
  await browser.open();
  await browser.agree();
  await browser.signIn("oauth");
  await browser.shows("Sign in on the provider’s page");
  await browser.inTab("Continue to ", async () => {
    await browser.press("Continue to ");
    await browser.shows("Sign in to the sandbox provider");
    await browser.fill("User name", "oauth");
    await browser.fill("Password", "pass");
    await browser.press("Sign in");
    await browser.press("Allow");
    await browser.shows("You can go back now");
  });
  await browser.shows("You’re connected");
  await browser.pressLast("Done");
  expect(await browser.callbacks()).toEqual(["onAccountCreated", "onAccountConnected", "onClose"]);
});
