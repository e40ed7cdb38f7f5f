/** What a person presses again, or still holds, when the modal has closed. */
import type { Locator, Page } from "@playwright/test";
import { type Bridge, expect, test } from "./bridge";

/** Records what the page hears of presses. */
async function listen(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const type of ["pointerdown", "mousedown", "touchstart", "pointerup", "mouseup", "touchend", "click"]) {
      document.addEventListener(type, () => window.calls.push(["the page", type]));
    }
  });
}

/** Returns the middle of a button. */
async function middle(button: Locator): Promise<[x: number, y: number]> {
  const { x, y, width, height } = (await button.boundingBox())!;
  return [x + width / 2, y + height / 2];
}

const close = (bridge: Bridge): Locator => bridge.dialog.getByRole("button", { name: "Close" });

test("the second click on the button that closes does not reach the page", async ({ bridge, page }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  await bridge.sayLast(frame, { failed: { cause: "network", detail: "why" } });
  await expect(bridge.dialog.getByRole("heading")).toBeVisible();
  await listen(page);
  await page.mouse.dblclick(...(await middle(close(bridge).last())));
  expect((await bridge.calls()).map(([name]) => name)).toEqual(["onClose"]);
});

test("the second click on Close does not reach the page while the frame loads", async ({ bridge, page }) => {
  const helped = page.waitForResponse("**/sdk/help/p1.js");
  await bridge.goto();
  await bridge.make({ templateId: "lt-quiet" });
  await helped;
  await page.evaluate(() => window.modal.open());
  await listen(page);
  await expect(page.locator("linchpin-modal .cover"), "the bridge's own button").toHaveCount(0);
  await page.mouse.dblclick(...(await middle(close(bridge))));
  expect((await bridge.calls()).map(([name]) => name)).toEqual(["onClose"]);
});

test("Enter on Close lets the next click reach the page", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.make({ templateId: "lt-quiet" });
  await page.evaluate(() => window.modal.open());
  await listen(page);
  const at = await middle(close(bridge));
  await close(bridge).press("Enter");
  await expect.poll(() => bridge.state()).toBe("closed");
  await page.mouse.click(...at);
  expect((await bridge.calls()).map((call) => call.at(-1))).toContain("click");
});

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true });

  test("nothing of a second tap reaches the page", async ({ bridge, page }) => {
    await bridge.goto();
    await bridge.make({ templateId: "lt-quiet" });
    await page.evaluate(() => window.modal.open());
    await expect(page.locator("linchpin-modal .cover")).toBeVisible();
    await listen(page);
    const at = await middle(close(bridge));
    await page.touchscreen.tap(...at);
    await page.touchscreen.tap(...at);
    expect((await bridge.calls()).map(([name]) => name)).toEqual(["onClose"]);
    await page.touchscreen.tap(at[0] - 200, at[1] + 200);
    expect((await bridge.calls()).map((call) => call.at(-1)), "a tap elsewhere").toContain("click");
  });
});

test("a key held after it has closed the modal presses nothing on the page", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.make();
  await page.evaluate(() => {
    const opener = document.createElement("button");
    opener.onclick = () => {
      window.calls.push(["opener"]);
      window.modal.open();
    };
    document.body.append(opener);
    opener.focus();
  });
  await page.keyboard.press("Enter");
  await expect.poll(() => bridge.state()).toBe("open");
  const frame = await bridge.frame();
  await frame.evaluate(() => {
    const done = document.createElement("button");
    done.onclick = () => window.say({ close: { reason: "exit" } });
    document.body.append(done);
    done.focus();
  });
  await page.keyboard.down("Enter");
  await expect.poll(() => bridge.state()).toBe("closed");
  await page.keyboard.down("Enter");
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  expect((await bridge.calls()).map(([name]) => name)).toEqual(["opener", "onClose"]);
  await page.keyboard.press("Enter");
  await expect.poll(() => bridge.state()).toBe("open");
});

test("a key that is pressed long after the close repeats on the page", async ({ bridge, page }) => {
  await page.clock.install();
  await bridge.goto();
  await bridge.make({ templateId: "lt-quiet" });
  await page.evaluate(() => void window.modal.open());
  await expect(page.locator("linchpin-modal .cover")).toBeVisible();
  await page.evaluate(() => window.modal.close());
  const isSwallowed = (): Promise<boolean> =>
    page.evaluate(() => !dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", repeat: true, cancelable: true })));
  await expect.poll(isSwallowed, "the key may have closed it").toBe(true);
  // Each repetition that is swallowed extends the wait.
  await page.clock.runFor(2_200);
  expect(await isSwallowed()).toBe(false);
});

test("Escape held after it has closed the modal does not reach the page", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.make({ templateId: "lt-quiet" });
  await page.evaluate(() => {
    document.addEventListener("keydown", ({ key }) => window.calls.push(["the page", key]));
    window.modal.open();
  });
  await expect(page.locator("linchpin-modal .cover")).toBeVisible();
  await page.keyboard.down("Escape");
  await expect.poll(() => bridge.state()).toBe("closed");
  await page.keyboard.down("Escape");
  await page.keyboard.up("Escape");
  expect((await bridge.calls()).map(([name]) => name)).toEqual(["onClose"]);
  await page.keyboard.press("Escape");
  expect((await bridge.calls()).at(-1)).toEqual(["the page", "Escape"]);
});
