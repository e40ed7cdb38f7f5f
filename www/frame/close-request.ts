/** The requests of the person to close the widget. */

/** Listens to Escape and Android's Back. A CloseWatcher handles both, and knows the other uses of Escape. */
export function onCloseRequest(listener: () => void): void {
  if ("CloseWatcher" in window) {
    // A CloseWatcher handles one request.
    new (window.CloseWatcher as new () => { onclose: () => void })().onclose = () => {
      onCloseRequest(listener);
      listener();
    };
    return;
  }
  window.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && !needsEscape(event)) listener();
  });
}

/** Returns whether Escape has another use: to cancel a composition, or to clear a search field. */
function needsEscape({ isComposing, target }: KeyboardEvent): boolean {
  return isComposing || (target instanceof HTMLInputElement && target.type === "search" && target.value !== "");
}
