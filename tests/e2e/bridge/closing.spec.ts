import { expect, test } from "./bridge";

test("closing and destroy() restore the page exactly", async ({ bridge, page }) => {
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
  expect(during).toMatchObject({ focus: "LINCHPIN-MODAL", overflow: "hidden" });
  expect((during as { scroll: number[] }).scroll, "the page does not scroll").toEqual((before as { scroll: number[] }).scroll);
  await bridge.sayLast(frame, { close: { reason: "exit" } });
  await expect.poll(() => bridge.state()).toBe("closed");
  await page.evaluate(() => window.modal.destroy());
  expect(await bridge.trace()).toEqual(before);
});

test("Escape sends a close request to the frame and does not close the dialog", async ({ bridge, page }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  // The dialog's close watcher also handles Escape while the frame has the focus. Here, the host page has it.
  await page.evaluate(() => (document.activeElement?.shadowRoot?.activeElement as HTMLElement).blur());
  await page.keyboard.press("Escape");
  await expect.poll(() => bridge.heard(frame)).toContainEqual({ closeRequested: {} });
  expect(await bridge.state()).toBe("open");
  await expect(bridge.dialog).toBeVisible();
});

test("the modal closes if the browser closes the dialog", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.opened();
  await page.evaluate(() => document.querySelector("linchpin-modal")?.shadowRoot?.querySelector("dialog")?.close());
  await expect.poll(() => bridge.calls()).toEqual([["onClose", { reason: "close" }]]);
  expect(await bridge.state()).toBe("closed");
});

for (const way of ["Escape", "the close button", "close()"]) {
  test(`${way} closes the modal at once while it loads`, async ({ bridge, page }) => {
    await bridge.goto();
    await bridge.make({ templateId: "lt-quiet" });
    await page.evaluate(() => window.modal.open());
    if (way === "Escape") await page.keyboard.press("Escape");
    else if (way === "close()") await page.evaluate(() => window.modal.close());
    else await bridge.dialog.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => bridge.state()).toBe("closed");
    await expect(bridge.dialog).toBeHidden();
    expect(await bridge.calls()).toEqual([["onClose", { reason: "close" }]]);
  });
}

test("close() calls no callback while closed", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.make();
  await page.evaluate(() => window.modal.close());
  expect(await bridge.calls()).toEqual([]);
});

test("each open() has a separate frame", async ({ bridge, page }) => {
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

test("open() in onClose opens the modal again", async ({ bridge, page }) => {
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
  test(`destroy() removes everything and calls no callback in state ${state}`, async ({ bridge, page }) => {
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

test("destroy() ends the error events, also for the other listeners of one", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.make();
  await page.evaluate(() => {
    const { modal } = window;
    modal.on("error", (error) => {
      window.calls.push([String((error as Error).cause)]);
      void modal.destroy();
    });
    modal.on("error", () => void window.calls.push(["a later listener"]));
    modal.setLocale("no such");
    modal.setLocale("no such");
    modal.setToken("");
    modal.open();
  });
  expect(await bridge.calls()).toEqual([["options"]]);
  expect(await bridge.state()).toBe("destroyed");
});

test("mounting twice as in React's StrictMode creates one dialog and one frame", async ({
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
