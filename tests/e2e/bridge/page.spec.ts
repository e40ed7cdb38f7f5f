import { readFile } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "./bridge";

const warnings = (bridge: { console: { type(): string; text(): string }[] }): string[] =>
  bridge.console.filter((it) => it.type() === "warning").map((it) => it.text());

test("the bridge violates no strict policy or Trusted Types", async ({ bridge, page }) => {
  await page.addInitScript(() => {
    Object.assign(window, { refused: [] });
    document.addEventListener("securitypolicyviolation", (event) => {
      (window as unknown as { refused: string[] }).refused.push(`${event.effectiveDirective} ${event.blockedURI}`);
    });
  });
  await bridge.goto("/strict");
  await bridge.opened();
  const frame = page.locator("iframe");
  expect(await frame.boundingBox()).toEqual({ x: 430, y: 60, width: 420, height: 680 });
  await page.evaluate(() => window.modal.destroy());
  expect(await page.evaluate(() => (window as unknown as { refused: string[] }).refused)).toEqual([]);
  expect(bridge.console.filter((it) => it.type() === "error")).toEqual([]);
});

test("loading the script several times defines one class", async ({ bridge, page }) => {
  await bridge.goto("/twice");
  const same = await page.evaluate(async (sdk) => {
    const before = window.LinkModal;
    const script = document.createElement("script");
    script.src = `${sdk}/sdk/v2/linchpin.v2.js`;
    document.head.append(script);
    await new Promise((resolve) => (script.onload = resolve));
    return before === window.LinkModal;
  }, bridge.servers.sdk);
  expect(same).toBe(true);
  await bridge.opened();
  expect(warnings(bridge).filter((text) => text.includes("builds"))).toEqual([]);
});

test("a second build on the page logs a warning and is ignored", async ({ bridge, page }) => {
  await bridge.goto();
  await page.evaluate(async (sdk) => {
    Object.assign(globalThis, { [Symbol.for("linchpin")]: "another" });
    const script = document.createElement("script");
    script.src = `${sdk}/sdk/v2/linchpin.v2.js`;
    document.head.append(script);
    await new Promise((resolve) => (script.onload = resolve));
  }, bridge.servers.sdk);
  expect(warnings(bridge)).toEqual(["LinkModal: two builds"]);
});

test("v1 has the same methods and logs one deprecation warning", async ({ bridge, page }) => {
  await bridge.goto("/v1");
  await bridge.opened();
  const keys = await page.evaluate(() => Object.getOwnPropertyNames(window.LinkModal.prototype));
  expect(keys.sort()).toEqual(["close", "constructor", "destroy", "off", "on", "open", "setLocale", "setToken", "state"]);
  expect(warnings(bridge)).toEqual(["LinkModal v1 is deprecated: load v2/linchpin.v2.js"]);
});

test("the ES module has no side effects, and finds the frame relative to its URL", async ({
  bridge,
  page,
}) => {
  await bridge.goto("/bare");
  const before = await bridge.trace();
  const globals = await page.evaluate(async (sdk) => {
    const before = Object.getOwnPropertyNames(window);
    const module = await import(`${sdk}/sdk/esm/index.js`);
    const added = Object.getOwnPropertyNames(window).filter((name) => !before.includes(name));
    window.modal = new module.LinkModal({ templateId: "lt-1", userToken: "token-1" });
    return [added, Object.keys(module).sort(), Symbol.for("linchpin") in window];
  }, bridge.servers.sdk);
  expect(globals).toEqual([[], ["LinkError", "LinkModal"], false]);
  await page.evaluate(() => window.modal.open());
  await expect.poll(() => bridge.state()).toBe("open");
  await page.evaluate(() => window.modal.destroy());
  expect(await bridge.trace()).toEqual(before);
});

test("the ES module can be imported and used on a server", () => {
  const module = new URL("../../../www/sdk/dist/esm/index.js", import.meta.url).href;
  const code = `import { LinkModal } from ${JSON.stringify(module)};
    const modal = new LinkModal({ templateId: "lt-1", userToken: "t" });
    console.log(modal.state);`;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", code], { encoding: "utf8" });
  expect(output.trim()).toBe("closed");
});

test("inert and aria-hidden set by a host's modal library are removed", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.make();
  await page.evaluate(async () => {
    await window.modal.ready;
    for (const child of document.body.children) {
      child.setAttribute("inert", "");
      child.setAttribute("aria-hidden", "true");
    }
    document.body.style.pointerEvents = "none";
    window.modal.open();
  });
  await expect.poll(() => bridge.state()).toBe("open");
  await page.evaluate(() => {
    document.querySelector("linchpin-modal")?.setAttribute("inert", "");
    document.querySelector("linchpin-modal")?.setAttribute("aria-hidden", "true");
  });
  await expect(page.locator("linchpin-modal")).not.toHaveAttribute("inert");
  await expect(page.locator("linchpin-modal")).not.toHaveAttribute("aria-hidden");
  const code = page.frameLocator("iframe").getByRole("textbox", { name: "Code" });
  await code.click();
  await code.pressSequentially("1234");
  await expect(code).toHaveValue("1234");
});

test("a host's focus trap does not remove the focus from the frame", async ({ bridge, page }) => {
  await bridge.goto();
  await page.evaluate(() => {
    const button = document.querySelector("button");
    document.addEventListener("focusin", ({ target }) => {
      if (target !== button) button?.focus();
    });
  });
  await bridge.opened();
  const code = page.frameLocator("iframe").getByRole("textbox", { name: "Code" });
  await code.click();
  await code.pressSequentially("1234");
  await expect(code).toHaveValue("1234");
});

test("the script is pure ASCII, so that it works in every page encoding", async ({ page, bridge }) => {
  const script = await (await page.request.get(`${bridge.servers.sdk}/sdk/v2/linchpin.v2.js`)).body();
  expect(script.filter((byte) => byte > 127)).toHaveLength(0);
});

test("the version of the build equals the version of the workspace", async () => {
  const cargo = await readFile(fileURLToPath(new URL("../../../Cargo.toml", import.meta.url)), "utf8");
  const register = await readFile(fileURLToPath(new URL("../../../www/sdk/src/register.ts", import.meta.url)), "utf8");
  const version = /\[workspace\.package\]\nversion = ("[^"]+")/.exec(cargo)?.[1];
  expect(register).toContain(`const BUILD = ${version};`);
});
