import type { Page } from "@playwright/test";
import { expect, test } from "./bridge";

test("the shell is visible before the frame responds", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.make({ templateId: "lt-quiet" });
  const words = await page.evaluate(() => {
    window.modal.open();
    return document.querySelector("linchpin-modal")?.shadowRoot?.querySelector("dialog[open]")?.textContent;
  });
  expect(words).toBe("Close");
  await expect(bridge.dialog).toHaveAccessibleName("Connect an account");
  expect(await bridge.state()).toBe("opening");
  await expect(bridge.dialog.getByRole("button", { name: "Close" })).toBeVisible();
});

test("the frame is prewarmed in a closed dialog without a token", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.make();
  const frame = await bridge.frame();
  await page.evaluate(() => window.modal.ready);
  await expect(bridge.dialog).toBeHidden();
  expect(await bridge.heard(frame)).toEqual([]);
  expect(page.frames().map((it) => it.url()).join()).not.toContain("token-1");
  expect(await bridge.state()).toBe("closed");
});

test("nothing is prewarmed with Save-Data", async ({ bridge, page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
  await bridge.goto();
  await bridge.make();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await expect(page.locator("iframe")).toHaveCount(0);
  await page.evaluate(() => window.modal.open());
  await expect.poll(() => bridge.state()).toBe("open");
});

test("the frame receives options and token once over the port", async ({ bridge }) => {
  await bridge.goto();
  const frame = await bridge.opened({ providers: ["mx_social_security"], theme: "dark", enableConsentPage: false });
  expect(await bridge.heard(frame)).toEqual([
    {
      open: {
        options: { templateId: "lt-1", providers: ["mx_social_security"], theme: "dark", enableConsentPage: false },
        token: "token-1",
      },
    },
  ]);
});

test("the frame has the template's URL, a sandbox and a strict referrer policy", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.opened({ templateId: "lt/1", locale: "en" });
  const frame = page.locator("iframe");
  await expect(frame).toHaveAttribute("src", `${bridge.servers.sdk}/sdk/frame/p1/lt%2F1#en`);
  await expect(frame).toHaveAttribute("title", "Connect an account");
  await expect(frame).toHaveAttribute("referrerpolicy", "strict-origin");
  await expect(frame).toHaveAttribute(
    "sandbox",
    "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox",
  );
});

test("a second open() does nothing", async ({ bridge, page }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  await page.evaluate(() => {
    window.modal.open();
    window.modal.open();
  });
  await bridge.say(frame);
  expect((await bridge.heard(frame)).filter(({ open }) => open)).toHaveLength(1);
  await expect(page.locator("dialog")).toHaveCount(1);
});

/** Lets the page return from the back/forward cache. Returns whether the frame was loaded again. */
async function returns(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const frame = (): Element | null | undefined => document.querySelector("linchpin-modal")?.shadowRoot?.querySelector("iframe");
    const before = frame();
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    return frame() !== before;
  });
}

test("a prewarmed frame is loaded again when the page returns from the page cache", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.make();
  await page.evaluate(() => window.modal.ready);
  expect(await returns(page)).toBe(true);
  await page.evaluate(() => window.modal.open());
  await expect.poll(() => bridge.state()).toBe("open");
});

test("an opening frame is loaded again only if it has not answered", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.make({ templateId: "lt-quiet" });
  await page.evaluate(() => window.modal.open());
  expect(await returns(page)).toBe(true);
  expect(await bridge.state()).toBe("opening");
  await page.evaluate(() => window.modal.destroy());
  await bridge.make({ templateId: "lt-slow" });
  await page.evaluate(() => (window.modal.open(), window.modal.ready));
  expect(await bridge.state()).toBe("opening");
  expect(await returns(page), "it may have used the token").toBe(false);
});

test("an open widget stays when the page returns from the page cache", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.opened();
  expect(await returns(page)).toBe(false);
  expect(await bridge.state()).toBe("open");
});

test("two modals on a page are independent", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.make();
  await page.evaluate(async () => {
    const other = new window.LinkModal({ templateId: "lt-2", userToken: "token-2" });
    await Promise.all([other.ready, window.modal.ready]);
    window.modal.open();
    await other.destroy();
  });
  await expect.poll(() => bridge.state()).toBe("open");
  const frame = await bridge.frame();
  expect((await bridge.heard(frame))[0]).toMatchObject({ open: { token: "token-1" } });
});

test("open() works after the page has replaced its body", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.make();
  await page.evaluate(async () => {
    await window.modal.ready;
    document.body.replaceWith(document.createElement("body"));
    window.modal.open();
  });
  await expect.poll(() => bridge.state()).toBe("open");
  await expect(bridge.dialog).toBeVisible();
});

for (const [what, scale, height, bottom] of [
  ["with an on-screen keyboard", 1, 500, 300],
  ["zoomed in", 2, 400, 0],
  ["zoomed in with an on-screen keyboard", 2, 250, 300],
] as const) {
  test(`the frame receives the covered height ${what}`, async ({ bridge, page }) => {
    await bridge.goto();
    const frame = await bridge.opened();
    await page.evaluate(
      ([scale, height]) => {
        Object.defineProperties(visualViewport, { scale: { value: scale }, height: { value: height } });
        visualViewport?.dispatchEvent(new Event("resize"));
      },
      [scale, height],
    );
    await expect
      .poll(async () => (await bridge.heard(frame)).filter(({ inset }) => inset))
      .toEqual([{ inset: { bottom } }]);
  });
}

test("the frame is uncovered and gets the focus when it has answered", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.opened();
  expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName)).toBe("IFRAME");
  await expect(bridge.dialog.getByRole("button", { name: "Close" })).toHaveCount(0);
});

test("the widget is a card on a large window and fills a phone", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.opened();
  const frame = page.locator("iframe");
  expect(await frame.boundingBox()).toEqual({ x: 430, y: 60, width: 420, height: 680 });
  await page.setViewportSize({ width: 360, height: 640 });
  expect(await frame.boundingBox()).toEqual({ x: 0, y: 0, width: 360, height: 640 });
});

test("the widget fills its container, and the page can still scroll", async ({ bridge, page }) => {
  await bridge.goto();
  await page.evaluate(() => {
    const container = document.getElementById("container") as HTMLElement;
    Object.assign(container.style, { width: "500px", height: "600px" });
    window.modal = new window.LinkModal({ templateId: "lt-1", userToken: "token-1", container });
    window.modal.open();
  });
  await expect.poll(() => bridge.state()).toBe("open");
  const container = await page.locator("#container").boundingBox();
  expect(await page.locator("#container iframe").boundingBox()).toEqual(container);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflow)).toBe("visible");
});
