/** The flows of the widget, with axe on each screen. */
import { resolve } from "node:path";
import { expect, Key, test } from "./widget";

test("each screen of linking is accessible and does not scroll horizontally", async ({ browser_: browser }) => {
  await browser.goto();
  await browser.open();
  await browser.looks("consent");
  await browser.agree();
  await browser.looks("provider list");
  await browser.signIn("mfa-otp");
  await browser.shows("Enter your code");
  await browser.looks("code");
  await browser.fill("Code", "9999");
  await browser.sees("That wasn’t right");
  await browser.looks("wrong code");
  await browser.fill("Code", "1234");
  await browser.shows("You’re connected");
  await browser.looks("success");
  await browser.pressLast("Done");
});

test("upload", async ({ browser_: browser }) => {
  await browser.goto();
  await browser.open();
  await browser.agree();
  await browser.press("I can’t find mine");
  await browser.fill("Employer or provider", "Talleres Aurora");
  await browser.looks("survey");
  await browser.press("Send");
  await browser.press("Upload a document instead");
  await browser.shows("Upload a document");
  await browser.looks("types of files");
  await browser.press("Payslip");
  await browser.shows("Payslip");
  await browser.upload(resolve("docs/samples/payslip-mx.pdf"));
  await browser.sees("payslip-mx.pdf");
  await expect
    .poll(async () => (await (await browser.one("button", "Submit")).getAttribute("aria-disabled")) !== "true")
    .toBe(true);
  await browser.looks("chosen file");
  await browser.press("Submit");
  await expect.poll(() => uploaded(browser), { timeout: 60_000 }).toContain("onUploadsCreated");
});

async function uploaded(browser: { callbacks(): Promise<string[]>; enter(): Promise<void> }): Promise<string[]> {
  const names = await browser.callbacks();
  await browser.enter();
  return names;
}

test("error", async ({ browser_: browser }) => {
  await browser.goto();
  await browser.open();
  await browser.agree();
  await browser.signIn("error-ACCOUNT_LOCKED");
  await browser.shows("This account is locked");
  await browser.looks("error");
  await browser.press("Choose another provider");
  await browser.shows("Choose your provider");
  await browser.pressLast("Close");
  expect(await browser.callbacks()).toEqual(["onAccountCreated", "onAccountError", "onClose"]);
});

test("close with Escape, and with a question if typed text would be lost", async ({ browser_: browser }) => {
  await browser.goto();
  await browser.open();
  const escape = (): Promise<void> => browser.driver.actions().sendKeys(Key.ESCAPE).perform();
  await escape().catch(() => undefined);
  await browser.waitForClose();
  await browser.open();
  await browser.agree();
  await browser.fill("Search providers", "Social Security Mexico");
  await browser.press("Social Security Mexico");
  await browser.fill("User name", "good");
  await escape();
  await browser.one("button", "Keep going");
  await browser.looks("leave?");
  await browser.press("Keep going");
  await browser.press("Close");
  await browser.pressLast("Leave");
  expect(await browser.callbacks()).toEqual(["onClose", "onClose"]);
  expect(await browser.driver.executeScript("return document.activeElement.id")).toBe("connect");
});

for (const state of ["closed", "open"]) {
  test(`the person leaves the page with the widget ${state}, and returns`, async ({ browser_: browser }) => {
    await browser.goto();
    await browser.open();
    await browser.agree();
    if (state === "closed") await browser.pressLast("Close");
    const isRestored = await browser.leaveAndReturn();
    // The other drivers load the page again.
    if (browser.engine === "webkit") expect(isRestored, "the page comes from the back/forward cache").toBe(true);
    if (isRestored && state === "open") {
      await browser.enter();
      await browser.shows("Choose your provider");
    } else {
      // Another opening asks for the consent again.
      await browser.open();
      await browser.agree();
    }
    await browser.signIn("good");
    await browser.shows("You’re connected");
    await browser.pressLast("Done");
    expect(await browser.callbacks()).toContain("onAccountConnected");
  });
}
