/** The preview of a template in the portal: the widget's real frame, which follows the draft and reaches no service. */
import { expect, test, type FrameLocator, type Page } from "@playwright/test";
import { checkAtWidths } from "./support/axe";
import { createTenant, signIn, signInAs } from "./support/portal";

/** Opens the first template of a kind. */
async function openTemplate(page: Page, kind = "Link templates"): Promise<void> {
  await page.getByRole("link", { name: "Sandbox templates" }).click();
  await page.getByRole("link", { name: kind }).click();
  await page.locator("tbody").getByRole("link").first().click();
  await expect(page.getByRole("button", { name: "Publish changes" })).toBeVisible();
}

const preview = (page: Page): FrameLocator => page.frameLocator("iframe[title=Preview]:not([inert])");

test("the preview follows the draft without the service, and leaves the focus alone", async ({ page }) => {
  test.slow();
  const asked: string[] = [];
  // Other tests create templates of the demo tenant, also such with few providers.
  await signIn(page, "preview@shop.example", await createTenant());
  page.on("request", (request) => /\/v1\/|preview\.invalid|csp-reports/.test(request.url()) && asked.push(request.url()));
  await openTemplate(page);
  const company = page.getByLabel("Company name");
  await expect(preview(page).getByRole("button", { name: "Agree and continue" })).toBeVisible();
  await company.fill("Lark & Wren");
  await expect(preview(page).locator(".brand-name")).toHaveText("Lark & Wren");
  await expect(company).toBeFocused();
  await page.getByLabel("Brand color", { exact: true }).fill("#b3202a");
  const button = preview(page).getByRole("button", { name: "Agree and continue" });
  await expect(button).toHaveCSS("background-color", "rgb(179, 32, 42)");
  // A person's way through the widget, to the end.
  await button.click();
  await preview(page).getByRole("list").getByRole("button", { name: /^Social Security Mexico/ }).click();
  const password = preview(page).locator("input[type=password]").first();
  await expect(password).toBeVisible();
  for (const field of await preview(page).locator("form input:visible").all()) await field.fill("anything1");
  await preview(page).locator("form button[type=submit]").click();
  await expect(preview(page).getByRole("heading", { level: 1 })).toContainText(/connected|linked/i);
  expect(asked).toEqual([]);
  const frame = page.frames().find((it) => it.url().endsWith("/templatePreview"));
  expect(await frame?.evaluate(() => origin), "the frame has no origin").toBe("null");
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Templates" }), "previews are not in the history").toBeVisible();
});

test("the preview has each language, both themes and both widths", async ({ page }) => {
  test.slow();
  await signIn(page, "preview-ways@shop.example", await createTenant());
  await openTemplate(page);
  const language = page.getByLabel("Language of the preview");
  const tags = await language.locator("option").evaluateAll((options) => options.map((it) => (it as HTMLOptionElement).value));
  expect(tags).toHaveLength(7);
  const titles = new Set<string | null>();
  for (const tag of tags) {
    await language.selectOption(tag);
    await expect(preview(page).locator("html")).toHaveAttribute("lang", tag);
    await expect(preview(page).locator("html")).toHaveAttribute("dir", tag === "ar" ? "rtl" : "ltr");
    await expect(preview(page).getByRole("heading", { level: 1 })).toBeVisible();
    titles.add(await preview(page).getByRole("heading", { level: 1 }).textContent());
  }
  expect(titles.size, "each language has another title").toBe(7);
  await page.getByLabel("Dark", { exact: true }).check();
  await expect(preview(page).locator("html")).toHaveAttribute("data-scheme", "dark");
  const width = (): Promise<number> => preview(page).locator("html").evaluate(() => innerWidth);
  expect(await width()).toBe(360);
  await page.getByLabel("Card on a computer").check();
  await expect.poll(width).toBe(420);
  await page.getByLabel("First page").selectOption("PROVIDERS");
  await expect(preview(page).getByRole("searchbox")).toBeVisible();
  await page.getByLabel("First page").selectOption("LOGIN");
  await expect(preview(page).locator("input[type=password]").first()).toBeVisible();
  await checkAtWidths(page, "light", [360, 768, 1280, 1920])("template-preview");
});

test("a consent text is seen while it is typed, by a viewer too", async ({ page, browser }) => {
  await signIn(page, "preview-consent@shop.example");
  const viewer = await (await browser.newContext()).newPage();
  await signInAs(page, viewer, "VIEWER");
  await openTemplate(page, "Consent templates");
  await page.getByLabel("Text that people accept").first().fill("I agree to everything.");
  await expect(preview(page).locator(".document")).toContainText("I agree to everything.");
  await viewer.getByRole("link", { name: "Sandbox templates" }).click();
  await viewer.locator("tbody").getByRole("link").first().click();
  await expect(preview(viewer).getByRole("button", { name: "Agree and continue" })).toBeVisible();
});
