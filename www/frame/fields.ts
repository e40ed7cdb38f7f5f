/** What only pages with fields need. Loaded with the deferred chunk. */

/** What was typed into the fields of a page, but secrets, by the title of the page. */
export type Typed = [page: string | undefined, fields: [id: string, value: string][]];

/**
 * Watches this page. `release` draws what has changed while a button was held. `typed` is what was typed before the files were
 * lost.
 */
export function watchFields(
  release: () => void,
  typed?: Typed,
): { isHeld: () => boolean; takeTyped: () => Typed; fillIn: (typed: Typed) => void } {
  surviveForeignNodes();
  if (typed) fillIn(typed);
  return { isHeld: holdButtons(release), takeTyped, fillIn };
}

/** How long after the end of a press its click may come: on a touch screen, the browser makes it from other events. */
const CLICK_MS = 50;
/** No press takes longer. Then it has ended where the page does not see it. */
const HELD_MS = 5_000;
/** A pointer that moves less has not left the button. The button has moved. */
const STILL_PX = 4;

/**
 * Lets each press count for the button on which it began: nothing is drawn while a button is held. For example, a hint that
 * disappears when a field loses the focus would move the button away from the pointer, and the browser would make no click.
 *
 * Returns whether a button is held. A caller that reads true does not draw, and `release` is called when the press has ended.
 */
function holdButtons(release: () => void): () => boolean {
  let held: HTMLElement | null = null;
  let waits = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from: PointerEvent | undefined;
  const on = (type: string, listener: (event: PointerEvent) => void): void =>
    window.addEventListener(type, listener as EventListener, true);
  const endIn = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      held = null;
      if (waits) release();
      waits = false;
    }, ms);
  };
  on("pointerdown", (event) => {
    held = event.button ? null : (event.target as Element).closest<HTMLElement>("button, label, a");
    from = event;
    endIn(HELD_MS);
  });
  on("pointerup", (event) => {
    // The press began before this, or elsewhere.
    if (!from) return;
    const moved = Math.hypot(event.screenX - from.screenX, event.screenY - from.screenY);
    // The page has moved all the same, for example because the keyboard went away.
    if (held?.isConnected && !held.contains(event.target as Node) && moved < STILL_PX) held.click();
    endIn(CLICK_MS);
  });
  on("pointercancel", () => endIn(0));
  on("click", ({ detail }) => detail && endIn(0));
  return () => (waits = !!held);
}

/**
 * Lets the program insert next to an element that a translator or password manager has wrapped or removed, and remove one that
 * was moved. Without this, either would stop the program.
 */
function surviveForeignNodes(): void {
  const { insertBefore } = Node.prototype;
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    while (before && before.parentNode !== this) before = before.parentNode;
    return insertBefore.call(this, node, before) as T;
  };
  Node.prototype.removeChild = function <T extends Node>(child: T): T {
    (child as unknown as ChildNode).remove();
    return child;
  };
}

const title = (): string | undefined => document.querySelector("form h1")?.textContent?.trim();

function takeTyped(): Typed {
  const fields = [...document.querySelectorAll<HTMLInputElement>("form .input:not([data-secret])")];
  return [title(), fields.map(({ id, value }) => [id, value])];
}

/** Fills in what was typed when a restarted program shows the same page. */
function fillIn([page, fields]: Typed): void {
  const old = document.querySelector("form");
  const observer = new MutationObserver(() => {
    if (title() !== page || document.querySelector("form") === old) return;
    for (const [id, value] of fields) {
      const field = document.getElementById(id) as HTMLInputElement | null;
      if (!field) continue;
      field.value = value;
      field.dispatchEvent(new Event(field.localName === "select" ? "change" : "input", { bubbles: true }));
    }
    observer.disconnect();
  });
  if (page) observer.observe(document.body, { childList: true, subtree: true });
}
