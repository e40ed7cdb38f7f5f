/** The fixture for tests of the bridge: a page with a modal and its frame. */
import { test as base, expect, type ConsoleMessage, type Frame, type Locator, type Page } from "@playwright/test";
import { type Servers, startServers } from "./servers";

export { expect };

type Call = [name: string, ...args: unknown[]];

declare global {
  interface Window {
    LinkModal: new (options: object) => Modal;
    modal: Modal;
    calls: Call[];
    heard: Record<string, unknown>[];
    greetings?: { data: unknown; origin: string; ports: number }[];
    say(message: object): void;
  }
}

export interface Modal extends Record<string, unknown> {
  state: string;
  ready: Promise<void>;
  open(): void;
  close(): void;
  destroy(): Promise<void>;
  setToken(token: string): void;
  setLocale(locale: string): void;
  on(event: string, listener: (...args: unknown[]) => unknown): void;
  off(event: string, listener: (...args: unknown[]) => unknown): void;
}

const CALLBACKS = [
  "onAccountCreated",
  "onAccountConnected",
  "onAccountRemoved",
  "onAccountError",
  "onTokenExpired",
  "onClose",
  "onUploadsCreated",
  "onUploadsRemoved",
  "onUIEvent",
];

export class Bridge {
  readonly console: ConsoleMessage[] = [];
  readonly errors: Error[] = [];

  constructor(
    readonly page: Page,
    readonly servers: Servers,
  ) {
    page.on("console", (message) => this.console.push(message));
    page.on("pageerror", (error) => this.errors.push(error));
  }

  get dialog(): Locator {
    return this.page.getByRole("dialog");
  }

  async goto(path = "/"): Promise<void> {
    await this.page.goto(this.servers.host + path);
  }

  /** Creates `window.modal`, and records all nine callbacks in `window.calls`. */
  async make(options: object = {}): Promise<void> {
    await this.page.evaluate(
      ({ options, names }) => {
        window.calls = [];
        const callbacks = names.map((name) => [name, (...args: unknown[]) => void window.calls.push([name, ...args])]);
        window.modal = new window.LinkModal({
          templateId: "lt-1",
          userToken: "token-1",
          ...Object.fromEntries(callbacks),
          ...options,
        });
      },
      { options, names: CALLBACKS },
    );
  }

  /** Creates and opens a modal, and waits for the frame's first screen. */
  async opened(options: object = {}): Promise<Frame> {
    await this.make(options);
    await this.page.evaluate(() => window.modal.open());
    await expect.poll(() => this.state()).toBe("open");
    return this.frame();
  }

  state(): Promise<string> {
    return this.page.evaluate(() => window.modal.state);
  }

  calls(): Promise<Call[]> {
    return this.page.evaluate(() => window.calls);
  }

  /** Returns the only frame on the page. */
  async frame(): Promise<Frame> {
    await expect(this.page.locator("iframe")).toHaveCount(1);
    const frame = await (await this.page.locator("iframe").elementHandle())?.contentFrame();
    if (!frame) throw new Error("The frame no longer exists");
    await frame.waitForLoadState();
    return frame;
  }

  /** Sends messages from the frame, and waits until the bridge has processed them. The port preserves the order. */
  async say(frame: Frame, ...messages: object[]): Promise<void> {
    await frame.evaluate((all) => all.forEach((message) => window.say(message)), messages);
    const key = `flush-${Math.random()}`;
    await frame.evaluate((key) => window.say({ tell: { key, callback: {} } }), key).catch(() => undefined);
    if (frame.isDetached()) return;
    await expect
      .poll(async () => frame.isDetached() || (await this.heard(frame)).some(({ told }) => hasKey(told, key)))
      .toBe(true);
  }

  /** Sends messages that end the frame, which then cannot confirm that they were sent. */
  async sayLast(frame: Frame, ...messages: object[]): Promise<void> {
    const sent = frame.evaluate((all) => all.forEach((message) => window.say(message)), messages);
    await sent.catch((error: Error) => expect(error.message).toContain("Frame was detached"));
  }

  async heard(frame: Frame): Promise<Record<string, unknown>[]> {
    return frame.isDetached() ? [] : frame.evaluate(() => window.heard).catch(() => []);
  }

  /** Returns everything that a page could notice of the widget after its removal. */
  trace(): Promise<object> {
    return this.page.evaluate(() => ({
      html: new XMLSerializer().serializeToString(document),
      sheets: document.adoptedStyleSheets.length,
      focus: document.activeElement?.tagName,
      scroll: [scrollX, scrollY, document.documentElement.clientWidth],
      overflow: getComputedStyle(document.documentElement).overflow,
    }));
  }
}

const hasKey = (told: unknown, key: string): boolean => (told as { key?: string } | undefined)?.key === key;

export const tell = (key: string, name: string, argument: object = {}): object => ({
  tell: { key, callback: { [name]: argument } },
});

export const test = base.extend<{ bridge: Bridge }, { servers: Servers }>({
  servers: [
    async ({}, use) => {
      const servers = await startServers();
      await use(servers);
      await servers.close();
    },
    { scope: "worker" },
  ],
  bridge: async ({ page, servers }, use) => {
    await use(new Bridge(page, servers));
  },
});
