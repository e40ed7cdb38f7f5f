/** The developers' pages of the portal, from the invitation to the first verified webhook, without a terminal. */
import { createHmac } from "node:crypto";
import { expect, test, type Page } from "@playwright/test";
import { accessible, checkAtWidths, reflows } from "./support/axe";
import { signIn, signInAs } from "./support/portal";
import { Receiver } from "./support/receiver";

const SERVICE = process.env["LINCHPIN_SERVICE_URL"] as string;

const story = test.extend<{ receiver: Receiver; url: string }>({
  receiver: async ({}, use) => {
    const receiver = new Receiver();
    await use(receiver);
    receiver.stop();
  },
  url: async ({ receiver }, use) => use(await receiver.start()),
});

/** Registers a webhook, and returns its secret. */
async function register(page: Page, url: string): Promise<string> {
  await page.getByRole("link", { name: "Sandbox webhooks" }).click();
  await page.getByLabel("Address").fill(url);
  await page.getByRole("button", { name: "Register" }).click();
  const once = page.getByRole("region", { name: /^Save the secret of 127/ });
  await expect(once).toBeFocused();
  const [secret = "", standard] = await once.locator("code").allTextContents();
  expect(standard).toBe(`whsec_${Buffer.from(secret).toString("base64")}`);
  await once.getByRole("button", { name: "I have saved it" }).click();
  return secret;
}

/** Opens the page of the webhook with an address. Other tests have webhooks of the same host. */
async function openWebhook(page: Page, url: string): Promise<void> {
  await page.getByRole("row").filter({ hasText: url }).getByRole("link").click();
}

// The events of the stories are of types that no other browser test causes, because all share one tenant.
story("a developer verifies the first webhook without a terminal", async ({ page, browser, receiver, url }) => {
  await signIn(page, "first-webhook@shop.example");
  const developer = await (await browser.newContext()).newPage();
  await signInAs(page, developer, "DEVELOPER");

  await developer.getByRole("link", { name: "Sandbox keys" }).click();
  await developer.getByRole("textbox", { name: "Name" }).fill("Back end");
  await developer.getByRole("button", { name: "Create key" }).click();
  await developer.getByRole("button", { name: "I have saved it" }).click();

  const secret = await register(developer, url);
  await openWebhook(developer, url);
  await developer.getByRole("button", { name: "Send a ping" }).click();
  await expect(developer.getByText("The receiver accepted the ping.")).toBeVisible();
  await receiver.first("PING");

  await developer.getByRole("link", { name: "Events" }).click();
  await developer.getByRole("button", { name: "Show an example of VERIFICATION_STARTED" }).click();
  await developer.getByRole("button", { name: "Fire in the sandbox" }).click();
  await expect(developer.getByText("The event is emitted.")).toBeVisible();
  const { body, signature } = await receiver.first("VERIFICATION_STARTED");
  expect(signature).toBe(createHmac("sha512", secret).update(body).digest("hex"));

  await developer.getByRole("link", { name: "See the webhooks that receive it" }).click();
  await openWebhook(developer, url);
  const row = developer.getByRole("row", { name: /VERIFICATION_STARTED/ });
  await expect(row).toContainText("Delivered");
  await row.getByRole("button", { name: /^Details of/ }).click();
  const panel = developer.getByRole("region", { name: "Delivery" });
  await expect(panel).toBeFocused();
  await expect(panel).toContainText("HTTP 200");
  await panel.getByText("Response", { exact: true }).click();
  await expect(panel).toContainText("thanks");
  await expect(panel.locator(".code").first()).toContainText(JSON.parse(body).id);
  await panel.getByRole("button", { name: "Send again" }).click();
  await expect.poll(() => receiver.received.filter((it) => it.body === body).length).toBe(2);
  await expect(panel).toContainText("Attempt 2");
  await developer.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);

  await developer.getByLabel("Secret", { exact: true }).fill(secret);
  await developer.getByLabel("Service-Signature").fill(signature);
  await developer.getByLabel("Received body").fill(body);
  await developer.getByRole("button", { name: "Verify" }).click();
  await expect(developer.getByText("The signature is valid.")).toBeVisible();
  await developer.getByLabel("Received body").fill(`${body} `);
  await developer.getByRole("button", { name: "Verify" }).click();
  await expect(developer.getByText("without the white space")).toBeVisible();
});

story("faults of a webhook are shown at their fields", async ({ page }) => {
  await signIn(page, "hook-faults@shop.example");
  await page.getByRole("link", { name: "Production webhooks" }).click();
  await page.getByLabel("Address").fill("ftp://x");
  await page.getByLabel("Only these").check();
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByLabel("Address")).toBeFocused();
  await expect(page.getByLabel("Address")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Address")).toHaveValue("ftp://x");
});

story("support sends a failed delivery again, and sees no body in production", async ({ page, browser, receiver, url }) => {
  await signIn(page, "hook-support@shop.example");
  await register(page, url);
  receiver.status = 500;
  await page.getByRole("link", { name: "Events" }).click();
  await page.getByRole("button", { name: "Show an example of RECORD_CREATED" }).click();
  await page.getByRole("button", { name: "Fire in the sandbox" }).click();
  await receiver.first("RECORD_CREATED");
  const support = await (await browser.newContext()).newPage();
  await signInAs(page, support, "SUPPORT");
  await support.getByRole("link", { name: "Sandbox webhooks" }).click();
  await expect(support.getByRole("row").filter({ hasText: url })).toContainText("Failing");
  await expect(support.getByRole("button", { name: "Register" })).toHaveCount(0);
  await openWebhook(support, url);
  await expect(support.getByRole("button", { name: "Send a ping" })).toHaveCount(0);
  await support.getByRole("row", { name: /RECORD_CREATED/ }).getByRole("button").click();
  receiver.status = 204;
  await support.getByRole("button", { name: "Send again" }).click();
  await expect(support.getByRole("row", { name: /RECORD_CREATED/ })).toContainText("Delivered");
});

story("a webhook is paused, resumed and deleted", async ({ page, url }) => {
  await signIn(page, "hook-delete@shop.example");
  await register(page, url);
  await openWebhook(page, url);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Pause webhook" }).click();
  await expect(page.getByText("The webhook is paused.")).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("The webhook receives events again.")).toBeVisible();
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete webhook" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible();
});

story("a login is created and deleted, and the clock advances", async ({ page }) => {
  await signIn(page, "sandbox@shop.example");
  await page.getByRole("link", { name: "Test logins" }).click();
  await page.getByLabel("Login", { exact: true }).fill("Ana");
  await page.getByRole("button", { name: "Create login" }).click();
  await expect(page.getByLabel("Login", { exact: true })).toBeFocused();
  const login = `ana.${Date.now()}`;
  await page.getByLabel("Login", { exact: true }).fill(login);
  await page.getByLabel("Challenge").selectOption("CODE");
  await page.getByRole("button", { name: "Create login" }).click();
  await expect(page.getByRole("row", { name: login })).toContainText("CODE → connects");
  await page.getByRole("button", { name: `Delete ${login}` }).click();
  await page.getByRole("button", { name: "Delete login" }).click();
  await expect(page.getByRole("row", { name: login })).toHaveCount(0);

  await page.getByRole("link", { name: "Sandbox clock" }).click();
  await expect(page.getByRole("button", { name: "1 hour" })).toBeEnabled();
});

story("requests and errors are listed without ids", async ({ page }) => {
  await signIn(page, "log@shop.example");
  await page.getByRole("link", { name: "Sandbox keys" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Log");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.locator(".once")).toBeFocused();
  const [key, secret] = await page.locator(".once code").allTextContents();
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString("base64")}`;
  const asked = await fetch(`${SERVICE}/sandbox/v1/webhooks/wh-${"0".repeat(32)}`, { headers: { authorization } });
  const id = asked.headers.get("x-request-id") as string;
  await page.getByRole("link", { name: "Sandbox requests" }).click();
  await page.getByLabel("Request id").fill(id);
  const row = page.getByRole("row", { name: /webhooks/ });
  await expect(row).toContainText("MISSING_RESOURCE");
  await expect(row).toContainText("/sandbox/v1/webhooks/{id}");
  await page.getByRole("link", { name: "Sandbox errors" }).click();
  const group = page.getByRole("row", { name: /webhooks\/\{id\}/ });
  await expect(group).toContainText("MISSING_RESOURCE");
  await group.getByRole("link", { name: "See the last request" }).click();
  await expect(page.getByLabel("Request id")).not.toHaveValue("");
});

for (const colorScheme of ["light", "dark"] as const) {
  story(`the developers' pages are accessible and fit in ${colorScheme} mode`, async ({ browser, url }) => {
    test.slow();
    const page = await (await browser.newContext({ colorScheme })).newPage();
    const check = checkAtWidths(page, colorScheme, [360, 768, 1920, 1280]);
    await signIn(page, `developers-${colorScheme}@shop.example`);
    await page.getByRole("link", { name: "Production webhooks" }).click();
    await page.getByText("No webhooks yet").waitFor();
    await page.getByLabel("Only these").check();
    await check("webhooks-empty");
    await register(page, url);
    await page.getByRole("link", { name: "Events" }).click();
    await page.getByRole("button", { name: "Show an example of ACCOUNT_CONNECTED" }).click();
    await page.getByRole("button", { name: "Fire in the sandbox" }).click();
    await page.getByText("The event is emitted.").waitFor();
    await check("events");
    await page.getByRole("link", { name: "Sandbox webhooks" }).click();
    await page.getByText("accepted").first().waitFor();
    await check("webhooks");
    await openWebhook(page, url);
    await page.getByRole("row", { name: /ACCOUNT_CONNECTED/ }).first().getByText("Delivered").waitFor();
    await page.getByRole("button", { name: "Send a ping" }).click();
    await page.getByText("The receiver accepted the ping.").waitFor();
    await check("webhook");
    await page.getByRole("row", { name: /ACCOUNT_CONNECTED/ }).first().getByRole("button").click();
    await page.locator(".side .code").first().waitFor();
    await check("delivery");
    for (const [link, name] of [["Test logins", "logins"], ["Sandbox clock", "clock"], ["Sandbox requests", "requests"], ["Sandbox errors", "errors"]]) {
      await page.getByRole("link", { name: link as string }).click();
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expect(page.locator(".bones")).toHaveCount(0);
      await check(name as string);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("button", { name: "Menu" }).click();
    await reflows(page, "menu");
    await accessible(page, "menu");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.route("**/console/api/**", (route) => route.fulfill({ status: 403, json: {} }));
    await page.getByRole("link", { name: "Sandbox webhooks" }).click();
    await page.getByText("Your role does not include this").waitFor();
    await check("webhooks-denied");
  });
}
