import { LinkError } from "../../../sdk/src/link-error";
import { LinkModal as Bridge } from "../../../sdk/src/link-modal";
import { isWord, type LinkOptions } from "../../../sdk/src/options";

/**
 * The link token that your server got from `POST /users` or `POST /tokens`, or a function that requests one. A token is valid
 * for one launch, so the modal calls the function at each `open()`, and when a token has expired.
 */
export type UserToken = string | (() => string | PromiseLike<string>);

/** The options of a modal. */
export interface LinkModalOptions extends Omit<LinkOptions, "userToken"> {
  /** The address of the service, such as `https://link.example`, without a path unless a proxy adds one. */
  serviceUrl: string;
  /** May be omitted if `open()` or `setToken()` gets it. */
  userToken?: UserToken | undefined;
}

/** What `open()` accepts. */
export interface OpenOptions {
  /** The token of this launch, or a function that requests it. Default: `userToken` of the modal's options. */
  userToken?: UserToken | undefined;
}

/** How long a function may take to give a token. The person sees that the widget loads, and can close it. */
const TOKEN_MS = 20_000;

/** The widget on your page. Create it when the page loads: it then loads its frame, without a token, before `open()`. */
export class LinkModal extends Bridge {
  /** The address of the service. */
  declare readonly serviceUrl: string;

  readonly #userToken: UserToken | undefined;
  /** Requests the token of this launch, if a function gives it. */
  #source: (() => string | PromiseLike<string>) | undefined;
  /** Identifies the last request: the result of an earlier one is ignored. */
  #request: object | undefined;

  /**
   * Creates the modal. Needs no browser, so a server may run it, too.
   *
   * @throws LinkError with the cause `options`, which names the option that is missing or wrong.
   */
  constructor(options: LinkModalOptions) {
    const { userToken, serviceUrl } = options;
    if (!/^https?:\/\/[^\s/]+/.test(`${serviceUrl}`)) {
      throw new LinkError("options", "LinkModal: serviceUrl must be the address of the service, such as https://link.example");
    }
    if (userToken !== undefined && typeof userToken !== "function" && !isWord(userToken)) {
      throw new LinkError("options", "LinkModal: userToken must be a link token, or a function that requests one");
    }
    // An object that inherits the given one, because a copy would lose what that inherits.
    super(Object.create(options, { userToken: { value: typeof userToken === "string" ? userToken : "", enumerable: true } }));
    this.#userToken = userToken;
    if (typeof userToken === "function") this.onTokenExpired ??= () => (this.#source ?? userToken)();
  }

  /** The address of the service's script, to which the bridge's other addresses are relative. */
  get script(): string {
    return `${this.serviceUrl.replace(/\/+$/, "")}/sdk/v2/`;
  }

  /**
   * Opens the modal. Does nothing while it is open, or after `destroy()`. If a function gives the token, the modal calls it
   * now, and shows that it loads until the token is there. If the function fails, `error` gets the cause `token-handler`, and
   * the person can try again.
   */
  override open(options?: OpenOptions): void {
    if (this.state === "closed") {
      const userToken = options?.userToken ?? this.#userToken;
      this.#source = typeof userToken === "function" ? userToken : undefined;
      if (this.#source) this.userToken = "";
      // The token of an earlier launch must not replace one that setToken() has set.
      else if (options?.userToken !== undefined) this.userToken = options.userToken as string;
    }
    super.open();
  }

  /** @internal The bridge calls this when the modal opens without a token. */
  requestToken(fail: (message: string) => void): void {
    const request = (this.#request = {});
    const source = this.#source;
    const settle = (use: () => void): void => {
      if (this.#request !== request) return;
      clearTimeout(overdue);
      this.#request = undefined;
      // The person may have closed the modal, or the page may have called setToken().
      if (this.state === "opening" && !this.userToken) use();
    };
    const overdue = setTimeout(() => settle(() => fail(`userToken gave no token within ${TOKEN_MS / 1_000} s`)), TOKEN_MS);
    (async () => source?.())().then(
      (token) => settle(() => (isWord(token) ? this.setToken(token as string) : fail("userToken gave no token"))),
      (error: unknown) => settle(() => fail(`userToken failed: ${error instanceof Error ? error.message : String(error)}`)),
    );
  }
}
