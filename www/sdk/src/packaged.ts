/** What the bridge has only in `@linchpin/link`, whose class extends it (`www/packages/link`, ADR 238). */
import type { Frame } from "./frame";

/** What the bridge needs of the package's class. */
export interface Packaged {
  /** The address of the service's script, to which the bridge's other addresses are relative. */
  readonly script: string;
  /** Requests the token of an opening, and passes it to `setToken`. `fail` gets why there is none. */
  requestToken(fail: (message: string) => void): void;
}

/** Created on use, so that nothing of it is left in the scripts of the service. */
let greeted: WeakSet<Frame> | undefined;

/** Notes that a frame has responded, so that it can be shown when the token comes. */
export function greet(frame: Frame): void {
  (greeted ??= new WeakSet()).add(frame);
}

/** Returns whether the frame has responded. */
export const isGreeted = (frame: Frame | undefined): boolean => !!frame && !!greeted?.has(frame);

/** Returns a modal of the package's class. */
export const asPackaged = (modal: object): Packaged => modal as Packaged;
