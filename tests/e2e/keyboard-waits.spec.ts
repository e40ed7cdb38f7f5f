/** Challenges that take time, with the keyboard only: the announcements of waits, extensions and the end. */
import { signIn, start } from "./support/keyboard";
import { expect, test } from "./support/widget";

test("a code is extended and then expires, with the keyboard only", async ({ tenant }) => {
  const recorder = await start(tenant);
  await signIn(recorder, tenant, "mfa-timeout");
  await recorder.screen("Enter your code");
  await recorder.press("I need more time");
  await expect(tenant.widget.heading).toHaveText("Time ran out", { timeout: 30_000 });
  await recorder.screen("Time ran out");
  await recorder.press("Try again");
  await recorder.screen(/^Sign in to/);
  await recorder.is("mfa-timeout");
});

test("a link in an e-mail connects, with the keyboard only", async ({ tenant }) => {
  const recorder = await start(tenant);
  await signIn(recorder, tenant, "mfa-email");
  await tenant.widget.shows("Open the link in your e-mail");
  await recorder.screen("You’re connected");
  await recorder.is("mfa-email");
});

test("a code by text message replaces an unanswered push, with the keyboard only", async ({ tenant }) => {
  const recorder = await start(tenant);
  await signIn(recorder, tenant, "mfa-push-timeout");
  const { widget } = tenant;
  await expect(widget.button("Get a code by text message")).not.toHaveAttribute("aria-disabled");
  await recorder.screen("Approve on your phone");
  await recorder.press("Get a code by text message");
  await recorder.screen("Enter your code");
  await recorder.type("Code", "1234");
  await recorder.screen("You’re connected");
  await recorder.is("mfa-push");
});

test("three challenges in a row are met with the keyboard only", async ({ tenant }) => {
  const recorder = await start(tenant);
  await signIn(recorder, tenant, "mfa-many");
  await recorder.screen("Confirm it’s you");
  await recorder.press("radio", "Space");
  await recorder.press('button "Continue"');
  await recorder.screen("Enter your code");
  await recorder.type("Code", "1234");
  await recorder.screen("Answer your security question");
  await recorder.type("What was the name", "aurora");
  await recorder.key("Enter");
  await recorder.screen("You’re connected");
  await recorder.is("mfa-many");
});
