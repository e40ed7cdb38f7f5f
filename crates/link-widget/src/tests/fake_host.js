// A host with canned answers; `log` has everything the widget asked for or said, in order.

const HEX = "0123456789abcdef0123456789abcdef";
const PLACE = { consent: null, providerId: null, loginOption: null, archiveType: null, accountId: null };
const ACCOUNT = { accountId: `a-${HEX}`, providerId: "rideo" };

const field = (name, type) => ({
  name, label: name, type, required: true, format: { text: { min: 1, max: 100 } },
  pattern: null, minLength: 1, maxLength: 100, choices: [], help: null, prefix: null, autocomplete: null, visibleWhen: null,
});
const summary = {
  id: "rideo", name: "Rideo", longName: "Rideo Drivers", logoUrl: null, type: "GIG", country: "MX",
  enabled: true, loginRequired: true, searchKey: "rideo drivers",
};
const loginOptions = [{ id: "password", label: "Password", fields: [field("username", "text"), field("password", "password")] }];
const provider = { ...summary, subType: "", mfa: false, monitorSupported: false, supported: [], loginOptions };
const session = {
  sessionId: `ls-${HEX}`, userId: `demo-${HEX}`, mode: "SANDBOX", expiresInMs: 1800000, endsInMs: 18000000,
  template: {
    id: `lt-${HEX}`, companyName: "Northwind", allowConsentSkip: false, providers: [], topProviders: [], uploadsEnabled: false, fileTypes: [], optionalData: [], syncInterval: null, retention: "FROM_CONNECTION", helpUrl: null,
    consent: { consentTemplateId: `ct-${HEX}`, title: "Consent", version: "1", text: "I agree.", locale: "en" },
  },
  hasLinked: false,
  isHandoff: false,
  mayHandOff: false,
  attempt: { id: `at-${HEX}`, account: null, archives: [], place: PLACE, consentNeeded: true, chosenData: [] },
};

function answer(call, body) {
  if (call === "GET /link/providers") return { status: 200, body: { items: [summary], nextCursor: null } };
  if (call === "GET /link/providers/rideo") return { status: 200, body: provider };
  if (call === "POST /link/accounts") {
    const wrong = body.credentials.password !== "pass";
    const phase = wrong ? { failed: { errorCode: "INVALID_CREDENTIALS", declined: false, retryInMs: 0 } } : { connected: {} };
    return { status: 201, body: { ...ACCOUNT, version: wrong ? 1 : 2, phase } };
  }
  return { status: 204, body: null };
}

/** The response to an exchange that began before the widget ran. */
export function exchanged() {
  return { status: 201, body: session };
}

export function fakeHost() {
  const log = [];
  return {
    log,
    mode: "SANDBOX",
    isTouch: false,
    opening: "opening",
    lastSeq: 0,
    text: (number) => `#${number}`,
    loadChunk: async () => ({ status: 200, body: null }),
    focus: (element) => element.focus(),
    showNotice: () => {},
    isHeld: () => false,
    ready: () => log.push("ready"),
    close: ({ reason }) => log.push(`close ${reason}`),
    tell: (key, callback) => {
      const [[name, argument]] = Object.entries(callback);
      log.push(`tell ${name} ${argument.eventName ?? argument.errorCode ?? argument.accountId ?? argument.reason ?? ""}`.trim());
      if (argument.eventTime !== undefined && Number.isNaN(Date.parse(argument.eventTime))) log.push("no time");
    },
    exchange: async (token, templateId) => {
      log.push(`exchange ${token} ${templateId}`);
      if (token !== "expired") return { status: 201, body: session };
      const problem = { type: "", title: "", status: 401, code: "TOKEN_EXPIRED", detail: "", requestId: "", errors: [] };
      return { status: 401, body: problem };
    },
    request: async (method, path, body, seal) => {
      log.push(`${method} ${path}`);
      if (seal) seal.holder[seal.name] = seal.value;
      return answer(`${method} ${path}`, body);
    },
  };
}

export const logOf = (host) => host.log.filter((line) => !line.startsWith("tell onUIEvent"));
export const uiEventsOf = (host) =>
  host.log.filter((line) => line.startsWith("tell onUIEvent")).map((line) => line.slice("tell onUIEvent ".length));
