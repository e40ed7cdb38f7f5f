/** Inviting the people of a file in the portal: the check, the run and its result. */
import { readFile } from "node:fs/promises";
import { expect, test, type Page } from "@playwright/test";
import { checkAtWidths } from "./support/axe";
import { signIn, signInAs } from "./support/portal";

async function openPage(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Sandbox people" }).click();
  await page.getByRole("link", { name: "Invite from a file" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Invite from a file" })).toBeFocused();
  await expect(page.getByLabel("Link template")).not.toHaveValue("");
}

async function check(page: Page, text: string | Buffer): Promise<void> {
  const buffer = typeof text === "string" ? Buffer.from(text) : text;
  await page.getByLabel(/^CSV file/).setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer });
  await page.getByRole("button", { name: "Check file" }).click();
}

/** A file with people who are in no other test. */
const people = (count: number): string => {
  const rows = Array.from({ length: count }, (_, row) => `Person ${row},p${row}-${Date.now()}@example.com\n`);
  return `fullName,emailAddress\n${rows.join("")}`;
};

test("a file is checked, corrected, run in parts, and run again without effect", async ({ page }) => {
  test.slow();
  await signIn(page, "inviter@shop.example");
  await openPage(page);
  await check(page, "fullName,emailAddress\nAna,not an address\n");
  const faults = page.getByRole("alert", { name: "The file has faults. No one is invited." });
  await expect(faults).toBeFocused();
  await expect(faults.getByRole("row", { name: /emailAddress/ })).toContainText("must be an e-mail address");
  const file = people(120);
  await check(page, file);
  await expect(page.getByText("People to invite: 120")).toBeVisible();
  await page.getByRole("button", { name: "Invite 120 people" }).click();
  await expect(page.getByRole("heading", { name: "Everyone is invited" })).toBeVisible();
  await expect(page.getByText("Done: 120/120")).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Result as CSV" }).click(),
  ]);
  const result = await readFile((await download.path()) as string, "utf8");
  expect(result.split("\r\n")).toHaveLength(122);
  expect(result).toMatch(/"121","INVITED","iv-[0-9a-f]{32}"/);
  await check(page, file);
  await expect(page.getByText("Everyone in this file was invited before.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Invite \d/ })).toHaveCount(0);
});

test("a run that is interrupted continues", async ({ page }) => {
  await signIn(page, "interrupted@shop.example");
  await openPage(page);
  await check(page, people(60));
  await page.getByText("People to invite: 60").waitFor();
  let sent = 0;
  await page.route("**/inviteFiles", (route) => (++sent === 2 ? route.abort() : route.continue()));
  await page.getByRole("button", { name: "Invite 60 people" }).click();
  await expect(page.getByText("The service could not be reached.")).toBeFocused();
  const run = page.getByRole("region", { name: "Not everyone is invited yet" });
  await expect(run.getByText("Done: 50/60")).toBeVisible();
  await run.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("region", { name: "Everyone is invited" })).toBeFocused();
  await expect(page.getByText("Done: 60/60")).toBeVisible();
});

test("a file in another encoding is refused at its field", async ({ page }) => {
  await signIn(page, "encoding@shop.example");
  await openPage(page);
  await check(page, Buffer.from("fullName,emailAddress\nN\xfa\xf1ez,a@example.com\n", "latin1"));
  await expect(page.getByText(/line 2 is not in UTF-8/)).toBeVisible();
  await expect(page.getByLabel(/^CSV file/)).toHaveAttribute("aria-invalid", "true");
});

test("a viewer cannot invite", async ({ page, browser }) => {
  await signIn(page, "inviting-owner@shop.example");
  const viewer = await (await browser.newContext()).newPage();
  await signInAs(page, viewer, "VIEWER");
  await viewer.getByRole("link", { name: "Sandbox people" }).click();
  await expect(viewer.getByRole("link", { name: "Invite from a file" })).toHaveCount(0);
  await viewer.goto(viewer.url().replace("people", "invite"));
  await expect(viewer.getByText("Your role does not include this")).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the page that invites people is accessible and fits in ${colorScheme} mode`, async ({ browser }) => {
    test.slow();
    const page = await (await browser.newContext({ colorScheme })).newPage();
    const look = checkAtWidths(page, colorScheme, [360, 768, 1280, 1920]);
    await signIn(page, `inviting-${colorScheme}@shop.example`);
    await openPage(page);
    await look("inviting");
    await check(page, "fullName,emailAddress,nick name\nAna,x,y\n");
    await page.getByRole("alert", { name: /faults/ }).waitFor();
    await look("inviting-faults");
    await check(page, people(2));
    await page.getByRole("button", { name: "Invite 2 people" }).click();
    await page.getByRole("heading", { name: "Everyone is invited" }).waitFor();
    await look("inviting-done");
  });
}
