/// <reference path="../../../sdk/src/browser.d.ts" />
/// <reference path="../../../sdk/src/build.d.ts" />
/**
 * # Where to start
 *
 * `LinkModal` (link-modal.ts) opens the widget. It extends the bridge of `www/sdk`, which this package contains (ADR 238).
 * `loadLinchpin` (load.ts) loads the bridge from the service instead, for pages that want the newest one. Importing this file
 * has no side effects and needs no browser.
 */
export { LinkError, type LinkErrorCause } from "../../../sdk/src/link-error";
export type { LinkEvent, LinkState } from "../../../sdk/src/link-modal";
export type { LinkCallbacks, LinkListeners, LinkOptions } from "../../../sdk/src/options";
export { LinkModal, type LinkModalOptions, type OpenOptions, type UserToken } from "./link-modal";
export { loadLinchpin, type LoadOptions, type ServedLinkModal } from "./load";
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
} from "../../../generated/host";
