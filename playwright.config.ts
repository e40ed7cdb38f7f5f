import { defineConfig } from "@playwright/test";

/** Set by `cargo xtask e2e`, which builds and starts the service and the demo tenant first. */
function given(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the browser tests with \`cargo xtask e2e\``);
  return value;
}

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  // Each test links an account of its own; two at a time is what a machine with two cores bears.
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // A hang ends here; nothing is measured by it. The accessibility walks take a minute on a busy machine.
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    baseURL: given("LINCHPIN_DEMO_URL"),
    browserName: "chromium",
    viewport: { width: 1280, height: 800 },
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: given("LINCHPIN_CHROMIUM"),
      args: [
        "--no-sandbox", // a container's root may not use Chromium's own
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
