/** Tests a link site that asks for a proven email address, on a phone, in a frame, and without a script. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { FrameLocator, Page } from "@playwright/test";
import { checkAtWidths } from "./support/axe";
import { rest, sandbox } from "./support/rest";
import { openShop, pageWith, press, publish, send, site } from "./support/shop";
import { expect, test } from "./support/widget";

const run = promisify(execFile);
const PROVEN = { access: "PROVEN_EMAIL", steps: ["FORM", "THANK_YOU"] };
const CODE_LABEL = "Code of 6 digits";

/** Returns the code in the stored mail, as the operator reads it. */
async function mailedCode(address: string): Promise<string> {
  const program = process.env["LINCHPIN_BINARY"] as string;
  const show = () =>
    run(program, ["mail", "code", address, "--data-dir", process.env["LINCHPIN_DATA"] as string]).then(
      ({ stdout }) => /^\s*(\d{6})\s*$/m.exec(stdout)?.[1] ?? "",
      () => "",
    );
  await expect.poll(show).not.toBe("");
  return show();
}

const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

const heading = (page: Page | FrameLocator) => page.getByRole("heading", { level: 1 });

/** Requests a code, again if the service takes the person for a program. */
async function request(page: Page | FrameLocator, address: string): Promise<string> {
  await expect(heading(page)).toHaveText("Confirm your email address");
  const field = page.getByLabel("Email address", { exact: true });
  await field.fill(address);
  await expect(async () => {
    const button = page.getByRole("button", { name: "Send me a code" });
    if (await button.isVisible()) await button.click({ timeout: 2_000 });
    await expect(heading(page)).toHaveText("Enter the code", { timeout: 1_500 });
  }).toPass();
  return mailedCode(address);
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme, viewport: { width: 360, height: 740 } });

    test("a person proves an address by a code, and then answers the form", async ({ page }) => {
      const look = checkAtWidths(page, colorScheme, [360, 1280]);
      const [keys, shop] = [await sandbox(), await openShop()];
      const one = await publish(keys, shop, PROVEN);
      const address = `ana-${colorScheme}-${Date.now()}@example.com`;
      await page.goto(one.url);
      await page.getByRole("button", { name: "Continue" }).click();
      await look("proof-address");
      const field = page.getByLabel("Email address", { exact: true });
      await field.fill("ana@exa mple.com");
      await expect(async () => {
        await page.getByRole("button", { name: "Send me a code" }).click();
        await expect(field).toHaveAttribute("aria-invalid", "true", { timeout: 1_500 });
      }).toPass();
      await expect(field).toHaveValue("ana@exa mple.com");
      await expect(field).toBeFocused();
      await look("proof-address-fault");
      const code = await request(page, address);
      await look("proof-code");
      await expect(page.getByLabel(CODE_LABEL)).toHaveAttribute("autocomplete", "one-time-code");

      // A reload, and the way back to the address, keep the code.
      await page.reload();
      await page.getByRole("button", { name: "Use another address" }).click();
      await expect(field).toHaveValue(address);
      await page.goto(one.url);
      await page.getByLabel(CODE_LABEL).fill(wrong(code));
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByLabel(CODE_LABEL)).toBeFocused();
      await expect(page.getByText("This is not the code in our last email.")).toBeVisible();
      await look("proof-code-fault");
      await page.getByRole("button", { name: "Send another code" }).click();
      await expect(page.getByRole("alert")).toContainText("less than a minute ago");
      await look("proof-code-soon");
      await page.getByLabel(CODE_LABEL).fill(`${code.slice(0, 3)} ${code.slice(3)}`);
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(heading(page)).toHaveText("About the loan");
      await page.getByLabel("What is it for?").selectOption("Home");
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(heading(page)).toHaveText("All done");
      const [form] = (await rest(keys, "GET", `/alpha/forms?linkSiteId=${one.id}`)).items;
      expect(form.provenEmail).toBe(address);
      expect((await rest(keys, "GET", `/users/${form.userId}`)).provenEmail).toBe(address);
      shop.close();
    });
  });
}

test("a person proves an address in a frame, and a reload continues there", async ({ page }) => {
  const [keys, shop] = [await sandbox(), await openShop()];
  const one = await publish(keys, shop, PROVEN);
  const address = `framed-${Date.now()}@example.com`;
  shop.pages["/"] = pageWith(one);
  await page.goto(shop.origin);
  const look = checkAtWidths(page, "light", [360, 1280]);
  const frame = site(page, 0);
  await press(frame);
  const code = await request(frame, address);
  await look("proof-framed");
  await page.reload();
  await expect(heading(frame)).toHaveText("Enter the code");
  await frame.getByLabel(CODE_LABEL).fill(wrong(code));
  await press(frame);
  await expect(frame.getByLabel(CODE_LABEL)).toHaveAttribute("aria-invalid", "true");
  await frame.getByLabel(CODE_LABEL).fill(code);
  await press(frame);
  await expect(heading(frame)).toHaveText("About the loan");
  await frame.getByLabel("What is it for?").selectOption("Home");
  await send(frame, "All done");
  const [form] = (await rest(keys, "GET", `/alpha/forms?linkSiteId=${one.id}`)).items;
  expect(form.provenEmail).toBe(address);
  shop.close();
});

test.describe("without a script, in Arabic", () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 740 }, locale: "ar" });

  test("the code opens the form", async ({ page }) => {
    const [keys, shop] = [await sandbox(), await openShop()];
    const one = await publish(keys, shop, PROVEN);
    const address = `plain-${Date.now()}@example.com`;
    await page.goto(one.url);
    await page.locator("main form button").click();
    await page.locator("#address").fill(address);
    await expect(async () => {
      if (await page.locator("#address").isVisible()) await page.locator("button.primary").click({ timeout: 2_000 });
      await expect(page.locator("#code")).toBeVisible({ timeout: 1_500 });
    }).toPass();
    const code = await mailedCode(address);
    const arabic = [...code].map((digit) => String.fromCodePoint(0x660 + Number(digit))).join("");
    await page.locator("#code").fill(arabic);
    await page.locator("button.primary").click();
    await expect(page.locator("form.questions select")).toBeVisible();
    shop.close();
  });
});
