/**
 * The screen before the program draws: the page's skeleton with the tenant's name, the consent page, or why nothing has
 * loaded. It looks like the program's screens: it has the same classes, and the texts of the catalogue if that has loaded.
 */

import type { LinkSession } from "../generated/types";
import { brandOf, consentScreen, type Words } from "./consent";
import { made, picture } from "./elements";
import { company } from "./page";

/** Texts of the catalogue: their numbers, and the English words for the case that the catalogue did not load. */
declare const FIRST_TEXTS: Record<Word, [number: number, english: string]>;

type Word = "wait" | "slow" | "slowText" | "offline" | "offlineText" | "broken" | "brokenText" | "retry" | "close";

/** The pictures above the headings, like those of the program's screens. */
const CLOCK = "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20M12 6v6l4 2";
const UNPLUGGED = "m19 5 3-3M2 22l3-3M6.3 20.3a2.4 2.4 0 0 0 3.4 0L12 18l-6-6-2.3 2.3a2.4 2.4 0 0 0 0 3.4ZM7.5 13.5 10 11M10.5 16.5 13 14M12 6l6 6 2.3-2.3a2.4 2.4 0 0 0 0-3.4l-2.6-2.6a2.4 2.4 0 0 0-3.4 0Z";

const NOTICES = {
  slow: [CLOCK, "slow", "slowText"],
  offline: [UNPLUGGED, "offline", "offlineText"],
  broken: [UNPLUGGED, "broken", "brokenText"],
} as const;

/** The texts of the first screen, and the actions of the person on it. */
export interface Choices {
  /** Returns a text of the catalogue, or an empty one if it has not loaded. */
  text: Words;
  close(): void;
  retry(): void;
}

/** How long after its first drawing the program may move the focus to the heading. */
const HEADING_MS = 1_000;
const FOCUSABLE = "h1, a, button, [tabindex='0']";

export class FirstScreen {
  readonly #choices: Choices;
  /** The page's content before the program replaces it. */
  readonly #root = document.getElementById("linchpin")!;
  readonly #skeleton = this.#find(".screen");
  readonly #close = this.#find("button") as HTMLButtonElement;
  readonly #status = this.#find("[role=status]");
  #notice: keyof typeof NOTICES | null = null;
  /** The consent page, while it is shown, and the session that it is for. */
  #consent: HTMLElement | null = null;
  #session: LinkSession | null = null;
  /** Whether loading takes long. */
  #isLate = false;

  constructor(choices: Choices) {
    this.#choices = choices;
    this.#find(".brand-name").textContent = company;
    this.#close.onclick = () => choices.close();
    this.translate();
  }

  /** Writes the texts again, because the catalogue has loaded. */
  translate(): void {
    this.#close.ariaLabel = this.#word("close");
    if (this.#consent && this.#session) this.consent(this.#session);
    else this.#status.textContent = this.#word("wait");
    if (this.#notice) this.notice(this.#notice);
  }

  /** Shows again that the program loads. */
  wait(): void {
    this.#notice = null;
    this.#consent = null;
    this.#isLate = false;
    this.#show(this.#skeleton);
  }

  /** Shows the consent page. Its first button waits for the program. */
  consent(session: LinkSession): void {
    const { text, close } = this.#choices;
    const agree = (): void => {
      if (this.#isLate) return this.notice("slow");
      const button = primary(this.#root);
      if (button.ariaBusy) return;
      button.ariaBusy = "true";
      button.ariaDisabled = "true";
      const spinner = made("span", "spinner", "");
      spinner.ariaHidden = "true";
      button.prepend(spinner);
      this.#status.textContent = this.#word("wait");
    };
    this.#notice = null;
    this.#session = session;
    this.#status.textContent = "";
    this.#consent = consentScreen(session, text, agree, close);
    this.#find(".brand").replaceWith(brandOf(session, text));
    this.#show(this.#consent);
    // The browser would scroll the page around an inline frame.
    this.#find("h1").focus({ preventScroll: true });
  }

  /**
   * Makes way for the program, which draws into the element that `fresh` creates. If the program begins with the consent
   * page, focus and scroll position stay, and a press is repeated.
   */
  handOver(fresh: () => Element): Element {
    const from = this.#consent;
    this.#consent = null;
    this.#notice = null;
    this.#isLate = false;
    if (!from) return fresh();
    const focusable = (within: Element): HTMLElement[] => [...within.querySelectorAll<HTMLElement>(FOCUSABLE)];
    const focused = focusable(this.#root).findIndex((it) => it === document.activeElement);
    const scrolled = scrollable(from).map((it) => it.scrollTop);
    const root = fresh();
    const observer = new MutationObserver(() => {
      const to = root.querySelector<HTMLElement>(".screen");
      if (!to) return;
      observer.disconnect();
      // Another page, or other terms, have not been seen by the person.
      const isSame = (): boolean => to.isConnected && !to.closest("[inert]") && to.textContent === from.textContent;
      if (!isSame()) return;
      // It has arrived already.
      to.style.animation = "none";
      const restore = (): void => {
        if (focused >= 0) focusable(root)[focused]?.focus({ preventScroll: true });
        scrollable(to).forEach((it, at) => (it.scrollTop = scrolled[at]!));
      };
      // The program moves the focus to the heading, on a slow device after the page is painted.
      const heading = to.querySelector("h1")!;
      const signal = AbortSignal.timeout(HEADING_MS);
      if (document.activeElement !== heading) heading.addEventListener("focus", restore, { once: true, signal });
      requestAnimationFrame(() => {
        if (!isSame()) return;
        restore();
        if (primary(from).ariaBusy) primary(to).click();
      });
    });
    observer.observe(root, { childList: true, subtree: true });
    return root;
  }

  /** Shows that loading takes long, unless the person reads the consent page meanwhile. */
  slow(): void {
    this.#isLate = true;
    if (!this.#consent || primary(this.#consent).ariaBusy) this.notice("slow");
  }

  /** Shows that loading takes long, or why it has failed, and offers to try again. */
  notice(kind: keyof typeof NOTICES): void {
    this.#notice = kind;
    this.#consent = null;
    const [icon, title, text] = NOTICES[kind];
    const sign = made("div", "sign", "", picture(icon));
    sign.dataset["tone"] = "warning";
    const heading = made("h1", "heading", this.#word(title));
    heading.tabIndex = -1;
    const content = made("main", "content", "", sign, heading, made("p", "text", this.#word(text)));
    const foot = made(
      "footer",
      "foot",
      "",
      this.#button("button-primary", "retry", () => this.#choices.retry()),
      this.#button("button-quiet", "close", () => this.#choices.close()),
    );
    this.#show(made("div", "screen", "", content, foot));
    // As on the program's screens, a screen reader announces the new screen by its heading.
    heading.focus();
  }

  #show(screen: HTMLElement): void {
    this.#find(".screen").replaceWith(screen);
    // After a trap, in place of the program's screen.
    if (!this.#root.isConnected) document.getElementById("linchpin")?.replaceWith(this.#root);
  }

  #button(look: string, word: Word, press: () => void): HTMLElement {
    return Object.assign(made("button", `button ${look}`, this.#word(word)), { type: "button", onclick: press });
  }

  #word(word: Word): string {
    const [number, english] = FIRST_TEXTS[word];
    return this.#choices.text(number, []) || english;
  }

  #find(selector: string): HTMLElement {
    return this.#root.querySelector<HTMLElement>(selector)!;
  }
}

function primary(within: Element): HTMLElement {
  return within.querySelector<HTMLElement>(".button-primary")!;
}

/** Returns what scrolls the page: its content, or the whole document in a low window. */
function scrollable(screen: Element): Element[] {
  return [screen.querySelector(".content")!, document.documentElement];
}
