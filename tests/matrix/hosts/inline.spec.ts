/** Whether the host page scrolls around a widget in an element of the page. */
import { signIn } from "../../e2e/support/keyboard";
import { Recorder } from "../../e2e/support/recorder";
import { expect, test } from "../support/host";

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
      await host.closed();
      await host.snapshot();
      expect(await positions.jsonValue()).toEqual([]);
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
