/** Host pages whose styles, event listeners or sandbox could break the widget. */
import { expect, test } from "./bridge";

const CENTERED = { x: 430, y: 60, width: 420, height: 680 };

for (const [name, css] of [
  ["limits frames, as themes do", "iframe{height:auto!important;max-width:100%!important}"],
  ["pads every dialog", "dialog{padding:2em!important;margin:1em!important}"],
  ["unsets everything", "*{all:unset!important}"],
  ["hides unknown elements", "body>*,:not(:defined){display:none!important;visibility:hidden!important}"],
  ["unsets everything in a layer", "@layer a{*{all:unset!important}body>*{display:none!important}}"],
  ["transforms the body", "body{transform:scale(.5);filter:blur(4px);contain:strict;overflow:hidden;height:10px}"],
  ["animates everything", "@keyframes a{to{opacity:0}}*{animation:a 1s forwards!important;transition:all 9s!important}"],
  ["adds content to everything", '*::before{content:"x"!important;display:block!important;height:90px!important}'],
  ["styles every backdrop", "::backdrop{background:red!important}"],
  ["styles elements by name", "dialog,iframe,div,button,p{margin:40px;padding:40px;border:9px solid red;opacity:.1}"],
] as const) {
  test(`a style sheet that ${name} does not affect the modal`, async ({ bridge, page }) => {
    await bridge.goto();
    await page.evaluate((css) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets.push(sheet);
    }, css);
    await bridge.opened();
    const frame = page.locator("iframe");
    expect(await frame.boundingBox()).toEqual(CENTERED);
    await expect(frame).toHaveCSS("opacity", "1");
    const code = page.frameLocator("iframe").getByRole("textbox", { name: "Code" });
    await code.click();
    await code.pressSequentially("1234");
    await expect(code).toHaveValue("1234");
  });
}

test("the page does not scroll while the modal is open, despite !important styles", async ({ bridge, page }) => {
  await bridge.goto();
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("html:root:not(#x){overflow:auto!important;scrollbar-gutter:auto!important} body{height:9000px}");
    document.adoptedStyleSheets.push(sheet);
  });
  await bridge.opened();
  await expect(page.locator("html")).toHaveCSS("overflow", "hidden");
  await page.mouse.move(20, 20);
  await page.mouse.wheel(0, 400);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.evaluate(() => window.modal.close());
  await expect(page.locator("html")).toHaveCSS("overflow", "auto");
  await page.mouse.wheel(0, 400);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
});

test("a right-to-left page does not mirror the shell", async ({ bridge, page }) => {
  await bridge.goto();
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  await bridge.opened();
  expect(await page.locator("iframe").boundingBox()).toEqual(CENTERED);
  await expect(page.locator("dialog")).toHaveCSS("direction", "ltr");
});

const EVENTS = "pointerdown pointerup mousedown mouseup touchstart touchend click keydown keyup focusin".split(" ");

test("a host's modal library notices no click, key or focus in the shell", async ({ bridge, page }) => {
  await bridge.goto();
  await page.evaluate((events) => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    for (const type of events) {
      document.addEventListener(type, () => seen.push(`capture ${type}`), true);
      document.addEventListener(type, () => seen.push(type));
    }
  }, EVENTS);
  await bridge.make({ templateId: "lt-quiet" });
  await page.evaluate(() => window.modal.open());
  const close = bridge.dialog.getByRole("button", { name: "Close" });
  await expect(close).toBeFocused();
  await page.mouse.click(20, 20);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  await expect.poll(() => bridge.state()).toBe("closed");
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
  await page.mouse.click(20, 20);
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toContain("capture click");
});

test("clicking the scrim does not close a dialog of the host", async ({ bridge, page }) => {
  await bridge.goto();
  await page.evaluate(() => {
    const dialog = document.createElement("div");
    dialog.id = "theirs";
    document.body.append(dialog);
    // As the outside-click handlers of Radix, Headless UI and MUI do.
    for (const type of ["pointerdown", "mousedown", "click", "focusin"]) {
      document.addEventListener(type, ({ target }) => dialog.contains(target as Node) || dialog.remove(), true);
    }
    document.addEventListener("keydown", ({ key }) => key === "Escape" && dialog.remove(), true);
  });
  await bridge.opened();
  await page.mouse.click(20, 20);
  await page.keyboard.press("Escape");
  await expect.poll(async () => bridge.heard(await bridge.frame())).toContainEqual({ closeRequested: {} });
  await expect(page.locator("#theirs")).toHaveCount(1);
});

test("the frame keeps its URL if a host script replaces all frames of the page", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.opened();
  // As scripts that wrap videos or delay loading do.
  const found = await page.evaluate(() => document.querySelectorAll("iframe, dialog, button:not(body > *)").length);
  expect(found).toBe(0);
});

test("an opaque origin is named as the cause", async ({ bridge, page }) => {
  await page.route(`${bridge.servers.host}/sandbox`, (route) =>
    route.fulfill({ contentType: "text/html", body: `<iframe sandbox="allow-scripts" src="/"></iframe>` }),
  );
  await page.goto(`${bridge.servers.host}/sandbox`);
  const host = page.frames()[1]!;
  await host.waitForLoadState();
  const error = await host.evaluate(async () => {
    window.modal = new window.LinkModal({ templateId: "lt-1", userToken: "token-1" });
    const failed = new Promise((resolve) => window.modal.on("error", resolve));
    window.modal.open();
    const error = (await failed) as Error;
    return [error.message, error.cause];
  });
  expect(error).toEqual(["unsupported", "unsupported"]);
});
