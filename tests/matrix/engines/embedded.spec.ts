/** A link site in a frame on a page of another site, whose browser may say nothing about the pages around a frame. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { By, type WebElement } from "selenium-webdriver";
import { Api } from "../support/api";
import { expect, test } from "./widget";

test("a person does the steps of a link site in a frame", async ({ browser_: browser }) => {
  const api = await Api.find();
  let page = "";
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const site = await api.call<{ url: string }>("POST", "/alpha/linkSites", {
    name: "Loans",
    slug: `framed-${browser.engine}-${Date.now()}`,
    status: "PUBLISHED",
    linkTemplateId: await api.linkTemplate([origin]),
    steps: ["FORM", "WIDGET", "THANK_YOU"],
    form: { name: "About the loan", reference: "loan-2026", fields: [{ name: "story", label: "Tell us more", type: "TEXT" }] },
    embedOrigins: [origin],
    startPage: { title: "Apply for a loan", text: "A few questions." },
    endPage: { title: "All done", text: "We will write." },
  });
  page = `<!doctype html><html lang="en"><title>Shop</title><h1>The shop</h1><div data-linchpin-site="${site.url}"></div>
    <script>
      window.heard = [];
      for (const name of ["linchpin:submitted", "linchpin:ended"]) addEventListener(name, () => heard.push(name));
    </script>
    <script src="${new URL(site.url).origin}/sdk/embed.js" defer></script></html>`;
  const { driver } = browser;
  await driver.switchTo().defaultContent();
  await driver.get(origin);
  const frame = (): Promise<WebElement> => driver.findElement(By.css("[data-linchpin-site] > iframe"));
  const height = async (): Promise<string> => (await frame()).getCssValue("height");
  await expect.poll(height, { message: "the frame has the height of its page", timeout: 30_000 }).not.toBe("480px");
  await driver.switchTo().frame(await frame());
  await browser.press("Continue");
  await browser.shows("About the loan");
  // The form is the response to a form, which must not be sent again.
  await driver.executeScript("window.isOld = true; setTimeout(() => location.reload())");
  const shown = (): Promise<unknown> => driver.executeScript("return window.isOld ?? document.title");
  await expect.poll(() => shown().catch(() => ""), { timeout: 30_000 }).toBe("About the loan");
  await browser.fill("Tell us more", "It is red.");
  // The service takes a person who sends the form within two seconds for a program.
  const text = (): Promise<string> => driver.findElement(By.css("h1")).getText().catch(() => "");
  await expect(async () => {
    if ((await text()) === "About the loan") await browser.press("Continue");
    await expect.poll(text, { timeout: 2_000 }).toBe("Apply for a loan");
  }).toPass({ timeout: 30_000 });
  await browser.link();
  await driver.switchTo().frame(await frame());
  await browser.shows("All done");
  await driver.switchTo().defaultContent();
  await expect.poll(() => driver.executeScript("return heard")).toEqual(["linchpin:submitted", "linchpin:ended"]);
  server.close();
});
