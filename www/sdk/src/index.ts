/**
 * # Where to start
 *
 * `LinkModal` (link-modal.ts) is the complete public interface. It owns everything on the host page: `Shell` (shell.ts) is
 * the dialog and `Frame` (frame.ts) is the port to the frame. options.ts defines the options, and protocol.ts the messages
 * on the port. help.ts is a script that loads later (ADR 200). v1.ts and v2.ts are the entry points of the scripts. This file
 * is the ES module; importing it has no side effects.
 */
import { scriptAddress } from "./address";
import { LinkModal } from "./link-modal";

LinkModal.script = scriptAddress(import.meta.url);

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
} from "../../generated/host";
