import { defineConfig } from "@playwright/test";
import { CHROMIUM_FLAGS } from "../e2e/support/chromium";

/** Set by `cargo xtask matrix`, which builds the host pages and starts the service first. */
function requiredVariable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests with \`cargo xtask matrix\``);
  return value;
}

const drivers = ["chromium", "firefox", "webkit"].map((name) => ({
  name,
  testDir: "engines",
  timeout: 180_000,
  // The tests of a file share one browser.
  fullyParallel: false,
}));

export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results/matrix",
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [["list"], ["./support/table.ts"]],
  projects: [
    {
      name: "hosts",
      testDir: "hosts",
      use: {
        browserName: "chromium",
        viewport: { width: 1280, height: 800 },
        trace: "retain-on-failure",
        launchOptions: {
          executablePath: requiredVariable("LINCHPIN_CHROMIUM"),
          args: CHROMIUM_FLAGS,
        },
      },
    },
    ...drivers,
  ],
});
