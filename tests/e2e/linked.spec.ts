import { readFile } from "node:fs/promises";
import { expect, PROVIDER, type Received, type Tenant, test, type Widget } from "./support/widget";

async function comeBack(tenant: Tenant): Promise<Widget> {
  await tenant.closeBy(tenant.widget.button("Done"));
  return tenant.open();
}

async function about(tenant: Tenant, archiveId: unknown): Promise<Received[]> {
  const all: Received[] = await (await tenant.page.request.get("/received")).json();
  return all.filter(({ data }) => data["archiveId"] === archiveId || data["sourceId"] === archiveId);
}

async function toUploads(widget: Widget): Promise<void> {
  await widget.agree();
  await widget.button("I can’t find mine").click();
  await widget.shows("Tell us who we’re missing");
  await widget.frame.getByRole("textbox", { name: "Employer or provider" }).fill("Talleres Aurora");
  await widget.button("Send").click();
  await widget.shows("Thank you, noted");
  await widget.button("Upload a document instead").click();
  await widget.shows("Upload a document");
}

async function upload(widget: Widget, kind: string, sample: string, look?: () => Promise<void>): Promise<void> {
  await widget.frame.getByRole("button", { name: new RegExp(`^${kind}`) }).click();
  await widget.shows(kind);
  const buffer = await readFile(`docs/samples/${sample}`);
  const mimeType = sample.endsWith(".pdf") ? "application/pdf" : `image/${sample.endsWith(".png") ? "png" : "jpeg"}`;
  await widget.frame.locator('input[type="file"]').first().setInputFiles({ name: sample, mimeType, buffer });
  await look?.();
  await widget.button("Submit").click();
}

test("a connected account is listed and can be disconnected after a confirmation", async ({ tenant }) => {
  await tenant.goto();
  const first = await tenant.open();
  await first.link("good");
  await first.shows("You’re connected");
  const connected = await tenant.argument("onAccountConnected");
  const widget = await comeBack(tenant);
  await widget.shows("Your connected accounts");
  await expect(widget.main).toContainText(PROVIDER);
  await widget.main.getByRole("button", { name: new RegExp(PROVIDER) }).click();
  await widget.button("Disconnect").click();
  await widget.shows(`Disconnect ${PROVIDER}?`);
  expect(await tenant.callbacks(), "not before the confirmation").not.toContain("onAccountRemoved");
  await widget.button("Disconnect").click();
  await expect(widget.main.getByText("Nothing is connected at the moment.")).toBeVisible();
  await expect.poll(() => tenant.argument("onAccountRemoved")).toEqual(connected);
  const types = async (): Promise<string[]> => (await tenant.received(connected?.["accountId"])).map(({ type }) => type);
  await expect.poll(types).toContain("ACCOUNT_DISCONNECTED");
});

test("an account that needs a new login can start it from the list", async ({ tenant }) => {
  await tenant.goto();
  const first = await tenant.open();
  await first.link("reauth");
  await first.shows("You’re connected");
  const accountId = (await tenant.argument("onAccountConnected"))?.["accountId"];
  const read = async (): Promise<string[]> => (await tenant.received(accountId)).map(({ type }) => type);
  await expect.poll(read, { timeout: 60_000 }).toContain("TASK_FINISHED");
  const widget = await comeBack(tenant);
  await widget.shows("Your connected accounts");
  await widget.main.getByRole("button", { name: new RegExp(PROVIDER) }).click();
  await widget.button("Sign in again").click();
  // The terms are unchanged, so the person is not asked again.
  await widget.shows(`Sign in to ${PROVIDER}`);
  await widget.signIn("good");
  await expect(widget.main.getByText("This is a different account")).toBeVisible();
  expect(await read(), "nothing was linked").not.toContain("ACCOUNT_FAILED");
  await widget.signIn("reauth");
  await widget.shows("You’re connected");
  await expect.poll(async () => (await read()).filter((type) => type === "ACCOUNT_CONNECTED").length).toBe(2);
});

test("a payslip is uploaded and read, and the tenant receives its events in order", async ({ tenant, page }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await toUploads(widget);
  await upload(widget, "Payslip", "payslip-mx.pdf");
  await widget.documentWasRead();
  const created = (await tenant.argument("onUploadsCreated")) as
    | { userId: string; uploads: { archiveId: string; type: string; files: { name: string }[] }[] }
    | undefined;
  expect(created?.uploads).toMatchObject([{ type: "PAYSLIP", files: [{ name: "payslip-mx.pdf" }] }]);
  const archiveId = created?.uploads[0]?.archiveId;
  const types = async (): Promise<string[]> => (await about(tenant, archiveId)).map(({ type }) => type);
  await expect.poll(types, { timeout: 60_000 }).toContain("TASK_FINISHED");
  const all = await types();
  expect(all[0]).toBe("ARCHIVE_STARTED");
  expect(all).toContain("ARCHIVE_ANALYZED");
  const finished = (await about(tenant, archiveId)).find(({ type }) => type === "TASK_FINISHED");
  expect(finished?.data).toMatchObject({ sourceId: archiveId, sourceType: "ARCHIVE", taskType: "ANALYZE_ARCHIVE" });

  await tenant.closeBy(widget.button("Done"));
  const again = await tenant.open();
  await again.shows("Your connected accounts");
  await again.main.getByRole("button", { name: /Payslip/ }).click();
  await again.button("Remove").click();
  await again.shows("Remove this document?");
  await again.button("Remove").click();
  await expect.poll(() => tenant.argument("onUploadsRemoved")).toMatchObject({ uploads: [{ archiveId }] });
  await expect.poll(types).toContain("ARCHIVE_REVOKED");
  expect(page.url()).not.toContain("archive");
});

test("an unreadable document shows advice, and a retry starts with the same kind", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await toUploads(widget);
  await upload(widget, "Payslip", "clouds.png");
  await expect(widget.heading).toHaveText("We couldn’t read this document", { timeout: 90_000 });
  await expect(widget.main.getByText(/in good light, without glare/)).toBeVisible();
  await widget.button("Upload again").click();
  await widget.shows("Payslip");
});

test("a file with a password is rejected before it is sent", async ({ tenant, page }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await toUploads(widget);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") sent.push(request.url());
  });
  await widget.frame.getByRole("button", { name: /^Payslip/ }).click();
  await widget.shows("Payslip");
  const buffer = await readFile("docs/samples/locked.pdf");
  await widget.frame
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: "locked.pdf", mimeType: "application/pdf", buffer });
  await expect(widget.main.getByText("This file has a password.")).toBeVisible();
  expect(sent).toEqual([]);
});

test("the sample of an unreadable picture ends as unreadable", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await toUploads(widget);
  await upload(widget, "Payslip", "unreadable.jpg", async () => {
    await expect(widget.frame.getByText("This photo looks blurred.")).toBeVisible();
    await widget.button("Use this photo").click();
  });
  await expect(widget.heading).toHaveText("A file can’t be opened", { timeout: 90_000 });
});

test("the crop frame starts again after a cancel, and crops what it shows", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await toUploads(widget);
  await upload(widget, "Payslip", "unreadable.jpg", async () => {
    const photo = widget.frame.locator(".photo");
    const left = widget.frame.getByRole("slider", { name: "Left edge" });
    const frame = (): Promise<string> => photo.evaluate((it) => (it as HTMLElement).style.getPropertyValue("--left"));
    const width = (): Promise<number> => photo.locator("img").evaluate((it) => (it as HTMLImageElement).naturalWidth);
    await expect.poll(width, "the photo is shown").toBeGreaterThan(0);
    const whole = await width();
    await widget.button("Crop").click();
    await left.fill("30");
    await expect.poll(frame).toBe("30%");
    await widget.button("Cancel").click();
    await widget.button("Crop").click();
    await expect(left).toHaveValue("0");
    await expect.poll(frame).toBe("");
    await left.fill("50");
    await widget.button("Crop").click();
    await widget.button("Use this photo").waitFor();
    await expect.poll(width, { timeout: 30_000 }).toBe(Math.round(whole / 2));
    await widget.button("Use this photo").click();
  });
  await expect(widget.heading).toHaveText("We couldn’t read this document", { timeout: 90_000 });
});
