/** Every flow with the keyboard only. The recordings list the focus order and the announcements of each screen. */
import { signIn, start, toLogin } from "./support/keyboard";
import type { Recorder } from "./support/recorder";
import { PROVIDER, test, type Tenant } from "./support/widget";

test("an account is linked with the keyboard only", async ({ tenant }) => {
  const recorder = await start(tenant);
  await recorder.screen("Share your data with Ardilla Loans");
  await recorder.press("Agree and continue");
  await recorder.screen("Choose your provider", "providers found");
  await recorder.type("searchbox", PROVIDER);
  await tenant.widget.frame.getByRole("list", { name: "Matching providers" }).waitFor();
  await recorder.key("ArrowDown");
  await recorder.key("ArrowUp");
  await recorder.key("ArrowDown");
  await recorder.key("Enter");
  await recorder.screen(`Sign in to ${PROVIDER}`);
  await recorder.press("Connect");
  await recorder.screen(`Sign in to ${PROVIDER}`);
  await recorder.type("User name", "mfa-otp");
  await recorder.type("Password", "pass");
  await recorder.key("Enter");
  await recorder.screen("Enter your code");
  await recorder.type("Code", "1234");
  await recorder.screen("You’re connected");
  await recorder.press("Done");
  await tenant.waitForClose();
  await recorder.is("link");
});

/** A challenge: its heading, and how it is answered. */
const CHALLENGES: Record<string, [heading: string, answer: (recorder: Recorder, tenant: Tenant) => Promise<void>]> = {
  "mfa-choice": [
    "Confirm it’s you",
    async (recorder) => {
      await recorder.press('button "Continue"');
      await recorder.press("radio", "Space");
      await recorder.press('button "Continue"');
    },
  ],
  "mfa-image": [
    "Type what you see",
    async (recorder) => {
      await recorder.press('button "Listen instead"');
      await recorder.press('button "Stop the recording"');
      await recorder.type("Characters in the image", "K7M4");
      await recorder.key("Enter");
    },
  ],
  "mfa-question": [
    "Answer your security question",
    async (recorder) => {
      await recorder.type("What was the name", "aurora");
      await recorder.key("Enter");
    },
  ],
};

for (const [login, [heading, answer]] of Object.entries(CHALLENGES)) {
  test(`the challenge ${login} is met with the keyboard only`, async ({ tenant }) => {
    const recorder = await start(tenant);
    await signIn(recorder, tenant, login);
    await recorder.screen(heading);
    await answer(recorder, tenant);
    await recorder.screen("You’re connected");
    await recorder.is(login);
  });
}

test("a missing approval leads to another provider with the keyboard only", async ({ tenant }) => {
  const recorder = await start(tenant);
  await signIn(recorder, tenant, "mfa-push-timeout");
  await recorder.screen("Approve on your phone");
  await recorder.press("Choose another provider");
  await recorder.screen("Choose your provider");
  await recorder.is("approval");
});

test("a failed login is retried with the keyboard only", async ({ tenant }) => {
  const recorder = await start(tenant);
  await signIn(recorder, tenant, "error-INVALID_CREDENTIALS");
  await recorder.screen("Those details didn’t match");
  await recorder.press("Enter your details again");
  await recorder.screen(`Sign in to ${PROVIDER}`);
  await recorder.is("failure");
});

test("the question before leaving keeps the focus, with the keyboard only", async ({ tenant, page }) => {
  const recorder = await start(tenant);
  await toLogin(recorder, tenant);
  await recorder.type("User name", "good");
  await page.keyboard.press("Escape");
  await tenant.widget.frame.getByRole("alertdialog").waitFor();
  await recorder.key("Tab");
  await recorder.key("Tab");
  await recorder.key("Tab");
  await recorder.press("Keep going");
  await tenant.widget.frame.getByRole("alertdialog").waitFor({ state: "hidden" });
  await recorder.key("Tab");
  await recorder.is("leaving");
});

test("a document is uploaded with the keyboard only", async ({ tenant }) => {
  // Enables the event early: the key press may otherwise overtake the request for it.
  tenant.page.on("filechooser", () => {});
  const recorder = await start(tenant);
  await recorder.press("Agree and continue");
  await tenant.widget.shows("Choose your provider");
  await recorder.press("I can’t find mine");
  await recorder.screen("Tell us who we’re missing");
  await recorder.type("Employer or provider", "Talleres Aurora");
  await recorder.key("Enter");
  await recorder.screen("Thank you, noted");
  await recorder.press("Upload a document instead");
  await recorder.screen("Upload a document");
  await recorder.press("Payslip");
  // The target for files is drawn once the script for uploads has loaded.
  await tenant.widget.frame.locator("input[type=file]").first().waitFor({ state: "attached" });
  await recorder.screen("Payslip");
  await recorder.tabTo("file");
  const chosen = tenant.page.waitForEvent("filechooser");
  await recorder.key("Space");
  await (await chosen).setFiles("docs/samples/payslip-mx.pdf");
  await tenant.widget.button("Submit").and(tenant.widget.frame.locator(":not([aria-disabled])")).waitFor();
  await recorder.screen("Payslip");
  await recorder.press("Submit");
  await tenant.widget.documentWasRead();
  await recorder.screen("Your document was read");
  await recorder.is("upload");
});

test("an account is disconnected with the keyboard only", async ({ tenant, page }) => {
  const first = await start(tenant);
  await signIn(first, tenant, "good");
  await tenant.widget.shows("You’re connected");
  await page.keyboard.press("Escape");
  await tenant.waitForClose();
  const recorder = await start(tenant);
  await tenant.widget.frame.getByRole("button", { name: PROVIDER }).waitFor();
  await recorder.screen("Your connected accounts");
  await recorder.press(PROVIDER);
  await recorder.screen(/^Your account at/);
  await recorder.press("Disconnect");
  await recorder.screen(`Disconnect ${PROVIDER}?`);
  await recorder.press("Disconnect");
  await recorder.screen("Your connected accounts");
  await recorder.is("disconnecting");
});
