/**
 * Tests single sign-on with a certified OpenID provider: an owner configures it, a colleague joins by a proven domain, signs out
 * and in again, cancels, and is removed.
 */
import { expect, test, type Browser, type Page } from "@playwright/test";
import { checkAtWidths } from "./support/axe";
import { Company } from "./support/company";

let company: Company;
test.beforeAll(async () => {
  company = await Company.start();
});
test.afterAll(() => company?.stop());

/** Checks the page at both widths, in light and dark. */
async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await checkAtWidths(page, colorScheme, [1280, 360])(name);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** Opens the sign-in page in a new browser, and goes to the provider. */
async function leave(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${company.url}/console/`);
  await goAway(page);
  return page;
}

async function goAway(page: Page): Promise<void> {
  await page.getByLabel("Organization or work e-mail").fill("lucia@example.com");
  await page.getByRole("button", { name: "Continue with your organization" }).click();
  await expect(page).toHaveURL(/\/interaction\//);
}

async function agree(page: Page): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill("lucia@example.com");
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Welcome, Lucía Méndez Aurora" })).toBeVisible();
}

test("a colleague joins by a proven domain, and leaves when an owner removes them", async ({ page, browser }) => {
  test.setTimeout(120_000);
  await page.goto(company.invite("ana@shop.example"));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("link", { name: "Single sign-on" }).click();
  await expect(page.getByText("Your organization has no single sign-on yet.")).toBeVisible();
  await expect(page.getByText(company.callback)).toBeVisible();

  // A wrong issuer is refused at its field, and everything that was typed stays.
  const issuer = page.getByLabel("Issuer");
  await issuer.fill(`${company.issuer}/`);
  await page.getByLabel("Client id").fill(company.client.id);
  await page.getByLabel("Client secret").fill(company.client.secret);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(issuer).toBeFocused();
  await expect(issuer).toHaveAccessibleDescription(/another issuer/);
  await look(page, "sso-wrong-issuer");
  await issuer.fill(company.issuer);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The provider is saved.")).toBeVisible();
  await expect(page.getByLabel("Client secret")).toHaveValue("");

  const domain = page.getByLabel("Domain", { exact: true });
  await domain.fill("example.com");
  await page.getByRole("button", { name: "Add domain" }).click();
  const row = page.getByRole("row", { name: /example\.com/ });
  await expect(row).toContainText("_linchpin-sign-in.example.com");
  await look(page, "sso-domain-waits");
  company.confirmDomain("example.com");
  await page.reload();
  await expect(row).toContainText("Proven");
  await look(page, "sso-configured");

  const colleague = await leave(browser);
  await agree(colleague);
  await colleague.getByRole("link", { name: "Single sign-on" }).click();
  await expect(colleague.getByText("is linked")).toBeVisible();
  await expect(colleague.getByLabel("Issuer")).toHaveCount(0);
  await colleague.getByRole("button", { name: "Sign out" }).click();
  await expect(colleague.getByRole("heading", { name: "You are signed out" })).toBeFocused();
  await look(colleague, "sso-signed-out");
  await goAway(colleague);
  // The provider remembers the person, and asks again what to share.
  await colleague.getByRole("button", { name: "Continue" }).click();
  await expect(colleague.getByRole("heading", { name: "Welcome, Lucía Méndez Aurora" })).toBeVisible();

  const cancelled = await leave(browser);
  await cancelled.getByRole("link", { name: "Cancel" }).click();
  await expect(cancelled.getByRole("heading", { name: "You are not signed in" })).toBeVisible();
  await expect(cancelled.getByText("SIGN_IN_CANCELLED")).toBeVisible();
  await look(cancelled, "sso-cancelled");
  await cancelled.getByRole("link", { name: "To the sign-in page" }).click();
  await expect(cancelled.getByRole("heading", { name: "You are signed out" })).toBeVisible();

  await page.getByRole("link", { name: "Members" }).click();
  await page.getByRole("button", { name: "Remove Lucía Méndez Aurora" }).click();
  await page.getByRole("button", { name: "Remove member" }).click();
  await expect(page.getByText("The member is removed.")).toBeVisible();
  await colleague.reload();
  await expect(colleague.getByRole("heading", { name: "You are signed out" })).toBeVisible();
});

test("an organization that is not known is refused at its field, in Spanish", async ({ browser }) => {
  const page = await (await browser.newContext({ locale: "es-MX" })).newPage();
  await page.goto(`${company.url}/console/`);
  const organization = page.getByLabel("Organización o correo del trabajo");
  await organization.fill("nowhere");
  await page.getByRole("button", { name: "Continuar con tu organización" }).click();
  await expect(organization).toBeFocused();
  await expect(organization).toHaveAccessibleDescription(/no conoce/);
  await page.goto(`${company.url}/console/sign-in/callback/demo?state=old`);
  await expect(page.getByRole("heading", { name: "No se inició la sesión" })).toBeVisible();
});
