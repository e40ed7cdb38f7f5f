/** Tests files as answers to the form of a link site: with progress and faults, and without a script. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Route } from "@playwright/test";
import { checkAtWidths } from "./support/axe";
import { rest, sandbox, type Keys } from "./support/rest";
import { expect, test } from "./support/widget";

function publish(keys: Keys, slug: string): Promise<{ id: string; url: string }> {
  return rest(keys, "POST", "/alpha/linkSites", {
    name: "Proofs",
    slug,
    status: "PUBLISHED",
    linkTemplateId: keys.linkTemplateId,
    steps: ["FORM", "THANK_YOU"],
    form: {
      name: "About your income",
      reference: "income-2026",
      fields: [
        {
          name: "proof",
          label: "Proof of income",
          type: "FILE",
          required: true,
          help: "Your last two payslips.",
          files: { maxFiles: 2, formats: ["PDF", "PNG"] },
        },
        {
          name: "note",
          label: "Note about the files",
          type: "TEXT",
          condition: { join: "ALL", rules: [{ field: "proof", operator: "ANSWERED" }] },
        },
        { name: "city", label: "City", type: "TEXT", required: true },
      ],
    },
    startPage: { title: "Send your proofs", text: "It takes two minutes." },
    endPage: { title: "All done", text: "We will write to you within two days." },
  });
}

const sample = (name: string): string => fileURLToPath(new URL(`../../docs/samples/${name}`, import.meta.url));
const payslip = sample("payslip-mx.pdf");
const locked = sample("locked.pdf");
const text = { name: "payslip.pdf", mimeType: "application/pdf", buffer: Buffer.from("not a document") };

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });

    test("a person uploads files, and keeps them while another answer is wrong", async ({ page }) => {
      const look = checkAtWidths(page, colorScheme, [360, 1280]);
      const keys = await sandbox();
      const site = await publish(keys, `files-${colorScheme}-${Date.now()}`);
      await page.goto(site.url);
      await page.getByRole("button", { name: "Continue" }).click();
      const chooser = page.getByLabel("Proof of income");
      await expect(page.getByLabel("Note about the files")).toBeHidden();
      await look("site-files-empty");

      await chooser.setInputFiles(text);
      await expect(page.getByText("This file has another format. Add one of these")).toBeVisible();
      await chooser.setInputFiles(locked);
      await expect(page.getByText("This file has a password.")).toBeVisible();
      await look("site-files-rejected");
      await page.getByRole("button", { name: /Remove.*payslip\.pdf/ }).click();
      await page.getByRole("button", { name: /Remove.*locked\.pdf/ }).click();
      await expect(chooser).toBeFocused();

      await chooser.setInputFiles([payslip]);
      await expect(page.getByLabel("Note about the files")).toBeVisible();
      await expect(page.getByRole("progressbar")).toHaveCount(0);
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
      await expect(page.getByText("payslip-mx.pdf")).toBeVisible();
      await look("site-files-kept");

      await page.getByRole("button", { name: /Remove.*payslip-mx\.pdf/ }).click();
      await expect(page.getByText("payslip-mx.pdf")).toHaveCount(0);
      await expect(page.getByLabel("Note about the files")).toBeHidden();
      await page.getByLabel("City").fill("Oaxaca");
      let send = (): void => {};
      const pressed = new Promise<void>((resolve) => (send = resolve));
      const hold = (route: Route): Promise<void> => pressed.then(() => route.continue());
      await page.route("**/visit/uploads/*", hold, { times: 1 });
      await chooser.setInputFiles([payslip]);
      // The form waits for the upload, which leads to another field.
      await page.getByRole("button", { name: "Continue" }).click();
      send();
      await expect(page.getByRole("alert")).toBeVisible();
      await expect(page.getByLabel("Note about the files")).toBeVisible();
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("All done");
      const [form] = (await rest(keys, "GET", `/alpha/forms?linkSiteId=${site.id}`)).items;
      expect(form.data).toMatchObject({ proof: ["payslip-mx.pdf"], city: "Oaxaca" });
      const file = await fetch(form.files[0].url);
      expect(file.headers.get("content-disposition")).toContain("attachment");
      expect(Buffer.from(await file.arrayBuffer()).equals(await readFile(payslip))).toBe(true);
    });
  });
}

test("an upload continues after its connection broke", async ({ page }) => {
  const keys = await sandbox();
  const site = await publish(keys, `broken-${Date.now()}`);
  await page.goto(site.url);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.route("**/visit/uploads/*", (route) => route.abort(), { times: 1 });
  await page.getByLabel("Proof of income").setInputFiles(payslip);
  await expect(page.getByLabel("Note about the files")).toBeVisible();
  await expect(page.locator(".files .fault:visible")).toHaveCount(0);
});

test("a file that is removed before its upload begins is not stored", async ({ page }) => {
  const keys = await sandbox();
  const site = await publish(keys, `removed-${Date.now()}`);
  await page.goto(site.url);
  await page.getByRole("button", { name: "Continue" }).click();
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/visit/uploads", async (route) => {
    await held;
    await route.continue();
  });
  const announced = page.waitForRequest((it) => it.method() === "POST" && it.url().endsWith("/visit/uploads"));
  await page.getByLabel("Proof of income").setInputFiles(payslip);
  await announced;
  await page.getByRole("button", { name: /Remove.*payslip-mx\.pdf/ }).click();
  const removed = page.waitForResponse((it) => it.request().method() === "DELETE");
  answer();
  expect((await removed).status()).toBe(204);
  // Firefox sometimes cancels `page.reload`.
  await page.goto(page.url());
  await expect(page.getByText("payslip-mx.pdf")).toHaveCount(0);
});

test("a form with a rejected file, or one that is not removed, waits for the person", async ({ page }) => {
  const keys = await sandbox();
  const site = await publish(keys, `waits-${Date.now()}`);
  await page.goto(site.url);
  await page.getByRole("button", { name: "Continue" }).click();
  const chooser = page.getByLabel("Proof of income");
  await chooser.setInputFiles(text);
  await expect(page.getByText("This file has another format. Add one of these")).toBeVisible();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Please correct the fields marked below.")).toBeVisible();
  const remove = page.getByRole("button", { name: /Remove.*payslip/ });
  await expect(remove).toBeFocused();
  await remove.click();
  await chooser.setInputFiles(payslip);
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  await page.route("**/visit/uploads/*", (route) => route.abort(), { times: 1 });
  await remove.click();
  await expect(page.locator(".files .fault:visible")).toHaveCount(1);
  await remove.click();
  await expect(page.getByText("payslip-mx.pdf")).toHaveCount(0);
});

test.describe("without a script", () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });

  test("the form sends the files, and a button removes one", async ({ page }) => {
    const keys = await sandbox();
    const site = await publish(keys, `plain-files-${Date.now()}`);
    await page.goto(site.url);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("Proof of income").setInputFiles([payslip, locked]);
    await page.getByRole("button", { name: "Continue" }).last().click();
    await expect(page.getByText("This file has a password.").first()).toBeVisible();
    await expect(page.getByText("payslip-mx.pdf")).toBeVisible();
    await page.getByLabel("City").fill("Oaxaca");
    await page.getByRole("button", { name: /Remove.*payslip-mx\.pdf/ }).click();
    await expect(page.getByLabel("City")).toHaveValue("Oaxaca");
    await expect(page.getByText("payslip-mx.pdf")).toHaveCount(0);
    await page.getByLabel("Proof of income").setInputFiles(payslip);
    // The service rejects a form that is sent within two seconds.
    await expect(async () => {
      const again = page.getByRole("button", { name: "Continue" }).last();
      if (await again.isVisible()) await again.click({ timeout: 2_000 });
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("All done", { timeout: 1000 });
    }).toPass();
  });
});
