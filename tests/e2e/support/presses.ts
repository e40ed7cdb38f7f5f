import type { Locator, Page } from "@playwright/test";

/** The widget takes presses that are nearer than 6 px, right after a new page, for the second half of a double click. */
const ASIDE_PX = 7;

/**
 * Makes every `click()` of this process press a little left or right of the middle: where it is farther from the last press.
 * A test presses the button of a new page faster than a person can read it, and buttons of several pages are at the same
 * place.
 */
export function pressApart(page: Page): void {
  const locators: Locator & { isApart?: true } = Object.getPrototypeOf(page.locator("html"));
  if (locators.isApart) return;
  locators.isApart = true;
  const { click } = locators;
  let last = 0;
  locators.click = async function (this: Locator, options = {}) {
    const box = options.position ? undefined : await this.boundingBox({ timeout: options.timeout });
    if (!box || box.width < 4 * ASIDE_PX) return click.call(this, options);
    const middle = box.x + box.width / 2;
    const x = box.width / 2 + (middle < last ? -ASIDE_PX : ASIDE_PX);
    last = box.x + x;
    return click.call(this, { ...options, position: { x, y: box.height / 2 } });
  };
}
