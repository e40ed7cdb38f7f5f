/** Replaces the consent page of boot.ts by the same page of the program, without a difference for the person. */

import { hasFocusWithin, moveFocus } from "./focus";

/** How long after the end of a press its click may come: on a touch screen, the browser makes it from other events. */
const CLICK_MS = 50;
/** No press takes longer. Then the pointer or key was released where the page does not see it. */
const PRESS_MS = 1_000;
const FOCUSABLE = "h1, a, button, [tabindex='0']";

/**
 * Makes way for the program, which draws into the `root` that `fresh` creates in place of `before`. If the program begins
 * with `words`, those with which `from` was drawn (an extension may have translated it since), focus and scroll position
 * stay, and a press of its main button is repeated. `keep` restores both and returns true, or returns false if the page is
 * another one. It replaces the program's first move of the focus, which comes after the page is painted on a slow device.
 */
export function handOver(
  before: Element,
  from: Element,
  words: string,
  fresh: () => Element,
): { root: Element; keep: () => boolean } {
  const focused = focusable(before).findIndex((it) => it === document.activeElement);
  const scrolled = scrollable(from).map((it) => it.scrollTop);
  const root = fresh();
  let to: HTMLElement | null = null;
  let isSame = false;
  const keep = (): boolean => {
    if (!to) {
      to = root.querySelector<HTMLElement>(".screen");
      // Another page, or other terms, have not been seen by the person. Compared once: an extension may translate it later.
      isSame = to?.textContent === words;
    }
    if (!isSame || !to?.isConnected || to.closest("[inert]")) return false;
    if (hasFocusWithin(root)) return true;
    moveFocus(focusable(root)[focused] ?? to.querySelector("h1")!, { preventScroll: true });
    scrollable(to).forEach((it, at) => (it.scrollTop = scrolled[at]!));
    return true;
  };
  const observer = new MutationObserver(() => {
    const isKept = keep();
    if (!to) return;
    observer.disconnect();
    if (!isKept) return;
    // It has arrived already.
    to.style.animation = "none";
    requestAnimationFrame(() => {
      if (mainButton(from).ariaBusy && keep()) mainButton(to!).click();
    });
  });
  observer.observe(root, { childList: true, subtree: true });
  return { root, keep };
}

/**
 * Watches the presses on a page. The returned function waits until nothing is held down: the browser makes a click only if the
 * button on which it began is still there when it ends.
 */
export function watchPresses(page: Element): () => Promise<unknown> {
  let ended: Promise<unknown> = Promise.resolve();
  const watch = (begin: string, end: string): void =>
    page.addEventListener(begin, () => {
      ended = new Promise((resolve) => {
        setTimeout(resolve, PRESS_MS);
        window.addEventListener(end, () => setTimeout(resolve, CLICK_MS), { once: true });
      });
    });
  watch("pointerdown", "pointerup");
  watch("keydown", "keyup");
  return () => ended;
}

/** Returns the main button of a page. */
export function mainButton(screen: Element): HTMLElement {
  return screen.querySelector<HTMLElement>(".button-primary")!;
}

function focusable(within: Element): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(FOCUSABLE)];
}

/** Returns what scrolls a page: its content, or the whole document in a low window. */
function scrollable(screen: Element): Element[] {
  return [screen.querySelector(".content")!, document.documentElement];
}
