/**
 * The screen before the program draws: the page's skeleton with the tenant's name, or why nothing has loaded. It
 * looks like the program's screens: it has the same classes, and the texts of the catalogue if that has loaded.
 */

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
  text(number: number): string;
  close(): void;
  retry(): void;
}

export class FirstScreen {
  readonly #choices: Choices;
  /** The page's content before the program replaces it. */
  readonly #root = document.getElementById("linchpin")!;
  readonly #skeleton = this.#find(".screen");
  readonly #close = this.#find("button") as HTMLButtonElement;
  #notice: keyof typeof NOTICES | null = null;

  constructor(choices: Choices) {
    this.#choices = choices;
    this.#find(".brand-name").textContent = company;
    this.#close.onclick = () => choices.close();
    this.translate();
  }

  /** Writes the texts again, because the catalogue has loaded. */
  translate(): void {
    this.#close.ariaLabel = this.#word("close");
    this.#find("[role=status]", this.#skeleton).textContent = this.#word("wait");
    if (this.#notice) this.notice(this.#notice);
  }

  /** Shows again that the program loads. */
  wait(): void {
    this.#notice = null;
    this.#show(this.#skeleton);
  }

  /** Shows that loading takes long, or why it has failed, and offers to try again. */
  notice(kind: keyof typeof NOTICES): void {
    this.#notice = kind;
    const [picture, title, text] = NOTICES[kind];
    const sign = made("div", "sign", "");
    sign.dataset["tone"] = "warning";
    const icon = this.#close.firstElementChild!.cloneNode(true) as SVGElement;
    icon.firstElementChild!.setAttribute("d", picture);
    sign.append(icon);
    const heading = made("h1", "heading", this.#word(title));
    heading.tabIndex = -1;
    const content = made("main", "content", "");
    content.append(sign, heading, made("p", "text", this.#word(text)));
    const foot = made("footer", "foot", "");
    foot.append(
      this.#button("button-primary", "retry", () => this.#choices.retry()),
      this.#button("button-quiet", "close", () => this.#choices.close()),
    );
    const screen = made("div", "screen", "");
    screen.append(content, foot);
    this.#show(screen);
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
    return this.#choices.text(number) || english;
  }

  #find(selector: string, within = this.#root): HTMLElement {
    return within.querySelector<HTMLElement>(selector)!;
  }
}

function made(tag: string, className: string, textContent: string): HTMLElement {
  return Object.assign(document.createElement(tag), { className, textContent });
}
