/** Stories of the portal and of a person's own page that Playwright cannot drive in Debian's Firefox. */
import { By } from "selenium-webdriver";
import { invitePerson, mailedLink } from "../../e2e/support/person";
import { invite } from "../../e2e/support/portal";
import { rest, sandbox } from "../../e2e/support/rest";
import { Keyboard } from "./keys";
import { expect, test } from "./widget";

test("a site is styled, built and published with the keyboard, and a stranger links", async ({
  browser_: browser,
}) => {
  const { driver } = browser;
  const keyboard = new Keyboard(driver);
  const slug = `keys-${browser.engine}-${Date.now()}`;
  await driver.switchTo().defaultContent();
  await driver.get(await invite(`${slug}@shop.example`));
  const shown = (): Promise<string> => driver.executeScript("return document.querySelector('h1')?.textContent ?? ''");
  await expect.poll(shown, { timeout: 30_000 }).not.toBe("");
  await keyboard.pressButton("Sign in");
  await browser.shows("Welcome");

  await keyboard.follow("Sandbox templates");
  await keyboard.isAt("Templates");
  await keyboard.follow("New link template");
  await keyboard.isAt("New link template");
  await keyboard.type("Name", slug);
  await keyboard.type("Company name", "Cars & Co");
  await keyboard.type("Brand color", "#b3202a");
  // The list arrives after the page.
  await expect.poll(() => driver.findElement(By.css("#content")).getText()).toContain("(1.0, en)");
  await keyboard.pressButton("Create template");
  await keyboard.isAt(slug);

  await keyboard.follow("Sandbox link sites");
  await keyboard.isAt("Link sites");
  await keyboard.follow("New link site");
  await keyboard.isAt("New link site");
  await keyboard.type("Name", slug);
  await keyboard.type("Last part of the address", slug);
  await keyboard.choose("Link template", slug);
  await keyboard.choose("Steps", "Form, then link an account");
  await keyboard.type("Heading of the first page", "Hello");
  await keyboard.type("Text of the first page", "Two questions.");
  await keyboard.type("Heading of the end page", "Thank you");
  await keyboard.type("Text of the end page", "We will write to you.");
  await keyboard.type("Reference", slug);
  await keyboard.choose("Type of the new field", "Text");
  await keyboard.pressButton("Add field");
  await keyboard.isAt("Label");
  await keyboard.type("Label", "Which brand?");
  await keyboard.type("Name in the data", "brand");
  await keyboard.choose("Type of the new field", "One choice");
  await keyboard.pressButton("Add field");
  await keyboard.isAt("Label");
  await keyboard.type("Label", "What is it for?");
  await keyboard.type("Name in the data", "purpose");
  await keyboard.type("Choices, one a line", "Car\nHome");
  await keyboard.pressButton("Move What is it for? up");
  await keyboard.isAt("Move What is it for? up");
  await keyboard.pressButton("Which brand?Text");
  await keyboard.check("Show only under a condition");
  await keyboard.choose("Rule 1: Value", "Car");
  await keyboard.pressButton("Save and publish");
  await keyboard.isAt(slug);
  const url = await driver.findElement(By.css(".secret code")).getText();

  await driver.manage().window().setRect({ width: 500, height: 740 });
  await driver.get(url);
  const shade = "return getComputedStyle(document.querySelector('main form button')).backgroundColor";
  expect(await driver.executeScript(shade), "the brand of the template").toBe("rgb(179, 32, 42)");
  await browser.press("Continue");
  const isForm = (): Promise<boolean> => driver.findElements(By.name("brand")).then((found) => found.length > 0);
  await expect.poll(isForm, { timeout: 30_000 }).toBe(true);
  const brand = await driver.findElement(By.name("brand"));
  expect(await brand.isDisplayed(), "the question of the condition").toBe(false);
  await driver.findElement(By.css("select[name=purpose] option[value=Car]")).click();
  await expect.poll(() => brand.isDisplayed()).toBe(true);
  await brand.sendKeys("Aurora");
  // The service takes a person who sends the form within two seconds for a program.
  await expect(async () => {
    if (await isForm()) await browser.press("Continue");
    await expect.poll(isForm, { timeout: 2_000 }).toBe(false);
  }).toPass({ timeout: 90_000 });
  await browser.link();
  await browser.shows("Thank you");

  const keys = await sandbox();
  const [form] = (await rest(keys, "GET", "/alpha/forms")).items.filter((it: any) => it.reference === slug);
  expect(form.data).toEqual({ purpose: "Car", brand: "Aurora" });
  const accounts = (await rest(keys, "GET", `/accounts?linkSiteSessionId=${form.linkSiteSessionId}`)).items;
  expect(accounts.map((it: any) => it.userId)).toEqual([form.userId]);
});

test("a person revokes from their own page", async ({ browser_: browser }) => {
  const { driver } = browser;
  // The press before it may still be opening the page.
  const press = (css: string): Promise<void> =>
    expect(() => driver.findElement(By.css(css)).click()).toPass({ timeout: 30_000 });
  const address = `ana-${browser.engine}-${Date.now()}@example.com`;
  const { landingPageUrl, userId } = await invitePerson(address);
  await driver.switchTo().defaultContent();
  await driver.get(landingPageUrl);
  await press("main form button");
  await browser.link();
  const keys = await sandbox();
  const account = async (): Promise<any> => (await rest(keys, "GET", `/accounts?userId=${userId}`)).items[0];
  await expect.poll(async () => (await account())?.connectionStatus).toBe("CONNECTED");
  await driver.manage().deleteAllCookies();

  await driver.get(new URL("/me", await driver.getCurrentUrl()).href);
  await driver.findElement(By.id("address")).sendKeys(address);
  await press("main .primary");
  await driver.get(await mailedLink(address));
  await press("main .primary");
  await browser.sees("You share");
  await press('.actions form[action="/me/confirm"] button');
  await press("main .primary");
  await expect.poll(async () => (await account()).connectionStatus).toBe("DISCONNECTED");
  expect((await account()).connection.endReason).toBe("REVOKED");
  await press("main .primary");
  await expect.poll(async () => (await driver.findElements(By.css(".gift"))).length).toBe(0);
});
