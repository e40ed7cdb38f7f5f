/** Tests the developer portal, from the one-time address to signing out. */
import { expect, test, type Page } from "@playwright/test";
import { accessible, checkAtWidths } from "./support/axe";
import { createTenant, invite as inviteTo } from "./support/portal";

const SERVICE = process.env["LINCHPIN_SERVICE_URL"] as string;

let tenant: string;
test.beforeEach(async () => void (tenant = await createTenant()));
const invite = (email: string): Promise<string> => inviteTo(email, tenant);

/** Signs a new owner in. */
async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(await invite(email));
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: /^Welcome/ })).toBeVisible();
}

/** Returns the status of a request with an API key. */
async function ask(key: string, secret: string, method = "GET"): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString("base64")}`;
  return (await fetch(`${SERVICE}/sandbox/v1/users`, { method, headers: { authorization } })).status;
}

/** The violations of the page's policy, and the uncaught errors, so far. */
function faults(page: Page): string[] {
  const found: string[] = [];
  page.on("pageerror", (error) => found.push(error.message));
  page.on("console", (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) found.push(message.text());
  });
  return found;
}

test("an owner signs in once, creates a key, uses it and revokes it", async ({ page }) => {
  const found = faults(page);
  const address = await invite("story@shop.example");
  await page.goto(address);
  // Firefox sometimes cancels it. The address has a fragment, so `goto` would load nothing.
  await expect(() => page.reload()).toPass({ timeout: 60_000 });
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Welcome, story" })).toBeFocused();
  expect(page.url()).toBe(`${SERVICE}/console/`);

  await page.getByRole("link", { name: "Sandbox keys" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Payroll");
  await page.keyboard.press("Enter");
  const once = page.getByRole("region", { name: "Save the secret of Payroll now" });
  await expect(once).toBeFocused();
  const [key, secret] = await once.locator("code").allTextContents();
  expect(await ask(key as string, secret as string)).toBe(200);
  await once.getByRole("button", { name: "I have saved it" }).click();
  await expect(page.getByText(secret as string)).toHaveCount(0);

  const row = page.getByRole("row", { name: /Payroll/ });
  await expect(row).toContainText(`lpk_…${(key as string).slice(-4)}`);
  await expect(row).toContainText("Never");
  await expect(row).toContainText("UTC");
  await row.getByRole("button", { name: "Rotate Payroll" }).click();
  await page.getByLabel("The present key ends").selectOption("At once");
  await page.getByRole("button", { name: "Create successor" }).click();
  await expect(once).toBeFocused();
  const [newKey, newSecret] = await once.locator("code").allTextContents();
  expect(await ask(newKey as string, newSecret as string)).toBe(200);
  expect(await ask(key as string, secret as string)).toBe(401);
  await once.getByRole("button", { name: "I have saved it" }).click();
  await expect(row.filter({ hasText: "Expired" })).toHaveCount(1);
  await row.filter({ hasText: "Expired" }).getByRole("button", { name: "Revoke Payroll" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByText("The key is revoked.")).toBeVisible();
  await expect(row.filter({ hasText: "Revoked" })).toHaveCount(1);
  expect(await ask(key as string, secret as string)).toBe(401);

  await page.getByRole("textbox", { name: "Name" }).fill("Reader");
  await page.getByLabel("Access").selectOption("Read only");
  await page.getByLabel("Expires").selectOption("In 30 days");
  await page.getByRole("button", { name: "Create key" }).click();
  const reader = page.getByRole("region", { name: "Save the secret of Reader now" });
  await expect(reader).toBeFocused();
  const [readKey, readSecret] = await reader.locator("code").allTextContents();
  expect(await ask(readKey as string, readSecret as string)).toBe(200);
  expect(await ask(readKey as string, readSecret as string, "POST")).toBe(403);
  await reader.getByRole("button", { name: "I have saved it" }).click();

  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "You are signed out" })).toBeFocused();
  await page.goto(address);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toContainText("already used");
  // Only the fragment changes, so that the browser does not load the page again.
  await page.goto(await invite("story-again@shop.example"));
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Welcome, story-again" })).toBeFocused();
  expect(found).toEqual([]);
});

test("a production key is revoked only after its name was typed", async ({ page }) => {
  await signIn(page, "production@shop.example");
  await page.getByRole("link", { name: "Production keys" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Live");
  await page.getByRole("button", { name: "Create key" }).click();
  const once = page.getByRole("region", { name: "Save the secret of Live now Production" });
  await expect(once).toBeFocused();
  await page.getByRole("link", { name: "Sandbox keys" }).click();
  await expect(once).toBeVisible();
  await page.getByRole("link", { name: "Production keys" }).click();
  await once.getByRole("button", { name: "I have saved it" }).click();
  await expect(once).toHaveCount(0);
  await page.getByRole("button", { name: "Revoke Live" }).click();
  await expect(page.getByRole("button", { name: "Revoke key" })).toBeDisabled();
  await page.getByLabel("Type Live to confirm").fill("Live");
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByText("The key is revoked.")).toBeVisible();
});

test("typed text survives a refused and a failed request", async ({ page }) => {
  await signIn(page, "errors@shop.example");
  await page.getByRole("link", { name: "Members" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Bo");
  await page.getByLabel("E-mail address").fill("bo");
  await page.getByRole("button", { name: "Invite" }).click();
  await expect(page.getByLabel("E-mail address")).toBeFocused();
  await page.getByLabel("E-mail address").fill("bo@shop.example");
  await page.route("**/console/api/members", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await page.getByRole("button", { name: "Invite" }).click();
  await expect(page.getByRole("alert")).toContainText("could not be reached");
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("Bo");
  await page.unroute("**/console/api/members");
  await page.getByRole("button", { name: "Invite" }).click();
  await expect(page.getByRole("region", { name: "Send this address to Bo" })).toBeFocused();
});

test("a viewer sees no button that writes", async ({ page, browser }) => {
  await signIn(page, "manager@shop.example");
  await page.getByRole("link", { name: "Members" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Vi");
  await page.getByLabel("E-mail address").fill("vi@shop.example");
  await page.getByLabel("Role", { exact: true }).selectOption("VIEWER");
  await page.getByRole("button", { name: "Invite" }).click();
  const address = (await page.locator(".once code").textContent()) as string;
  const other = await (await browser.newContext()).newPage();
  await other.goto(address);
  await other.getByRole("button", { name: "Sign in" }).click();
  for (const name of ["Sandbox keys", "Production keys", "Members"]) {
    await other.getByRole("link", { name }).click();
    await expect(other.getByRole("table").or(other.getByText("No keys yet."))).toBeVisible();
    await expect(other.locator("main").getByRole("button")).toHaveCount(0);
  }
});

test("the portal speaks Spanish", async ({ browser }) => {
  const page = await (await browser.newContext({ locale: "es-MX" })).newPage();
  await page.goto(await invite("idioma@shop.example"));
  await page.getByRole("button", { name: "Iniciar sesión" }).click();
  await page.getByRole("link", { name: "Claves de sandbox" }).click();
  await expect(page.getByRole("heading", { name: "Claves de API" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "es-MX");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`every page is accessible and fits in ${colorScheme} mode`, async ({ browser }) => {
    const page = await (await browser.newContext({ colorScheme })).newPage();
    await page.goto(await invite(`${colorScheme}@shop.example`));
    const check = checkAtWidths(page, colorScheme, [360, 1280, 1920]);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await check("enter");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: /^Welcome/ }).waitFor();
    await check("overview");
    for (const [link, name] of [["Sandbox keys", "sandbox"], ["Production keys", "production"], ["Members", "members"], ["Sessions", "sessions"], ["Audit log", "audit"]]) {
      await page.getByRole("link", { name: link as string }).click();
      await page.getByRole("table").or(page.getByText("No keys yet")).first().waitFor();
      await check(name as string);
    }
    await page.getByRole("link", { name: "Sandbox keys" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Payroll");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("button", { name: "I have saved it" }).waitFor();
    await check("created");
    await page.getByRole("button", { name: "I have saved it" }).click();
    await page.getByRole("button", { name: "Revoke Payroll" }).first().click();
    await check("question");
    await page.getByRole("button", { name: "Rotate Payroll" }).first().click();
    await check("rotation");
    await page.route("**/console/api/**", (route) => route.fulfill({ status: 403, json: {} }));
    await page.getByRole("link", { name: "Members" }).click();
    await page.getByText("Your role does not include this").waitFor();
    await check("denied");
    await page.unroute("**/console/api/**");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    await check("signed-out");
  });
}

test("a member adds a passkey, signs in with it, and confirms an act with it", async ({ page }) => {
  const found = faults(page);
  const client = await page.context().newCDPSession(page);
  await client.send("WebAuthn.enable");
  const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true } as const;
  const { authenticatorId } = await client.send("WebAuthn.addVirtualAuthenticator", {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  });
  await signIn(page, "passkey@shop.example");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Passkeys" }).click();
  await expect(page.getByText("No passkeys yet.")).toBeVisible();
  await accessible(page, "passkeys, empty");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("The passkey is added.")).toBeVisible();
  await expect(page.getByRole("row", { name: /Chrome on Linux/ })).toBeVisible();
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByRole("alert")).toContainText("already has a passkey");

  await page.getByRole("button", { name: "Sign out" }).click();
  await accessible(page, "signed out");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByRole("heading", { name: /^Welcome/ })).toBeVisible();

  // As if the sign-in were long ago: the service says so once.
  let isOld = true;
  await page.route("**/console/api/production/keys", async (route) => {
    if (route.request().method() !== "POST" || !isOld) return route.continue();
    isOld = false;
    const challenge = 'Bearer error="insufficient_user_authentication"';
    const headers = { "content-type": "application/problem+json", "www-authenticate": challenge };
    await route.fulfill({ status: 403, headers, body: "{}" });
  });
  await page.getByRole("link", { name: "Production keys" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Payroll");
  await page.keyboard.press("Enter");
  const confirmation = page.getByRole("region", { name: "Confirm that it is you" });
  await expect(confirmation).toBeFocused();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("Payroll");
  await accessible(page, "confirmation");
  await client.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await confirmation.getByRole("button", { name: "Use a passkey" }).click();
  await expect(confirmation.getByRole("alert")).toContainText("No passkey was used");
  await client.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
  await confirmation.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("region", { name: "Save the secret of Payroll now" })).toBeFocused();
  expect(found).toEqual([]);
});
