import type { LinkMistake, LoadFailure } from "../../generated/host";

/** What is wrong. Branch on this, never on the message. */
export type LinkErrorCause = LoadFailure | LinkMistake;

/** The error that `new LinkModal` throws, `ready` rejects with and `error` listeners receive. */
export class LinkError extends Error {
  override readonly name = "LinkError";
  declare readonly cause: LinkErrorCause;

  constructor(cause: LinkErrorCause, message?: string) {
    super(message || cause, { cause });
  }
}
