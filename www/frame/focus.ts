/**
 * Moves the focus within this page, and keeps it visible. In an inline container, it does not take the focus from the host
 * page, where the person may be typing into a field.
 */

/** The bridge names the frame by where it is. In a modal, nothing outside of the frame needs the focus. */
const isInline = window.name === "inline";
/** With less height than this above the on-screen keyboard, the whole card scrolls instead of its content. */
const TIGHT_PX = 420;
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
/** What gets the focus when the person returns to this page. */
let waiting: HTMLElement | undefined;

window.addEventListener("focus", () => {
  const to = waiting;
  waiting = undefined;
  // Afterwards, because a click or a key that brings the person back focuses what it is for. Firefox would not do so if the
  // focus moved in between.
  if (to) setTimeout(() => document.activeElement === document.body && to.focus({ preventScroll: true }));
});

/** Focuses an element, at the latest when the person returns to this page. */
export function moveFocus(to: HTMLElement, options?: FocusOptions): void {
  // If nothing had the focus before, the active element was the body.
  if (to === document.body) return;
  waiting = isInline && !document.hasFocus() ? to : undefined;
  if (!waiting) to.focus(options);
}

/** Returns whether an element contains the focus, or will when the person returns. */
export function hasFocusWithin(element: Element): boolean {
  return element.contains(waiting ?? document.activeElement);
}

/** Moves the focus by arrow keys: from the search box into the list, and between its rows. */
export function moveByArrows(): void {
  document.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const from = event.target as HTMLElement;
    if (!step || event.isComposing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const stops = [...document.querySelectorAll<HTMLElement>("main :is([type=search], button.row)")];
    const to = stops[stops.indexOf(from) + step];
    if (!to || !stops.includes(from)) return;
    event.preventDefault();
    to.focus();
  });
}

/** Applies the height of the frame's part that the on-screen keyboard covers, and scrolls to the focused field. */
export function applyInset(bottom: number): void {
  const root = document.documentElement;
  root.style.setProperty("--inset-bottom", `${bottom}px`);
  root.toggleAttribute("data-tight", innerHeight - bottom < TIGHT_PX && bottom > 0);
  const focused = document.activeElement;
  (focused?.closest(".field") ?? focused)?.scrollIntoView({ block: "nearest" });
}
