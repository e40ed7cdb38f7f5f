import type {
  AccountErrorSubject,
  AccountSubject,
  Callback,
  Closed,
  UiEvent,
  UploadsSubject,
  WidgetOptions,
} from "../../generated/host";
import { LinkError, type LinkErrorCause } from "./link-error";

/** The nine callbacks. Each is also a property of the modal, and may be replaced at any time. */
export interface LinkCallbacks {
  /** The person has submitted a login: linking began. */
  onAccountCreated?(account: AccountSubject): void;
  /** The account is linked. Its data follows. */
  onAccountConnected?(account: AccountSubject): void;
  /** The person has revoked the access to an account. */
  onAccountRemoved?(account: AccountSubject): void;
  /** A try to link the account has failed. The person may try again. */
  onAccountError?(error: AccountErrorSubject): void;
  /** Return a new link token, or a promise of one. The person then continues where they were. */
  onTokenExpired?(): void | string | PromiseLike<string | void>;
  /** `cause` is that of the last `error` event of this opening, unless the widget has been loaded again since. */
  onClose?(close: Closed & { cause?: LinkErrorCause }): void;
  /** The person has submitted documents. Their data follows. */
  onUploadsCreated?(uploads: UploadsSubject): void;
  /** The person has withdrawn documents. */
  onUploadsRemoved?(uploads: UploadsSubject): void;
  /** What the person sees and does, without personal data. */
  onUIEvent?(event: UiEvent): void;
}

/** Every event of `on` with its listener: the callbacks, and `error`. */
export interface LinkListeners extends Required<LinkCallbacks> {
  /** Something has failed, or the page has made a mistake. */
  error(error: LinkError): void;
}

/** What the modal needs: the widget's options, the callbacks, the token, and where it is shown. */
export interface LinkOptions extends WidgetOptions, LinkCallbacks {
  /** The link token that your server got from `POST /users` or `POST /tokens`. */
  userToken: string;
  /** An element that shows the widget, instead of a dialog. Without a height, it gets 640 px. */
  container?: Element | null;
}

export type CallbackName = keyof LinkCallbacks;

type KeyOf<Union> = Union extends unknown ? keyof Union : never;
/** Does not compile if an event of the service has no listener here, or the other way round. */
export type EachEventHasAListener<Event extends keyof LinkListeners = KeyOf<Callback>> = [keyof LinkListeners] extends [Event]
  ? Event
  : never;

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

/** Throws a LinkError that names each required option that is missing or wrong. In the package, the token may come later. */
export function checkOptions(modal: LinkOptions): void {
  const wrong = (["userToken", "templateId"] as const).filter(
    (name) => !(isWord(modal[name]) || (PACKAGED && name === "userToken" && !modal[name])),
  );
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
