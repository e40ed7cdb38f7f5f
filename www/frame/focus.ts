/**
 * Moves the focus within this page. In an inline container, it does not take the focus from the host page, where the person
 * may be typing into a field.
 */

/** The bridge names the frame by where it is. In a modal, nothing outside of the frame needs the focus. */
const isInline = window.name === "inline";
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
