/** Link sites in the portal: the list, the editor with its form builder, the preview and the answers. */
import { expect, test, type Locator, type Page } from "@playwright/test";
import { checkAtWidths } from "./support/axe";
import { signIn, signInAs } from "./support/portal";

/** Moves the focus forward with the keyboard until it is here. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 150; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("the keyboard does not reach the element");
}

/** Types a text into a field, with the keyboard alone. */
async function type(page: Page, label: string | RegExp, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: typeof label === "string" }));
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

/** Chooses the option with this name, with the keyboard alone. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  const list = page.getByLabel(label, { exact: true });
  await tabTo(page, list);
  const names = await list.locator("option").allTextContents();
  const [from, to] = [await list.evaluate((it: HTMLSelectElement) => it.selectedIndex), names.indexOf(option)];
  expect(to, option).toBeGreaterThanOrEqual(0);
  const value = await list.locator("option").nth(to).evaluate((it: HTMLOptionElement) => it.value);
  for (let step = from; step < to; step++) await page.keyboard.press("ArrowDown");
  for (let step = from; step > to; step--) await page.keyboard.press("ArrowUp");
  await expect(list).toHaveValue(value);
}

async function press(page: Page, name: string | RegExp, key = "Enter"): Promise<void> {
  await tabTo(page, page.getByRole("button", { name, exact: typeof name === "string" }));
  await page.keyboard.press(key);
}

/** Fills what a site needs besides its form. */
async function fillPages(page: Page, slug: string): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(`Site ${slug}`);
  await page.getByLabel("Last part of the address").fill(slug);
  await page.getByLabel("Steps").selectOption({ label: "Only the form" });
  await page.getByLabel("Heading of the first page").fill("Hello");
  await page.getByLabel("Text of the first page").fill("Two questions.");
  await page.getByLabel("Heading of the end page").fill("Thank you");
  await page.getByLabel("Text of the end page").fill("We will write to you.");
  await page.getByLabel("Reference", { exact: true }).fill(slug);
}

async function addField(page: Page, kind: string, label: string): Promise<void> {
  await page.getByLabel("Type of the new field").selectOption({ label: kind });
  await page.getByRole("button", { name: "Add field" }).click();
  await expect(page.getByLabel(kind.startsWith("Statement") ? "Text" : "Label", { exact: true })).toBeFocused();
  await page.keyboard.insertText(label);
}

async function openEditor(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Sandbox link sites" }).click();
  await page.getByRole("link", { name: "New link site" }).click();
  await expect(page.getByLabel("Link template")).toContainText("(");
}

const titles = (page: Page): Promise<string[]> => page.locator(".builder-title > span:first-child").allTextContents();

test("a form is built with the keyboard, published, answered and listed", async ({ page, browser }) => {
  test.slow();
  const slug = `keyboard-${Date.now()}`;
  await signIn(page, "builder@shop.example");
  await tabTo(page, page.getByRole("link", { name: "Sandbox link sites" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Link sites" })).toBeFocused();
  await tabTo(page, page.getByRole("link", { name: "New link site" }));
  await page.keyboard.press("Enter");
  await type(page, "Name", "Keyboard");
  await type(page, "Last part of the address", slug);
  await choose(page, "Steps", "Only the form");
  await type(page, "Heading of the first page", "Hello");
  await type(page, "Text of the first page", "Two questions.");
  await type(page, "Heading of the end page", "Thank you");
  await type(page, "Text of the end page", "We will write to you.");
  await type(page, "Reference", slug);
  await choose(page, "Type of the new field", "Text");
  await press(page, "Add field");
  await expect(page.getByLabel("Label")).toBeFocused();
  await page.keyboard.insertText("Which brand?");
  await type(page, "Name in the data", "brand");
  await choose(page, "Type of the new field", "One choice");
  await press(page, "Add field");
  await expect(page.getByLabel("Label")).toBeFocused();
  await page.keyboard.insertText("What is it for?");
  await type(page, "Name in the data", "purpose");
  await type(page, "Choices, one a line", "Car\nHome");
  // A button and a position move the field; the focus stays, and a screen reader hears it.
  await press(page, "Move What is it for? up");
  await expect(page.getByRole("button", { name: "Move What is it for? up" })).toBeFocused();
  await expect(page.getByText("What is it for?: Moved to position 1/2.")).toHaveCount(1);
  await expect.poll(() => titles(page)).toEqual(["What is it for?", "Which brand?"]);
  await press(page, /^Which brand\?/);
  await tabTo(page, page.getByLabel("Show only under a condition"));
  await page.keyboard.press("Space");
  await choose(page, "Rule 1: Value", "Car");
  await press(page, "Save and publish");
  await expect(page.getByRole("heading", { level: 1, name: "Keyboard" })).toBeFocused();
  await expect(page.getByText("The link site is saved.")).toBeVisible();
  await expect(page.getByText("Published", { exact: true })).toBeVisible();
  const url = (await page.locator(".secret code").textContent()) as string;

  const stranger = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage();
  await stranger.goto(url);
  await stranger.getByRole("button", { name: "Continue" }).click();
  await expect(stranger.getByLabel("Which brand?")).toBeHidden();
  await stranger.getByLabel("What is it for?").selectOption("Car");
  await stranger.getByLabel("Which brand?").fill("Aurora");
  // A form that is sent at once is a program's.
  await expect(async () => {
    const button = stranger.getByRole("button", { name: "Continue" });
    if (await button.isVisible()) await button.click({ timeout: 2_000 });
    await expect(stranger.getByRole("heading", { level: 1 })).toHaveText("Thank you", { timeout: 500 });
  }).toPass();

  await page.getByRole("link", { name: "See answers" }).click();
  const answer = page.locator(".answers section");
  await expect(answer).toContainText("Aurora");
  await expect(answer).toContainText("Which brand?");
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Export CSV" }).click()]);
  expect(file.suggestedFilename()).toBe("forms.csv");
  await page.getByLabel("Status").selectOption("STARTED");
  await expect(page.getByText("No answers with these filters.")).toBeVisible();
});

test("the service refuses a forward reference at its field, and a reload loses nothing", async ({ page }) => {
  const slug = `refused-${Date.now()}`;
  await signIn(page, "refused@shop.example");
  await openEditor(page);
  await fillPages(page, slug);
  await page.getByLabel("Last part of the address").fill("Not A Slug");
  await addField(page, "Number", "How much?");
  await addField(page, "Text", "Why so much?");
  await page.getByLabel("Show only under a condition").check();
  await page.getByLabel("Rule 1: Comparison").selectOption({ label: "is greater than" });
  await page.getByLabel("Rule 1: Value").fill("1000");
  await page.getByRole("button", { name: "Move Why so much? up" }).click();
  await page.getByRole("button", { name: "Save as a draft" }).click();
  const faults = page.getByRole("alert", { name: "The service did not accept the draft" });
  await expect(faults).toBeFocused();
  // The schema is checked first, and then the rest.
  await faults.getByRole("button", { name: /slug/ }).click();
  await expect(page.getByLabel("Last part of the address")).toBeFocused();
  await page.getByLabel("Last part of the address").fill(slug);
  await page.getByRole("button", { name: "Save as a draft" }).click();
  await faults.getByRole("button", { name: /must be the name of an earlier field/ }).click();
  await expect(page.getByLabel("Rule 1: Field")).toBeFocused();
  await expect(page.getByLabel("Rule 1: Field")).toHaveAttribute("aria-invalid", "true");
  // Firefox sometimes cancels `page.reload`.
  await page.goto(page.url());
  await expect(page.getByText("This is your draft, which this browser kept.")).toBeVisible();
  await expect(page.getByLabel("Last part of the address")).toHaveValue(slug);
  await expect.poll(() => titles(page)).toEqual(["Why so much?", "How much?"]);
  // The session ends; the same member signs in again, and finds the draft.
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Save as a draft" }).click();
  await expect(page.getByText("What you typed is still here.")).toBeVisible();
});

test("fields are dragged, removed and taken back", async ({ page }) => {
  await signIn(page, "drag@shop.example");
  await openEditor(page);
  for (const label of ["One", "Two", "Three"]) await addField(page, "Text", label);
  // In Chromium, a press on the handle only leaves a text field that has the focus: the next press drags.
  await page.getByRole("heading", { name: "Fields" }).click();
  await page.locator(".handle").nth(2).dragTo(page.locator(".builder-row").nth(0));
  await expect.poll(() => titles(page)).toEqual(["Three", "One", "Two"]);
  await page.getByLabel("Position of Three").fill("2");
  await page.keyboard.press("Tab");
  await expect.poll(() => titles(page)).toEqual(["One", "Three", "Two"]);
  await page.getByLabel("Position of Three").fill("9");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Position of Three")).toHaveValue("2");
  await page.getByRole("button", { name: "Remove One", exact: true }).click();
  await expect(page.getByRole("button", { name: "Undo" })).toBeFocused();
  await expect.poll(() => titles(page)).toEqual(["Three", "Two"]);
  await page.keyboard.press("Enter");
  await expect.poll(() => titles(page)).toEqual(["One", "Three", "Two"]);
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(page.getByText("No fields yet.")).toBeVisible();
});

test("two members who edit one site see what differs", async ({ page, browser }) => {
  test.slow();
  const slug = `conflict-${Date.now()}`;
  await signIn(page, "one@shop.example");
  const other = await (await browser.newContext()).newPage();
  await signInAs(page, other, "DEVELOPER");
  await openEditor(page);
  await fillPages(page, slug);
  await addField(page, "Text", "Why?");
  await page.getByRole("button", { name: "Save as a draft" }).click();
  await expect(page.getByText("The link site is saved.")).toBeVisible();
  await other.getByRole("link", { name: "Sandbox link sites" }).click();
  await other.getByRole("link", { name: `Site ${slug}`, exact: true }).click();
  await other.getByLabel("Heading of the first page").fill("Theirs");
  await other.getByRole("button", { name: "Save", exact: true }).click();
  await expect(other.getByText("The link site is saved.")).toBeVisible();
  await page.getByLabel("Heading of the first page").fill("Mine");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const conflict = page.getByRole("region", { name: "Another member changed this link site" });
  await expect(conflict).toBeFocused();
  await expect(conflict.getByRole("row", { name: /startPage\.title/ })).toContainText("Theirs");
  await expect(page.getByLabel("Heading of the first page")).toHaveValue("Mine");
  await conflict.getByRole("button", { name: "Save mine over theirs" }).click();
  await expect(page.getByText("The link site is saved.")).toBeVisible();
  await other.reload();
  await expect(other.getByLabel("Heading of the first page")).toHaveValue("Mine");

  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete link site" }).click();
  await expect(page.getByText("The link site is deleted.")).toBeVisible();
});

test("a viewer sees a site and changes nothing", async ({ page, browser }) => {
  const slug = `viewer-${Date.now()}`;
  await signIn(page, "viewed@shop.example");
  await openEditor(page);
  await fillPages(page, slug);
  await addField(page, "Text", "Why?");
  await page.getByRole("button", { name: "Save as a draft" }).click();
  await expect(page.getByText("The link site is saved.")).toBeVisible();
  const viewer = await (await browser.newContext()).newPage();
  await signInAs(page, viewer, "VIEWER");
  await viewer.getByRole("link", { name: "Sandbox link sites" }).click();
  await expect(viewer.getByRole("link", { name: "New link site" })).toHaveCount(0);
  await viewer.getByRole("link", { name: `Site ${slug}`, exact: true }).click();
  await expect(viewer.getByLabel("Name", { exact: true })).toBeDisabled();
  await expect(viewer.getByRole("button", { name: /^Save/ })).toHaveCount(0);
  await viewer.getByRole("link", { name: "Production link sites" }).click();
  await expect(viewer.getByText("No link sites yet.")).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the pages of link sites are accessible and fit in ${colorScheme} mode`, async ({ browser }) => {
    test.slow();
    const page = await (await browser.newContext({ colorScheme })).newPage();
    const check = checkAtWidths(page, colorScheme, [360, 768, 1280]);
    const slug = `looks-${colorScheme}-${Date.now()}`;
    await signIn(page, `sites-${colorScheme}@shop.example`);
    await openEditor(page);
    await page.getByRole("button", { name: "Save and publish" }).click();
    await page.getByRole("alert", { name: "The service did not accept the draft" }).waitFor();
    await check("site-refused");
    await fillPages(page, slug);
    await addField(page, "One choice", "What is it for?");
    await page.getByLabel("Choices, one a line").fill("Car\nHome");
    await addField(page, "Text", "Which brand?");
    await page.getByLabel("Show only under a condition").check();
    await page.getByLabel("Rule 1: Value").selectOption("Car");
    await page.getByLabel("Add a language").fill("es-MX");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByLabel("Hello").fill("Hola");
    await page.getByRole("button", { name: "Show preview" }).click();
    const preview = page.frameLocator("iframe[name=preview]");
    await expect(preview.getByLabel("What is it for?")).toBeVisible();
    await expect(preview.getByLabel("Which brand?")).toBeHidden();
    await page.getByLabel("Also show fields").check();
    await page.getByLabel("Computer, 1280 px").check();
    await page.getByRole("button", { name: "Show preview" }).click();
    await expect(preview.getByLabel("Which brand?")).toBeVisible();
    await page.getByLabel("Page", { exact: true }).selectOption("START");
    await page.getByLabel("Language", { exact: true }).last().selectOption("es-MX");
    await page.getByRole("button", { name: "Show preview" }).click();
    await expect(preview.getByRole("heading", { level: 1 })).toHaveText("Hola");
    const embedder = process.env["LINCHPIN_DEMO_URL"] as string;
    // Other tests make templates that do not allow this origin.
    await page.getByLabel("Link template").selectOption({ label: "Default (Ardilla Loans)" });
    await page.getByLabel("May be embedded by").fill(`${embedder}\nshop`);
    await page.getByRole("button", { name: "Save and publish" }).click();
    await expect(page.getByText("shop: ").first()).toBeVisible();
    await page.getByLabel("May be embedded by").fill(embedder);
    await page.getByRole("button", { name: "Save and publish" }).click();
    await expect(page.getByText("The link site is saved.")).toBeVisible();
    await expect(page.getByText(/data-linchpin-site="[^"]+\/s\/looks-/)).toBeVisible();
    await page.getByRole("button", { name: /^Which brand\?/ }).click();
    await check("site");
    await page.getByRole("link", { name: "Sandbox link sites" }).click();
    await page.getByRole("link", { name: `Site ${slug}`, exact: true }).waitFor();
    await check("sites");
    await page.getByRole("row", { name: new RegExp(slug) }).getByRole("link", { name: /^See answers/ }).click();
    await page.getByText("No answers with these filters.").waitFor();
    await check("answers-empty");
    await page.getByRole("link", { name: "Audit log" }).click();
    await page.getByLabel("Environment").selectOption({ label: "Sandbox" });
    await page.getByText("LINK_SITE_CREATED").last().waitFor();
    await check("audit");
    await page.route("**/console/api/**", (route) => route.fulfill({ status: 403, json: {} }));
    await page.getByRole("link", { name: "Sandbox link sites" }).click();
    await page.getByText("Your role does not include this").waitFor();
    await check("sites-denied");
  });
}
