import type { LinkError, LinkErrorCause } from "./link-error";
import type { LinkOptions } from "./options";

/** Reports an error to the host page. */
export type Fail = (cause: LinkErrorCause, message: string) => void;

/** The parts of the bridge's dialog. */
export interface Parts {
  dialog: HTMLDialogElement;
  frame: HTMLElement | undefined;
  /** What covers the frame, if anything: an output, then a button to try again if something failed, then one to close. */
  cover: HTMLElement | undefined;
}

/** The script with what the bridge needs only if something takes long or fails (help.ts). */
export interface Help {
  screen(parts: Parts, options: LinkOptions, cause?: string): void;
  report(error: LinkError): void;
  swallow(at?: unknown): void;
  awaitToken(modal: LinkOptions, userToken: string, fail: Fail): void;
}
