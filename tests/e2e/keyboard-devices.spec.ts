/** Photos and the hand-off to a phone, with the keyboard only. */
import { signIn, start } from "./support/keyboard";
import type { Recorder } from "./support/recorder";
import { test, type Tenant } from "./support/widget";

async function toPayslip(recorder: Recorder, tenant: Tenant): Promise<void> {
  await recorder.tabTo("Agree and continue");
  await tenant.page.keyboard.press("Enter");
  await tenant.widget.shows("Choose your provider");
  await recorder.tabTo("Upload a document instead");
  await tenant.page.keyboard.press("Enter");
  await tenant.widget.shows("Upload a document");
  await recorder.tabTo("Payslip");
  await tenant.page.keyboard.press("Enter");
  await tenant.widget.shows("Payslip");
}

test("a photo is checked and cropped with the keyboard only", async ({ tenant }) => {
  tenant.page.on("filechooser", () => {});
  const recorder = await start(tenant);
  await toPayslip(recorder, tenant);
  await recorder.tabTo("file");
  const chosen = tenant.page.waitForEvent("filechooser");
  await recorder.key("Space");
  await (await chosen).setFiles("docs/samples/unreadable.jpg");
  const dialog = tenant.widget.frame.getByRole("alertdialog");
  await dialog.getByRole("heading", { name: "Check the photo" }).waitFor();
  await recorder.stops();
  await recorder.press('button "Crop"');
  await dialog.getByRole("heading", { name: "Crop the photo" }).waitFor();
  await recorder.stops();
  await recorder.tabTo("Left edge");
  for (let step = 0; step < 3; step += 1) await tenant.page.keyboard.press("ArrowRight");
  await recorder.press('button "Crop"');
  await dialog.getByRole("heading", { name: "Check the photo" }).waitFor();
  await recorder.press("Use this photo");
  await dialog.waitFor({ state: "hidden" });
  await tenant.widget.button("Submit").and(tenant.widget.frame.locator(":not([aria-disabled])")).waitFor();
  await recorder.screen("Payslip");
  await recorder.is("photo");
});

test("a step is handed to a phone and taken back with the keyboard only", async ({ tenant }) => {
  const recorder = await start(tenant);
  await signIn(recorder, tenant, "mfa-otp");
  await tenant.widget.shows("Enter your code");
  await recorder.press("Continue on your phone");
  await tenant.widget.main.getByRole("img", { name: /^QR code/ }).waitFor();
  await recorder.screen("Continue on your phone");
  await recorder.press("Continue here instead");
  await recorder.screen("Enter your code");
  await recorder.is("handoff");
});
