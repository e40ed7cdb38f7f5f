/** Tests the locale of the frame (from the URL, from the options, changed while open) and the tenant's own texts. */
import { expect, test } from "./stage";

test("only the current locale is loaded, and the document has its lang and dir", async ({ stage }) => {
  await stage.open({ locale: "he" });
  expect(stage.loaded.filter((name) => name.endsWith(".json"))).toEqual(["he.json"]);
  expect(await stage.frame.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual(["he", "rtl"]);
});

test("an unavailable locale falls back to the browser's language", async ({ stage }) => {
  await stage.embed("allowed#undefined");
  await stage.until("hello");
  await stage.say({ open: { options: { templateId: "allowed", locale: "tlh" }, token: "token-1" } });
  await stage.button("Agree and continue").waitFor();
  expect(await stage.frame.evaluate(() => document.documentElement.lang)).toBe("en");
});

test("setLocale changes the texts while open, and keeps input, focus and secrets", async ({
  stage,
}) => {
  await stage.open();
  await stage.button("Agree and continue").click();
  const widget = stage.page.frameLocator("iframe");
  await widget.getByRole("button", { name: /Rideo/ }).click();
  await widget.getByLabel("username").fill("good");
  await widget.getByLabel("password", { exact: true }).fill("secret");
  await stage.frame.evaluate(() => Object.assign(window, { before: document.querySelector("[type=password]") }));
  await stage.say({ setLocale: { locale: "he" } });
  await widget.getByRole("button", { name: "⟦Connect⟧" }).waitFor();
  const after = await stage.frame.evaluate(() => {
    const secret = document.querySelector<HTMLInputElement>("[type=password]");
    const { lang, dir } = document.documentElement;
    return {
      ...{ lang, dir, title: document.title, secret: secret?.value },
      same: secret === (window as unknown as { before: unknown }).before,
      focused: document.activeElement === secret,
    };
  });
  expect(after).toEqual({ lang: "he", dir: "rtl", title: "⟦Sign in to \u2068Rideo\u2069⟧", secret: "secret", same: true, focused: true });
  await expect(widget.getByLabel("username")).toHaveValue("good");
  await stage.say({ setLocale: { locale: "en" } });
  await widget.getByRole("button", { name: "Connect", exact: true }).waitFor();
});

test("texts of later screens load with them, in the current locale", async ({ stage }) => {
  stage.hasLinked = true;
  stage.words = JSON.stringify({ he: { "archive-payslip": "Nómina" } });
  await stage.embed();
  await stage.until("hello");
  await stage.say({ open: { options: { templateId: "allowed" }, token: "token-1" } });
  const widget = stage.page.frameLocator("iframe");
  await widget.getByText("Payslip").waitFor();
  expect(stage.loaded.filter((name) => /^en-/.test(name))).toHaveLength(2);
  await stage.say({ setLocale: { locale: "he" } });
  await expect(widget.getByRole("heading", { level: 1 })).toHaveText("⟦Your connected accounts⟧");
  await widget.getByText("Nómina").waitFor();
  expect(stage.loaded.filter((name) => /^he/.test(name))).toEqual(["he.json", "he-chunk.json"]);
});

test("a tenant's own texts replace the default texts, with arguments", async ({ stage }) => {
  stage.words = JSON.stringify({ en: { "consent-title": "Partners of { $company }", "no-such-key": "x" }, fil: {} });
  await stage.open();
  const widget = stage.page.frameLocator("iframe");
  await expect(widget.getByRole("heading", { level: 1 })).toHaveText("Partners of Northwind");
  expect(stage.loaded.some((name) => name.startsWith("keys"))).toBe(true);
});
