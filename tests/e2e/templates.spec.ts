/** Link, consent and invite templates in the portal: the editor, its drafts, conflicts and saved versions. */
import { expect, test, type Page } from "@playwright/test";
import { checkAtWidths } from "./support/axe";
import { signIn, signInAs } from "./support/portal";

const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADklEQVR42mP4/5+BFAQA/U4f4d7IdZcAAAAASUVORK5CYII=",
  "base64",
);

async function openTemplates(page: Page, environment = "Sandbox"): Promise<void> {
  await page.getByRole("link", { name: `${environment} templates` }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Templates" })).toBeFocused();
}

/** Creates a link template with this name. */
async function createLinkTemplate(page: Page, name: string): Promise<void> {
  await openTemplates(page);
  await page.getByRole("link", { name: "New link template" }).click();
  await expect(page.getByLabel("Consent template", { exact: true })).toContainText("(");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Company name").fill("Cars & Co");
  await page.getByRole("button", { name: "Create template" }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeFocused();
  await expect(page.getByText("The template is published.")).toBeVisible();
}

test("a widget is restyled, published, compared and restored", async ({ page }) => {
  test.slow();
  const name = `Restyled ${Date.now()}`;
  await signIn(page, "restyle@shop.example");
  await createLinkTemplate(page, name);
  await page.getByLabel("Brand color", { exact: true }).fill("#b3202a");
  await page.getByLabel("Logo", { exact: true }).setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: PICTURE });
  await expect(page.getByAltText("A new logo")).toBeVisible();
  const add = page.getByLabel("Add a provider");
  const ids = await add.locator("option").evaluateAll((options) => options.map((it) => (it as HTMLOptionElement).value));
  await add.selectOption(ids[1] as string);
  await add.selectOption(ids[2] as string);
  const order = page.locator(".ordered-row > span");
  const names = await order.allTextContents();
  await page.getByRole("button", { name: `Move ${names[1]} up` }).click();
  await expect.poll(() => order.allTextContents()).toEqual([names[1], names[0]]);
  await page.getByLabel("Language", { exact: true }).selectOption("es-MX");
  await page.getByLabel("Key of the text").fill("providers-title");
  await page.getByRole("button", { name: "Add text" }).click();
  await page.keyboard.insertText("¿Dónde trabajas?");
  await page.getByRole("button", { name: "Publish changes" }).click();
  await expect(page.getByText("The template is published.")).toBeVisible();
  await expect(page.getByText("The logo that is published")).toBeVisible();
  await expect(page.getByRole("row", { name: /Version 2/ })).toContainText("Current");

  await page.getByRole("button", { name: "Compare version 1 with now" }).click();
  const compared = page.getByRole("region", { name: "Version 1" });
  await expect(compared.getByRole("row", { name: /theme\.accent/ })).toContainText("#b3202a");
  await compared.getByRole("button", { name: "Restore as a draft" }).click();
  await expect(page.getByLabel("Brand color", { exact: true })).toHaveValue("");
  await page.getByRole("button", { name: "Publish changes" }).click();
  await expect(page.getByRole("row", { name: /Version 3/ })).toContainText("Current");
  await expect(page.getByText("The logo that is published")).toBeVisible();

  await page.getByRole("button", { name: "Duplicate" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "New link template" })).toBeFocused();
  await expect(page.getByLabel("Company name")).toHaveValue("Cars & Co");
  await page.getByLabel("Name", { exact: true }).fill(`${name} copy`);
  await page.getByRole("button", { name: "Create template" }).click();
  await expect(page.getByRole("heading", { level: 1, name: `${name} copy` })).toBeFocused();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete template" }).click();
  await expect(page.getByText("The template is deleted.")).toBeVisible();
});

test("a refused draft has its faults at the fields, and survives a reload", async ({ page }) => {
  const name = `Refused ${Date.now()}`;
  await signIn(page, `refused-${Date.now()}-${Math.random()}@shop.example`);
  await createLinkTemplate(page, name);
  await page.getByLabel("Origins that may embed the widget").fill("https://app.example.com\nnot an origin");
  await page.getByLabel("Page with help").fill("http://insecure.example");
  await page.getByRole("button", { name: "Publish changes" }).click();
  const faults = page.getByRole("alert", { name: "The service did not accept the draft" });
  await expect(faults).toBeFocused();
  await faults.getByRole("button", { name: /allowedOrigins\[1\]/ }).click();
  await expect(page.getByLabel("Origins that may embed the widget")).toBeFocused();
  await expect(page.getByLabel("Origins that may embed the widget")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Page with help")).toHaveAttribute("aria-invalid", "true");
  // Not `reload`, which ends now and then with NS_BINDING_ABORTED in Firefox.
  await page.goto(page.url());
  await expect(page.getByText("This is your draft, which this browser kept.")).toBeVisible();
  await expect(page.getByLabel("Page with help")).toHaveValue("http://insecure.example");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Publish changes" }).click();
  await expect(page.getByText("What you typed is still here.")).toBeVisible();
});

test("two members who edit one template see what differs", async ({ page, browser }) => {
  test.slow();
  const name = `Conflict ${Date.now()}`;
  await signIn(page, "first@shop.example");
  const other = await (await browser.newContext()).newPage();
  await signInAs(page, other, "DEVELOPER");
  await createLinkTemplate(page, name);
  await openTemplates(other);
  await other.getByRole("link", { name, exact: true }).click();
  await other.getByLabel("Company name").fill("Theirs");
  await other.getByRole("button", { name: "Publish changes" }).click();
  await expect(other.getByText("The template is published.")).toBeVisible();
  await page.getByLabel("Company name").fill("Mine");
  await page.getByRole("button", { name: "Publish changes" }).click();
  const conflict = page.getByRole("region", { name: "Another member changed this template" });
  await expect(conflict).toBeFocused();
  await expect(conflict.getByRole("row", { name: /companyName/ })).toContainText("Theirs");
  await expect(page.getByLabel("Company name")).toHaveValue("Mine");
  await conflict.getByRole("button", { name: "Publish mine over theirs" }).click();
  await expect(page.getByText("The template is published.")).toBeVisible();
  await other.reload();
  await expect(other.getByLabel("Company name")).toHaveValue("Mine");
});

test("a consent text that is in use is duplicated instead of changed", async ({ page }) => {
  await signIn(page, "consent@shop.example");
  await createLinkTemplate(page, `Uses a consent ${Date.now()}`);
  const used = await page.getByLabel("Consent template", { exact: true }).inputValue();
  await openTemplates(page);
  await page.getByRole("link", { name: "Consent templates" }).click();
  await page.getByRole("row").filter({ hasText: used }).getByRole("link").click();
  await page.getByLabel("Text that people accept").first().fill("Another text.");
  await page.getByRole("button", { name: "Publish changes" }).click();
  await expect(page.getByRole("alert")).toContainText("Create a new consent template instead.");
  await page.getByRole("button", { name: "Duplicate" }).click();
  await expect(page.getByLabel("Text that people accept").first()).toHaveValue("Another text.");
  await page.getByLabel("Version", { exact: true }).fill("2.0");
  await page.getByRole("button", { name: "Create template" }).click();
  await expect(page.getByText("The template is published.")).toBeVisible();
});

test("an earlier copy is opened again, and can begin from the original", async ({ page }) => {
  await signIn(page, "copies@shop.example");
  await createLinkTemplate(page, `Copied ${Date.now()}`);
  const original = page.url();
  const company = page.getByLabel("Company name");
  const before = await company.inputValue();
  await page.getByRole("button", { name: "Duplicate" }).click();
  await company.fill("Lark & Wren");
  await page.goto(original);
  await expect(company).toHaveValue(before);
  await page.getByRole("button", { name: "Duplicate" }).click();
  await expect(company).toHaveValue("Lark & Wren");
  await page.getByRole("button", { name: "Begin again from the original" }).click();
  await expect(company).toHaveValue(before);
  await company.fill("Kite");
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(company).toHaveValue(before);
});

test("a viewer sees templates and changes nothing", async ({ page, browser }) => {
  await signIn(page, "templates-owner@shop.example");
  const viewer = await (await browser.newContext()).newPage();
  await signInAs(page, viewer, "VIEWER");
  await openTemplates(viewer, "Production");
  await expect(viewer.getByRole("link", { name: "New link template" })).toHaveCount(0);
  await viewer.locator("tbody").getByRole("link").first().click();
  await expect(viewer.getByLabel("Company name")).toBeDisabled();
  await expect(viewer.getByRole("button", { name: "Publish changes" })).toHaveCount(0);
});

test("templates are in Spanish for a Spanish browser", async ({ browser }) => {
  const page = await (await browser.newContext({ locale: "es-MX" })).newPage();
  await signIn(page, "plantillas@shop.example");
  await page.getByRole("link", { name: "Plantillas de sandbox" }).click();
  await page.getByRole("link", { name: "Plantillas de invitación" }).click();
  await page.locator("tbody").getByRole("link").first().click();
  await expect(page.getByLabel("Asunto del correo").first()).not.toHaveValue("");
  await expect(page.getByRole("heading", { name: "Traducciones" })).toBeVisible();
  await expect(page.getByLabel("Asunto del correo").last()).toHaveAttribute("lang", "ar");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the pages of templates are accessible and fit in ${colorScheme} mode`, async ({ browser }) => {
    test.slow();
    const page = await (await browser.newContext({ colorScheme })).newPage();
    const check = checkAtWidths(page, colorScheme, [360, 768, 1280, 1920]);
    await signIn(page, `templates-${colorScheme}@shop.example`);
    await createLinkTemplate(page, `Looks ${colorScheme} ${Date.now()}`);
    await page.getByLabel("Brand color", { exact: true }).fill("red");
    await page.getByLabel("Add a provider").selectOption({ index: 1 });
    await page.getByRole("button", { name: "Publish changes" }).click();
    await page.getByRole("alert", { name: "The service did not accept the draft" }).waitFor();
    await check("template-refused");
    await page.getByLabel("Brand color", { exact: true }).fill("#123456");
    await page.getByRole("button", { name: "Publish changes" }).click();
    await expect(page.getByText("The template is published.")).toBeVisible();
    await page.getByRole("button", { name: "Compare version 1 with now" }).click();
    await check("template");
    await openTemplates(page);
    await page.locator("tbody").getByRole("link").first().waitFor();
    await check("templates");
    await page.getByRole("link", { name: "Invite templates" }).click();
    await page.locator("tbody").getByRole("link").first().click();
    await page.getByRole("heading", { name: "Translations" }).waitFor();
    await check("template-invite");
    await page.getByRole("link", { name: "Templates", exact: true }).first().waitFor();
    await page.route("**/console/api/**", (route) => route.fulfill({ status: 403, json: {} }));
    await page.getByRole("link", { name: "Sandbox templates" }).click();
    await page.getByText("Your role does not include this").waitFor();
    await check("templates-denied");
  });
}
