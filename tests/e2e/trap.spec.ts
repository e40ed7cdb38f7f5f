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
  // The restarted program asks for its session. Before that, the code would be typed into the old page.
  const restarted = page.waitForResponse((response) => response.url().endsWith("/link/session"));
  await trap(page);
  await restarted;
  await widget.answer("1234");
  await widget.shows("You’re connected");
  expect(exchanges, "no second token was needed").toHaveLength(1);
  expect(await tenant.callbacks()).toEqual(["onAccountCreated", "onAccountConnected"]);
});

test("after a second trap, Try again continues in the same session", async ({ page }) => {
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
  await widget.shows("Something went wrong on our side");
  await widget.button("Try again").click();
  await widget.answer("1234");
  await widget.shows("You’re connected");
  expect((await tenant.lines()).filter(({ name }) => name === "LinkError")).toMatchObject([
    { argument: { cause: "wasm" } },
  ]);
  expect(await tenant.callbacks()).toEqual(["onAccountCreated", "LinkError", "onAccountConnected"]);
});

test("a trap keeps what was typed, except the password, and says so", async ({ page }) => {
  const tenant = new Tenant(page);
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  await widget.choose();
  await widget.frame.getByRole("textbox", { name: "User name" }).fill("good");
  await widget.password.fill("pass");
  const restarted = page.waitForResponse((response) => response.url().endsWith("/link/session"));
  await trap(page);
  await restarted;
  await expect(widget.main.getByText("This page had to start again")).toBeVisible();
  await expect(widget.frame.getByRole("textbox", { name: "User name" })).toHaveValue("good");
  await expect(widget.password).toHaveValue("");
  await widget.password.fill("pass");
  await widget.button("Connect").click();
  await widget.shows("You’re connected");
});
