/**
 * A service for looking at the widget without one: canned providers, and the logins of the sandbox
 * (`good`, `mfa-otp`, `mfa-choice`, `error-<CODE>`), all with the password `pass` and the code `1234`.
 */

interface Reply {
  status: number;
  body: unknown;
}

interface Account {
  accountId: string;
  providerId: string;
  version: number;
  phase: Record<string, unknown>;
}

const HEX = "0123456789abcdef0123456789abcdef";
const PLACE = { consent: null, providerId: null, loginOption: null, archiveType: null };
const PROVIDERS: [id: string, name: string, longName: string, type: string, country: string][] = [
  ["mx_social_security", "Social Security", "Social Security Institute", "GOVERNMENT", "MX"],
  ["mx_housing_fund", "Housing Fund", "National Housing Provident Fund", "GOVERNMENT", "MX"],
  ["ph_health", "Health Insurance", "National Health Insurance Agency", "GOVERNMENT", "PH"],
  ["ph_employees", "Employees’ Pension", "Government Employee Insurance and Pension", "GOVERNMENT", "PH"],
  ["rideo", "Rideo", "Rideo Drivers", "GIG", "MX"],
  ["foodbeam", "Foodbeam", "Foodbeam Couriers", "GIG", "PH"],
  ["paymaster", "Paymaster", "Paymaster Payroll Services", "PAYROLL", "MX"],
  ["grand_hotel", "Grand Hotel", "Grand Hotel Staff Portal", "EMPLOYER", "PH"],
];

function problem(status: number, code: string): Reply {
  const body = { type: "about:blank", title: code, status, code, detail: code, requestId: "preview", errors: [] };
  return { status, body };
}

function field(name: string, label: string, type: string, more: object = {}): object {
  const text = { format: { text: { min: 1, max: 100 } }, pattern: null, minLength: 1, maxLength: 100, choices: [] };
  const rest = { help: null, prefix: null, autocomplete: null, visibleWhen: null };
  return { name, label, type, required: true, ...text, ...rest, ...more };
}

const PASSWORD_LOGIN = {
  id: "password",
  label: "User name and password",
  fields: [
    field("username", "User name", "text", { autocomplete: "username" }),
    field("password", "Password", "password", { autocomplete: "current-password", help: "The one of the provider’s own site." }),
  ],
};

const PHONE_LOGIN = {
  id: "phone",
  label: "Mobile number",
  fields: [
    field("phone", "Mobile number", "tel", { format: { phone: {} }, prefix: "+52", autocomplete: "tel-national" }),
    field("password", "PIN", "password", { autocomplete: "current-password" }),
  ],
};

export class FakeService {
  #account: Account | null = null;
  #due: { at: number; phase: Record<string, unknown> } | null = null;
  #tries = 3;

  /** Milliseconds that every answer takes. */
  constructor(private readonly delay: number) {}

  async request(method: string, path: string, body: Record<string, unknown> | null): Promise<Reply> {
    await new Promise((resolve) => setTimeout(resolve, this.delay));
    const [route = "", query = ""] = path.split("?");
    const call = `${method} ${route.replace(/\/a-[0-9a-f]+/, "/{id}")}`;
    switch (call) {
      case "GET /link/session":
        return { status: 200, body: this.session() };
      case "DELETE /link/session":
      case "DELETE /link/accounts/{id}":
        return { status: 204, body: null };
      case "GET /link/providers":
        return { status: 200, body: { items: PROVIDERS.map(summary), nextCursor: null } };
      case "POST /link/accounts":
        return this.#start(body ?? {});
      case "GET /link/accounts/{id}":
        return this.#poll(new URLSearchParams(query));
      case "POST /link/accounts/{id}/answer":
        return this.#answer(body ?? {});
      case "POST /link/accounts/{id}/resend":
        return this.#move(this.#code(false));
    }
    const found = PROVIDERS.find(([id]) => call === `GET /link/providers/${id}`);
    return found ? { status: 200, body: provider(found) } : problem(404, "MISSING_RESOURCE");
  }

  async exchange(token: string): Promise<Reply> {
    await new Promise((resolve) => setTimeout(resolve, this.delay));
    if (token === "expired") return problem(401, "TOKEN_EXPIRED");
    return { status: 201, body: this.session() };
  }

  session(): object {
    const consent = {
      consentTemplateId: `ct-${HEX}`,
      title: "Consent to share account data",
      version: "1.0",
      text: [
        "I authorise Northwind Lending to obtain, through Linchpin, the information that the provider I select holds about me.",
        "I understand that I can withdraw this consent at any time, and that doing so does not affect what was done before.",
        "The data is kept for no longer than 60 days from the connection of the account.",
      ].join("\n\n"),
      locale: "en",
    };
    const theme = { accentLight: "#0b5d6b", onAccentLight: "#ffffff", accentDark: "#62c4d2", onAccentDark: "#06191d" };
    const lists = { providers: [], topProviders: ["rideo", "mx_social_security"] };
    return {
      sessionId: `ls-${HEX}`,
      userId: `demo-${HEX}`,
      mode: "SANDBOX",
      expiresInMs: 1_800_000,
      endsInMs: 18_000_000,
      template: { id: `lt-${HEX}`, companyName: "Northwind Lending", consent, allowConsentSkip: true, ...lists, uploadsEnabled: false, fileTypes: [], theme },
      hasLinked: false,
      attempt: { id: `at-${HEX}`, account: this.#account, archives: [], place: PLACE },
    };
  }

  #start(body: Record<string, unknown>): Reply {
    const login = Object.values((body["credentials"] ?? {}) as Record<string, string>);
    const name = login.find((text) => text !== "pass") ?? "good";
    const wrong = login.length > 0 && !login.includes("pass");
    this.#tries = 3;
    this.#account = {
      accountId: this.#account?.accountId ?? `a-${HEX}`,
      providerId: String(body["providerId"]),
      version: (this.#account?.version ?? 0) + 1,
      phase: { connecting: { step: "LOGGING_IN" } },
    };
    this.#due = { at: Date.now() + 4 * this.delay + 300, phase: wrong ? failed("INVALID_CREDENTIALS") : this.#outcome(name) };
    return { status: 201, body: this.#account };
  }

  #outcome(name: string): Record<string, unknown> {
    if (name.startsWith("error-")) return failed(name.slice("error-".length));
    if (name === "mfa-otp") return this.#code(false);
    if (name !== "mfa-choice") return { connected: {} };
    const choices = ["Calle Ocho", "Avenida Juárez", "Paseo de la Reforma", "None of these"];
    const kind = { choice: { question: "Which street have you lived on?", choices: choices.map((label, at) => ({ value: String(at), label })) } };
    return { challenge: { challenge: { id: `ch-${HEX}`, kind, expiresInMs: 300_000, extendable: false, resend: null, triesLeft: 3, wrongAnswer: false } } };
  }

  #code(wrongAnswer: boolean): Record<string, unknown> {
    const kind = { oneTimeCode: { channel: "SMS", destination: "•••• 5678", format: { digits: { min: 4, max: 8 } } } };
    const resend = { availableInMs: 30_000, channels: ["SMS"] };
    return { challenge: { challenge: { id: `ch-${HEX}`, kind, expiresInMs: 300_000, extendable: false, resend, triesLeft: this.#tries, wrongAnswer } } };
  }

  #answer(body: Record<string, unknown>): Reply {
    const answer = body["answer"] as { text?: { text: string }; choice?: { value: string } };
    this.#tries -= 1;
    const right = answer.choice !== undefined || answer.text?.text === "1234";
    const next = right ? { connected: {} } : this.#tries > 0 ? this.#code(true) : failed("INVALID_MFA");
    const reply = this.#move({ connecting: { step: "CHECKING_ANSWER" } });
    this.#due = { at: Date.now() + 2 * this.delay + 200, phase: next };
    return reply;
  }

  async #poll(query: URLSearchParams): Promise<Reply> {
    const until = Date.now() + Number(query.get("wait"));
    while (this.#account && this.#account.version <= Number(query.get("after")) && Date.now() < until) {
      if (this.#due && Date.now() >= this.#due.at) return this.#move(this.#due.phase);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { status: 200, body: this.#account };
  }

  #move(phase: Record<string, unknown>): Reply {
    if (!this.#account) return problem(404, "MISSING_RESOURCE");
    this.#due = null;
    this.#account = { ...this.#account, version: this.#account.version + 1, phase };
    return { status: 200, body: this.#account };
  }
}

function failed(errorCode: string): Record<string, unknown> {
  return { failed: { errorCode, retryInMs: 0 } };
}

function summary([id, name, longName, type, country]: (typeof PROVIDERS)[number]): object {
  const searchKey = `${name} ${longName}`.toLowerCase();
  return { id, name, longName, logoUrl: null, type, country, enabled: true, loginRequired: true, searchKey };
}

function provider(known: (typeof PROVIDERS)[number]): object {
  const loginOptions = known[0] === "rideo" ? [PASSWORD_LOGIN, PHONE_LOGIN] : [PASSWORD_LOGIN];
  const more = { subType: "", mfa: true, monitorSupported: true, supported: ["IDENTITIES", "EMPLOYMENTS"], loginOptions };
  return { ...summary(known), ...more };
}
