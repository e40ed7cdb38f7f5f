/** The portal's funnel and usage: what openings of the widget add to them. */
import { readFileSync } from "node:fs";
import type { Page, Route } from "@playwright/test";
import { checkAtWidths } from "./support/axe";
import { test } from "./support/own-tenant";
import { createTenant, signIn } from "./support/portal";
import { expect, PROVIDER_ID } from "./support/widget";

const STEPS = ["Opened", "Consent given", "Provider chosen", "Login submitted", "Connected"];
const PATH = { Opened: 0, "Provider chosen": 2, Connected: 4 };

/** Returns the counts of all days, in the order of the service. */
async function counts(page: Page): Promise<number[]> {
  const response = await page.request.get(new URL("/console/api/sandbox/funnel", page.url()).href);
  const sum = Array<number>(9).fill(0);
  for (const { counts } of (await response.json()).days) counts.forEach((count: number, step: number) => (sum[step]! += count));
  return sum;
}

function row(page: Page, section: string, name: string) {
  return page.getByRole("region", { name: section }).getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) });
}

test("an opening that stops and one that connects are in the funnel and the usage", async ({ tenant, ownTenant, browser }) => {
  const portal = await (await browser.newContext()).newPage();
  await signIn(portal, `funnel-${Date.now()}@shop.example`, ownTenant.id);
  const before = await counts(portal);

  await tenant.goto();
  let widget = await tenant.open();
  await widget.agree();
  await expect.poll(async () => (await counts(portal))[1]! - before[1]!, "the batch is counted").toBe(1);
  await tenant.goto();
  widget = await tenant.open();
  await widget.agree();
  await widget.choose();
  await widget.signIn("good", "wrong");
  await widget.shows("Those details didn’t match");
  // The code of an error is known as long as the person has not tried again.
  await expect.poll(async () => (await counts(portal))[7]! - before[7]!, "the error is counted").toBe(1);
  await widget.button("Enter your details again").click();
  await widget.password.fill("pass");
  await widget.button("Connect").click();
  await widget.shows("You’re connected");
  const added = async () => (await counts(portal)).map((count, step) => count - before[step]!);
  await expect.poll(added, "five steps, then challenge, documents, error and survey").toEqual([2, 2, 1, 1, 1, 0, 0, 1, 0]);

  await portal.getByRole("link", { name: "Sandbox funnel" }).click();
  await expect(portal.getByRole("heading", { level: 1, name: "Funnel" })).toBeFocused();
  const after = await counts(portal);
  for (const [name, step] of Object.entries(PATH)) {
    await expect(row(portal, "Steps", name)).toContainText(String(after[step]));
  }
  const stopped = after[1]! - after[2]!;
  await expect(row(portal, "Steps", "Consent given").getByRole("cell").last()).toContainText(String(stopped));
  await expect(row(portal, "Providers", PROVIDER_ID)).toBeVisible();
  await expect(row(portal, "Login errors", "INVALID_CREDENTIALS")).toContainText(PROVIDER_ID);
  await portal.getByText("Show as table").click();
  const today = new Date().toISOString().slice(0, 10);
  await expect(row(portal, "By day (UTC)", today)).toContainText(String(after[0]));
  await portal.getByLabel("Provider", { exact: true }).selectOption(PROVIDER_ID);
  await expect(row(portal, "Steps", "Opened")).toHaveCount(0);
  await expect(row(portal, "Steps", "Provider chosen")).toContainText("100 %");

  await portal.getByRole("link", { name: "Sandbox usage" }).click();
  const connected = portal.getByRole("row").filter({ hasText: "ACCOUNT_CONNECTED" });
  await expect(connected).toContainText(/[1-9]/);
  const [download] = await Promise.all([portal.waitForEvent("download"), portal.getByRole("link", { name: "Export CSV" }).click()]);
  // Another test may have moved the clock of the sandbox.
  expect(download.suggestedFilename()).toMatch(/^usage-\d{4}-\d{2}\.csv$/);
  expect(readFileSync(await download.path(), "utf8")).toMatch(/"id","createdAt","type"[^]*"ACCOUNT_CONNECTED"/);
});

test("funnel and usage of a new tenant are empty, and a wrong span is marked", async ({ page }) => {
  await signIn(page, "insights-empty@shop.example", await createTenant());
  await page.getByRole("link", { name: "Production funnel" }).click();
  await expect(page.getByText("No openings of the widget in these days.")).toBeVisible();
  await page.getByLabel("From (UTC)").fill("2026-11-20");
  await page.getByLabel("Until (UTC)").fill("2026-11-10");
  await page.getByLabel("Until (UTC)").press("Tab");
  await expect(page.getByLabel("Until (UTC)")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Until (UTC)")).toHaveAccessibleDescription(/./);
  await page.getByRole("link", { name: "Production usage" }).click();
  await expect(page.getByText("No chargeable events in this month.")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Total" })).toContainText("0");
});

/** Responds with a month of openings. */
async function month(route: Route): Promise<void> {
  const days = Array.from({ length: 30 }, (_, day) => {
    const opened = 60 + Math.round(45 * Math.sin(day / 3)) + day;
    const parts = [1, 0.86, 0.62, 0.55, 0.41, 0.2, 0.04, 0.11, 0.03].map((part) => Math.round(opened * part));
    return { id: `2026-11-${String(day + 1).padStart(2, "0")}`, name: "", counts: parts };
  });
  const provider = (id: string, ...counts: number[]) => ({ id, name: "", counts: [0, 0, ...counts, 0, 0, Math.round(counts[0]! / 9)] });
  const error = (id: string, name: string, count: number) => ({ id, name, counts: [0, 0, 0, 0, 0, 0, 0, count] });
  const providers = [provider("mx_social_security", 920, 830, 640), provider("mx_bank", 260, 180, 90), provider("mx_rides_of_the_whole_country", 44, 31, 30)];
  const errors = [error("INVALID_CREDENTIALS", "mx_social_security", 84), error("MFA_TIMEOUT", "mx_bank", 31), error("SERVICE_UNAVAILABLE", "mx_bank", 4)];
  const templates = [{ id: "lt-1", name: "Loans", counts: [] }];
  await route.fulfill({ json: { from: "2026-11-01", to: "2026-11-30", days, providers, errors, templates } });
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`funnel and usage are accessible and fit in ${colorScheme} mode`, async ({ browser }) => {
    test.slow();
    const page = await (await browser.newContext({ colorScheme })).newPage();
    const check = checkAtWidths(page, colorScheme, [360, 768, 1920, 1280]);
    await signIn(page, `insights-${colorScheme}@shop.example`, await createTenant());
    await page.getByRole("link", { name: "Sandbox funnel" }).click();
    await page.getByText("No openings").waitFor();
    await check("funnel-empty");
    await page.route("**/funnel?*", month);
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("link", { name: "Sandbox funnel" }).click();
    for (const step of STEPS) await expect(row(page, "Steps", step)).toBeVisible();
    await check("funnel");
    await page.getByText("Show as table").click();
    await check("funnel-table");
    await page.unroute("**/funnel?*");
    await page.route("**/funnel?*", (route) => route.abort());
    await page.getByLabel("Provider", { exact: true }).selectOption("mx_bank");
    await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
    await check("funnel-failed");
    const kinds = ["ACCOUNT_CONNECTED", "SOCIAL_SECURITY_RECORD", "BLACKLIST", "BORROWER_BEHAVIOR", "INCOME_ESTIMATOR"];
    const items = kinds.map((type, place) => ({ type, count: 1_280 >> (place * 2) }));
    const total = items.reduce((sum, { count }) => sum + count, 0);
    await page.route("**/billing/summary*", (route) => route.fulfill({ json: { month: "2026-11", total, items } }));
    await page.getByRole("link", { name: "Sandbox usage" }).click();
    await expect(page.getByRole("row").filter({ hasText: "Total" })).toContainText(String(total));
    await check("usage");
  });
}

test("funnel and usage fit in Spanish", async ({ browser }) => {
  const page = await (await browser.newContext({ locale: "es-MX" })).newPage();
  await signIn(page, "insights-es@shop.example", await createTenant());
  await page.route("**/funnel?*", month);
  await page.getByRole("link", { name: "Embudo de sandbox" }).click();
  await page.getByText("Mostrar como tabla").click();
  const check = checkAtWidths(page, "es", [1920, 1090, 360, 1280]);
  await expect(row(page, "Pasos", "Consentimiento dado")).toBeVisible();
  await check("funnel");
  await page.getByRole("link", { name: "Uso de sandbox" }).click();
  await expect(page.getByText("No hubo eventos cobrables en este mes.")).toBeVisible();
  await check("usage");
});
