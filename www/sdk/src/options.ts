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

type Name = keyof LinkOptions;

const TEXT = /^"[^"\s]+"$/;
const FLAG = /^(tru|fals)e/;

/** The formats of the options that have one. The widget validates them again. */
const FORMATS: Partial<Record<Name, RegExp>> = {
  container: /^/,
  userToken: TEXT,
  templateId: TEXT,
  providers: /^\[("[\w-]+",?)*]/,
  topProviders: /^\[("[\w-]+",?){0,10}]/,
  enableSearchBar: FLAG,
  enableTypeBar: FLAG,
  enableUpload: FLAG,
  enableConsentPage: FLAG,
  companyName: /^"\s*\S.{0,99}"/u,
  locale: /^"[a-z]{2,3}(-\w+)*"/i,
  theme: /^"(light|dark|system)"/,
  providerId: /^"[a-z\d_-]+"/,
  accountId: /^"a-\w{32}"/,
};

/** The options but the callbacks. The first two do not go to the widget with the others. */
const NAMES = Object.keys(FORMATS) as Name[];

/** Writes a value for its format. Not as JSON, which old libraries change on the host page. */
function written(value: any): string {
  if (Array.isArray(value)) return `[${value.map(written)}]`;
  if (typeof value === "string") return `"${value}"`;
  return String(value);
}

/** Returns whether a value does not have the format of its option. */
export function isWrong(name: Name, value: unknown): boolean {
  const format = FORMATS[name];
  return (format === TEXT || value != null) && format?.test(written(value)) === false;
}

/** Sets the options of the modal. Throws a LinkError that names every missing or wrong one. */
export function takeOptions(modal: LinkOptions, options: LinkOptions): void {
  // help.ts warns of names that are not options. Those of methods are ignored, but a subclass may define callbacks.
  for (const name in options) if (/^on./.test(name) || !(name in modal)) modal[name as Name] = options[name as Name] as never;
  checkOptions(modal);
}

/** Throws a LinkError that names every missing or wrong option. */
export function checkOptions(modal: LinkOptions): void {
  const wrong = NAMES.filter((name) => isWrong(name, modal[name]));
  if (wrong[0]) throw new LinkError("options", `LinkModal: check ${wrong}`);
}

/** Returns the options for the widget. The port copies them, but no proxy of a framework. */
export function widgetOptions(modal: LinkOptions): WidgetOptions {
  const options: Record<string, unknown> = {};
  for (const name of NAMES.slice(2)) {
    const value = modal[name];
    if (value !== undefined) options[name] = Array.isArray(value) ? [...value] : value;
  }
  return options as unknown as WidgetOptions;
}
