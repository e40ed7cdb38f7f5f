// Joins the pictures of the portal and the hosted pages, `name-width-theme.png`, into contact sheets:
//   node tests/screens/pages.mjs <folder> <chromium>
import { readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { STYLE } from "./style.mjs";

const [folder, executablePath] = process.argv.slice(2);
const ROWS = 8;
/** Every page has these; a long page is cut. */
const SHOTS = ["1280-light", "1280-dark", "360-light", "360-dark"];
const CUT = "img{object-fit:cover;object-position:top}";

const files = readdirSync(folder).filter((name) => /-360-(light|dark)\.png$/.test(name));
const pages = [...new Set(files.map((name) => name.replace(/-360-(light|dark)\.png$/, "")))].sort();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
for (let first = 0; first < pages.length; first += ROWS) {
  const rows = pages.slice(first, first + ROWS).map((name) => {
    const width = (shot) => (shot.startsWith("360") ? 185 : 560);
    const figure = (shot) => `<figure><img width="${width(shot)}" src="${name}-${shot}.png" alt="">${shot}</figure>`;
    return `<section><h2>${name}</h2>${SHOTS.map(figure).join("")}</section>`;
  });
  const sheet = `sheet-${first / ROWS + 1}`;
  writeFileSync(join(folder, `${sheet}.html`), `<!doctype html><meta charset="utf-8"><style>${STYLE}${CUT}</style>${rows.join("")}`);
  await page.goto(pathToFileURL(resolve(folder, `${sheet}.html`)).href);
  await page.screenshot({ path: join(folder, `${sheet}.png`), fullPage: true });
}
await browser.close();
console.log(`screens: ${pages.length} pages; see ${resolve(folder)}/sheet-*.png`);
