/** The fixture for tests of host pages: opens a page, and compares it before and after the widget. */
import { test as base, expect, type Frame, type Page } from "@playwright/test";
import { Widget } from "../../e2e/support/widget";
import { countListeners, describePage, differences, type Snapshot } from "./probe";
import { Site } from "./site";

export { expect };

/**
 * A click that scrolls nothing, like that of a person. Otherwise Playwright scrolls while an element moves, because its
 * page arrives with an animation: to the end, the middle and the start of the window, in turn.
 */
export const CLICK = { scroll: "none" } as const;

/** The frame in the middle of a window of 1280 by 800 pixels. */
export const CENTERED = { x: 430, y: 60, width: 420, height: 680 };

export class Host {
  /** The document that contains the widget's script. */
  frame: Frame;
  readonly errors: string[] = [];

  constructor(
    readonly page: Page,
    readonly site: Site,
  ) {
    this.frame = page.mainFrame();
    page.on("pageerror", ({ message }) => this.errors.push(message));
    page.on("console", (message) => {
      if (/Content Security Policy|Trusted ?Type|panicked/i.test(message.text())) this.errors.push(message.text());
    });
  }

  /** Opens a page and waits until it has a modal whose frame has loaded. */
  async goto(path: string): Promise<void> {
    await this.visit(path);
    await this.frame.evaluate(() => window.modal.ready);
  }

  /** Opens a page and waits until it has a modal. */
  async visit(path: string): Promise<void> {
    await this.page.goto(path.startsWith("http") ? path : this.site.origin + path);
    await expect.poll(() => this.page.frames().length).toBeGreaterThan(0);
    this.frame = this.page.frames().find((frame) => !/\/framing/.test(frame.url())) ?? this.page.mainFrame();
    await this.frame.waitForFunction(() => window.modal !== undefined);
  }

  get widget(): Widget {
    return new Widget(this.page, this.frame.frameLocator("linchpin-modal dialog[open] iframe"), CLICK);
  }

  /** Opens the widget as a person does, and waits for its first screen. */
  async open(): Promise<Widget> {
    await this.frame.locator("#connect").click(CLICK);
    return this.opened();
  }

  async opened(): Promise<Widget> {
    await expect.poll(() => this.state()).toBe("open");
    await this.widget.heading.waitFor();
    return this.widget;
  }

  state(): Promise<string> {
    return this.frame.evaluate(() => window.modal.state);
  }

  async waitForClose(): Promise<void> {
    await expect.poll(() => this.state()).toBe("closed");
  }

  /** Links an account and closes the widget with its button. */
  async link(widget: Widget): Promise<void> {
    await widget.link("good");
    await widget.shows("You’re connected");
    // The frame is removed during the click, and Chromium does not always report that the click has ended.
    await Promise.race([widget.button("Done").click(CLICK), this.waitForClose()]);
    await this.waitForClose();
  }

  /** Returns a description of the page once it no longer changes. */
  async snapshot(): Promise<Snapshot> {
    let last: Snapshot = {};
    await expect(async () => {
      const now = await this.frame.evaluate(describePage);
      const changes = differences(last, now);
      last = now;
      expect(changes).toEqual([]);
    }).toPass({ timeout: 15_000, intervals: [50] });
    return last;
  }

  /** Waits until the page is as it was. The listener for the Escape that closed the modal stays for one second. */
  async isAs(before: Snapshot, when: string): Promise<void> {
    await expect
      .poll(async () => differences(before, await this.frame.evaluate(describePage)), { message: when, timeout: 10_000 })
      .toEqual([]);
  }

  calls(): Promise<[string, Record<string, unknown>][]> {
    return this.frame.evaluate(() => window.calls);
  }
}

export const test = base.extend<{ host: Host }, { site: Site }>({
  site: [
    async ({}, use) => {
      const site = await Site.start();
      await use(site);
      site.close();
    },
    { scope: "worker" },
  ],
  host: async ({ page, site }, use) => {
    await page.addInitScript(countListeners, site.api.service);
    const host = new Host(page, site);
    await use(host);
    expect(host.errors, "no uncaught errors, traps or policy violations").toEqual([]);
  },
});

/** How a case differs from a page with a button in the middle. */
export interface Differs {
  /** Brings the page to the state in which the widget opens. */
  before?(host: Host): Promise<void>;
  /** Checks the page while the widget is open. */
  during?(host: Host): Promise<void>;
  /** The widget is in an element of the page. */
  inline?: boolean;
  /** The button cannot be clicked. */
  hidden?: boolean;
}

/**
 * Opens the widget, links an account, closes it with Done, opens it again, closes it with Escape, and removes it. After
 * each step, the page must be as it was.
 */
export async function unaffected(host: Host, path: string, differs: Differs = {}): Promise<void> {
  const { page } = host;
  await host.goto(path);
  const open = (): Promise<unknown> =>
    differs.hidden ? host.frame.evaluate(() => window.modal.open()) : host.frame.locator("#connect").click(CLICK);
  await host.frame.evaluate(() => window.unmount());
  await expect(host.frame.locator("linchpin-modal")).toHaveCount(0);
  const without = await host.snapshot();
  await host.frame.evaluate(() => window.mount());
  await host.frame.evaluate(async () => {
    while (window.modal.state !== "closed") await new Promise((resolve) => setTimeout(resolve, 20));
    await window.modal.ready;
  });

  await differs.before?.(host);
  if (!differs.hidden) await host.frame.locator("#connect").focus();
  await host.frame.evaluate(() => scrollTo(0, 200));
  const before = await host.snapshot();
  await open();
  const widget = await host.opened();
  if (!differs.inline) expect(await page.locator("linchpin-modal dialog[open] iframe").boundingBox()).toEqual(CENTERED);
  await differs.during?.(host);
  await host.link(widget);
  await host.isAs(before, "after Done");

  await open();
  const again = await host.opened();
  await again.shows("Your connected accounts");
  await page.keyboard.press("Escape");
  await host.waitForClose();
  await host.isAs(before, "after Escape");

  expect((await host.calls()).map(([name]) => name)).toEqual(["onAccountConnected", "onClose", "onClose"]);
  await host.frame.evaluate(() => window.unmount());
  // A dialog of the host was closed when the first description was made.
  if (differs.before) return;
  await host.frame.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo(0, 0);
  });
  await host.isAs(without, "after destroy()");
}
