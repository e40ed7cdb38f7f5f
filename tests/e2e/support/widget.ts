/** Page objects for the demo page and its widget. They locate controls by accessible name. */
import { test as base, expect, type FrameLocator, type Locator, type Page, type Route } from "@playwright/test";
import { pressApart } from "./presses";

export { expect };

/** A line of the page's log. */
export interface Line {
  name: string;
  argument: Record<string, unknown> | undefined;
}

export interface Received {
  id: string;
  type: string;
  verified: boolean;
  data: Record<string, unknown>;
}

export const PROVIDER = "Social Security Mexico";
export const PROVIDER_ID = "mx_social_security";

/** The heading of each error code's screen. */
export const ERROR_TITLES = {
  ACCOUNT_DISABLED: "This account is disabled",
  ACCOUNT_INACCESSIBLE: "This account can’t be opened",
  ACCOUNT_INCOMPLETE: "Your account isn’t set up yet",
  ACCOUNT_LOCKED: "This account is locked",
  AUTH_REQUIRED: "Your sign-in details didn’t arrive",
  EXPIRED_CREDENTIALS: "Your password has expired",
  INVALID_ACCOUNT_TYPE: "This kind of account can’t be connected",
  INVALID_AUTH: "Sign-in didn’t go through",
  INVALID_CREDENTIALS: "Those details didn’t match",
  INVALID_MFA: "The code was wrong too often",
  MFA_TIMEOUT: "Time ran out",
  SERVICE_UNAVAILABLE: /isn’t answering$/,
  SYSTEM_ERROR: "Something went wrong on our side",
  TOS_REQUIRED: /new terms/i,
  UNSUPPORTED_AUTH_TYPE: "This way of signing in isn’t supported",
  UNSUPPORTED_MFA_METHOD: "This confirmation method isn’t supported",
};

export class Tenant {
  constructor(readonly page: Page) {}

  get connect(): Locator {
    return this.page.getByRole("button", { name: "Connect an account" });
  }

  async goto(sdk: "v1" | "v2" = "v2"): Promise<void> {
    await this.page.goto(`/?sdk=${sdk}`);
    await expect(this.connect).toBeEnabled();
  }

  /** Opens the widget and waits for its first screen. */
  async open(): Promise<Widget> {
    await this.connect.click();
    const widget = this.widget;
    await widget.heading.waitFor();
    return widget;
  }

  get widget(): Widget {
    return new Widget(this.page, this.page.frameLocator("dialog iframe"));
  }

  async lines(): Promise<Line[]> {
    const text = await this.page.getByRole("log", { name: "Callbacks on this page" }).innerText();
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => {
        const [, name = "", json] = /^(\w+)(?: (.*))?$/.exec(line) ?? [];
        return { name, argument: json === undefined ? undefined : JSON.parse(json) };
      });
  }

  /** Returns the names of the callbacks so far, except `onUIEvent`. */
  async callbacks(): Promise<string[]> {
    return (await this.lines()).map(({ name }) => name).filter((name) => name !== "onUIEvent");
  }

  async screens(): Promise<unknown[]> {
    const events = (await this.lines()).filter(({ name }) => name === "onUIEvent");
    return events.map(({ argument }) => argument?.["eventName"]);
  }

  async argument(name: string): Promise<Record<string, unknown> | undefined> {
    return (await this.lines()).find((line) => line.name === name)?.argument;
  }

  /** Returns the webhooks about an account, in order of arrival. */
  async received(accountId: unknown): Promise<Received[]> {
    const all: Received[] = await (await this.page.request.get("/received")).json();
    return all.filter(({ data }) => data["accountId"] === accountId || data["sourceId"] === accountId);
  }

  /** Presses a button that closes the widget, and waits until it is closed. */
  async closeBy(button: Locator): Promise<void> {
    // The frame is removed during the click, and Chromium does not always report that the click has ended.
    await expect(this.page.getByRole("dialog")).toBeVisible();
    await Promise.race([button.click(), this.page.getByRole("dialog").waitFor({ state: "hidden" })]);
    await this.waitForClose();
  }

  async waitForClose(): Promise<void> {
    await expect(this.page.getByRole("dialog")).toBeHidden();
  }
}

export class Widget {
  constructor(
    readonly page: Page,
    readonly frame: FrameLocator,
    /** How to click its buttons. */
    readonly click: { scroll?: "none" } = {},
  ) {}

  get heading(): Locator {
    return this.frame.getByRole("heading", { level: 1 });
  }

  /** The content of the screen, without the live region that repeats announcements. */
  get main(): Locator {
    return this.frame.getByRole("main");
  }

  button(name: string | RegExp): Locator {
    return this.frame.getByRole("button", { name, exact: typeof name === "string" });
  }

  async shows(title: string | RegExp): Promise<void> {
    await expect(this.heading).toHaveText(title);
  }

  /** Waits until the service has read an upload. On a busy machine, it needs more than the 15 s of other waits. */
  async documentWasRead(): Promise<void> {
    await expect(this.heading).toHaveText("Your document was read", { timeout: 60_000 });
  }

  async agree(): Promise<void> {
    await this.button("Agree and continue").click(this.click);
    await this.shows("Choose your provider");
  }

  /** Picks a provider from the list. The login screen follows, or the choice of a login option. */
  async pick(provider: string): Promise<void> {
    await this.frame.getByRole("searchbox", { name: "Search providers" }).fill(provider);
    const list = this.frame.getByRole("list", { name: "Matching providers" });
    await list.getByRole("button", { name: provider }).click(this.click);
  }

  async choose(provider = PROVIDER): Promise<void> {
    await this.pick(provider);
    await this.shows(`Sign in to ${provider}`);
  }

  async signIn(login: string, password = "pass"): Promise<void> {
    await this.frame.getByRole("textbox", { name: "User name" }).fill(login);
    await this.password.fill(password);
    await this.button("Connect").click(this.click);
  }

  get password(): Locator {
    return this.frame.getByRole("textbox", { name: "Password" });
  }

  get code(): Locator {
    return this.frame.getByRole("textbox", { name: "Code" });
  }

  /** Goes from the consent screen to the submitted login. */
  async link(login: string, password = "pass"): Promise<void> {
    await this.agree();
    await this.choose();
    await this.signIn(login, password);
  }

  /** Fills in a code, which submits itself. */
  async answer(code: string): Promise<void> {
    await this.shows("Enter your code");
    await this.code.fill(code);
  }
}

/** Simulates a panic of the wasm. */
export async function trap(page: Page): Promise<void> {
  const frame = page.frames().find((it) => it.url().includes("/sdk/frame/"));
  await frame?.evaluate(() => void setTimeout(() => { throw new WebAssembly.RuntimeError("unreachable"); }));
}

/** Changes responses of the service. Preflight requests and all other requests pass through. */
export async function rewrite(
  page: Page,
  path: RegExp,
  change: (body: Record<string, any>, status: number) => { status?: number; body: object } | undefined,
): Promise<void> {
  await page.route(path, async (route: Route) => {
    if (route.request().method() === "OPTIONS") return route.fallback();
    const response = await route.fetch();
    const changed = change(await response.json().catch(() => ({})), response.status());
    if (!changed) return route.fulfill({ response });
    await route.fulfill({ response, status: changed.status ?? response.status(), json: changed.body });
  });
}

/** The request that exchanges the link token. */
export const EXCHANGE = /\/link\/sessions$/;

/** Makes every link token appear expired. */
export function expireTokens(page: Page): Promise<void> {
  const [title, detail] = ["The link token has expired", "Request a new link token."];
  const body = { type: "about:blank", title, status: 401, code: "TOKEN_EXPIRED", detail, requestId: "req-1", errors: [] };
  return rewrite(page, EXCHANGE, () => ({ status: 401, body }));
}

/** Makes the first session end soon. Returns a function that counts the sessions. */
export async function endSoon(page: Page): Promise<() => number> {
  let count = 0;
  await rewrite(page, EXCHANGE, (body, status) => {
    count += 1;
    return count === 1 ? { status, body: { ...body, endsInMs: 66_000 } } : undefined;
  });
  return () => count;
}

export const test = base.extend<{ tenant: Tenant }>({
  tenant: async ({ page }, use) => {
    pressApart(page);
    const broken: string[] = [];
    page.on("pageerror", (error) => broken.push(error.message));
    page.on("console", (message) => {
      if (/Content Security Policy|Trusted ?Type|panicked/i.test(message.text())) broken.push(message.text());
    });
    await use(new Tenant(page));
    expect(broken, "no uncaught errors, traps or policy violations").toEqual([]);
  },
});
