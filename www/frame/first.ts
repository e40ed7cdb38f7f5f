/**
 * The screen before the program draws: the page's skeleton with the tenant's name, the consent page, or why nothing has
 * loaded. It looks like the program's screens: it has the same classes, and the texts of the catalogue if that has loaded.
 */

import type { LinkSession } from "../generated/types";
import { brandOf, consentScreen, type Words } from "./consent";
import { button, headingOf, make, sign } from "./elements";
import { moveFocus } from "./focus";
import { handOver, mainButton, watchPresses } from "./hand-over";
import { company } from "./page";

/** Texts of the catalogue: their numbers, and the English words for the case that the catalogue did not load. */
declare const FIRST_TEXTS: Record<Word, [number: number, english: string]>;

type Word = "wait" | "slow" | "slowText" | "offline" | "offlineText" | "broken" | "brokenText" | "trapped" | "trappedText" | "retry" | "close";

/** The pictures above the headings, like those of the program's screens. */
const CLOCK = "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20M12 6v6l4 2";
const UNPLUGGED = "m19 5 3-3M2 22l3-3M6.3 20.3a2.4 2.4 0 0 0 3.4 0L12 18l-6-6-2.3 2.3a2.4 2.4 0 0 0 0 3.4ZM7.5 13.5 10 11M10.5 16.5 13 14M12 6l6 6 2.3-2.3a2.4 2.4 0 0 0 0-3.4l-2.6-2.6a2.4 2.4 0 0 0-3.4 0Z";

const NOTICES = {
  slow: [CLOCK, "slow", "slowText"],
  offline: [UNPLUGGED, "offline", "offlineText"],
  broken: [UNPLUGGED, "broken", "brokenText"],
  trapped: [UNPLUGGED, "trapped", "trappedText"],
} as const;

/** The texts of the first screen, and the actions of the person on it. */
export interface Choices {
  /** Returns a text of the catalogue, or an empty one if it has not loaded. */
  text: Words;
  close(): void;
  retry(): void;
}

/** What is shown. */
type Shown =
  | { name: "skeleton" }
  | { name: "consent"; session: LinkSession; screen: HTMLElement; words: string }
  | { name: "notice"; kind: keyof typeof NOTICES };

export class FirstScreen {
  readonly #choices: Choices;
  /** The page's content before the program replaces it. */
  readonly #root = document.getElementById("linchpin")!;
  readonly #skeleton = this.#find(".screen");
  readonly #close = this.#find("button") as HTMLButtonElement;
  readonly #status = this.#find("[role=status]");
  /** Resolves when nothing on this screen is held down. */
  readonly released = watchPresses(this.#root);
  #shown: Shown = { name: "skeleton" };
  /** Whether loading takes long. */
  #isLate = false;
  /** Restores focus and scroll positions of the consent page, if the program shows this page too. */
  #keep: (() => boolean) | undefined;
  /** Whether the consent page has been shown in this frame. */
  #wasShown = false;

  constructor(choices: Choices) {
    this.#choices = choices;
    this.#find(".brand-name").textContent = company;
    this.#close.onclick = () => choices.close();
    this.translate();
  }

  /** Writes the texts again, because the catalogue has loaded or changed. */
  translate(): void {
    this.#close.ariaLabel = this.#word("close");
    const shown = this.#shown;
    if (shown.name === "consent") this.consent(shown.session);
    else if (shown.name === "notice") this.notice(shown.kind);
    else this.#status.textContent = this.#word("wait");
  }

  /** Shows again that the program loads. */
  wait(): void {
    this.#isLate = false;
    this.#show({ name: "skeleton" }, this.#skeleton);
  }

  /** Shows the consent page. Its first button waits for the program. */
  consent(session: LinkSession): void {
    const { text, close } = this.#choices;
    // `focus()` also scrolls the page around an inline frame, so only a new page may scroll.
    const preventScroll = this.#wasShown;
    this.#wasShown = true;
    const screen = consentScreen(session, text, () => this.#agree(screen), close);
    this.#find(".brand").replaceWith(brandOf(session, text));
    this.#show({ name: "consent", session, screen, words: screen.textContent! }, screen);
    moveFocus(this.#find("h1"), { preventScroll });
  }

  /** Lets the button of the consent page wait, or says that loading takes long. */
  #agree(screen: HTMLElement): void {
    if (this.#isLate) return this.notice("slow");
    const button = mainButton(screen);
    if (button.ariaBusy) return;
    button.ariaBusy = "true";
    button.ariaDisabled = "true";
    const spinner = make("span", "spinner", "");
    spinner.ariaHidden = "true";
    button.prepend(spinner);
    this.#status.textContent = this.#word("wait");
  }

  /** Makes way for the program, which draws into the element that `fresh` creates. */
  handOver(fresh: () => Element): Element {
    const shown = this.#shown;
    this.#keep = undefined;
    this.#shown = { name: "skeleton" };
    this.#isLate = false;
    if (shown.name !== "consent") return fresh();
    const { root, keep } = handOver(this.#root, shown.screen, shown.words, fresh);
    this.#keep = keep;
    return root;
  }

  /** Moves the focus for the program, the first time only if the person has not seen its page before. */
  focus(element: HTMLElement): void {
    const isKept = this.#keep?.();
    this.#keep = undefined;
    if (!isKept) moveFocus(element);
  }

  /** Shows that loading takes long, unless the person reads the consent page meanwhile. */
  slow(): void {
    this.#isLate = true;
    if (this.#shown.name !== "consent" || mainButton(this.#shown.screen).ariaBusy) this.notice("slow");
  }

  /** Shows that loading takes long, or why it has failed, and offers to try again. */
  notice(kind: keyof typeof NOTICES): void {
    const { close, retry } = this.#choices;
    const [icon, title, text] = NOTICES[kind];
    const heading = headingOf(this.#word(title));
    const content = make("main", "content", "", sign(icon, "warning"), heading, make("p", "text", this.#word(text)));
    const foot = make(
      "footer",
      "foot",
      "",
      button("button-primary", this.#word("retry"), retry),
      button("button-quiet", this.#word("close"), close),
    );
    this.#show({ name: "notice", kind }, make("div", "screen", "", content, foot));
    // As on the program's screens, a screen reader announces the new screen by its heading.
    moveFocus(heading);
  }

  #show(shown: Shown, screen: HTMLElement): void {
    this.#shown = shown;
    this.#status.textContent = shown.name === "skeleton" ? this.#word("wait") : "";
    this.#find(".screen").replaceWith(screen);
    // After a trap, in place of the program's screen.
    if (!this.#root.isConnected) document.getElementById("linchpin")?.replaceWith(this.#root);
  }

  #word(word: Word): string {
    const [number, english] = FIRST_TEXTS[word];
    return this.#choices.text(number, []) || english;
  }

  #find(selector: string): HTMLElement {
    return this.#root.querySelector<HTMLElement>(selector)!;
  }
}
