/** Starts the WebDriver of each engine. Playwright cannot drive Debian's Firefox and WebKitGTK. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Builder, type WebDriver } from "selenium-webdriver";
import { freePort } from "../../e2e/support/ports";

export type Engine = "chromium" | "firefox" | "webkit";

interface Started {
  driver: WebDriver;
  stop(): Promise<void>;
}

interface Recipe {
  program: string;
  capabilities: object;
  /** The browser has no headless mode. */
  needsScreen?: boolean;
}

const RECIPES: Record<Engine, () => Recipe> = {
  chromium: () => ({
    program: "chromedriver",
    capabilities: {
      browserName: "chrome",
      "goog:chromeOptions": {
        binary: process.env["LINCHPIN_CHROMIUM"],
        // Chromium's sandbox does not work for root in a container.
        args: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
      },
    },
  }),
  firefox: () => ({
    program: "geckodriver",
    capabilities: {
      browserName: "firefox",
      "moz:firefoxOptions": { binary: process.env["LINCHPIN_FIREFOX"], args: ["-headless"] },
    },
  }),
  webkit: () => ({
    program: "WebKitWebDriver",
    needsScreen: true,
    capabilities: {
      browserName: "MiniBrowser",
      "webkitgtk:browserOptions": { binary: process.env["LINCHPIN_WEBKIT"], args: ["--automation"] },
    },
  }),
};

export async function start(engine: Engine): Promise<Started> {
  const { program, capabilities, needsScreen } = RECIPES[engine]();
  const screen = needsScreen ? await startScreen() : undefined;
  const port = await freePort();
  const variables = screen ? { ...process.env, DISPLAY: screen.display, GDK_BACKEND: "x11" } : process.env;
  const process_ = spawn(program, [`--port=${port}`], { stdio: "ignore", env: variables });
  const failed = once(process_, "error").then(([error]) => Promise.reject(error));
  await Promise.race([answers(`http://127.0.0.1:${port}/status`), failed]);
  failed.catch(() => undefined);
  const driver = await new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities).build();
  await driver.manage().setTimeouts({ script: 60_000, pageLoad: 60_000 });
  return {
    driver,
    async stop() {
      await driver.quit().catch(() => undefined);
      await end(process_);
      if (screen) await end(screen.process);
    },
  };
}

/** Starts a virtual screen on a free display. */
async function startScreen(): Promise<{ process: ChildProcess; display: string }> {
  const screen = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [number] = (await once(screen.stdout!, "data")) as [Buffer];
  return { process: screen, display: `:${number.toString().trim()}` };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await Promise.race([once(child, "exit"), wait(5_000).then(() => child.kill("SIGKILL"))]);
}

export async function answers(url: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    if (await fetch(url).then(({ ok }) => ok, () => false)) return;
    if (Date.now() > deadline) throw new Error(`${url} did not respond within 30 s`);
    await wait(50);
  }
}
