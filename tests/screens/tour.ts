/** Every screen of the widget in the preview, reached by selectors that do not depend on the language. */
import type { Page } from "@playwright/test";

/** A part of the tour: what the preview is opened with, and a generator that yields the name of each screen. */
export interface Part {
  query: string;
  screens(page: Page): AsyncGenerator<string>;
}

const PRIMARY = ".foot .button-primary";
/** The rows below the provider list: the survey, the upload of documents. */
const WAYS = "main > ul.rows:last-child";
const ERRORS = [
  ...["ACCOUNT_DISABLED", "ACCOUNT_INACCESSIBLE", "ACCOUNT_INCOMPLETE", "ACCOUNT_LOCKED", "AUTH_REQUIRED"],
  ...["EXPIRED_CREDENTIALS", "INVALID_ACCOUNT_TYPE", "INVALID_AUTH", "INVALID_CREDENTIALS", "INVALID_MFA", "MFA_TIMEOUT"],
  ...["SERVICE_UNAVAILABLE", "SYSTEM_ERROR", "TOS_REQUIRED", "UNSUPPORTED_AUTH_TYPE", "UNSUPPORTED_MFA_METHOD", "UNKNOWN_CODE"],
];

/** Does something, and waits for another heading. */
async function next(page: Page, act: () => Promise<unknown>): Promise<void> {
  const heading = await page.locator("h1").textContent();
  await act();
  await page.waitForFunction((before) => document.querySelector("h1") && document.querySelector("h1")?.textContent !== before, heading);
}

const press = (page: Page, selector = PRIMARY) => next(page, () => page.locator(selector).first().click());

async function signIn(page: Page, login: string): Promise<void> {
  await page.locator("#field-username").fill(login);
  await page.locator("#field-password").fill("pass");
  await press(page);
}

/** Opens the login of a provider directly, signs in, and waits until the challenge or the result is shown. */
async function reach(page: Page, login: string, shown: string): Promise<void> {
  await press(page);
  await signIn(page, login);
  await page.locator(shown).first().waitFor();
}

function challenge(login: string, shown: string, more?: (page: Page) => AsyncGenerator<string>): Part {
  return {
    query: "provider=paymaster",
    async *screens(page) {
      await reach(page, login, shown);
      yield login;
      if (more) yield* more(page);
    },
  };
}

function failure(code: string): Part {
  return challenge(code.startsWith("mfa-") ? code : `error-${code}`, ".sign");
}

/** Hands a challenge off to a phone, whose polls get this state. */
function handoff(state: string, name: string): Part {
  return {
    query: `provider=paymaster&handoff=${state}`,
    async *screens(page) {
      await reach(page, "mfa-otp", ".input-code");
      await press(page, "main ul.rows li:last-child .row");
      await page.locator(state === "waiting" ? ".scan-code" : ".notice, .foot .button-quiet").first().waitFor();
      yield name;
    },
  };
}

/** Leads to the kinds of documents. */
async function toUploads(page: Page): Promise<void> {
  await press(page);
  await page.locator(".tabs").waitFor();
  await press(page, `${WAYS} li:nth-child(2) .row`);
}

const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==", "base64");

function archive(row: number, name: string, more?: (page: Page) => AsyncGenerator<string>): Part {
  return {
    query: "",
    async *screens(page) {
      await toUploads(page);
      await press(page, `main .rows li:nth-child(${row}) .row`);
      if (more) yield* more(page);
      await page.locator('input[type="file"]').first().setInputFiles({ name: "page.png", mimeType: "image/png", buffer: PNG });
      await page.locator(".file[data-done]", { hasText: "page.png" }).waitFor();
      await press(page);
      if (more) yield "reading a document";
      await page.locator(".sign").waitFor({ timeout: 30_000 });
      yield name;
    },
  };
}

export const TOUR: Part[] = [
  {
    query: "",
    async *screens(page) {
      yield "consent";
      await press(page);
      await page.locator(".tabs").waitFor();
      yield "providers";
      await page.locator("#search").fill("zzzz");
      await page.locator(".notice, .sign").first().waitFor();
      yield "providers, nothing found";
      await page.locator("#search").fill("rideo");
      await press(page, "main .row");
      yield "ways to sign in";
    },
  },
  {
    query: "choice",
    async *screens(page) {
      yield "consent with a choice";
      await press(page);
      await page.locator(".choice input").nth(1).check();
      yield "choice of data";
    },
  },
  {
    query: "provider=paymaster",
    async *screens(page) {
      await press(page);
      yield "login";
      await page.locator(PRIMARY).click();
      await page.locator("[data-invalid]").first().waitFor();
      yield "login with faults";
      await page.locator("#field-username").fill("ana ");
      await page.locator("#field-password").fill(" pass");
      await page.locator(".reveal").click();
      yield "login with hints";
      await page.locator(".icon-close").click();
      await page.locator(".alert").waitFor();
      yield "leave?";
    },
  },
  challenge("slow", ".steps"),
  challenge("good", ".sign"),
  challenge("mfa-otp", ".input-code", async function* (page) {
    await page.locator(".input-code").fill("9999");
    await page.locator("[data-invalid]").waitFor();
    yield "mfa-otp, wrong code";
  }),
  challenge("mfa-voice", ".input-code"),
  challenge("mfa-choice", ".choices", async function* (page) {
    await page.locator(PRIMARY).click();
    await page.locator(".notice").waitFor();
    yield "mfa-choice, nothing chosen";
  }),
  challenge("mfa-image", ".picture", async function* (page) {
    await page.locator(".pictured .button").click();
    await page.locator(".pictured .hint").waitFor();
    yield "mfa-image, playing";
  }),
  challenge("mfa-image-mute", ".picture", async function* (page) {
    await page.locator(".pictured .button").click();
    await page.locator(".pictured .error").waitFor();
    yield "mfa-image, not playable";
  }),
  challenge("mfa-question", ".input-code"),
  challenge("mfa-approve", ".countdown"),
  challenge("mfa-email-link", ".countdown"),
  challenge("mfa-redirect", ".button-primary", async function* (page) {
    const tab = page.waitForEvent("popup");
    await page.locator("a.button-primary").click();
    await (await tab).close();
    await page.locator("a.button-quiet").waitFor();
    yield "mfa-redirect, opened";
  }),
  challenge("mfa-odd", ".sign"),
  ...ERRORS.map(failure),
  failure("mfa-push-denied"),
  {
    query: "",
    async *screens(page) {
      await press(page);
      await page.locator(".tabs").waitFor();
      await press(page, `${WAYS} .row`);
      yield "survey";
      await page.locator(".field input").first().fill("Talleres Aurora");
      await press(page);
      yield "survey, thanks";
      await press(page);
      yield "kinds of documents";
    },
  },
  archive(1, "document read", async function* (page) {
    yield "upload";
    const buffer = Buffer.from("plain text");
    await page.locator('input[type="file"]').first().setInputFiles([
      { name: "notes.txt", mimeType: "text/plain", buffer },
      { name: "more-notes.txt", mimeType: "text/plain", buffer },
    ]);
    await page.locator(".file .error").first().waitFor();
    yield "upload with rejected files";
    await page.locator("input[capture]").first().setInputFiles("docs/samples/identification-ph.jpg");
    await page.locator(".photo img").waitFor();
    yield "a photo to look at";
    await page.locator(".photo > .button").nth(1).click();
    await page.locator(".photo[data-framed]").waitFor();
    yield "a photo to crop";
    await page.locator(".alert-actions .button-quiet").click();
    await page.locator(".alert-actions .button-primary").click();
    await page.locator(".file[data-done]").waitFor();
  }),
  archive(2, "document not recognized"),
  { ...archive(2, "document of unknown kind"), query: "unread=FILE_KIND_UNKNOWN" },
  { ...archive(2, "documents of several people"), query: "unread=FILE_SEVERAL_PEOPLE" },
  { ...archive(2, "form not read"), query: "unread=FILE_FORM" },
  { ...archive(2, "portfolio"), query: "unread=FILE_PORTFOLIO" },
  archive(6, "document unreadable"),
  handoff("waiting", "the code for the phone"),
  handoff("continued", "a phone continues"),
  handoff("expired", "the code has expired"),
  handoff("ended", "the phone has left"),
  {
    query: "token=lph_code",
    async *screens(page) {
      yield "on the phone";
      await press(page);
      await page.locator(".input-code").waitFor();
      yield "on the phone, a challenge";
      await page.locator(".input-code").fill("1234");
      await page.locator(".sign").waitFor();
      yield "on the phone, done";
    },
  },
  {
    query: "token=lph_used",
    async *screens() {
      yield "on the phone, a used code";
    },
  },
  {
    query: "linked",
    async *screens(page) {
      await page.locator("main .row").first().waitFor();
      yield "linked accounts";
      await press(page, "main .row");
      yield "one account";
      await press(page, ".foot .button-danger");
      yield "disconnect?";
    },
  },
  ...["brand=wordmark", "brand=square&long", "brand=broken"].map((query) => ({
    query,
    async *screens(page: Page): AsyncGenerator<string> {
      yield `${query}, consent`;
      await press(page);
      await page.locator(".tabs").waitFor();
      await page.locator(".mark[data-logo]").first().waitFor();
      yield `${query}, providers`;
      await page.locator("#search").fill("pangkalahatang");
      await press(page, "main .row");
      yield `${query}, login at a provider with a long name`;
      await signIn(page, "error-SERVICE_UNAVAILABLE");
      await page.locator(".sign").waitFor();
      yield `${query}, error at a provider with a long name`;
    },
  })),
  ...["expired", "refused", "offline"].map((token) => ({
    query: `token=${token}`,
    async *screens(): AsyncGenerator<string> {
      yield `token ${token}`;
    },
  })),
];

/** Opens the preview for a part of the tour. */
export async function open(page: Page, { query }: Part, locale: string): Promise<void> {
  await page.goto(`/?delay=0&locale=${locale}&dir=${locale.startsWith("ar") ? "rtl" : "ltr"}&${query}`);
  await page.locator("html[data-ready]").waitFor();
  await page.locator("h1").waitFor();
  await page.waitForLoadState("networkidle");
  // The browser notices late that a row has moved below the mouse. A transition that then starts shows colors of two
  // themes at once.
  await page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync("*, *::before, *::after { transition: none !important; }");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
  });
}

export const THEMES = ["light", "dark", "forced"] as const;
export const WIDTHS = [320, 360, 1280];

/** Shows the screen in a theme and width. Animations are off, so that no step waits for them. */
export async function dress(page: Page, theme: (typeof THEMES)[number], width: number): Promise<void> {
  await page.emulateMedia({
    colorScheme: theme === "dark" ? "dark" : "light",
    forcedColors: theme === "forced" ? "active" : "none",
    reducedMotion: "reduce",
  });
  await page.setViewportSize({ width, height: width < 480 ? 740 : 800 });
  // Animations start with the second frame. Spinners never end.
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    const ends = (animation: Animation): boolean => animation.effect?.getComputedTiming().endTime !== Infinity;
    await Promise.all(document.getAnimations().filter(ends).map((animation) => animation.finished.catch(() => undefined)));
  });
}
