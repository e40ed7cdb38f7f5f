/** Functions that run in a host page. Each is self-contained, because Playwright sends its source to the browser. */

declare global {
  interface Window {
    modal: { ready: Promise<void>; state: string; open(): void; close(): void };
    modals: Window["modal"][];
    calls: [name: string, argument: Record<string, unknown>][];
    mount(): void;
    unmount(): void;
    /** Returns the number of listeners of a target by event. */
    listenersOf(target: EventTarget): string;
  }
}

/** Everything that a page could notice of the widget: names of facts and their values. */
export type Snapshot = Record<string, string>;

/** Counts the listeners that the page and the bridge add to each target. */
export function countListeners(service: string): void {
  if (location.origin === service) return;
  const targets = new WeakMap<EventTarget, Map<string, Set<unknown>>>();
  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
  const setOf = (target: EventTarget, type: string, options: unknown): Set<unknown> => {
    const capture = typeof options === "object" ? (options as { capture?: boolean } | null)?.capture : options;
    const events = targets.get(target) ?? new Map<string, Set<unknown>>();
    targets.set(target, events);
    const key = capture ? `${type} (capture)` : type;
    const listeners = events.get(key) ?? new Set();
    events.set(key, listeners);
    return listeners;
  };
  EventTarget.prototype.addEventListener = function (this: EventTarget | undefined, type, listener, options) {
    const target = this ?? window;
    add.call(target, type, listener, options);
    const { signal, once, capture } = (typeof options === "object" ? options : {}) as AddEventListenerOptions;
    if (!listener || signal?.aborted) return;
    const listeners = setOf(target, type, options);
    listeners.add(listener);
    const forget = (): void => void listeners.delete(listener);
    if (signal) add.call(signal, "abort", forget);
    if (once) add.call(target, type, forget, { once, capture: capture ?? false });
  };
  EventTarget.prototype.removeEventListener = function (this: EventTarget | undefined, type, listener, options) {
    const target = this ?? window;
    remove.call(target, type, listener, options);
    setOf(target, type, options).delete(listener);
  };
  const listenersOf = (target: EventTarget): string =>
    [...(targets.get(target) ?? [])]
      .filter(([, listeners]) => listeners.size > 0)
      .map(([event, { size }]) => `${event}: ${size}`)
      .sort()
      .join(", ");
  Object.defineProperty(window, "listenersOf", { value: listenersOf });
}

/** Describes the page without the widget's element. */
export function describePage(): Snapshot {
  const facts: Snapshot = {};
  const note = (name: string, value: unknown): void => {
    if (value !== "" && value !== undefined) facts[name] = String(value);
  };
  const isOurs = (node: Node): boolean => (node as Element).localName === "linchpin-modal";
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;

  const visit = (element: Element, at: string): void => {
    note(`${at} attributes`, [...element.attributes].map(({ name, value }) => `${name}=${value}`).sort().join(" "));
    note(`${at} state`, [":modal", ":popover-open", ":disabled", ":checked"].filter((name) => element.matches(name)).join(" "));
    note(`${at} listeners`, window.listenersOf(element));
    note(`${at} scroll`, element.scrollTop || element.scrollLeft ? `${element.scrollLeft},${element.scrollTop}` : "");
    const { x, y, width, height } = element.getBoundingClientRect();
    note(`${at} box`, [x, y, width, height].map(Math.round).join(" "));
    const style = getComputedStyle(element);
    // The focus ring depends on whether the keyboard or the pointer was used last.
    const names = [...style].filter((name) => element !== focused || !name.startsWith("outline"));
    note(`${at} style`, names.map((name) => `${name}: ${style.getPropertyValue(name)}`).join("; "));
    if (element === focused) note("focus", at);
    if (element instanceof HTMLInputElement) note(`${at} value`, element.value);
    let index = 0;
    for (const child of [...(element.shadowRoot?.childNodes ?? []), ...element.childNodes]) {
      if (isOurs(child)) continue;
      index += 1;
      if (child instanceof Element) visit(child, `${at} > ${child.localName}:${index}`);
      else note(`${at} > text:${index}`, child.textContent?.trim());
    }
  };

  visit(document.documentElement, "html");
  note("window scroll", `${scrollX},${scrollY}`);
  note("window listeners", window.listenersOf(window));
  note("document listeners", window.listenersOf(document));
  note("viewport listeners", window.listenersOf(visualViewport as EventTarget));
  note("style sheets", `${document.styleSheets.length} + ${document.adoptedStyleSheets.length}`);
  note("widgets", document.querySelectorAll("linchpin-modal").length);
  note("title", document.title);
  note("history", `${history.length} ${location.href}`);
  try {
    note("storage", `${localStorage.length} ${sessionStorage.length} ${document.cookie}`);
  } catch {
    note("storage", "blocked");
  }
  return facts;
}

/** Returns the differences between two descriptions, each as one line. */
export function differences(before: Snapshot, after: Snapshot): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [was = "", is = ""] = [before[name], after[name]];
    if (was === is) return [];
    if (!name.endsWith(" style")) return [`${name}: ${was} -> ${is}`];
    const rules = new Set(was.split("; "));
    return [`${name}: ${is.split("; ").filter((rule) => !rules.has(rule)).join("; ")}`];
  });
}
