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

const TEXT = /^"[^"]/;
const FLAG = /^[tf]/;

/** The formats, in JSON, of the options that have one. The widget validates them again. */
const FORMATS: Partial<Record<Name, RegExp>> = {
  userToken: TEXT,
  templateId: TEXT,
  providers: /^\[("[\w-]+",?)*]/,
  topProviders: /^\[("[\w-]+",?){0,10}]/,
  enableSearchBar: FLAG,
  enableTypeBar: FLAG,
  enableUpload: FLAG,
  enableConsentPage: FLAG,
  companyName: /"\s*\S.{0,99}"/u,
  locale: /"[a-z]{2,3}(-\w+)*"/i,
  theme: /"(light|dark|system)"/,
  providerId: /"[a-z\d_-]+"/,
  accountId: /"a-\w{32}"/,
};

/** All options. The first stays on the page, the second is sent separately, and the second and third are required. */
const OPTIONS = [
  "container",
  ...Object.keys(FORMATS),
  "onAccountCreated",
  "onAccountConnected",
  "onAccountRemoved",
  "onAccountError",
  "onTokenExpired",
  "onClose",
  "onUploadsCreated",
  "onUploadsRemoved",
  "onUIEvent",
] as Name[];

/** Sets the options of the modal. Throws a LinkError that names every missing or wrong one. */
export function takeOptions(modal: LinkOptions, options: LinkOptions): void {
  for (const name in options) {
    if (OPTIONS.includes(name as Name)) modal[name as Name] = options[name as Name] as never;
    else console.warn(`LinkModal: unknown option ${name}`);
  }
  const wrong = OPTIONS.filter((name) => {
    const format = FORMATS[name];
    return (format === TEXT || modal[name] != null) && format?.test(JSON.stringify(modal[name])) === false;
  });
  if (wrong[0]) throw new LinkError("options", `LinkModal: check ${wrong}`);
}

/** Returns the options for the widget. JSON omits the callbacks. */
export function widgetOptions(modal: LinkOptions): WidgetOptions {
  return JSON.parse(JSON.stringify(modal, OPTIONS.slice(2)));
}
