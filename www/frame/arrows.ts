/** Moves the focus by arrow keys: from the search box into the list, and between its rows. */

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

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
