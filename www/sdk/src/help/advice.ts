/** What a developer can do about each cause of a LinkError. `docs/reference/errors.md` has the same list. */
import type { LinkErrorCause } from "../link-error";
import type { LinkOptions } from "../options";

export const ADVICE: Record<LinkErrorCause, string> = {
  account: "Pass the accountId of an account that belongs to the user of the token.",
  blocked: "An extension, a proxy or the policy of an outer page blocks the frame. If not, check that your page sends its Referer.",
  container: "Pass an element that is on the page when you call open(), and give it a height.",
  csp: "Add the service's origin to frame-src and script-src of your Content-Security-Policy.",
  files: "A deploy or a proxy removed a file of the widget. Check that /sdk/assets/ reaches the service; docs/how-to/operating.md has the order of an upgrade.",
  network: "The service could not be reached. The person can try again.",
  options: "Correct the option; docs/how-to/widget.md lists them.",
  origin: "Add the origin of your page to allowedOrigins of the link template: PATCH /linkTemplates/{id}.",
  provider: "Pass ids of providers that GET /providers lists and the link template offers.",
  script: 'Load <script src="https://…/sdk/v2/linchpin.v2.js"> from the service, on a page of another origin. If a bundler or a copy changes the address, set LinkModal.script to it before you create the modal.',
  template: "Pass the id of an existing link template (lt-…) as templateId.",
  token: "Pass the accessToken of POST /users or POST /tokens, made with the keys of the same tenant and environment as templateId.",
  "token-expired": "Set onTokenExpired, and let it return a token that your server requests at that moment.",
  "token-handler": "Set onTokenExpired, and let it return a new token or a promise of one.",
  unsupported: "The page must use https, its frame must not be sandboxed without allow-same-origin, and the browser needs WebAssembly and the versions in docs/how-to/widget.md.",
  wasm: "The program failed twice. Report the build and the browser to the operator of the service.",
};

/** The advice that differs in `@linchpin/link`, which has the bridge inside and may request the token itself. */
const PACKAGED_ADVICE: Partial<typeof ADVICE> = {
  csp: "Add the service's origin to frame-src of your Content-Security-Policy.",
  script: "Pass the address of the service as serviceUrl. Its origin must not be the one of your page.",
  token: "Let your server request the token with POST /users or POST /tokens, and with the keys of the same tenant and environment as templateId.",
  "token-handler": "Pass userToken: a link token, or a function that requests one from your server and returns a promise of it.",
};
if (PACKAGED) Object.assign(ADVICE, PACKAGED_ADVICE);

/** What happened, for the errors whose message is only an address. */
export const BLAME: Partial<Record<LinkErrorCause, string>> = {
  account: "the account of accountId does not exist, or is another user's",
  blocked: "no answer from",
  container: "the container is not on the page",
  csp: "the policy of the page lacks",
  provider: "no provider of providerId or providers is offered",
  token: "the service refuses the token",
  "token-expired": "the token that onTokenExpired gave was used or has expired",
  script: "the address of the service is unknown, or is the page's own",
};

/** Names of callbacks, without "on". */
const CALLBACKS = "AccountCreated AccountConnected AccountRemoved AccountError TokenExpired Close UploadsCreated UploadsRemoved UIEvent";

/** The other properties of a modal. */
const OPTIONS =
  (PACKAGED ? "serviceUrl " : "") +
  "ready container userToken templateId providers topProviders enableSearchBar enableTypeBar enableUpload enableConsentPage companyName locale theme providerId accountId";

const warned = new WeakSet<object>();

const isIn = (words: string, word: string): boolean => words.split(" ").includes(word);

/** Warns once of misspelled options of a modal, and of callbacks that cannot be called. */
export function warnOfOptions(options: LinkOptions): void {
  if (warned.has(options)) return;
  warned.add(options);
  for (const [name, value] of Object.entries(options)) {
    if (isIn(OPTIONS, name)) continue;
    if (!/^on/.test(name) || !isIn(CALLBACKS, name.slice(2))) {
      const meant = findSimilar(name);
      console.warn(`LinkModal: unknown option ${name}${meant ? `. Did you mean ${meant}?` : ""}`);
    }
    else if (value && typeof value !== "function") console.warn(`LinkModal: ${name} is not a function`);
  }
}

/** Returns the option or callback that differs in the case of letters, or in one or two letters. */
function findSimilar(name: string): string | undefined {
  const known = [...OPTIONS.split(" "), ...CALLBACKS.split(" ").map((it) => `on${it}`)];
  const wrong = name.toLowerCase();
  return known.find((it) => it.toLowerCase() === wrong) ?? known.find((it) => distance(it.toLowerCase(), wrong) < 3);
}

/** Counts the letters to insert, remove or replace (Levenshtein). */
function distance(one: string, other: string): number {
  let row = [...other, ""].map((_, at) => at);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (const [at, same] of [...other].entries()) {
      next.push(Math.min(next[at]! + 1, row[at + 1]! + 1, row[at]! + (letter === same ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1)!;
}

/** Warns once in each opening of a container without a definite height, which the bridge's sizer gives one, or a small one. */
export function warnOfContainer(dialog: HTMLDialogElement, { container }: LinkOptions): void {
  const sizer = dialog.firstElementChild as HTMLElement | null;
  if (!container || !sizer || dialog.children.length < 2 || !dialog.open || warned.has(dialog)) return;
  warned.add(dialog);
  if (!dialog.clientHeight) return console.warn("LinkModal: container: it is hidden, so the person cannot see the widget.");
  // Its height without what the bridge gives it.
  const { minHeight } = dialog.style;
  sizer.hidden = true;
  dialog.style.minHeight = "0";
  const { clientHeight, clientWidth } = dialog;
  sizer.hidden = false;
  dialog.style.minHeight = minHeight;
  if (!clientHeight) {
    console.warn(`LinkModal: container: it has no definite height, so the widget is ${dialog.clientHeight} px high. ${ADVICE.container}`);
  } else if (clientHeight < 320 || clientWidth < 280) {
    console.warn("LinkModal: container: the widget needs at least 280 x 320 px.");
  }
}
