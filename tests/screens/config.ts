import { defineConfig } from "@playwright/test";

/** `cargo xtask screens` sets the variables and serves the preview. */
export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results/screens",
  fullyParallel: true,
  workers: "150%",
  forbidOnly: true,
  timeout: 300_000,
  reporter: [["line"]],
  use: {
    baseURL: process.env["LINCHPIN_PREVIEW_URL"] ?? "http://127.0.0.1:8790",
    browserName: "chromium",
    launchOptions: {
      executablePath: process.env["LINCHPIN_CHROMIUM"] ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
    },
  },
});
