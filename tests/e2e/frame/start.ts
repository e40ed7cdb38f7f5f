/** Starts of the frame that tests can stop halfway. */
import type { Page } from "@playwright/test";
import type { Stage } from "./stage";

/** The address of the program. */
export const PROGRAM = /\/sdk\/assets\/link-widget-\w+\.wasm$/;

/** Opens the frame without waiting for the first screen. */
export async function start(stage: Stage, options: object = {}, locale = ""): Promise<void> {
  await stage.embed(locale ? `allowed#${locale}` : "allowed");
  await stage.until("hello");
  await stage.say({ open: { options: { templateId: "allowed", ...options }, token: "token-1" } });
}

/** Holds the program back until the returned function is called. */
export async function hold(page: Page): Promise<() => void> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(PROGRAM, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}
