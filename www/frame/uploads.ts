/**
 * The files of an upload, and the recording of a challenge (uploads/recording.ts). Imported when a page first needs it. Inspects
 * the files that the person picks, sends them when ordered to, and reports what happened. The link flow makes all
 * decisions: what to reject, when to retry, when to pause. It refers to files by handle. Their bytes are only here, and
 * nothing is stored on the device.
 */

import type { FileFact, FileOrder } from "../generated/types";
import { Recording } from "./uploads/recording";
import { crop, type Edit, turn, UNEDITED } from "./uploads/edit";
import { initialFrame, listenToFrame } from "./uploads/frame";
import { type Inspection, inspect } from "./uploads/inspect";
import { type Pick, listen } from "./uploads/pick";
import { type Lender, Transfer } from "./uploads/tus";

/** Services of boot.ts: access to the service, and a receiver of reports. */
export interface UploadHost extends Lender {
  report(fact: FileFact): void;
}

interface Held {
  pick: Pick;
  edit: Edit;
  inspection?: Inspection;
  transfer?: Transfer;
}

export class Uploads {
  readonly #host: UploadHost;
  readonly #held = new Map<number, Held>();
  readonly #recording = new Recording((fact) => this.#host.report(fact));
  #unlisten: (() => void) | null = null;
  #lastHandle = 0;
  /** The inspection of all files so far: one after the other, because a cheap phone has no memory for ten decoded photos. */
  #inspected: Promise<void> = Promise.resolve();

  constructor(host: UploadHost) {
    this.#host = host;
  }

  order(order: FileOrder): void {
    if ("open" in order) this.#open();
    else if ("close" in order) this.#close();
    else if ("send" in order) this.#transfer(order.send.handle).send(order.send, this.#held.get(order.send.handle));
    else if ("turn" in order) this.#edit(order.turn.handle, turn);
    else if ("crop" in order) this.#edit(order.crop.handle, (edit) => crop(edit, initialFrame()));
    else if ("play" in order) this.#recording.play(order.play.recording);
    else if ("prepare" in order || "silence" in order) this.#recording.stop();
    else if ("stop" in order) this.#transfer(order.stop.handle).stop();
    else this.#drop(order.drop.handle, order.drop.fileId ?? null);
  }

  /** Reports all files again, because a restarted program does not know their handles. */
  #open(): void {
    addStyles();
    this.#unlisten ??= this.#listen();
    this.#reportConnection();
    for (const [handle, held] of this.#held) {
      held.transfer?.stop();
      this.#reportPicked(handle, held.pick);
      if (held.inspection) this.#reportInspected(handle, held.inspection);
    }
  }

  #close(): void {
    this.#unlisten?.();
    this.#unlisten = null;
    for (const { transfer, inspection } of this.#held.values()) {
      transfer?.stop();
      forget(inspection);
    }
    this.#held.clear();
  }

  #drop(handle: number, fileId: string | null): void {
    this.#transfer(handle).drop(fileId, () => {
      forget(this.#held.get(handle)?.inspection);
      this.#held.delete(handle);
    });
  }

  /** Returns the transfer of a file. A file that only the service has gets a temporary one, to delete it. */
  #transfer(handle: number): Transfer {
    const held = this.#held.get(handle);
    const transfer = held?.transfer ?? new Transfer(handle, this.#host, (fact) => this.#host.report(fact));
    if (held) held.transfer = transfer;
    return transfer;
  }

  #listen(): () => void {
    const stop = new AbortController();
    listen((picks) => this.#take(picks), stop.signal);
    listenToFrame(stop.signal);
    for (const event of ["online", "offline"]) {
      window.addEventListener(event, () => this.#reportConnection(), { signal: stop.signal });
    }
    return () => stop.abort();
  }

  #take(picks: Pick[]): void {
    this.#host.report({ chosen: { count: picks.length } });
    const taken = picks.map((pick): [number, Held] => [(this.#lastHandle += 1), { pick, edit: UNEDITED }]);
    for (const [handle, held] of taken) {
      this.#held.set(handle, held);
      this.#reportPicked(handle, held.pick);
    }
    for (const [handle, held] of taken) this.#inspectNext(handle, held);
  }

  #inspectNext(handle: number, held: Held): void {
    // If the program traps at a report, boot.ts must know it, and the next file is inspected all the same.
    this.#inspected = this.#inspected.then(() => this.#inspect(handle, held)).catch(reportError);
  }

  async #inspect(handle: number, held: Held): Promise<void> {
    if (this.#held.get(handle) !== held) return;
    const inspection = await inspect(held.pick.file, held.edit);
    if (this.#held.get(handle) !== held) return forget(inspection);
    // The program draws the new pictures when it has the report.
    const before = held.inspection;
    held.inspection = inspection;
    this.#reportInspected(handle, inspection);
    forget(before);
  }

  /** Changes a photo, always from the file that the person chose, so that its quality does not suffer. */
  #edit(handle: number, change: (edit: Edit) => Edit): void {
    const held = this.#held.get(handle);
    if (!held) return;
    held.edit = change(held.edit);
    this.#inspectNext(handle, held);
  }

  #reportPicked(handle: number, { file, slot, fromCamera }: Pick): void {
    this.#host.report({ picked: { handle, slot, name: file.name, sizeBytes: clamp(file.size), fromCamera } });
  }

  #reportInspected(handle: number, { blob, ...seen }: Inspection): void {
    this.#host.report({ inspected: { handle, sizeBytes: clamp(blob.size), ...seen, pixels: seen.pixels === null ? null : clamp(seen.pixels) } });
  }

  #reportConnection(): void {
    const { connection, onLine } = navigator as Navigator & { connection?: { saveData?: boolean } };
    this.#host.report({ connection: { online: onLine, saveData: connection?.saveData === true } });
  }
}

/** Frees the pictures of an inspection. */
function forget(inspection: Inspection | undefined): void {
  for (const url of [inspection?.preview, inspection?.photo?.view]) if (url) URL.revokeObjectURL(url);
}

/** Adds the styles for files, which are not in the page's style sheet. */
function addStyles(): void {
  const href = document.querySelector<HTMLMetaElement>('meta[name="linchpin-uploads-styles"]')?.content ?? "";
  if (href === "" || document.querySelector(`link[href="${href}"]`)) return;
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
}

/** Limits a number to 32 bits, as the program receives it. */
function clamp(number: number): number {
  return Math.min(number, 0xffff_ffff);
}
