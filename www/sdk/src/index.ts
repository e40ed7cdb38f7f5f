/**
 * # Where to start
 *
 * `LinkModal` (link-modal.ts) is the whole public surface. It owns what belongs to the host page: `Shell` (shell.ts) is
 * the dialog, `Frame` (frame.ts) the port to the frame, options.ts what a caller may pass, protocol.ts what goes
 * over the port. v1.ts and v2.ts are the script addresses, this file is the ES module: importing it does nothing.
 */
import { LinkModal } from "./link-modal";

LinkModal.script = import.meta.url;

export { LinkError, type LinkErrorCause } from "./link-error";
export { LinkModal, type LinkEvent, type LinkState } from "./link-modal";
export type { LinkCallbacks, LinkOptions } from "./options";
export type {
  AccountErrorSubject,
  AccountSubject,
  Closed,
  CloseReason,
  UiEvent,
  UiEventName,
  Upload,
  UploadsSubject,
  WidgetOptions,
} from "../../generated/types";
