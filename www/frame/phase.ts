import type { OpenMessage } from "./port";
import type { LinkModal } from "./program";

/** The state of the frame. Only `running` has a program. */
export type Phase =
  /** Waits for the bridge to send the token. */
  | { name: "waiting" }
  /** Loads the program and the texts. */
  | { name: "starting"; opened: OpenMessage }
  /** Shows that a part did not load, and waits for the person to try again. */
  | { name: "failed"; opened: OpenMessage }
  /** `ordered`: this program has given an order for files. Before that, it does not understand reports on files. */
  | { name: "running"; opened: OpenMessage; modal: LinkModal; ordered: boolean }
  /** Sends nothing more, because the bridge removes the frame. */
  | { name: "over" };
