// Joins the pictures of `screens.spec.ts` into one contact sheet for each language, and prints how many there are:
//   node tests/screens/sheet.mjs <folder> <chromium>
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { STYLE } from "./style.mjs";

const [folder, executablePath] = process.argv.slice(2);
const ROWS = 12;
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
let count = 0;
for (const { name: locale } of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
  const parts = readdirSync(join(folder, locale)).filter((name) => name.endsWith(".json"));
  const number = (name) => Number(name.match(/\d+/)[0]);
  parts.sort((one, other) => number(one) - number(other));
  const shots = parts.flatMap((name) => JSON.parse(readFileSync(join(folder, locale, name), "utf8")));
  const screens = [...new Set(shots.map(({ screen }) => screen))];
  count += shots.length;
  const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
  for (let first = 0; first < screens.length; first += ROWS) {
    const rows = screens.slice(first, first + ROWS).map((screen) => {
      const own = shots.filter((shot) => shot.screen === screen);
      const pictures = own.map(({ file, theme, width }) => `<figure><img src="${file}">${theme}, ${width}</figure>`);
      return `<section><h2>${screen}</h2>${pictures.join("")}</section>`;
    });
    const name = `sheet-${locale}-${first / ROWS + 1}`;
    writeFileSync(join(folder, `${name}.html`), `<!doctype html><meta charset="utf-8"><style>${STYLE}</style>${rows.join("")}`);
    await page.goto(pathToFileURL(resolve(folder, `${name}.html`)).href);
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  }
  console.log(`screens: ${screens.length} in ${locale}`);
}
await browser.close();
console.log(`screens: ${count} combinations of screen, language, theme and width, each without axe violations`);
console.log(`screens: see ${resolve(folder)}/sheet-*.png`);
