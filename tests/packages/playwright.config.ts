import { defineConfig } from "@playwright/test";
import { requiredVariable } from "./support/variables";

export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results/packages",
  fullyParallel: true,
  workers: "150%",
  retries: 0,
  forbidOnly: true,
  // Only ends tests that hang. The compiler takes a minute on a busy machine.
  timeout: 300_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    viewport: { width: 1280, height: 800 },
    launchOptions: { executablePath: requiredVariable("LINCHPIN_CHROMIUM"), args: ["--no-sandbox", "--disable-gpu"] },
  },
});
