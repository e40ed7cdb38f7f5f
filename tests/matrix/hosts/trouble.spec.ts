/** Host pages and browsers in which something is missing, fails or happens at the same time. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { expect, Host, test, unaffected } from "../support/host";
import { countListeners } from "../support/probe";

test.describe("two modals at once", () => {
  test("the second one opens over the first", async ({ host, page }) => {
    await host.goto("/two");
    await host.frame.evaluate(() => Promise.all(window.modals.map(({ ready }) => ready)));
    await host.frame.locator("#connect").focus();
    const before = await host.snapshot();
    await host.open();
    await host.frame.evaluate(() => (window.modal = window.modals[1]!).open());
    await expect.poll(() => host.state()).toBe("open");
    const second = page.frameLocator("linchpin-modal:last-of-type dialog[open] iframe");
    const first = page.frameLocator("linchpin-modal:nth-last-of-type(2) dialog[open] iframe");
    for (const [nth, frame] of [first, second].entries()) {
      await frame.getByRole("heading", { level: 1, includeHidden: true }).waitFor();
      expect(nth).toBeLessThan(2);
    }
    await page.keyboard.press("Escape");
    await expect.poll(() => host.frame.evaluate(() => window.modals.filter(({ state }) => state === "open").length)).toBe(1);
    await page.keyboard.press("Escape");
    await expect.poll(() => host.frame.evaluate(() => window.modals.map(({ state }) => state))).toEqual(["closed", "closed"]);
    await host.isAs(before, "after both");
  });
});

test.describe("failures", () => {
  test("the style sheet of later pages fails at first", async ({ host, page }) => {
    let failures = 0;
    await page.route(/\/sdk\/assets\/chunk-[^?]*\.css/, (route) => {
      failures += 1;
      return failures === 1 ? route.abort() : route.fallback();
    });
    await unaffected(host, "/plain");
    expect(failures).toBeGreaterThan(1);
  });

  test("the style sheet of later pages always fails", async ({ host, page }) => {
    await page.route(/\/sdk\/assets\/chunk-.*\.css/, (route) => route.abort());
    await host.goto("/plain");
    await host.frame.locator("#connect").focus();
    const before = await host.snapshot();
    const widget = await host.open();
    await widget.agree();
    await widget.pick("Social Security Mexico");
    await expect(widget.button("Try again")).toBeVisible({ timeout: 30_000 });
    await page.keyboard.press("Escape");
    await host.waitForClose();
    await host.isAs(before, "after Escape");
  });

  test("the page replaces its body while the widget is open", async ({ host }) => {
    await host.goto("/plain");
    await host.open();
    await host.frame.evaluate(() => {
      const body = document.createElement("body");
      body.append(Object.assign(document.createElement("p"), { textContent: "Another page" }));
      document.body.replaceWith(body);
    });
    await host.waitForClose();
    expect(await host.calls()).toEqual([["onClose", { reason: "close" }]]);
    await expect(host.frame.locator("html")).toHaveCSS("overflow", "visible");
    await host.frame.evaluate(() => window.modal.open());
    await host.opened();
  });

  for (const way of ["close()", "destroy()"] as const) {
    test(`the page calls ${way} while the widget is open`, async ({ host }) => {
      await host.goto("/plain");
      await host.frame.locator("#connect").focus();
      await host.frame.evaluate(() => scrollTo(0, 200));
      const before = await host.snapshot();
      await host.open();
      await host.frame.evaluate((way) => (way === "close()" ? window.modal.close() : window.unmount()), way);
      if (way === "destroy()") {
        await expect.poll(() => host.state()).toBe("destroyed");
        await host.frame.evaluate(() => window.mount());
      }
      await host.isAs(before, way);
    });
  }
});

const FEATURES = "selector(:has(*)) and (color:color-mix(in srgb,red,red))";

test.describe("browsers without a feature", () => {
  for (const [feature, remove, message, isShown] of [
    ["WebAssembly", () => Reflect.deleteProperty(window, "WebAssembly"), FEATURES, true],
    [
      "constructed style sheets",
      () => Reflect.deleteProperty(Document.prototype, "adoptedStyleSheets"),
      "unsupported",
      false,
    ],
    ["color-mix()", () => (CSS.supports = () => false), FEATURES, true],
  ] as const) {
    test(feature, async ({ host, page }) => {
      await page.addInitScript(remove);
      await host.visit("/plain");
      await expect.poll(async () => (await host.calls()).length).toBe(1);
      await host.frame.locator("#connect").click();
      const error = ["error", { cause: "unsupported", message }];
      await expect.poll(() => host.calls()).toEqual([error, error]);
      expect(await host.state()).toBe(isShown ? "failed" : "closed");
      await expect(host.frame.locator("linchpin-modal")).toHaveCount(isShown ? 1 : 0);
    });
  }
});

test.describe("browser settings", () => {
  test("blocked third-party storage", async ({ site }) => {
    const folder = await mkdtemp(join(tmpdir(), "linchpin-matrix-"));
    await mkdir(join(folder, "Default"));
    const exceptions = { cookies: { [`${site.api.service},*`]: { setting: 2 } } };
    await writeFile(join(folder, "Default", "Preferences"), JSON.stringify({ profile: { content_settings: { exceptions } } }));
    // Chromium's build without a user interface has no such settings.
    const context = await chromium.launchPersistentContext(folder, {
      executablePath: process.env["LINCHPIN_WHOLE_CHROMIUM"] as string,
      headless: false,
      args: ["--headless=new", "--hide-scrollbars", "--no-sandbox", "--disable-gpu"],
      viewport: { width: 1280, height: 800 },
    });
    try {
      const page = await context.newPage();
      await page.addInitScript(countListeners, site.api.service);
      const host = new Host(page, site);
      await unaffected(host, "/plain", {
        during: async () => {
          const frame = page.frames().find((frame) => frame.url().includes("/sdk/frame/"));
          const storage = frame?.evaluate(() => localStorage.length).catch(({ name, message }: Error) => `${name} ${message}`);
          expect(await storage).toMatch(/SecurityError/);
        },
      });
      expect(host.errors).toEqual([]);
    } finally {
      await context.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
