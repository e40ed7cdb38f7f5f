/**
 * The connector of examples/openid at a provider that is not ours: a login on its own pages, continuous sync with its refresh
 * tokens, and the end of the access.
 */
import type { Page } from "@playwright/test";
import { EMAIL, isReady, Stack, startAsInGuide } from "./support/openid";
import { freePort } from "./support/ports";
import { pressApart } from "./support/presses";
import { expect, test as base, Widget } from "./support/widget";

const DAY = 86_400;

const test = base.extend<object, { stack: Stack }>({
  stack: [async ({}, use) => Stack.run(use), { scope: "worker" }],
});

/** Opens a hosted link, and goes to the provider's login page in the same tab. */
async function leave(page: Page, url: string): Promise<Widget> {
  pressApart(page);
  await page.goto(url);
  await page.getByRole("button", { name: "Link an account" }).click();
  const widget = new Widget(page, page.frameLocator("dialog iframe"));
  await widget.agree();
  await widget.pick("OpenID Example");
  await widget.frame.getByRole("textbox", { name: "Email address" }).fill(EMAIL);
  await widget.button("Connect").click();
  await widget.button("Continue to OpenID Example").click();
  await expect(page.getByRole("heading", { name: "Sign-in" })).toBeVisible();
  return widget;
}

async function signIn(page: Page, email: string): Promise<void> {
  const name = page.getByPlaceholder("Enter any login");
  await expect(name, "the address that the person typed").toHaveValue(EMAIL);
  await name.fill(email);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await expect(page.getByRole("heading", { name: "Authorize" })).toBeVisible();
}

test("a certified provider links, refreshes and ends an access", async ({ page, stack }) => {
  const { provider } = stack;
  const widget = await leave(page, await stack.createLink());
  await signIn(page, EMAIL);
  await page.getByRole("button", { name: "Continue" }).click();
  await widget.shows(/^You’re connected$|^Your connected accounts$/);
  const [{ id }] = (await stack.rest("GET", "/accounts?connectionStatus=CONNECTED")).items;
  await expect.poll(() => stack.identities(id)).toContain("Lucía Méndez Aurora");

  const before = [...provider.refreshTokens];
  provider.people[EMAIL]!["phone_number"] = "+525500000999";
  await stack.rest("POST", "/clock/advance", { seconds: 2 * DAY });
  await expect.poll(() => stack.identities(id), "a sync reads the change").toContain("+525500000999");
  expect(provider.refreshTokens.length, "the sync has a new token").toBeGreaterThan(before.length);
  const newest = provider.refreshTokens.at(-1)!;
  expect(await provider.isActive(newest)).toBe(true);

  await stack.rest("DELETE", `/accounts/${id}`);
  await expect.poll(() => provider.isActive(newest), "the provider has ended the access").toBe(false);
  expect(await provider.refresh(newest)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
});

test("an access of another person than the one who was asked is ended", async ({ page, stack }) => {
  const { provider } = stack;
  const widget = await leave(page, await stack.createLink());
  await signIn(page, "bruno@example.com");
  await page.getByRole("button", { name: "Continue" }).click();
  await widget.shows("Those details didn’t match");
  const newest = provider.refreshTokens.at(-1)!;
  await expect.poll(() => provider.isActive(newest)).toBe(false);
});

test("a person who cancels at the provider has shared nothing", async ({ page, stack }) => {
  const widget = await leave(page, await stack.createLink());
  const before = stack.provider.refreshTokens.length;
  await page.getByRole("link", { name: "Cancel" }).click();
  await widget.shows("The request was declined");
  expect(stack.provider.refreshTokens).toHaveLength(before);
});

test("the provider starts with the command of the guide", async ({}, info) => {
  const port = await freePort();
  const provider = startAsInGuide(info.outputPath(), "provider.mjs", "--port", `${port}`);
  try {
    await expect.poll(() => isReady(`http://localhost:${port}/.well-known/openid-configuration`)).toBe(true);
  } finally {
    provider.kill();
  }
});
