import { test as base } from "@playwright/test";
import { expect, Tenant, trap } from "./support/widget";

// Without the usual fixture, because errors are expected here.
const test = base;

test("a trap restarts the program with the same session and challenge", async ({ page }) => {
  const exchanges: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/link/sessions") && request.method() === "POST") exchanges.push(request.url());
  });
  const tenant = new Tenant(page);
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-otp");
  await widget.shows("Enter your code");
  const restarted = page.waitForRequest((request) => request.url().includes("?again=1"));
  await trap(page);
  await restarted;
  await widget.answer("1234");
  await widget.shows("You’re connected");
  expect(exchanges, "no second token was needed").toHaveLength(1);
  expect(await tenant.callbacks()).toEqual(["onAccountCreated", "onAccountConnected"]);
});

test("after a second trap, Try again continues with the tenant's next token", async ({
  page,
}) => {
  const tenant = new Tenant(page);
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-otp");
  await widget.shows("Enter your code");
  const restarted = page.waitForResponse((response) => response.url().endsWith("/link/session"));
  await trap(page);
  await restarted;
  await widget.shows("Enter your code");
  await trap(page);
  await page.getByRole("dialog").getByRole("button", { name: "Try again" }).click();
  await widget.answer("1234");
  await widget.shows("You’re connected");
  expect((await tenant.lines()).filter(({ name }) => name === "LinkError")).toMatchObject([
    { argument: { cause: "wasm" } },
  ]);
  expect(await tenant.callbacks()).toEqual(["onAccountCreated", "LinkError", "onTokenExpired", "onAccountConnected"]);
});
