/** Tests the brand of a link template in the real widget: colors, shapes, typeface, and logos that load or do not. */
import type { FrameLocator, Page } from "@playwright/test";
import { accessible, reflows } from "./support/axe";
import { test, type Keys } from "./support/own-tenant";
import { picture } from "./support/picture";
import { rest } from "./support/rest";
import { expect, rewrite } from "./support/widget";

const SERVICE = process.env["LINCHPIN_SERVICE_URL"] as string;
const LOGO = /\/sdk\/logos\/[0-9a-f]{32}\.png$/;

async function brand(keys: Keys, theme: object, companyName = "Ardilla Loans"): Promise<Record<string, string>> {
  return (await rest(keys, "PATCH", `/linkTemplates/${keys.linkTemplateId}`, { theme, companyName })).theme;
}

const style = (frame: FrameLocator, selector: string, name: string): Promise<string> =>
  frame.locator(selector).first().evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), name);

/** Returns the size of the box in the header, without its fraction. */
async function box(frame: FrameLocator): Promise<[number, number]> {
  const { width, height } = (await frame.locator(".header .mark").boundingBox())!;
  return [Math.round(width), Math.round(height)];
}

/** Holds logos back until the returned function is called. It returns once they have loaded. */
async function holdLogos(page: Page): Promise<() => Promise<void>> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const loaded = page.waitForEvent("requestfinished", (request) => LOGO.test(request.url()));
  await page.route(LOGO, async (route) => {
    await held;
    await route.continue();
  });
  return async () => {
    release();
    await loaded;
  };
}

test("a brand has its colors, shapes, typeface and logo from the first frame", async ({ tenant, page, ownTenant }) => {
  const colors = { accent: "#b3402d", accentDark: "#ff9c8a", radius: 4, font: "SERIF" };
  const logos = { logoLight: picture(600, 150, [179, 64, 45]), logoDark: picture(600, 150, [255, 156, 138]) };
  const theme = await brand(ownTenant.sandbox, { ...colors, ...logos });
  await page.emulateMedia({ colorScheme: "light" });
  await tenant.goto();
  const widget = await tenant.open();
  expect(await box(widget.frame)).toEqual([112, 28]);
  expect(await style(widget.frame, ".header .mark", "background-image")).toBe(`url("${theme["logoLight"]}")`);
  expect(await style(widget.frame, ".button-primary", "background-color")).toBe("rgb(179, 64, 45)");
  expect(await style(widget.frame, ".button-primary", "border-radius")).toBe("4px");
  expect(await style(widget.frame, "body", "font-family")).toContain("Charter");
  await expect(widget.frame.getByRole("banner")).toContainText("Ardilla Loans");
  await accessible(page, "consent with a brand");

  await page.emulateMedia({ colorScheme: "dark" });
  expect(await style(widget.frame, ".header .mark", "background-image")).toBe(`url("${theme["logoDark"]}")`);
  await expect.poll(() => style(widget.frame, ".button-primary", "background-color")).toBe("rgb(255, 156, 138)");
  await accessible(page, "consent with a brand, dark");
});

test("nothing moves when a logo loads", async ({ tenant, page, ownTenant }) => {
  await brand(ownTenant.sandbox, { logoLight: picture(300, 150, [179, 64, 45]) });
  const load = await holdLogos(page);
  // The screen itself arrives in a motion.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await tenant.goto();
  const widget = await tenant.open();
  const places = (): Promise<unknown> =>
    widget.frame.locator(".header .mark, .brand-name, .mode, h1").evaluateAll((all) => all.map((it) => it.getBoundingClientRect().toJSON()));
  const before = await places();
  expect(before).toHaveLength(4);
  await load();
  expect(await places()).toEqual(before);
  expect(await box(widget.frame)).toEqual([56, 28]);
});

test("a logo without a dark version is drawn on white in the dark theme", async ({ tenant, page, ownTenant }) => {
  await brand(ownTenant.sandbox, { logoLight: picture(90, 90, [10, 20, 30]) });
  await page.emulateMedia({ colorScheme: "dark" });
  await tenant.goto();
  const widget = await tenant.open();
  expect(await box(widget.frame)).toEqual([28, 28]);
  expect(await style(widget.frame, ".header .mark", "background-color")).toBe("rgb(255, 255, 255)");
  await page.emulateMedia({ colorScheme: "dark", forcedColors: "active" });
  expect(await style(widget.frame, ".header .mark", "background-color")).toBe("rgb(255, 255, 255)");
});

test("a logo that does not load leaves the monogram and the name", async ({ tenant, page, ownTenant }) => {
  await brand(ownTenant.sandbox, { logoLight: picture(600, 150, [179, 64, 45]) });
  await page.route(LOGO, (route) => route.fulfill({ status: 404 }));
  await tenant.goto();
  const widget = await tenant.open();
  const mark = widget.frame.locator(".header .mark");
  await expect(mark).toHaveText("AL");
  await expect.poll(() => box(widget.frame)).toEqual([24, 24]);
  expect(await style(widget.frame, ".header .mark", "background-image")).toBe("none");
  const name = widget.frame.locator(".brand-name");
  await expect(name).toHaveText("Ardilla Loans");
  expect((await name.boundingBox())!.width).toBeGreaterThan(60);
  await accessible(page, "consent with a broken logo");
});

test("a long company name fits next to a logo at 320 px", async ({ tenant, page, ownTenant }) => {
  const name = "Cooperativa de Ahorro y Crédito de los Trabajadores del Noroeste";
  await brand(ownTenant.sandbox, { logoLight: picture(90, 90, [10, 20, 30]) }, name);
  await page.setViewportSize({ width: 320, height: 640 });
  await tenant.goto();
  const widget = await tenant.open();
  await reflows(page, "consent at 320 px");
  const close = (await widget.button("Close").boundingBox())!;
  const shown = (await widget.frame.locator(".brand").boundingBox())!;
  expect(shown.x + shown.width).toBeLessThanOrEqual(close.x + 1);
  await expect(widget.heading).toContainText(name);
});

test("the logo of a provider covers its monogram only if it loads", async ({ tenant, page, ownTenant }) => {
  await brand(ownTenant.sandbox, {});
  const png = Buffer.from(picture(40, 40, [0, 90, 160]).split(",")[1]!, "base64");
  const [good, broken] = ["0", "1"].map((digit) => `${SERVICE}/sdk/logos/${digit.repeat(32)}.png`);
  await page.route(LOGO, (route) =>
    route.request().url() === good ? route.fulfill({ body: png, contentType: "image/png" }) : route.fulfill({ status: 404 }),
  );
  await rewrite(page, /\/link\/providers$/, (body, status) => {
    body["items"].forEach((item: Record<string, unknown>, at: number) => (item["logoUrl"] = [good, broken, null][at % 3]));
    return { status, body };
  });
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  const marks = widget.frame.locator("main .row .mark");
  await expect(marks.locator("img").first()).toBeVisible();
  const shown = async (): Promise<boolean[]> => {
    const all = await marks.evaluateAll((all) =>
      all.map((it) => it.querySelector("img")).map((img) => [img?.src, img ? getComputedStyle(img).opacity : "0"] as const),
    );
    return all.map(([url, opacity]) => opacity === (url === good ? "1" : "0"));
  };
  await expect.poll(async () => (await shown()).every(Boolean)).toBe(true);
  const sizes = await marks.evaluateAll((all) => all.map((it) => it.getBoundingClientRect().width));
  expect(new Set(sizes)).toEqual(new Set([40]));
  await accessible(page, "providers with logos");
});

test("providers of the sandbox have logos of the service's own origin", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  const row = widget.frame.getByRole("button", { name: /^Rápido Rides/ });
  await expect(row.locator(".mark[data-logo] img")).toHaveAttribute("src", LOGO);
  await expect(widget.frame.getByRole("button", { name: /^Social Security Mexico/ }).locator(".mark")).toHaveText("SS");
});
