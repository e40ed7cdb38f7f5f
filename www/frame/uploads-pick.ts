/**
 * Files that a person chooses, drops or pastes. The page's drop zones carry `data-slot`; everything is heard on the
 * document, so that the program draws plain elements and none of the listening is part of it.
 */

import type { FileSlot } from "../generated/types";

export interface Pick {
  file: File;
  slot: FileSlot;
}

export function listen(take: (picks: Pick[]) => void, signal: AbortSignal): void {
  const on = <K extends keyof DocumentEventMap>(type: K, heard: (event: DocumentEventMap[K]) => void): void =>
    document.addEventListener(type, heard, { signal });
  const give = (files: FileList | undefined, target: EventTarget | null): boolean => {
    const zone = zoneOf(target);
    if (!zone || !files?.length) return false;
    const slot = zone.dataset["slot"] as FileSlot;
    take([...files].map((file) => ({ file, slot })));
    return true;
  };

  on("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== "file") return;
    give(target.files ?? undefined, target);
    // The same file may be chosen again, after it was removed.
    target.value = "";
  });
  on("paste", (event) => {
    if (give(event.clipboardData?.files, event.target)) event.preventDefault();
  });
  // Dropped anywhere: a browser would leave the page for a file that nobody takes.
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

/** The zone at the place, or the page's first. */
function zoneOf(target: EventTarget | null): HTMLElement | null {
  const at = target instanceof Element ? target.closest<HTMLElement>("[data-slot]") : null;
  return at ?? document.querySelector<HTMLElement>("[data-slot]");
}

function mark(over: HTMLElement | null): void {
  for (const zone of document.querySelectorAll<HTMLElement>("[data-slot]")) zone.toggleAttribute("data-over", zone === over);
}
