/** Signs members in to the developer portal. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { expect, test, type Page } from "@playwright/test";

const run = promisify(execFile);

/** Creates a tenant, for tests whose events would bury those of other tests, and returns its id. */
export async function createTenant(): Promise<string> {
  const id = `portal${randomUUID().slice(0, 8)}`;
  const flags = ["--name", "Demo Company", "--json", "--data-dir", process.env["LINCHPIN_DATA"] as string];
  await run(process.env["LINCHPIN_BINARY"] as string, ["tenant", "create", id, ...flags]);
  return id;
}

/** Invites an owner, as the operator does, and returns the one-time address. */
export async function invite(email: string, tenant = "demo"): Promise<string> {
  const flags = ["--tenant", tenant, "--json", "--data-dir", process.env["LINCHPIN_DATA"] as string];
  const program = process.env["LINCHPIN_BINARY"] as string;
  const ask = async (...words: string[]): Promise<string> => JSON.parse((await run(program, ["console", ...words, ...flags])).stdout).address;
  const { retry, repeatEachIndex } = test.info();
  // The run before this one has left the member.
  return retry + repeatEachIndex > 0 ? ask("invite", "--owner", email).catch(() => ask("recover", email)) : ask("invite", "--owner", email);
}

/** Signs a new owner in. */
export async function signIn(page: Page, email: string, tenant = "demo"): Promise<void> {
  await page.goto(await invite(email, tenant));
  await page.getByRole("button", { name: /^(Sign in|Iniciar sesión)$/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
}

/** Signs in a member with this role, whom an owner invites in the portal. The page belongs to the owner. */
export async function signInAs(page: Page, member: Page, role: string): Promise<void> {
  await page.getByRole("link", { name: "Members" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(role);
  await page.getByLabel("E-mail address").fill(`${role}-${Date.now()}@shop.example`);
  await page.getByLabel("Role", { exact: true }).selectOption(role);
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const once = page.locator(".once");
  const address = (await once.locator("code").first().textContent()) as string;
  await once.getByRole("button", { name: "Done" }).first().click();
  await member.goto(address);
  await member.getByRole("button", { name: "Sign in" }).click();
  await expect(member.getByRole("heading", { name: /^Welcome/ })).toBeVisible();
}
