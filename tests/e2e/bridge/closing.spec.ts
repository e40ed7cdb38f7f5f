import { expect, test } from "./bridge";

test("the page gets itself back as it was", async ({ bridge, page }) => {
  await bridge.goto();
  await page.evaluate(() => {
    document.body.style.height = "3000px";
    document.documentElement.setAttribute("data-theme", "night");
    document.querySelector("button")?.focus();
    scrollTo(0, 700);
  });
  const before = await bridge.trace();
  const frame = await bridge.opened();
  const during = await bridge.trace();
  expect(during).toMatchObject({ focus: "IFRAME", overflow: "hidden" });
  expect((during as { scroll: number[] }).scroll, "nothing jumps").toEqual((before as { scroll: number[] }).scroll);
  await bridge.sayLast(frame, { close: { reason: "exit" } });
  await expect.poll(() => bridge.state()).toBe("closed");
  await page.evaluate(() => window.modal.destroy());
  expect(await bridge.trace()).toEqual(before);
});

test("Escape asks the frame, which decides", async ({ bridge, page }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  // The dialog's own close watcher hears it also when the frame has the focus: here the host does.
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press("Escape");
  await expect.poll(() => bridge.heard(frame)).toContainEqual({ closeRequested: {} });
  expect(await bridge.state()).toBe("open");
  await expect(bridge.dialog).toBeVisible();
});

test("what the browser closes is closed", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.opened();
  await page.evaluate(() => document.querySelector("dialog")?.close());
  await expect.poll(() => bridge.calls()).toEqual([["onClose", { reason: "close" }]]);
  expect(await bridge.state()).toBe("closed");
});

for (const way of ["Escape", "the close button", "close()"]) {
  test(`${way} while it loads closes at once`, async ({ bridge, page }) => {
    await bridge.goto();
    await bridge.make({ templateId: "lt-slow" });
    await page.evaluate(() => window.modal.open());
    if (way === "Escape") await page.keyboard.press("Escape");
    else if (way === "close()") await page.evaluate(() => window.modal.close());
    else await bridge.dialog.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => bridge.state()).toBe("closed");
    await expect(bridge.dialog).toBeHidden();
    expect(await bridge.calls()).toEqual([["onClose", { reason: "close" }]]);
  });
}

test("close() while closed calls nobody", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.make();
  await page.evaluate(() => window.modal.close());
  expect(await bridge.calls()).toEqual([]);
});

test("each open() has a frame of its own", async ({ bridge, page }) => {
  await bridge.goto();
  const first = await bridge.opened();
  await page.evaluate(() => window.modal.close());
  await expect.poll(() => first.isDetached()).toBe(true);
  const second = await bridge.frame();
  await page.evaluate(() => window.modal.ready);
  expect(await bridge.heard(second)).toEqual([]);
  await page.evaluate(() => window.modal.open());
  await expect.poll(() => bridge.state()).toBe("open");
});

test("open() from within onClose opens again", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.opened();
  await page.evaluate(() => {
    window.modal.onClose = () => window.modal.open();
    window.modal.close();
    window.modal.onClose = undefined;
  });
  await expect.poll(() => bridge.state()).toBe("open");
  await expect(page.locator("dialog")).toHaveCount(1);
});

const STATES = ["new", "warm", "opening", "open", "failed", "closed", "destroyed"];
for (const state of STATES) {
  test(`destroy() when ${state} leaves nothing and calls nobody`, async ({ bridge, page }) => {
    await bridge.goto();
    const before = await bridge.trace();
    if (state === "new") await bridge.make();
    else if (state === "opening") {
      await bridge.make({ templateId: "lt-slow" });
      await page.evaluate(() => window.modal.open());
    } else if (state === "warm") {
      await bridge.make();
      await page.evaluate(() => window.modal.ready);
    } else {
      const frame = await bridge.opened();
      if (state === "failed") {
        await bridge.sayLast(frame, { failed: { cause: "wasm", detail: "" } });
        await expect.poll(() => bridge.state()).toBe("failed");
      }
      if (state === "closed") await page.evaluate(() => window.modal.close());
      if (state === "destroyed") await page.evaluate(() => window.modal.destroy());
    }
    const calls = await page.evaluate(async () => {
      const calls = window.calls.length;
      await Promise.all([window.modal.destroy(), window.modal.destroy()]);
      window.modal.open();
      window.modal.close();
      window.modal.setToken("late");
      await new Promise((resolve) => requestIdleCallback(resolve));
      return [calls, window.calls.length];
    });
    expect(calls[1]).toBe(calls[0]);
    expect(await bridge.state()).toBe("destroyed");
    expect(await bridge.trace()).toEqual(before);
  });
}

test("mounted, unmounted and mounted again, as React's StrictMode does, there is one of everything", async ({
  bridge,
  page,
}) => {
  await bridge.goto();
  await page.evaluate(async () => {
    const mount = () => new window.LinkModal({ templateId: "lt-1", userToken: "token-1" });
    const first = mount();
    void first.destroy();
    window.modal = mount();
    await window.modal.ready;
  });
  await expect(page.locator("dialog")).toHaveCount(1);
  await expect(page.locator("iframe")).toHaveCount(1);
  await page.evaluate(() => window.modal.open());
  await expect.poll(() => bridge.state()).toBe("open");
});
