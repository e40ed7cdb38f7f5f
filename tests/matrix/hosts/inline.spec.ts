/** A widget in an element of the page: whether the page scrolls around it, and where the focus goes. */
import type { Locator } from "@playwright/test";
import { signIn } from "../../e2e/support/keyboard";
import { Recorder } from "../../e2e/support/recorder";
import { trap, type Widget } from "../../e2e/support/widget";
import { CLICK, expect, test } from "../support/host";

/** Signs in, while the focus is in a field of the page. */
async function submitBehind(widget: Widget, login: string, field: Locator): Promise<void> {
  await widget.agree();
  await widget.choose();
  await widget.frame.getByRole("textbox", { name: "User name" }).fill(login);
  await widget.password.fill("pass");
  await field.focus();
  await widget.button("Connect").evaluate((button: HTMLElement) => button.click());
}

for (const [name, path] of [
  ["inline container", "/inline"],
  ["inline container in a shadow root", "/inline-shadow"],
] as const) {
  test.describe(name, () => {
    test("the page stays where it is if the widget is visible", async ({ host, page }) => {
      await host.goto(path);
      await host.frame.locator("#connect").focus();
      await host.frame.evaluate(() => scrollTo(0, 200));
      await host.snapshot();
      const positions = await host.frame.evaluateHandle(() => {
        const positions: number[] = [];
        addEventListener("scroll", () => positions.push(scrollY));
        return positions;
      });
      await page.keyboard.press("Enter");
      const widget = await host.opened();
      const recorder = new Recorder(page, widget);
      await signIn(recorder, { page, widget }, "good");
      await widget.shows("You’re connected");
      await recorder.press("Done");
      await host.waitForClose();
      await host.snapshot();
      expect(await positions.jsonValue()).toEqual([]);
    });

    for (const step of ["consent", "challenge"] as const) {
      test(`a trap on the ${step} page does not move the page, and the focus returns`, async ({ host, page }) => {
        await host.goto(path);
        await host.frame.evaluate(() => scrollTo(0, 200));
        await host.snapshot();
        const widget = await host.open();
        if (step === "challenge") {
          await widget.link("mfa-otp");
          await widget.shows("Enter your code");
        }
        const focused = step === "challenge" ? widget.code : widget.heading;
        await expect(focused).toBeFocused();
        const positions = await host.frame.evaluateHandle(() => {
          const positions: number[] = [];
          addEventListener("scroll", () => positions.push(scrollY));
          return positions;
        });
        await focused.evaluate((element) => void Object.assign(element, { isOld: true }));
        const restarted = page.waitForRequest((request) => request.url().includes("?again=1"));
        await trap(page);
        await restarted;
        await expect.poll(() => focused.evaluate((element) => "isOld" in element)).toBe(false);
        await expect(focused).toBeFocused();
        await host.snapshot();
        expect(await positions.jsonValue()).toEqual([]);
        expect(host.errors.splice(0), "the trap").toEqual(["unreachable"]);
      });
    }

    test("the focus stays in a field of the page when the widget shows its next screen", async ({ host, page }) => {
      await host.goto(path);
      const widget = await host.open();
      const field = host.frame.locator("#name");
      await submitBehind(widget, "good", field);
      await page.keyboard.press("End");
      await page.keyboard.type(" Maria");
      await widget.shows("You’re connected");
      await expect(field).toBeFocused();
      await expect(widget.heading).not.toBeFocused();
      await page.keyboard.type(" Cruz");
      await expect(field).toHaveValue("Ana Maria Cruz");
      // On return, the focus is where the screen reader announces the new screen.
      await widget.frame.locator("main").click({ ...CLICK, position: { x: 2, y: 2 } });
      await expect(widget.heading).toBeFocused();
    });

    test("a click on a field of a screen that came meanwhile focuses it", async ({
      host,
    }) => {
      await host.goto(path);
      const widget = await host.open();
      await submitBehind(widget, "mfa-otp", host.frame.locator("#name"));
      await widget.shows("Enter your code");
      await expect(widget.code).not.toBeFocused();
      await widget.code.click(CLICK);
      await expect(widget.code).toBeFocused();
    });

    test("the page scrolls to a heading that is not visible", async ({ host, page }) => {
      await page.setViewportSize({ width: 1280, height: 400 });
      await host.goto(path);
      await host.frame.locator("#connect").focus();
      await page.keyboard.press("Enter");
      const widget = await host.opened();
      await expect(widget.heading).toBeInViewport({ ratio: 1 });
      await host.frame.evaluate(() => scrollTo(0, 530));
      await expect(widget.heading).not.toBeInViewport();
      await widget.agree();
      await expect(widget.heading).toBeInViewport({ ratio: 1 });
    });
  });
}
