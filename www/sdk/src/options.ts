import type {
  AccountErrorSubject,
  AccountSubject,
  Closed,
  UiEvent,
  UploadsSubject,
  WidgetOptions,
} from "../../generated/types";
import { LinkError, type LinkErrorCause } from "./link-error";

/** The nine callbacks. Each is also a property of the modal, and may be replaced at any time. */
export interface LinkCallbacks {
  onAccountCreated?(account: AccountSubject): void;
  onAccountConnected?(account: AccountSubject): void;
  onAccountRemoved?(account: AccountSubject): void;
  onAccountError?(error: AccountErrorSubject): void;
  /** Return a new link token, or a promise of one. The person then continues where they were. */
  onTokenExpired?(): void | string | PromiseLike<string | void>;
  /** `cause` is that of the last `error` event of this opening, unless the widget has been loaded again since. */
  onClose?(close: Closed & { cause?: LinkErrorCause }): void;
  onUploadsCreated?(uploads: UploadsSubject): void;
  onUploadsRemoved?(uploads: UploadsSubject): void;
  onUIEvent?(event: UiEvent): void;
}

export interface LinkOptions extends WidgetOptions, LinkCallbacks {
  /** The link token that your server got from `POST /users` or `POST /tokens`. */
  userToken: string;
  /** An element that shows the widget, instead of a dialog. Without a height, it gets 640 px. */
  container?: Element | null;
}

export type CallbackName = keyof LinkCallbacks;

/** The options that the widget gets, and validates. */
const NAMES: (keyof WidgetOptions)[] = [
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
];

/** Returns whether a value may be a token or the id of a link template. */
export const isWord = (value: unknown): boolean => typeof value === "string" && /^[^"\s]+$/.test(value);

/** Sets the options of the modal. Throws a LinkError if a required one is missing or wrong. */
export function takeOptions(modal: LinkOptions, options: LinkOptions): void {
  // help.ts warns of names that are not options. Those of methods are ignored, but a subclass may define callbacks.
  for (const name in options) {
    if (/^on./.test(name) || !(name in modal)) modal[name as keyof LinkOptions] = options[name as keyof LinkOptions] as never;
  }
  checkOptions(modal);
}

/** Throws a LinkError that names each required option that is missing or wrong. */
export function checkOptions(modal: LinkOptions): void {
  const wrong = (["userToken", "templateId"] as const).filter((name) => !isWord(modal[name]));
  if (wrong[0]) throw new LinkError("options", `LinkModal: check ${wrong}`);
}

/** Returns the options for the widget. */
export function widgetOptions(modal: LinkOptions): WidgetOptions {
  return Object.fromEntries(NAMES.map((name) => [name, portable(modal[name])])) as unknown as WidgetOptions;
}

/** Returns a value that the port can copy: no function, and no proxy of a framework. An object is wrong for every option. */
function portable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(portable);
  return value == null || typeof value === "string" || typeof value === "boolean" ? value : {};
}
