/** Tests the sign-in to the developer portal with a mailed link. */
import { expect, test } from "@playwright/test";
import { checkAtWidths } from "./support/axe";
import { MailingService } from "./support/mailing-service";

const SERVICE = process.env["LINCHPIN_SERVICE_URL"] as string;
const LINK = /http:\/\/localhost:\d+\/console\/enter#[0-9a-f]+\.mb-[0-9a-f]+/g;

let service: MailingService;
test.beforeAll(async () => {
  service = await MailingService.start();
});
test.afterAll(() => service?.stop());

/** Returns the links of the newest mail, once there are this many mails. */
async function links(mails: number): Promise<string[]> {
  await expect.poll(() => service.mails().length).toBe(mails);
  return [...new Set(service.mails().at(-1)?.match(LINK))];
}

test("a member without a passkey signs in with a mailed link, which confirms nothing", async ({ page }) => {
  service.invite("ana@shop.example");
  await page.goto(`${service.url}/console/`);
  const address = page.getByLabel("E-mail address");
  const button = page.getByRole("button", { name: "E-mail me a link" });
  await address.fill("ana");
  await button.click();
  await expect(address).toBeFocused();
  await expect(address).toHaveAccessibleDescription(/e-mail address/i);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await checkAtWidths(page, colorScheme, [1280, 360])("sign-in-wrong-address");
  }
  await address.fill("no@shop.example");
  await button.click();
  const notice = page.getByText("If a member has this address, a link is on its way.");
  await expect(notice).toBeFocused();
  await address.fill("ana@shop.example");
  await button.click();
  await expect(notice).toBeFocused();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await checkAtWidths(page, colorScheme, [1280, 360])("sign-in-link-requested");
  }
  const [link, ...others] = await links(1);
  expect(others).toEqual([]);
  expect(service.mails()[0]).toContain("Subject: Sign in to the developer portal");

  await page.setViewportSize({ width: 1280, height: 900 });
  // Opening the link does not use it.
  await page.goto("about:blank");
  await page.goto(link as string);
  await page.reload();
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Welcome, ana" })).toBeFocused();

  await page.getByRole("link", { name: "Production keys" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Payroll");
  await page.getByRole("button", { name: "Create key" }).click();
  const question = page.getByRole("region", { name: "Confirm that it is you" });
  await expect(question).toBeFocused();
  await expect(question).toContainText("or you signed in with an e-mailed link");
  await expect(question).toContainText("sign in with a new one-time address");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await checkAtWidths(page, colorScheme, [1280, 360])("sign-in-link-unconfirmed");
  }
  await page.setViewportSize({ width: 1280, height: 900 });

  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("button", { name: "E-mail me a link" })).toBeVisible();
  await page.goto(link as string);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toContainText("already used");
  await page.getByRole("link", { name: "To the sign-in page" }).click();
  await expect(page.getByRole("heading", { name: "You are signed out" })).toBeFocused();
});

test("a member of two organizations chooses one in the mail, in Spanish", async ({ browser }) => {
  const context = await browser.newContext({ locale: "es-MX" });
  const page = await context.newPage();
  service.createTenant("bank", "Banco Uno");
  service.invite("bo@shop.example");
  service.invite("bo@shop.example", "bank");
  const before = service.mails().length;
  await page.goto(`${service.url}/console/`);
  await page.getByLabel("Correo electrónico").fill("bo@shop.example");
  await page.getByRole("button", { name: "Enviarme un enlace" }).click();
  await expect(page.getByText("Si un miembro tiene este correo, el enlace está en camino.")).toBeFocused();
  const both = await links(before + 1);
  expect(both).toHaveLength(2);
  const mail = service.mails().at(-1) as string;
  expect(mail).toContain("Subject: Entra al portal para desarrolladores");
  expect(mail).toContain("Entrar a Banco Uno");
  await page.goto("about:blank");
  await page.goto(both[0] as string);
  await page.getByRole("button", { name: "Iniciar sesión" }).click();
  await expect(page.getByRole("heading", { name: /^Te damos la bienvenida/ })).toBeFocused();
  await context.close();
});

test("a service without a mail server offers no link", async ({ page }) => {
  const options = page.waitForResponse("**/console/api/session/options");
  await page.goto(`${SERVICE}/console/`);
  expect(await (await options).json()).toEqual({ hasMail: false });
  await expect(page.getByRole("button", { name: "Sign in with a passkey" })).toBeVisible();
  await expect(page.getByLabel("E-mail address")).toHaveCount(0);
});
