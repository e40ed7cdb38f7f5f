/** Large type, invalid fields, forced colors, and the on-screen keyboard, in a real engine. */
import type { Locator, Page } from "@playwright/test";
import { expect, test, type Widget } from "./support/widget";

const fontSize = (locator: Locator): Promise<number> =>
  locator.evaluate((element) => parseFloat(getComputedStyle(element).fontSize));

/** Covers the bottom of the page like an on-screen keyboard: the visual viewport shrinks, the layout does not. */
async function cover(page: Page, pixels: number): Promise<void> {
  await page.evaluate((covered) => {
    Object.defineProperty(visualViewport, "height", { value: innerHeight - covered, configurable: true });
    visualViewport!.dispatchEvent(new Event("resize"));
  }, pixels);
}

/** Checks that the focused field and its label are above the covered part, and not above the card. */
async function isVisibleAbove(page: Page, widget: Widget, field: Locator, covered: number, name: string): Promise<void> {
  const height = page.viewportSize()!.height;
  await expect(async () => {
    const box = (await field.boundingBox())!;
    expect(box.y, `${name}, ${covered} px: the top`).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height, `${name}, ${covered} px: the bottom`).toBeLessThanOrEqual(height - covered);
    await expect(field).toBeFocused();
    const hit = await field.evaluate((input) => {
      const { left, top, width, height } = input.getBoundingClientRect();
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      return found !== null && (input === found || input.contains(found));
    });
    expect(hit, `${name}, ${covered} px: nothing is above it`).toBe(true);
  }).toPass({ timeout: 15_000 });
  await expect(widget.heading).toBeAttached();
}

test.describe("on a phone with a keyboard", () => {
  test.use({ viewport: { width: 390, height: 740 } });

  for (const [covered, reducedMotion] of [[300, "no-preference"], [340, "reduce"]] as const) {
    test(`the focused field stays above ${covered} px of keyboard, with motion: ${reducedMotion}`, async ({ tenant, page }) => {
      await page.emulateMedia({ reducedMotion });
      await tenant.goto();
      const widget = await tenant.open();
      await widget.agree();
      const search = widget.frame.getByRole("searchbox");
      await search.focus();
      await cover(page, covered);
      await isVisibleAbove(page, widget, search, covered, "search");
      await cover(page, 0);
      await widget.choose();
      const name = widget.frame.getByRole("textbox", { name: "User name" });
      for (const [field, label] of [[name, "user name"], [widget.password, "password"]] as const) {
        await field.focus();
        await cover(page, covered);
        await isVisibleAbove(page, widget, field, covered, label);
        await widget.button("Connect").click();
        await cover(page, 0);
      }
      // The next field gets the focus while the keyboard is open.
      await name.focus();
      await cover(page, covered);
      await page.keyboard.press("Tab");
      await isVisibleAbove(page, widget, widget.password, covered, "the next field");
      await cover(page, 0);
      await widget.signIn("mfa-otp");
      await widget.shows("Enter your code");
      await cover(page, covered);
      await isVisibleAbove(page, widget, widget.code, covered, "code");
    });
  }
});

test("a browser font of 32 px doubles the text", async ({ tenant, page }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  await widget.choose();
  const texts = ["h1", ".label", ".button", ".input", ".text", ".footnote", ".brand-name"].map((selector) =>
    widget.frame.locator(selector).first(),
  );
  const before = await Promise.all(texts.map(fontSize));
  await widget.frame.locator("html").evaluate((html) => void (html.style.fontSize = "32px"));
  expect(await Promise.all(texts.map(fontSize))).toEqual(before.map((size) => 2 * size));
  const wide = await widget.frame
    .locator("html")
    .evaluate((html) => [...html.querySelectorAll("main, .foot")].filter((it) => it.scrollWidth > it.clientWidth).length);
  expect(wide, "nothing is cut off").toBe(0);
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("focused and unfocused invalid fields differ", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  await widget.choose();
  await widget.button("Connect").click();
  const shadow = (locator: Locator): Promise<string> =>
    locator.locator("..").evaluate((control) => getComputedStyle(control).boxShadow);
  await expect(widget.frame.getByRole("textbox", { name: "User name" })).toBeFocused();
  const focused = await shadow(widget.frame.getByRole("textbox", { name: "User name" }));
  expect(focused).not.toBe(await shadow(widget.password));
});

test("forced colors show the current step, a hovered button and the card's edge", async ({ tenant, page }) => {
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "no-preference" });
  await page.route(/\/link\/accounts\/[^/]+\?/, () => undefined);
  await tenant.goto();
  const widget = await tenant.open();
  const style = (locator: Locator, name: string): Promise<string> =>
    locator.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);
  expect(await style(widget.frame.locator(".stage"), "outline-style")).toBe("solid");
  const agree = widget.button("Agree and continue");
  const [text, background] = [await style(agree, "color"), await style(agree, "background-color")];
  await agree.hover();
  expect([await style(agree, "color"), await style(agree, "background-color")]).toEqual([text, background]);
  expect(await style(agree, "outline-style")).toBe("solid");
  await widget.link("good");
  await widget.shows(/^Connecting to/);
  const dot = (state: string): Locator => widget.frame.locator(`.step[data-state="${state}"] .step-dot`).first();
  const borders = await Promise.all(["done", "current", "waiting"].map((state) => style(dot(state), "border-top-style")));
  expect(borders[1]).not.toBe(borders[2]);
  expect(await style(dot("current"), "border-top-color")).not.toBe(await style(dot("waiting"), "border-top-color"));
});
