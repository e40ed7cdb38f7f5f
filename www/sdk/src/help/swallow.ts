/** Keeps from the page what the person still presses when the modal has closed. */

/** Two clicks of a double click are not farther apart, in time and space. */
const CLICK_MS = 500;
const NEAR_PX = 24;

/**
 * `at`: the press that closed the modal, if it was a press: where it was on the screen, or its click. A click by a key has no
 * place, and what closed the modal may have been another event.
 */
export function swallow(at?: unknown): void {
  if (Array.isArray(at)) swallowClick(at as [number, number]);
  else if (at instanceof MouseEvent && at.detail) swallowClick([at.screenX, at.screenY]);
  swallowKey();
}

/** Swallows the second click of a double click, which hits what is below the modal. */
function swallowClick([x, y]: [number, number]): void {
  for (const type of ["pointerdown", "mousedown", "touchstart", "pointerup", "mouseup", "touchend", "click"] as const) {
    addEventListener(
      type,
      (event) => {
        const { screenX, screenY } = "changedTouches" in event ? event.changedTouches[0]! : event;
        if (Math.hypot(screenX - x, screenY - y) < NEAR_PX) stop(event);
      },
      { capture: true, signal: AbortSignal.timeout(CLICK_MS) },
    );
  }
}

/** The longest time until a key that is held repeats, which systems let people choose. */
const MAX_REPEAT_MS = 2100;

/** Ends with the next key, or when no key is held. */
let held = new AbortController();

/**
 * Swallows what comes of the key that closed the modal: its repetitions, because Enter would press the button that has opened
 * it, which has the focus again, and Escape would close a dialog of the page; also the end of Escape.
 */
function swallowKey(): void {
  held.abort();
  const here = (held = new AbortController());
  const { signal } = here;
  setTimeout(() => here.abort(), MAX_REPEAT_MS);
  const onKey = (event: KeyboardEvent): void => {
    if (!event.repeat) return here.abort();
    stop(event);
    swallowKey();
  };
  addEventListener("keydown", onKey, { capture: true, signal });
  addEventListener(
    "keyup",
    (event) => {
      if (event.key === "Escape") event.stopImmediatePropagation();
      here.abort();
    },
    { capture: true, signal },
  );
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
