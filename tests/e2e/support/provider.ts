/** The pages of the sandbox's provider for the login `oauth`. */
import { expect, type Page } from "@playwright/test";

/** Waits for the login page. */
export async function showsLogin(provider: Page): Promise<void> {
  await expect(provider.getByRole("heading", { name: "Sign in to the sandbox provider" })).toBeVisible();
}

/** Signs in on the login page. */
export async function trySignIn(provider: Page, password: string): Promise<void> {
  await showsLogin(provider);
  await provider.getByRole("textbox", { name: "User name" }).fill("oauth");
  await provider.getByRole("textbox", { name: "Password" }).fill(password);
  await provider.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Signs in with the published password. The provider then asks. */
export async function signIn(provider: Page): Promise<void> {
  await trySignIn(provider, "pass");
  await expect(provider.getByRole("heading", { name: "Sandbox provider", exact: true })).toBeVisible();
}
