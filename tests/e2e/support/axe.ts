import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Checks that axe finds no accessibility violations on the page and in the frame. Does not look in Firefox. */
export async function accessible(page: Page, screen: string): Promise<void> {
  // Each look takes 3 s there, and few rules depend on the engine.
  if (page.context().browser()?.browserType().name() === "firefox") return;
  // axe cannot run in a frame without scripts: the preview of a link site, whose pages are checked where people open them.
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).exclude('iframe[sandbox=""]').analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
  );
  expect(found, screen).toEqual([]);
}

/** Checks that nothing scrolls horizontally. Looks again if a frame is replaced meanwhile, as previews are. */
export async function reflows(page: Page, screen: string): Promise<void> {
  await expect(async () => {
    for (const frame of page.frames()) {
      const wide = await frame.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(wide, `${screen}: ${frame.url()}`).toBeLessThanOrEqual(0);
    }
  }).toPass({ timeout: 15_000 });
}

/** Returns a check of the page as it is, at each width. `LINCHPIN_PICTURES` names a folder for pictures. */
export function checkAtWidths(page: Page, colorScheme: string, widths: number[]): (name: string) => Promise<void> {
  return async (name) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await reflows(page, `${name} at ${width}`);
      const folder = process.env["LINCHPIN_PICTURES"];
      if (folder) await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
    await accessible(page, name);
  };
}
