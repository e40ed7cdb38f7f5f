/** Runs axe on every screen, and takes the pictures of the contact sheet. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import axe from "axe-core";
import { dress, open, THEMES, TOUR, WIDTHS } from "./tour";

const FOLDER = process.env["LINCHPIN_SCREENS"] ?? "target/screens";
const LOCALES = (process.env["LINCHPIN_LOCALES"] ?? "en").split(" ");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** A picture and what axe found on it. */
interface Shot {
  screen: string;
  locale: string;
  theme: string;
  width: number;
  file: string;
}

/** Returns what axe finds on the screen, and whether it scrolls horizontally. */
async function faults(page: Page): Promise<string[]> {
  return page.evaluate(async (rules) => {
    const { violations } = await (window as any).axe.run(document, { runOnly: rules, resultTypes: ["violations"] });
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const list = violations.map(({ id, nodes }: any) => `${id}: ${nodes.map((node: any) => `${node.target}: ${node.failureSummary}`)}`);
    return wide > 0 ? [...list, `scrolls ${wide} px horizontally`] : list;
  }, RULES);
}

for (const locale of LOCALES) {
  for (const [at, part] of TOUR.entries()) {
    test(`${locale}, part ${at + 1} of the tour`, async ({ page }) => {
      const broken: string[] = [];
      page.on("pageerror", ({ message }) => broken.push(message));
      const shots: Shot[] = [];
      mkdirSync(join(FOLDER, locale), { recursive: true });
      await dress(page, "light", 360);
      await open(page, part, locale);
      await page.evaluate(axe.source);
      for await (const screen of part.screens(page)) {
        for (const theme of THEMES) {
          for (const width of WIDTHS) {
            await dress(page, theme, width);
            const found = await faults(page);
            const name = `${locale}, ${screen}, ${theme}, ${width} px`;
            expect.soft(found, name).toEqual([]);
            const file = `${locale}/${screen.replace(/\W+/g, "-")}-${theme}-${width}.jpg`;
            await page.screenshot({ path: join(FOLDER, file), type: "jpeg", quality: 60 });
            shots.push({ screen, locale, theme, width, file });
          }
        }
        await dress(page, "light", 360);
      }
      expect(broken).toEqual([]);
      writeFileSync(join(FOLDER, locale, `part-${at}.json`), JSON.stringify(shots));
    });
  }
}
