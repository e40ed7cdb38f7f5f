/**
 * # Where to start
 *
 * `useLinchpinLink` (use-linchpin-link.ts) creates the modal of `@linchpin/link` when the component is mounted, and removes it
 * when it is unmounted. `LinchpinLink` (linchpin-link.ts) is a button that opens it.
 */
export { LinkError, type LinkErrorCause, type OpenOptions, type UserToken } from "@linchpin/link";
export type {
  AccountErrorSubject,
  AccountSubject,
  Closed,
  LinkCallbacks,
  UiEvent,
  UiEventName,
  UploadsSubject,
} from "@linchpin/link";
export { LinchpinLink, type LinchpinLinkProps } from "./linchpin-link";
export { type LinchpinLinkHandle, type LinchpinLinkOptions, useLinchpinLink } from "./use-linchpin-link";
