/** Walks the main screens in every language at 320 px: no word of another language, nothing wider than the screen. */
import { readdirSync, readFileSync } from "node:fs";
import type { Stage } from "./stage";
import { expect, test } from "./stage";

type Part = string | number | { plural: Record<string, Part[]> };
type Catalogue = (string | Part[])[];

const GENERATED = new URL("../../../www/frame/generated/", import.meta.url);
const catalogues = new Map<string, Catalogue>();
for (const name of readdirSync(GENERATED)) {
  if (name === "keys.json") continue;
  catalogues.set(name.replace(".json", ""), JSON.parse(readFileSync(new URL(name, GENERATED), "utf8")) as Catalogue);
}

/** Returns the texts of a catalogue with `argument` for each argument, and a text for each plural form. */
function texts(catalogue: Catalogue, argument: string): string[] {
  const join = (parts: Part[]): string =>
    parts.map((part) => (typeof part === "string" ? part : argument)).join("");
  return catalogue.flatMap((message) => {
    if (typeof message === "string") return [message];
    const forms = message.flatMap((part) => (typeof part === "object" ? Object.values(part.plural).map(join) : []));
    return forms.length > 0 ? forms : [join(message)];
  });
}

/** Returns patterns of the texts of the other languages that no text of this language matches. */
function foreign(locale: string): RegExp[] {
  const own = texts(catalogues.get(locale)!, "\u2068Rideo\u2069");
  const others = [...catalogues].filter(([tag]) => tag !== locale).flatMap(([, other]) => texts(other, "\0"));
  const patterns = others
    .filter((text) => /\p{L}{3}/u.test(text))
    .map((text) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("\0", ".+")}$`, "u"));
  return patterns.filter((pattern) => !own.some((text) => pattern.test(text)));
}

/** Returns what a person reads or hears, and the elements whose text is cut off. */
function shown(): { texts: string[]; cut: string[]; wide: number } {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = new Set<string>([document.title]);
  const cut: string[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.trim();
    const parent = node.parentElement!;
    if (!text || /^(SCRIPT|STYLE)$/.test(parent.tagName)) continue;
    found.add(text);
    const isHidden = parent.closest(".hidden-text, .brand-name") !== null;
    if (!isHidden && getComputedStyle(parent).overflowX !== "visible" && parent.scrollWidth > parent.clientWidth) cut.push(text);
  }
  for (const element of document.querySelectorAll("[aria-label], [placeholder], [alt]")) {
    for (const name of ["aria-label", "placeholder", "alt"]) found.add(element.getAttribute(name) ?? "");
  }
  const root = document.documentElement;
  return { texts: [...found].filter(Boolean), cut, wide: root.scrollWidth - root.clientWidth };
}

async function walk(stage: Stage, locale: string, look: (screen: string) => Promise<void>): Promise<void> {
  const widget = stage.page.frameLocator("iframe");
  const primary = widget.locator(".button-primary");
  const start = async (): Promise<void> => {
    await stage.embed(`allowed#${locale}`);
    await stage.page.addStyleTag({ content: "iframe { width: 320px; height: 640px; border: 0 }" });
    await stage.until("hello");
    await stage.say({ open: { options: { templateId: "allowed", locale }, token: "token-1" } });
  };
  await start();
  await primary.waitFor();
  await look("consent");
  await primary.click();
  await widget.getByRole("button", { name: /Rideo/ }).waitFor();
  await look("providers");
  await widget.getByRole("searchbox").fill("zzzz");
  await expect(widget.getByRole("button", { name: /Rideo/ })).toHaveCount(0);
  await look("no provider");
  await widget.getByRole("searchbox").fill("");
  await widget.getByRole("button", { name: /Rideo/ }).click();
  await widget.locator("[type=password]").waitFor();
  await look("login");
  await primary.click();
  await widget.locator(".error").first().waitFor();
  await look("login with faults");
  await widget.getByLabel("username").fill("good");
  await widget.locator("[type=password]").fill("pass");
  await primary.click();
  await widget.locator(".sign[data-tone=success]").waitFor();
  await look("success");
  stage.hasLinked = true;
  await start();
  await widget.locator(".row").first().waitFor();
  await look("accounts");
}

for (const locale of catalogues.keys()) {
  test(`every screen in ${locale} has only its words and fits 320 px`, async ({ stage }, { outputPath }) => {
    const patterns = foreign(locale);
    expect(patterns.length).toBeGreaterThan(1_000);
    await walk(stage, locale, async (screen) => {
      const { texts, wide } = await stage.frame.evaluate(shown);
      if (process.env["SHOTS"]) await stage.page.screenshot({ path: outputPath(`${locale} ${screen}.png`) });
      expect(texts.filter((text) => patterns.some((pattern) => pattern.test(text))), screen).toEqual([]);
      expect(wide, screen).toBeLessThanOrEqual(0);
    });
  });
}

test("texts that are 50 % longer are not cut off", async ({ stage }) => {
  await walk(stage, "en-XA", async (screen) => {
    const { cut, wide, texts } = await stage.frame.evaluate(shown);
    expect(texts.some((text) => text.includes("länger ⟧")), screen).toBe(true);
    expect({ cut, wide }, screen).toEqual({ cut: [], wide: 0 });
  });
});
