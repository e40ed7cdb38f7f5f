import type {
  AccountErrorSubject,
  AccountSubject,
  Closed,
  UiEvent,
  UploadsSubject,
  WidgetOptions,
} from "../../generated/types";
import { LinkError } from "./link-error";

/** The nine callbacks. Each is also a property of the modal, and may be replaced at any time. */
export interface LinkCallbacks {
  onAccountCreated?(account: AccountSubject): void;
  onAccountConnected?(account: AccountSubject): void;
  onAccountRemoved?(account: AccountSubject): void;
  onAccountError?(error: AccountErrorSubject): void;
  /** Return a new link token, or a promise of one. The person then continues where they were. */
  onTokenExpired?(): void | string | PromiseLike<string | void>;
  onClose?(close: Closed): void;
  onUploadsCreated?(uploads: UploadsSubject): void;
  onUploadsRemoved?(uploads: UploadsSubject): void;
  onUIEvent?(event: UiEvent): void;
}

export interface LinkOptions extends WidgetOptions, LinkCallbacks {
  /** The link token that your server got from `POST /users` or `POST /tokens`. */
  userToken: string;
  /** An element that shows the widget, instead of a dialog. */
  container?: Element;
}

export type CallbackName = keyof LinkCallbacks;

type Name = keyof LinkOptions;

/** All options. The first stays on the page, the second is sent separately, and the second and third are required. */
const OPTIONS: Name[] = [
  "container",
  "userToken",
  "templateId",
  "providers",
  "topProviders",
  "enableSearchBar",
  "enableTypeBar",
  "enableUpload",
  "enableConsentPage",
  "companyName",
  "locale",
  "theme",
  "providerId",
  "accountId",
  "onAccountCreated",
  "onAccountConnected",
  "onAccountRemoved",
  "onAccountError",
  "onTokenExpired",
  "onClose",
  "onUploadsCreated",
  "onUploadsRemoved",
  "onUIEvent",
];

/** Sets the options of the modal. Checks only their names and the required ones; the widget validates the values. */
export function takeOptions(modal: LinkOptions, options: LinkOptions): void {
  for (const name in options) {
    if (OPTIONS.includes(name as Name)) modal[name as Name] = options[name as Name] as never;
    else console.warn(`LinkModal: unknown option ${name}`);
  }
  for (const name of OPTIONS.slice(1, 3)) {
    if (typeof (modal[name] || 0) !== "string") throw new LinkError("options", `LinkModal needs ${name}, a string`);
  }
}

/** Returns the options for the widget. JSON omits the callbacks. */
export function widgetOptions(modal: LinkOptions): WidgetOptions {
  return JSON.parse(JSON.stringify(modal, OPTIONS.slice(2)));
}
