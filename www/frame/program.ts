/** The wasm program: loading it, and starting it anew once when it trapped. */

import type { Callback } from "./outbox";
import { glueUrl, wasmUrl } from "./page";
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
  ready(): void;
  close(reason: unknown): void;
}

/** The class that the wasm exports. */
export interface LinkModal {
  open(element: Element, token: string): void;
  setToken(token: string): void;
  requestClose(): void;
  destroy(): void;
}

export interface Glue {
  default(input: { module_or_path: Promise<Response> }): Promise<unknown>;
  LinkModal: new (options: unknown, host: LinkHost) => LinkModal;
}

/**
 * Loads glue and wasm. `attempt` makes the glue's address new, so that the browser evaluates a second copy with its
 * own memory: a trapped instance cannot be used again.
 */
export async function loadProgram(attempt: number): Promise<Glue> {
  const address = attempt === 0 ? glueUrl : `${glueUrl}?again=${attempt}`;
  const module_or_path = fetch(wasmUrl);
  const glue = (await import(address)) as Glue;
  await glue.default({ module_or_path });
  return glue;
}

/** Calls back when wasm trapped, whether in an event listener or in a promise. */
export function onTrap(trapped: (detail: string) => void): void {
  function check(error: unknown): void {
    if (error instanceof WebAssembly.RuntimeError) trapped(error.message);
  }
  window.addEventListener("error", (event) => check(event.error));
  window.addEventListener("unhandledrejection", (event) => check(event.reason));
}
