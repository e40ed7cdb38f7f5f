/**
 * Receives files that a person chooses, drops or pastes. The page's drop zones have a `data-slot` attribute. All listeners
 * are on the document, so that the program only draws plain elements.
 */

import type { FileSlot } from "../../generated/types";

export interface Pick {
  file: File;
  slot: FileSlot;
  /** Whether the person took it with the camera just now. */
  fromCamera: boolean;
}

export function listen(take: (picks: Pick[]) => void, signal: AbortSignal): void {
  const on = <K extends keyof DocumentEventMap>(type: K, listener: (event: DocumentEventMap[K]) => void): void =>
    document.addEventListener(type, listener, { signal });
  const give = (files: FileList | undefined, target: EventTarget | null): boolean => {
    const zone = zoneOf(target);
    if (!zone || !files?.length) return false;
    const slot = zone.dataset["slot"] as FileSlot;
    const fromCamera = target instanceof HTMLInputElement && target.hasAttribute("capture");
    take([...files].map((file) => ({ file, slot, fromCamera })));
    return true;
  };

  on("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== "file") return;
    give(target.files ?? undefined, target);
    // Lets the person choose the same file again after removing it.
    target.value = "";
  });
  on("paste", (event) => {
    if (give(event.clipboardData?.files, event.target)) event.preventDefault();
  });
  // On the whole page, because a browser navigates to a dropped file if the page does not handle it.
  on("dragover", (event) => {
    event.preventDefault();
    mark(zoneOf(event.target));
  });
  on("dragleave", (event) => {
    if (event.relatedTarget === null) mark(null);
  });
  on("drop", (event) => {
    event.preventDefault();
    mark(null);
    give(event.dataTransfer?.files, event.target);
  });
}

/** Returns the drop zone at the target, or the first on the page. */
function zoneOf(target: EventTarget | null): HTMLElement | null {
  const at = target instanceof Element ? target.closest<HTMLElement>("[data-slot]") : null;
  return at ?? document.querySelector<HTMLElement>("[data-slot]");
}

function mark(over: HTMLElement | null): void {
  for (const zone of document.querySelectorAll<HTMLElement>("[data-slot]")) zone.toggleAttribute("data-over", zone === over);
}
