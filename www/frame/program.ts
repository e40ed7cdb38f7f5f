/** Loads the wasm program, and detects its traps. */

import type { Callback } from "./outbox";
import type { Closed, FileFact, FileOrder } from "../generated/types";
import { lazy } from "./lazy";
import { chunkUrl, glueUrl, LOAD_MS, wasmUrl } from "./page";
import { importServed, requireServed } from "./served";
import type { Reply, ToSeal } from "./session";

/** The functions that this page provides to the wasm. */
export interface LinkHost {
  readonly mode: string;
  /** Whether the device is operated by touch, as phones are. */
  readonly isTouch: boolean;
  /** Identifies this opening of the widget. A restarted program has the same one. */
  readonly opening: string;
  readonly lastSeq: number;
  /** Sends a request. `seal` describes the part of the body to encrypt first. */
  request(method: string, path: string, body?: unknown, seal?: ToSeal | null): Promise<{ status: number; body: unknown }>;
  exchange(token: string, templateId: string): Promise<{ status: number; body: unknown }>;
  text(number: number, args: unknown[]): string;
  tell(key: string, callback: Callback): void;
  /** Sends an order to the upload script, which reports through `LinkModal.file`. */
  file(order: FileOrder): void;
  /** Loads the deferred chunk. Returns the status, which is 0 if there was no response. */
  loadChunk(): Promise<{ status: number }>;
  /** Moves the focus to a new page. On the page that boot.ts drew first, it stays where the person left it. */
  focus(element: HTMLElement): void;
  /** Scrolls to the notice of the page. */
  showNotice(): void;
  /** Whether a button is held down. The program draws when it is released: this page calls `redraw`. */
  isHeld(): boolean | undefined;
  ready(): void;
  close(closed: Closed): void;
}

/** The class that the wasm exports. */
export interface LinkModal {
  /** `exchanged` is the response to the exchange of the token, if it came while the program loaded. */
  open(element: Element, token: string, exchanged?: Reply | void): void;
  setToken(token: string): void;
  requestClose(): void;
  /** Redraws all texts after the catalogue has changed. */
  redraw(): void;
  file(fact: FileFact): void;
}

export interface Glue {
  default(input: { module_or_path: WebAssembly.Module }): Promise<WebAssembly.ModuleImports>;
  LinkModal: Program["LinkModal"];
}

export interface Program {
  LinkModal: new (options: unknown, host: LinkHost) => LinkModal;
  /** Loads the deferred chunk, which the first part can call from then on. */
  loadChunk(): Promise<unknown>;
}

/** The loaded and compiled program. Instantiates it on the first call. */
export type Instantiate = () => Promise<Program>;

/**
 * Loads glue and wasm. `attempt` changes the glue's URL, so that the browser evaluates a second copy with separate memory.
 * A trapped instance cannot be used again.
 */
export async function loadProgram(attempt: number): Promise<Instantiate> {
  const address = attempt === 0 ? glueUrl : `${glueUrl}?again=${attempt}`;
  const signal = AbortSignal.timeout(LOAD_MS);
  const compiled = WebAssembly.compileStreaming(fetch(wasmUrl, { signal }).then(requireServed));
  // Reported below, when the glue has loaded.
  compiled.catch(() => undefined);
  const overdue = new Promise<never>((_, reject) => {
    signal.onabort = () => reject(new TypeError("Loading timed out"));
  });
  const glue = (await Promise.race([importServed(address), overdue])) as Glue;
  const module_or_path = await compiled;
  let program: Promise<Program> | undefined;
  return () => (program ??= instantiate(glue, module_or_path));
}

async function instantiate(glue: Glue, module_or_path: WebAssembly.Module): Promise<Program> {
  const m = await glue.default({ module_or_path });
  const load = (url: string, signal: AbortSignal): Promise<unknown> =>
    WebAssembly.instantiateStreaming(fetch(url, { signal }).then(requireServed), { m });
  return { LinkModal: glue.LinkModal, loadChunk: lazy(chunkUrl, load) };
}

/** Calls `trapped` if the wasm traps, in an event listener or in a promise. */
export function onTrap(trapped: (error: Error) => void): void {
  function check(error: unknown): void {
    if (error instanceof WebAssembly.RuntimeError) trapped(error);
  }
  window.addEventListener("error", (event) => check(event.error));
  window.addEventListener("unhandledrejection", (event) => check(event.reason));
}
