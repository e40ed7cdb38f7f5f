import type { Page } from "@playwright/test";
import { type Bridge, expect, test } from "./bridge";

/** Opens a modal, and records the `error` event and the rejection of `ready` in `window.calls`. */
async function failing(bridge: Bridge, page: Page, options: object = {}): Promise<void> {
  await bridge.make(options);
  await page.evaluate(() => {
    window.modal.on("error", (error) => void window.calls.push(["error", String(error), (error as Error).cause]));
    window.modal.ready.catch((error) => void window.calls.push(["ready", String(error), error.cause]));
    window.modal.open();
  });
}

test("a frame without a response fails after 10 seconds, with its address", async ({
  bridge,
  page,
}) => {
  await page.clock.install({ time: 0 });
  await bridge.goto();
  await page.clock.pauseAt(60_000);
  await failing(bridge, page, { templateId: "lt-quiet" });
  const frame = page.frameLocator("iframe");
  await expect(frame.getByRole("heading", { includeHidden: true })).toHaveText("Frame");
  await page.clock.runFor(9_900);
  expect(await bridge.state()).toBe("opening");
  await page.clock.runFor(200);
  expect(await bridge.state()).toBe("failed");
  const words = `LinkError: ${bridge.servers.sdk}/sdk/frame/p1/lt-quiet`;
  expect(await bridge.calls()).toEqual([
    ["error", words, "blocked"],
    ["ready", words, "blocked"],
  ]);
  await page.clock.runFor(10);
  await expect(bridge.dialog.getByRole("heading")).toHaveText("This window is blocked");
});

test("a frame that its policy blocks fails as blocked", async ({ bridge, page }) => {
  await page.clock.install();
  await bridge.goto();
  await failing(bridge, page, { templateId: "refused" });
  await expect.poll(() => page.frames().at(-1)?.url()).toMatch(/^chrome-error:/);
  await page.clock.runFor(1_100);
  await expect.poll(async () => (await bridge.calls())[0]?.[2]).toBe("blocked");
});

test("a failure that the frame shows is reported, and the frame stays", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.make({ templateId: "lt-slow" });
  await page.evaluate(() => {
    window.modal.on("error", (error) => void window.calls.push([String(error)]));
    window.modal.open();
  });
  const frame = await bridge.frame();
  await bridge.say(frame, { failed: { cause: "network", detail: "en.json", shown: true } });
  expect([await bridge.state(), await bridge.calls()]).toEqual(["failed", [["LinkError: en.json"]]]);
  await bridge.say(frame, { ready: {} });
  expect(await bridge.state()).toBe("open");
});

test("a frame fails with the cause network while offline", async ({ bridge, page, context }) => {
  await page.clock.install();
  await bridge.goto();
  await context.setOffline(true);
  await failing(bridge, page);
  await page.clock.runFor(10_000);
  await expect.poll(async () => (await bridge.calls())[0]?.[2]).toBe("network");
});

test("a policy of the page that blocks the frame is reported with its directive", async ({ bridge, page }) => {
  await bridge.goto("/forbidden");
  await failing(bridge, page);
  await expect
    .poll(() => bridge.calls())
    .toContainEqual(["error", `LinkError: ${bridge.servers.sdk}`, "csp"]);
});

test("a violation of another directive does not end the widget", async ({ bridge, page }) => {
  await bridge.goto("/strict");
  await bridge.opened();
  const directive = await page.evaluate(async (sdk) => {
    const refused = new Promise<string>((resolve) =>
      document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective), { once: true }),
    );
    await fetch(`${sdk}/`).catch(() => undefined);
    return refused;
  }, bridge.servers.sdk);
  expect(directive).toBe("connect-src");
  expect([await bridge.state(), await bridge.calls()]).toEqual(["open", []]);
});

test("a page on the origin of the script is rejected", async ({ bridge, page }) => {
  await page.route(`${bridge.servers.sdk}/own`, (route) =>
    route.fulfill({ contentType: "text/html", body: `<script src="/sdk/v2/linchpin.v2.js"></script>` }),
  );
  await page.goto(`${bridge.servers.sdk}/own`);
  await failing(bridge, page);
  await expect.poll(async () => (await bridge.calls())[0]?.[2]).toBe("script");
  await expect(page.locator("iframe")).toHaveCount(0);
});

test("a failure in the frame is reported, and a retry starts a new frame", async ({ bridge, page }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  await page.evaluate(() => window.modal.on("error", (error) => void window.calls.push([String(error)])));
  await bridge.sayLast(frame, { failed: { cause: "wasm", detail: "unreachable" } });
  await expect.poll(() => bridge.calls()).toEqual([["LinkError: unreachable"]]);
  await expect(page.locator("iframe")).toHaveCount(0);
  const retry = bridge.dialog.getByRole("button", { name: "Try again" });
  await expect(retry).toBeFocused();
  await retry.press("Enter");
  await expect.poll(() => bridge.state()).toBe("open");
  await page.evaluate(() => window.modal.ready);
  await expect(retry).toHaveCount(0);
});

test("Escape closes the modal after a failure", async ({ bridge, page }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  await bridge.sayLast(frame, { failed: { cause: "wasm", detail: "unreachable" } });
  await bridge.dialog.getByRole("button", { name: "Try again" }).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => bridge.calls()).toEqual([["onClose", { reason: "close", cause: "wasm" }]]);
});

test("a failed prewarming shows nothing, and open() tries again", async ({ bridge, page }) => {
  await page.clock.install();
  await bridge.goto();
  await bridge.make({ templateId: "lt-quiet" });
  await page.clock.runFor(100);
  await expect(page.locator("iframe")).toHaveCount(1);
  await page.clock.runFor(10_000);
  await expect(page.locator("dialog")).toHaveCount(0);
  expect(await bridge.state()).toBe("closed");
  await page.evaluate(() => window.modal.open());
  await expect(bridge.dialog).toBeVisible();
});

for (const [missing, options] of [
  ["templateId", { templateId: undefined }],
  ["userToken", { userToken: 42 }],
  ["userToken", { userToken: "" }],
  ["templateId", { templateId: "lt 1" }],
  ["userToken,templateId", { userToken: undefined, templateId: null }],
] as const) {
  test(`the error of the constructor names ${missing} ${JSON.stringify(options).slice(0, 30)}`, async ({ bridge, page }) => {
    await bridge.goto();
    const error = await page.evaluate((wrong) => {
      try {
        new window.LinkModal({ templateId: "lt-1", userToken: "token-1", ...wrong });
      } catch (error) {
        return [String(error), (error as Error).cause];
      }
      return [];
    }, options);
    expect(error).toEqual([`LinkError: LinkModal: check ${missing}`, "options"]);
  });
}

test("an unknown option does not reach the frame, and replaces no method", async ({ bridge }) => {
  await bridge.goto();
  const frame = await bridge.opened({ compnayName: "Shop", open: "not a method" });
  expect(JSON.stringify(await bridge.heard(frame))).not.toMatch(/Shop|not a method/);
});
