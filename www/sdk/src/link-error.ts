import type { LoadFailure } from "../../generated/types";

/** Why a modal could not be built, opened or loaded. Branch on this, never on the message. */
export type LinkErrorCause = LoadFailure;

/** What `new LinkModal` throws, what `ready` rejects with and what the `error` listeners get. */
export class LinkError extends Error {
  override readonly name = "LinkError";
  declare readonly cause: LinkErrorCause;

  constructor(cause: LinkErrorCause, message: string) {
    super(message, { cause });
  }
}
