import { defineConfig } from "@playwright/test";
import { CHROMIUM_FLAGS } from "./tests/e2e/support/chromium";

/** Set by `cargo xtask e2e`, which builds and starts the service and the demo tenant first. */
function requiredVariable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the browser tests with \`cargo xtask e2e\``);
  return value;
}

/** The stories of the portal and of files on link sites, which also run in Firefox. */
const PAGES = /\/(console|developers|device|insights|inviting|people|site-files|sites|templates)\.spec\.ts$/;

/**
 * Tests that Playwright cannot drive in Debian's Firefox: after a key or in a second window, a window has no focus; a press does
 * nothing in a frame of another site; and a drag, a page without a script, a passkey and the dark theme are not supported. WebDriver
 * drives the stories by keyboard and of a person's own page: tests/matrix/engines/portal.spec.ts.
 */
const NOT_IN_FIREFOX = /adds a passkey|with the keyboard|two members|an opening that stops|dragged|without a script|dark/;

/** Debian's Firefox, which Playwright drives by WebDriver BiDi. Playwright 1.65 needs a newer one. */
const firefox = { channel: "moz-firefox", launchOptions: { executablePath: process.env["LINCHPIN_FIREFOX"] ?? "firefox" } };

const chromium = {
  executablePath: requiredVariable("LINCHPIN_CHROMIUM"),
  args: CHROMIUM_FLAGS,
};

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  fullyParallel: true,
  // They need the processors most of the time: on two, five at a time take a seventh longer than three.
  workers: "150%",
  retries: 0,
  forbidOnly: true,
  // Both only end tests that hang. None takes more than a minute on a busy machine.
  timeout: 300_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    baseURL: requiredVariable("LINCHPIN_DEMO_URL"),
    viewport: { width: 1280, height: 800 },
    actionTimeout: 60_000,
    // Recording slows tests down by a quarter. To record: `cargo xtask e2e <file> --trace retain-on-failure`.
    trace: "off",
    screenshot: "only-on-failure",
    // Drawing animations takes a quarter of the processor time of Chromium. Files about motion and its timing ask for them.
    reducedMotion: "reduce",
  },
  projects: [
    { name: "chromium", use: { browserName: "chromium", launchOptions: chromium } },
    {
      name: "firefox",
      testMatch: PAGES,
      grepInvert: NOT_IN_FIREFOX,
      use: { browserName: "firefox", ...firefox },
    },
  ],
});
