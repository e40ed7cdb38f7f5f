/** The wasm program: loading it, and starting it anew once when it trapped. */

import type { Callback } from "./outbox";
import type { FileFact, FileOrder } from "../generated/types";
import { glueUrl, LOAD_MS, restUrl, wasmUrl } from "./page";
import type { ToSeal } from "./session";

/** What the wasm may ask of this page. */
export interface LinkHost {
  readonly mode: string;
  /** Names this opening of the widget, a program started again included. */
  readonly opening: string;
  readonly lastSeq: number;
  /** `seal` names what of the body is sealed before it is sent. */
  request(method: string, path: string, body?: unknown, seal?: ToSeal | null): Promise<{ status: number; body: unknown }>;
  exchange(token: string, templateId: string): Promise<{ status: number; body: unknown }>;
  text(number: number, args: unknown[]): string;
  tell(key: string, callback: Callback): void;
  /** Has the script that has the files do something; what it finds comes back by `LinkModal.file`. */
  file(order: FileOrder): void;
  /** Loads the part of the program that most people never need; status 0 when it did not load. */
  rest(): Promise<{ status: number }>;
  ready(): void;
  close(reason: unknown): void;
}

/** The class that the wasm exports. */
export interface LinkModal {
  open(element: Element, token: string): void;
  setToken(token: string): void;
  requestClose(): void;
  /** Writes all texts anew: the catalogue is another one. */
  redraw(): void;
  file(fact: FileFact): void;
  destroy(): void;
}

export interface Glue {
  default(input: { module_or_path: Promise<Response> }): Promise<WebAssembly.ModuleImports>;
  LinkModal: Program["LinkModal"];
}

export interface Program {
  LinkModal: new (options: unknown, host: LinkHost) => LinkModal;
  /** Puts the rest of the program beside the first part, which calls it from then on. */
  rest(): Promise<unknown>;
}

/**
 * Loads glue and wasm. `attempt` makes the glue's address new, so that the browser evaluates a second copy with its
 * own memory: a trapped instance cannot be used again.
 */
export async function loadProgram(attempt: number): Promise<Program> {
  const address = attempt === 0 ? glueUrl : `${glueUrl}?again=${attempt}`;
  const signal = AbortSignal.timeout(LOAD_MS);
  const module_or_path = fetch(wasmUrl, { signal });
  const overdue = new Promise<never>((_, reject) => {
    signal.onabort = () => reject(new TypeError("the program did not load in time"));
  });
  const glue = (await Promise.race([import(address), overdue])) as Glue;
  const m = await glue.default({ module_or_path });
  return {
    LinkModal: glue.LinkModal,
    rest: () => WebAssembly.instantiateStreaming(fetch(restUrl, { signal: AbortSignal.timeout(LOAD_MS) }), { m }),
  };
}

/** Calls back when wasm trapped, whether in an event listener or in a promise. */
export function onTrap(trapped: (error: Error) => void): void {
  function check(error: unknown): void {
    if (error instanceof WebAssembly.RuntimeError) trapped(error);
  }
  window.addEventListener("error", (event) => check(event.error));
  window.addEventListener("unhandledrejection", (event) => check(event.reason));
}
