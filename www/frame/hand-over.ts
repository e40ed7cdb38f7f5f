/** Replaces the consent page of boot.ts by the same page of the program, without a difference for the person. */

/** How long after its first drawing the program may move the focus to the heading. */
const HEADING_MS = 1_000;
const FOCUSABLE = "h1, a, button, [tabindex='0']";

/**
 * Makes way for the program, which draws into the element that `fresh` creates in place of `before`. If the program begins
 * with the words of `from`, focus and scroll position stay, and a press of its main button is repeated.
 */
export function handOver(before: Element, from: Element, fresh: () => Element): Element {
  const focused = focusable(before).findIndex((it) => it === document.activeElement);
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
      if (mainButton(from).ariaBusy) mainButton(to).click();
    });
  });
  observer.observe(root, { childList: true, subtree: true });
  return root;
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
