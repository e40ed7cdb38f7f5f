/** Uses the widget with the keyboard only, and records the focus order and what a screen reader announces. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Frame, type Page } from "@playwright/test";
import type { Widget } from "./widget";

const FOLDER = join(import.meta.dirname, "../recordings");
/** More stops than any screen has. */
const MAX_STOPS = 60;

export class Recorder {
  readonly #lines: string[] = [];

  constructor(
    private readonly page: Page,
    private readonly widget: Widget,
  ) {}

  /** Starts to record the live region. Call this once the first screen is shown. */
  async listen(): Promise<void> {
    // The consent page may still be the one without the program.
    await this.#frame()!.locator('[role="status"][aria-live]').waitFor({ state: "attached" });
    await this.#frame()!.evaluate(() => {
      const log: string[] = ((window as any).said = []);
      const region = document.querySelector('[role="status"][aria-live]')!;
      new MutationObserver(() => {
        const text = region.textContent ?? "";
        if (text && log.at(-1) !== text) log.push(text);
      }).observe(region, { childList: true, subtree: true, characterData: true });
    });
  }

  /**
   * Records a screen: its heading, where the focus is, and the order in which Tab visits its controls. Waits for an
   * announcement that contains the words, if it follows the heading.
   */
  async screen(heading: string | RegExp, announced?: string): Promise<void> {
    await this.widget.shows(heading);
    if (announced) {
      await this.#frame()!.waitForFunction((words) => (window as any).said.some((text: string) => text.includes(words)), announced);
    }
    await this.#heard();
    // The focus moves after the heading is drawn.
    await expect.poll(() => this.#focus()).not.toBe("outside");
    this.#lines.push("", `# ${await this.widget.heading.textContent()}`, `focus: ${await this.#focus()}`);
    await this.stops();
  }

  /** Records the order in which Tab visits the controls of a screen or dialog. */
  async stops(): Promise<void> {
    const seen: string[] = [];
    for (let stops = 0; stops < MAX_STOPS; stops += 1) {
      await this.page.keyboard.press("Tab");
      const stop = await this.#focus();
      if (stop === "outside") continue;
      if (seen.includes(stop)) break;
      seen.push(stop);
    }
    this.#lines.push(...seen.map((stop) => `tab: ${stop}`));
  }

  /** Moves the focus with Tab to a control whose description contains the words. The screen may still be loading it. */
  async tabTo(words: string): Promise<void> {
    const reached = async (): Promise<boolean> => {
      if ((await this.#focus()).includes(words)) return true;
      await this.page.keyboard.press("Tab");
      return false;
    };
    await expect.poll(reached, { message: `Tab reaches ${words}`, intervals: [0] }).toBe(true);
  }

  /** Moves the focus to a control and presses a key on it. */
  async press(words: string, key = "Enter"): Promise<void> {
    await this.tabTo(words);
    this.#lines.push(`press ${key} on ${await this.#focus()}`);
    await this.page.keyboard.press(key);
  }

  /** Presses a key where the focus is. Records where it is then, unless Enter loads something first. */
  async key(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    this.#lines.push(key === "Enter" ? "press Enter" : `press ${key}: ${await this.#focus()}`);
  }

  async type(words: string, text: string): Promise<void> {
    await this.tabTo(words);
    this.#lines.push(`type into ${await this.#focus()}`);
    await this.page.keyboard.type(text);
  }

  /** Compares the recording with the committed one. With LINCHPIN_RECORD=1, writes it. */
  async is(name: string): Promise<void> {
    await this.#heard();
    const file = join(FOLDER, `${name}.txt`);
    const recording = `${this.#lines.join("\n").trim()}\n`;
    if (process.env["LINCHPIN_RECORD"] === "1") writeFileSync(file, recording);
    expect(existsSync(file), `${file}: run the test with LINCHPIN_RECORD=1 to record it`).toBe(true);
    expect(recording).toBe(readFileSync(file, "utf8"));
  }

  #frame(): Frame | undefined {
    return this.page.frames().find((frame) => frame.url().includes("/frame/p1/"));
  }

  async #heard(): Promise<void> {
    const frame = this.#frame();
    const said = await frame
      ?.evaluate(() => ((window as any).said as string[] | undefined)?.splice(0))
      .catch(async (error: unknown) => {
        // The widget may close, and remove its frame, during the call. The page may list the frame for a moment longer.
        const isRemoved = await expect.poll(() => frame.isDetached()).toBe(true).then(() => true, () => false);
        if (!isRemoved) throw error;
        return undefined;
      });
    this.#lines.push(...steady(said ?? []).map((text) => `says: ${text}`));
  }

  /** Describes the focused element: its role, name and state. */
  #focus(): Promise<string> {
    return this.#frame()!.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      if (!document.hasFocus() || !element || element === document.body) return "outside";
      const roles: Record<string, string> = { BUTTON: "button", A: "link", SELECT: "combobox", H1: "heading", H2: "heading" };
      const types: Record<string, string> = { radio: "radio", range: "slider", search: "searchbox", file: "file" };
      const role = element.getAttribute("role") ?? roles[element.tagName] ?? types[element.type] ?? "textbox";
      const label = element.labels?.[0] ?? document.getElementById(element.getAttribute("aria-labelledby") ?? "") ?? element;
      const words: string[] = [];
      const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const parent = text.parentElement!;
        if (!parent.closest('[aria-hidden="true"]') && parent.checkVisibility()) words.push(text.textContent ?? "");
      }
      const shown = words.join(" ");
      const name = (element.ariaLabel ?? shown).replace(/\s+/g, " ").trim();
      const states = [
        element.getAttribute("aria-invalid") === "true" ? "invalid" : "",
        element.getAttribute("aria-pressed") === "true" ? "pressed" : "",
        element.type === "radio" && element.checked ? "checked" : "",
      ].filter(Boolean);
      return [role, JSON.stringify(name), ...states].join(" ");
    });
  }
}

/** Announcements of states that a slow machine skips and a fast one may not show, because the widget polls. */
const PASSING = /^(Time left: .*|Reading the pages|Loading your accounts|.*: (25|50|75) % uploaded)$/;

/** Returns the announcements that do not depend on the speed of the machine. Of counts, it returns only the last one. */
function steady(said: string[]): string[] {
  const isCount = (text: string | undefined) => /^\d+ providers? found$/.test(text ?? "");
  const untimed = said.filter((text) => !PASSING.test(text));
  return untimed.filter((text, at) => !isCount(text) || !untimed.slice(at + 1).some(isCount));
}
