/** The messages on the port, from types defined in Rust. A message has exactly one property. */
import type { FrameMessage as Message } from "../../generated/host";

export type { Closed, HostMessage, LoadFailure } from "../../generated/host";

type KeyOf<Union> = Union extends unknown ? keyof Union : never;

/** Converts the union to one object with optional properties, so that a message can be destructured. */
type Taken<Union> = { [Key in KeyOf<Union>]?: Extract<Union, Record<Key, unknown>>[Key] };

/**
 * A message from the frame. `restored` is set when the page returns from the back/forward cache and the frame must load
 * again. `at` comes with `close` if a press closed the widget: where it was on the screen.
 */
export type FrameMessage = Taken<Message> & { restored?: object; at?: [x: number, y: number] };
