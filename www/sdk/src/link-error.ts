import type { LoadFailure } from "../../generated/types";

/** Why a modal could not be created, opened or loaded. Branch on this, never on the message. */
export type LinkErrorCause = LoadFailure;

/** The error that `new LinkModal` throws, `ready` rejects with and `error` listeners receive. */
export class LinkError extends Error {
  override readonly name = "LinkError";
  declare readonly cause: LinkErrorCause;

  constructor(cause: LinkErrorCause, message: string) {
    super(message, { cause });
  }
}
