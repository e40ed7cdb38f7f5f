/** The ways in which pages load the script, and libraries of the page that change built-in objects. */
import { expect, test } from "./bridge";

/** The code of a page that loads the script from `url`, whose text is `text`. */
const WAYS: Record<string, string> = {
  "a module script": "await add({ type: 'module', src: url })",
  "import()": "await import(url)",
  "a loader that evaluates it": "(0, eval)(text)",
  "a function of its text": "new Function(text)()",
  "an inline script": "await add({ text })",
  "a blob URL": "await add({ src: URL.createObjectURL(new Blob([text], { type: 'text/javascript' })) })",
  "a bundle": "await add({ text: 'var before=1;' + text + ';var after=2' })",
  "a wrapper": "await add({ text: '(function(){\"use strict\";' + text + '})()' })",
};

const ADD = `const add = (properties) => new Promise((resolve, reject) => {
  const script = Object.assign(document.createElement("script"), properties, { onload: resolve, onerror: reject });
  document.head.append(script);
  if (properties.text) resolve();
});`;

for (const [way, code] of Object.entries(WAYS)) {
  test(`the script works when loaded by ${way}`, async ({ bridge, page }) => {
    await bridge.goto("/bare");
    const url = `${bridge.servers.sdk}/sdk/served.js`;
    await page.evaluate(`(async () => { const url = ${JSON.stringify(url)}; const text = await (await fetch(url)).text(); ${ADD} ${code} })()`);
    expect((await bridge.opened()).url()).toContain(bridge.servers.sdk);
    expect(bridge.errors).toEqual([]);
  });
}

test("a script without an address reports how to load it", async ({ bridge, page }) => {
  await bridge.goto("/bare");
  await page.evaluate(async (url) => (0, eval)(await (await fetch(url)).text()), `${bridge.servers.sdk}/sdk/v2/linchpin.v2.js`);
  await bridge.make();
  await page.evaluate(() => {
    window.modal.on("error", (error) => void window.calls.push([String((error as Error).cause)]));
    window.modal.open();
  });
  await expect.poll(() => bridge.calls()).toEqual([["script"]]);
  await expect(bridge.dialog.getByRole("button", { name: "Close" }).first()).toBeVisible();
  // The script with the remedies has no address either. So the line comes from the bridge, which asks the page's server for nothing.
  const lines = (): Set<string> => new Set(bridge.console.map((it) => `${it.type()}: ${it.text().split("\n")[0]}`));
  await expect.poll(lines).toEqual(new Set(["error: LinkError: set LinkModal.script to the service"]));
  expect(bridge.errors).toEqual([]);
  await page.evaluate(async (script) => {
    await window.modal.destroy();
    Object.assign(window.LinkModal, { script });
  }, `${bridge.servers.sdk}/sdk/v2/`);
  await bridge.opened();
});

test("a second copy adds the address that the first one did not know", async ({ bridge, page }) => {
  await bridge.goto("/bare");
  const copy = (path: string): Promise<void> =>
    page.evaluate(async (url) => (0, eval)(await (await fetch(url)).text()), `${bridge.servers.sdk}/sdk/${path}`);
  await copy("v2/linchpin.v2.js");
  await bridge.make();
  await copy("served.js");
  await page.evaluate(() => window.modal.open());
  await expect.poll(() => bridge.state()).toBe("open");
  await page.evaluate(() => Object.assign(window, { LinkModal: undefined }));
  await copy("served.js");
  expect(bridge.errors).toEqual([]);
});

for (const [script, fails] of [
  ["/sdk/v2/linchpin.v2.js", true],
  ["blob:https://example.org/1", true],
  ["https://", true],
  ["//HOST/sdk/v2/", false],
] as const) {
  test(`with the script address ${script}, open() ${fails ? "reports a fault" : "works"}`, async ({ bridge, page }) => {
    await bridge.goto();
    await page.evaluate((script) => Object.assign(window.LinkModal, { script }), script.replace("HOST", new URL(bridge.servers.sdk).host));
    await bridge.make();
    await page.evaluate(() => {
      window.modal.on("error", (error) => void window.calls.push([String((error as Error).cause)]));
      window.modal.open();
    });
    await expect.poll(() => bridge.state()).toBe(fails ? "failed" : "open");
    expect(await bridge.calls()).toEqual(fails ? [["script"]] : []);
    if (fails) await expect(bridge.dialog.getByRole("button", { name: "Close" }).first()).toBeVisible();
    await page.evaluate(() => window.modal.destroy());
    const ready = page.evaluate(() => {
      const { ready } = new window.LinkModal({ templateId: "lt-1", userToken: "t" });
      return ready.then(() => "ready", (error: Error) => error.cause);
    });
    expect(await ready, "before it is opened").toBe(fails ? "script" : "ready");
    expect(bridge.errors).toEqual([]);
  });
}

test("options that an object inherits are read", async ({ bridge, page }) => {
  await bridge.goto();
  await page.evaluate(() => {
    window.modal = new window.LinkModal(Object.create({ templateId: "lt-1", userToken: "t", locale: "id" }));
    window.modal.open();
  });
  await expect.poll(() => bridge.state()).toBe("open");
  expect((await bridge.heard(await bridge.frame()))[0]).toMatchObject({ open: { token: "t", options: { locale: "id" } } });
});

const LIBRARIES: Record<string, string> = {
  "toJSON on Array": "Array.prototype.toJSON = function () { return String(this) }",
  "toJSON on Object": "Object.prototype.toJSON = () => '{}'",
  "toJSON on String": "String.prototype.toJSON = function () { return '\"' + this + '\"' }",
  "enumerable functions": "Array.prototype.each = Object.prototype.extend = Object.prototype.onEach = () => {}",
  "another JSON": "JSON.stringify = () => 'mine'",
};

for (const [library, code] of Object.entries(LIBRARIES)) {
  test(`the options arrive on a page with ${library}`, async ({ bridge, page }) => {
    await page.addInitScript({ content: `if (self === top) { ${code} }` });
    await bridge.goto();
    await page.evaluate(() => {
      const options = { templateId: "lt-1", userToken: "t", providers: ["a", "b_c"], locale: "en", enableUpload: false };
      window.modal = new window.LinkModal(options);
      window.modal.open();
    });
    await expect.poll(() => page.evaluate("modal.state")).toBe("open");
    const frame = page.frames()[1]!;
    const heard = await frame.evaluate("JSON.stringify(heard)");
    expect(JSON.parse(heard as string)).toEqual([
      { open: { options: { templateId: "lt-1", providers: ["a", "b_c"], locale: "en", enableUpload: false }, token: "t" } },
    ]);
    expect(bridge.console.map((it) => it.text())).toEqual([]);
  });
}

test("reactive lists of frameworks arrive as plain lists", async ({ bridge, page }) => {
  await bridge.goto();
  await page.evaluate(() => {
    const providers = new Proxy(["a"], {});
    window.modal = new window.LinkModal({ templateId: "lt-1", userToken: "t", providers });
    window.modal.open();
  });
  await expect.poll(() => bridge.state()).toBe("open");
  expect((await bridge.heard(await bridge.frame()))[0]).toMatchObject({ open: { options: { providers: ["a"] } } });
});
