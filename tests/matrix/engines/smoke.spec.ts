/** The main flow in one engine. `cargo xtask test` runs only this file, in Firefox. */
import { expect, test } from "./widget";

test("link with a one-time code", async ({ browser_: browser }) => {
  await browser.goto();
  await browser.open();
  await browser.agree();
  await browser.signIn("mfa-otp");
  await browser.shows("Enter your code");
  await browser.fill("Code", "1234");
  await browser.shows("You’re connected");
  await browser.pressLast("Done");
  expect(await browser.callbacks()).toEqual(["onAccountCreated", "onAccountConnected", "onClose"]);
});
