/** Keeps the focused field visible above the on-screen keyboard. */

/** With less height than this, the whole card scrolls instead of its content. */
const TIGHT_PX = 420;

/** Applies the height of the frame's part that the keyboard covers, and scrolls to the focused field. */
export function applyInset(bottom: number): void {
  const root = document.documentElement;
  root.style.setProperty("--inset-bottom", `${bottom}px`);
  root.toggleAttribute("data-tight", innerHeight - bottom < TIGHT_PX && bottom > 0);
  const focused = document.activeElement;
  (focused?.closest(".field") ?? focused)?.scrollIntoView({ block: "nearest" });
}
