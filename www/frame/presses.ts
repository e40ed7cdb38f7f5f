/** Ignores the second click of a double click if the first one has led to another page. */

/** No one reads a new page and presses what is at the same place within this time. A double click may take 500 ms. */
const UNSEEN_MS = 550;
/** Two presses are at the same place if they are not farther apart. A finger moves between them, a mouse hardly does. */
const NEAR_PX = 24;
const NEAR_MOUSE_PX = 6;

let last: MouseEvent | undefined;

export function ignoreDoubleClicks(): void {
  let page: Element | undefined;
  let since = 0;
  new MutationObserver(() => {
    const shown = [...document.querySelectorAll(".screen, .alert")].pop();
    if (shown !== page) since = performance.now();
    page = shown;
  }).observe(document.body, { childList: true, subtree: true });
  window.addEventListener(
    "click",
    (event) => {
      // A click by a key or by a program has no detail.
      if (!event.detail) return;
      // Not a number before the first press.
      const moved = Math.hypot(event.screenX - last?.screenX!, event.screenY - last?.screenY!);
      const near = (event as PointerEvent).pointerType === "mouse" ? NEAR_MOUSE_PX : NEAR_PX;
      if (event.timeStamp - since < UNSEEN_MS && moved < near) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
      last = event;
    },
    true,
  );
}

/** Returns where on the screen the last press was. After the widget has closed, the bridge ignores another one there. */
export const lastPress = (): [x: number, y: number] | undefined => last && [last.screenX, last.screenY];
