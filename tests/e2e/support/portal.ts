/** Signs members in to the developer portal. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, type Page } from "@playwright/test";

const run = promisify(execFile);

/** Invites an owner, as the operator does, and returns the one-time address. */
export async function invite(email: string): Promise<string> {
  const flags = ["--json", "--data-dir", process.env["LINCHPIN_DATA"] as string];
  const program = process.env["LINCHPIN_BINARY"] as string;
  const { stdout } = await run(program, ["console", "invite", "--tenant", "demo", "--owner", email, ...flags]);
  return JSON.parse(stdout).address;
}

/** Signs a new owner in. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(await invite(email));
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
