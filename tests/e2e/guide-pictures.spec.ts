/** The pictures of the guides, of the pages as a new tenant sees them. `cargo xtask screens guides` writes them to the guides. */
import { join } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { signIn } from "./support/portal";
import { rest, sandbox } from "./support/rest";

/** Takes a picture of the visible part of the page. Without a folder for it, only its page is checked. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env["LINCHPIN_GUIDE_PICTURES"];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), caret: "hide" });
}

test("the pictures of the guides show a form and its page", async ({ page, browser }) => {
  const keys = await sandbox();
  const name = `Loans, spring ${Date.now() % 1000}`;
  const site = await rest(keys, "POST", "/alpha/linkSites", {
    name,
    slug: `loans-spring-${Date.now()}`,
    status: "PUBLISHED",
    linkTemplateId: keys.linkTemplateId,
    steps: ["FORM", "WIDGET", "THANK_YOU"],
    form: {
      name: "About the loan",
      reference: "loan-2026",
      fields: [
        { name: "purpose", label: "What is it for?", type: "CHOICE", required: true, choices: ["Car", "Home"] },
        {
          name: "brand",
          label: "Which brand?",
          type: "TEXT",
          required: true,
          condition: { join: "ALL", rules: [{ field: "purpose", operator: "EQUALS", values: ["Car"] }] },
        },
        { name: "proof", label: "Proof of income", type: "FILE", help: "Your last payslip.", files: { formats: ["PDF"] } },
      ],
    },
    startPage: { title: "Apply for a loan", text: "Answer a few questions, and link the account of your employer." },
    endPage: { title: "Thank you", text: "We will write to you within two days." },
  });
  await signIn(page, "ana@ardilla.example");
  await expect(page.getByRole("heading", { name: /^Welcome/ })).toBeVisible();
  await picture(page, "portal");
  await page.getByRole("link", { name: "Sandbox link sites" }).click();
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { name: "Fields" }).evaluate((it) => it.scrollIntoView());
  await page.getByRole("button", { name: /^Which brand\?/ }).click();
  await expect(page.getByLabel("Rule 1: Value")).toHaveValue("Car");
  await picture(page, "form-builder");

  const person = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage();
  await person.goto(site.url);
  await picture(person, "link-site");
  await person.getByRole("button", { name: "Continue" }).click();
  await person.getByLabel("What is it for?").selectOption("Car");
  await expect(person.getByLabel("Which brand?")).toBeVisible();
  await picture(person, "link-site-form");
});
