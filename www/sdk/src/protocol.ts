/** What goes over the port, from the types that Rust defines. Exactly one property of a message is there. */
import type { FrameMessage as Message } from "../../generated/types";

export type { CloseReason, HostMessage, LoadFailure } from "../../generated/types";

type KeyOf<Union> = Union extends unknown ? keyof Union : never;

/** The union as one object, so that a message can be taken apart by what it may hold. */
type Taken<Union> = { [Key in KeyOf<Union>]?: Extract<Union, Record<Key, unknown>>[Key] };

/** What a frame says. */
export type FrameMessage = Taken<Message>;
