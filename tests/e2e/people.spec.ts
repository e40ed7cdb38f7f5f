/** Support's pages of the portal: a person is found, and helped. */
import { expect, test, type Page } from "@playwright/test";
import { checkAtWidths } from "./support/axe";
import { signIn, signInAs } from "./support/portal";
import { Receiver } from "./support/receiver";
import { rest, type ApiKey } from "./support/rest";

/** Creates an API key in the portal. */
async function createKey(page: Page): Promise<ApiKey> {
  await page.getByRole("link", { name: "Sandbox keys" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Story");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.locator(".once")).toBeFocused();
  const [apiKey, apiSecret] = await page.locator(".once code").allTextContents();
  await page.getByRole("button", { name: "I have saved it" }).click();
  return { apiKey: apiKey as string, apiSecret: apiSecret as string };
}

test("support finds a person and sends a delivery again with four clicks", async ({ page, browser }) => {
  const receiver = new Receiver();
  receiver.status = 500;
  const url = await receiver.start();
  await signIn(page, "people-owner@shop.example");
  const key = await createKey(page);
  const hook = await rest(key, "POST", "/webhooks", { url, eventTypes: ["USER_CREATED"], secret: "a secret of the story" });
  const reference = `person-${Date.now()}`;
  await rest(key, "POST", "/users", { reference });
  const support = await (await browser.newContext()).newPage();
  await signInAs(page, support, "SUPPORT");

  await support.getByRole("link", { name: "Sandbox people" }).click();
  await support.getByLabel("Reference, id or e-mail address").fill(reference);
  await support.getByRole("button", { name: "Find" }).click();
  await support.getByRole("link", { name: reference }).click();
  await expect(support.getByRole("heading", { level: 1, name: reference })).toBeFocused();
  const entry = support.getByRole("listitem").filter({ hasText: "USER_CREATED" });
  const delivery = entry.locator(".delivered").filter({ hasText: hook.id });
  await expect(delivery).toContainText("Attempts: 1");
  receiver.status = 204;
  await delivery.getByRole("button", { name: "Send again: USER_CREATED" }).click();
  await expect(support.getByText("The delivery is sent again.")).toBeVisible();
  await expect(delivery).toContainText("Delivered");
  await expect(support.getByRole("button", { name: "Erase the person" })).toHaveCount(0);

  await rest(key, "DELETE", `/webhooks/${hook.id}`);
  receiver.stop();
});

test("an owner erases a person, who is not found afterwards", async ({ page }) => {
  await signIn(page, "people-eraser@shop.example");
  const key = await createKey(page);
  const reference = `erased-${Date.now()}`;
  await rest(key, "POST", "/users", { reference });
  await page.getByRole("link", { name: "Sandbox people" }).click();
  await page.getByLabel("Reference, id or e-mail address").fill(reference);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: reference }).click();
  await page.getByRole("button", { name: "Erase the person" }).click();
  await expect(page.getByRole("heading", { name: "Erase this person?" })).toBeVisible();
  await page.locator("#question").getByRole("button", { name: "Erase the person" }).click();
  await expect(page.getByText("The person was erased.")).toBeVisible();
  await page.getByLabel("Reference, id or e-mail address").fill(reference);
  await page.keyboard.press("Enter");
  await expect(page.getByText("No one was found.")).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`support's pages are accessible and fit in ${colorScheme} mode`, async ({ browser }) => {
    test.slow();
    const page = await (await browser.newContext({ colorScheme })).newPage();
    const check = checkAtWidths(page, colorScheme, [360, 768, 1920, 1280]);
    await signIn(page, `people-${colorScheme}@shop.example`);
    const key = await createKey(page);
    const reference = `seen-${colorScheme}-${Date.now()}`;
    const user = await rest(key, "POST", "/users", { reference });
    const templates = async (path: string): Promise<string> => (await rest(key, "GET", path)).items[0].id;
    await rest(key, "POST", "/invites", {
      fullName: "Ana Ruiz",
      emailAddress: `ana-${colorScheme}@example.com`,
      inviteTemplateId: await templates("/inviteTemplates"),
      linkTemplateId: await templates("/linkTemplates"),
      userId: user.id,
    });
    await page.getByRole("link", { name: "Sandbox people" }).click();
    await page.getByRole("button", { name: "Find" }).click();
    await expect(page.getByLabel("Reference, id or e-mail address")).toBeFocused();
    await check("people-fault");
    await page.getByLabel("Reference, id or e-mail address").fill(`ana-${colorScheme}@example.com`);
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("link", { name: reference }).waitFor();
    await check("people");
    await page.getByRole("link", { name: reference }).click();
    await page.getByText("INVITE_INVITED").or(page.getByText("USER_CREATED")).first().waitFor();
    await check("person");
    await page.getByRole("button", { name: "Erase the person" }).click();
    await check("person-question");
  });
}
