/** The clock of the sandbox on the demo page: what happens in 33 days, and how a person mends an account. */
import type { Locator, Page } from "@playwright/test";
import { test } from "./support/own-tenant";
import { expect, PROVIDER, type Tenant } from "./support/widget";

const DAY = 86_400_000;

function cards(page: Page): Locator {
  return page.locator("#accounts article");
}

/** Returns how many items of a kind the card of an account counts. */
async function counted(card: Locator, kind: string): Promise<number> {
  return Number(await card.locator(`.${kind} dd`).innerText());
}

async function sandboxTime(page: Page): Promise<number> {
  return Date.parse(await page.locator("#now").innerText());
}

async function advance(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Advance 33 days" });
  const before = await sandboxTime(page);
  await button.click();
  await expect.poll(() => sandboxTime(page), { timeout: 60_000 }).toBeGreaterThan(before + 32 * DAY);
  await expect(button).toBeEnabled({ timeout: 60_000 });
}

/** Links a login and waits until its data is read. Returns the account's id. */
async function linked(tenant: Tenant, provider: string, login: string): Promise<unknown> {
  const widget = await tenant.open();
  await widget.agree();
  await widget.choose(provider);
  await widget.signIn(login);
  await widget.shows("You’re connected");
  const accountId = (await tenant.argument("onAccountConnected"))?.["accountId"];
  await expect.poll(async () => (await types(tenant, accountId)).at(-1), { timeout: 60_000 }).toBe("TASK_FINISHED");
  await tenant.closeBy(widget.button("Done"));
  return accountId;
}

async function types(tenant: Tenant, accountId: unknown): Promise<string[]> {
  return (await tenant.received(accountId)).map(({ type }) => type);
}

test("33 days bring new payslips and their webhooks", async ({ tenant, page }) => {
  await tenant.goto();
  const accountId = await linked(tenant, "Government Pension Mexico", "good");
  const card = cards(page).first();
  await expect(card.locator(".documents")).toBeVisible();
  const before = await counted(card, "documents");
  await advance(page);
  await expect.poll(() => types(tenant, accountId), { timeout: 60_000 }).toContain("ACCOUNT_SYNC_TASK_FINISHED");
  const received = await types(tenant, accountId);
  expect(received).toContain("DOCUMENTS_ADDED");
  expect(received).toContain("INCOMES_ADDED");
  await expect.poll(() => counted(card, "documents"), "a new payslip").toBeGreaterThan(before);
  const payslips = (await card.locator("pre").textContent())?.match(/"Payslip \d{4}-\d\d"/g);
  expect(new Set(payslips).size, "three at first, and the one of the new month").toBeGreaterThan(3);
  await expect(page.locator("#webhooks")).toContainText("ACCOUNT_SYNC_TASK_FINISHED");
});

test("a new login in the widget repairs an account that needs one after 33 days", async ({ tenant, page }) => {
  await tenant.goto();
  const accountId = await linked(tenant, PROVIDER, "sync-reauth");
  await advance(page);
  await expect(cards(page)).toContainText("USER_ACTION_REQUIRED");
  const failed = (await tenant.received(accountId)).find(({ type }) => type === "ACCOUNT_SYNC_TASK_FINISHED");
  expect(failed?.data).toMatchObject({ status: "FAILED", monitorStatus: "USER_ACTION_REQUIRED" });

  const widget = await tenant.open();
  await widget.shows("Your connected accounts");
  await widget.main.getByRole("button", { name: new RegExp(PROVIDER) }).click();
  await widget.button("Sign in again").click();
  await widget.shows(`Sign in to ${PROVIDER}`);
  await widget.signIn("sync-reauth");
  await widget.shows("You’re connected");
  await tenant.closeBy(widget.button("Done"));
  await expect(cards(page)).not.toContainText("USER_ACTION_REQUIRED");
  await expect(cards(page)).toHaveCount(1);
});
