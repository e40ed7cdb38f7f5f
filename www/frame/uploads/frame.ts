/**
 * The frame to crop a photo. The program draws the photo and a slider for each edge (`data-edge`); the frame follows the
 * sliders, and a finger or mouse on the photo moves the nearest edges.
 */

import { type Part, WHOLE } from "./edit";

type Edge = keyof Part;

/** The least distance between two opposite edges, in percent. */
const MIN_DISTANCE = 10;
/** How near to an edge a pointer moves it, in percent. */
const NEAR = 25;
const EDGES: Edge[] = ["left", "top", "right", "bottom"];
const OPPOSITE: Record<Edge, Edge> = { left: "right", top: "bottom", right: "left", bottom: "top" };

export function listenToFrame(signal: AbortSignal): void {
  let held: Edge[] = [];
  const on = <K extends keyof DocumentEventMap>(type: K, listener: (event: DocumentEventMap[K]) => void): void =>
    document.addEventListener(type, listener, { signal });

  on("input", ({ target }) => {
    const edge = target instanceof HTMLInputElement ? (target.dataset["edge"] as Edge | undefined) : undefined;
    if (edge) move(edge, value(edge));
  });
  on("pointerdown", (event) => {
    const stage = stageOf(event.target);
    if (!stage) return;
    const at = position(stage, event);
    held = EDGES.filter((edge) => Math.abs(value(edge) - at[edge]) <= NEAR && isNearer(edge, at[edge]));
    if (held.length === 0) return;
    event.preventDefault();
    stage.setPointerCapture(event.pointerId);
  });
  on("pointermove", (event) => {
    const stage = held.length === 0 ? null : stageOf(event.target);
    if (!stage) return;
    const at = position(stage, event);
    for (const edge of held) move(edge, at[edge]);
  });
  for (const type of ["pointerup", "pointercancel"] as const) on(type, () => (held = []));
}

/** Returns the part inside of the frame, or the whole photo without a frame. */
export function initialFrame(): Part {
  if (!slider("left")) return WHOLE;
  return { left: value("left") / 100, top: value("top") / 100, right: value("right") / 100, bottom: value("bottom") / 100 };
}

function slider(edge: Edge): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>(`[data-edge="${edge}"]`);
}

function value(edge: Edge): number {
  return slider(edge)?.valueAsNumber ?? 0;
}

/** Returns whether an edge is nearer to a position than the opposite edge. */
function isNearer(edge: Edge, at: number): boolean {
  return Math.abs(value(edge) - at) <= Math.abs(value(OPPOSITE[edge]) - at);
}

function move(edge: Edge, to: number): void {
  const other = value(OPPOSITE[edge]);
  const isFirst = edge === "left" || edge === "top";
  const at = isFirst ? Math.max(0, Math.min(to, other - MIN_DISTANCE)) : Math.min(100, Math.max(to, other + MIN_DISTANCE));
  const input = slider(edge);
  if (!input) return;
  input.valueAsNumber = at;
  input.closest<HTMLElement>(".photo")?.style.setProperty(`--${edge}`, `${at}%`);
}

function stageOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(".photo[data-framed] .photo-stage") : null;
}

/** Returns where a pointer is, in percent of the photo, for each edge. */
function position(stage: HTMLElement, { clientX, clientY }: PointerEvent): Record<Edge, number> {
  const box = stage.getBoundingClientRect();
  const across = ((clientX - box.left) / box.width) * 100;
  const down = ((clientY - box.top) / box.height) * 100;
  return { left: across, top: down, right: across, bottom: down };
}
