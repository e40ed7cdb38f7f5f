/**
 * A fake service to preview the widget without a real one. It has fixed providers and the logins of the sandbox
 * (`good`, `mfa-<kind>`, `error-<CODE>`), all with the password `pass` and the code `1234`.
 */

import { PROVIDER_LOGOS } from "./brand";

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
const PLACE = { consent: null, providerId: null, loginOption: null, archiveType: null, accountId: null };
const PROVIDERS: [id: string, name: string, longName: string, type: string, country: string][] = [
  ["mx_social_security", "Social Security", "Social Security Institute", "GOVERNMENT", "MX"],
  ["mx_housing_fund", "Housing Fund", "National Housing Provident Fund", "GOVERNMENT", "MX"],
  ["ph_health", "Health Insurance", "National Health Insurance Agency", "GOVERNMENT", "PH"],
  ["ph_employees", "Employees’ Pension", "Government Employee Insurance and Pension", "GOVERNMENT", "PH"],
  ["rideo", "Rideo", "Rideo Drivers", "GIG", "MX"],
  ["foodbeam", "Foodbeam", "Foodbeam Couriers", "GIG", "PH"],
  ["paymaster", "Paymaster", "Paymaster Payroll Services", "PAYROLL", "MX"],
  ["ph_long", "Pangkalahatang Tanggapan ng Segurong Panlipunan", "Pangkalahatang Tanggapan ng Segurong Panlipunan at Pangkalusugan", "GOVERNMENT", "PH"],
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

/** Document types that fail, with their error. All others are read. */
const UNREAD: Record<string, string> = {
  TAX_DOCUMENT: "FILE_UNABLE_TO_RECOGNIZE",
  CLEARANCE: "FILE_WRONG_TYPE",
  CERTIFICATE: "FILE_UNREADABLE",
  BANK_STATEMENT: "SERVICE_UNAVAILABLE",
  COMPANY_ID: "SYSTEM_ERROR",
};

const FREE = { text: { min: 1, max: 40 } };
const STREETS = ["Calle Ocho", "Avenida Juárez", "Paseo de la Reforma", "None of these"];

/** The challenges of the logins `mfa-<kind>`. */
const KINDS: Record<string, object> = {
  otp: { oneTimeCode: { channel: "SMS", destination: "•••• 5678", format: { digits: { min: 4, max: 4 } } } },
  voice: { oneTimeCode: { channel: "VOICE", destination: null, format: { digits: { min: 4, max: 8 } } } },
  choice: { choice: { question: "Which street have you lived on?", choices: STREETS.map((label, at) => ({ value: String(at), label })) } },
  image: { image: { image: drawText("k7fd2"), recording: beeps(), format: FREE } },
  // A file that no browser plays.
  "image-mute": { image: { image: drawText("k7fd2"), recording: "data:audio/wav;base64,UklGRg==", format: FREE } },
  question: { question: { question: "What was the name of your first school?", format: FREE } },
  approve: { approve: { device: "Maria’s phone" } },
  "email-link": { emailLink: { destination: "m•••@example.com" } },
  redirect: { redirect: { address: "about:blank" } },
  // A kind that a later service may have.
  odd: { palmPrint: { hand: "left" } },
};

/** How each kind can be sent again: first the usual way, then the others. */
const CHANNELS: Record<string, string[]> = {
  otp: ["SMS", "EMAIL", "VOICE"],
  voice: ["VOICE", "SMS"],
  image: ["PICTURE", "VOICE"],
  approve: ["APP", "SMS"],
  "email-link": ["EMAIL", "SMS"],
};

/** Returns a WAV file with 20 s of beeps, at 8,000 Hz. */
function beeps(): string {
  const samples = Array.from({ length: 160_000 }, (_, at) => String.fromCharCode(at % 8_000 < 800 && at % 12 < 6 ? 140 : 128));
  const head = "RIFF\x24q\x02\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0q\x02\0";
  return `data:audio/wav;base64,${btoa(head + samples.join(""))}`;
}

function drawText(words: string): string {
  const letters = [...words].map((letter, at) => `<text x="${30 + 36 * at}" y="${52 + (at % 2) * 8}" rotate="${at * 9 - 20}">${letter}</text>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80" font-family="serif" font-size="40"><rect width="240" height="80" fill="#eee"/>${letters.join("")}<path d="M10 50 Q80 10 230 60" fill="none" stroke="#555" stroke-width="2"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Draws a code that looks like a QR code, but contains nothing. */
function code(): string {
  const [size, corners] = [45, [[0, 0], [38, 0], [0, 38]]];
  const isDark = (x: number, y: number): boolean => {
    const corner = corners.find(([left, top]) => x >= left! && x < left! + 7 && y >= top! && y < top! + 7);
    if (!corner) return (x * x * 7 + y * y * 13 + x * y * 5) % 11 < 5;
    const ring = Math.max(Math.abs(x - corner[0]! - 3), Math.abs(y - corner[1]! - 3));
    return ring !== 2;
  };
  const all = Array.from({ length: size * size }, (_, at) => [at % size, Math.floor(at / size)] as const);
  const path = all.filter(([x, y]) => isDark(x, y)).map(([x, y]) => `M${x + 4} ${y + 4}h1v1h-1z`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 53 53"><path fill="#fff" d="M0 0h53v53H0z"/><path d="${path.join("")}"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

const LINKED = {
  accounts: [
    { accountId: `a-${HEX}`, providerId: "rideo", providerName: "Rideo", logoUrl: null, loginName: "m•••a", status: "CONNECTED", lastSyncDaysAgo: 0, consentNeeded: false, chosenData: [] },
    {
      ...{ accountId: `a-${HEX.replace("0", "1")}`, providerId: "mx_social_security", providerName: "Social Security", logoUrl: null },
      ...{ loginName: "PERM••••••", status: "USER_ACTION_REQUIRED", lastSyncDaysAgo: 12, consentNeeded: false, chosenData: [] },
    },
    { accountId: `a-${HEX.replace("0", "2")}`, providerId: "paymaster", providerName: "Paymaster", logoUrl: null, loginName: null, status: "READING", lastSyncDaysAgo: null, consentNeeded: false, chosenData: [] },
  ],
  archives: [
    { archiveId: `archive-${HEX}`, type: "PAYSLIP", version: 3, files: [], phase: { analyzed: {} }, addedDaysAgo: 1 },
    { archiveId: `archive-${HEX.replace("0", "1")}`, type: "BANK_STATEMENT", version: 2, files: [], phase: { failed: { errorCode: "FILE_UNABLE_TO_RECOGNIZE" } }, addedDaysAgo: 4 },
  ],
};

export class FakeService {
  #archive: Record<string, unknown> & { type?: unknown; version: number } = { version: 0 };
  #account: Account | null = null;
  #due: { at: number; phase: Record<string, unknown> } | null = null;
  #tries = 3;
  #kind = "otp";
  #isPhone = false;

  /** `delay` is the duration of every response in milliseconds. */
  constructor(
    private readonly delay: number,
    private readonly linked = false,
    private readonly company = "Northwind Lending",
    private readonly optionalData: string[] = [],
    private readonly helpUrl: string | null = null,
    /** The state that the polls of a hand-off get. */
    private readonly handoff = "continued",
    private readonly unread: string | null = null,
  ) {}

  async request(method: string, path: string, body: Record<string, unknown> | null): Promise<Reply> {
    await new Promise((resolve) => setTimeout(resolve, this.delay));
    const [route = "", query = ""] = path.split("?");
    const call = `${method} ${route.replace(/\/(a|archive)-[0-9a-f]+/, "/{id}")}`;
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
        return this.#move(this.#challenge(body?.["channel"] === CHANNELS[this.#kind]?.[0] ? this.#kind : "otp", false));
      case "POST /link/accounts/{id}/extend":
        return this.#move(this.#challenge(this.#kind, false));
      case "POST /link/handoff":
        return { status: 201, body: { phase: { waiting: { expiresInMs: 600_000 } }, picture: code() } };
      case "GET /link/handoff":
        return { status: 200, body: { phase: { [this.handoff]: { expiresInMs: 600_000 } }, picture: null } };
      case "DELETE /link/handoff":
        return { status: 200, body: { phase: { ended: {} }, picture: null } };
      case "GET /link/linked":
        return { status: 200, body: LINKED };
      case "POST /link/accounts/{id}/revocation":
      case "POST /link/archives/{id}/revocation":
        return { status: 201, body: { confirmation: "yes" } };
      case "POST /link/accounts/{id}/revoke":
      case "POST /link/archives/{id}/revoke":
      case "PUT /link/attempt":
      case "POST /link/survey":
        return { status: 204, body: null };
    }
    if (call.includes(" /link/archives")) return this.#handleArchive(method, route, body ?? {});
    const found = PROVIDERS.find(([id]) => call === `GET /link/providers/${id}`);
    return found ? { status: 200, body: provider(found) } : problem(404, "MISSING_RESOURCE");
  }

  async exchange(token: string): Promise<Reply> {
    await new Promise((resolve) => setTimeout(resolve, this.delay));
    if (token === "expired") return problem(401, "TOKEN_EXPIRED");
    if (token === "refused") return problem(401, "INVALID_TOKEN");
    if (token === "offline") return { status: 0, body: null };
    if (token.startsWith("lph_")) return this.#scan(token);
    return { status: 201, body: this.session() };
  }

  session(): object {
    const consent = {
      consentTemplateId: `ct-${HEX}`,
      title: "Consent to share account data",
      version: "1.0",
      text: [
        `I authorise ${this.company} to obtain, through Linchpin, the information that the provider I select holds about me.`,
        "I understand that I can withdraw this consent at any time, and that doing so does not affect what was done before.",
        "The information is deleted 60 days after it was last read.",
      ].join("\n\n"),
      locale: "en",
    };
    const lists = { providers: [], topProviders: ["rideo", "mx_social_security"] };
    return {
      sessionId: `ls-${HEX}`,
      userId: `demo-${HEX}`,
      mode: "SANDBOX",
      expiresInMs: 1_800_000,
      endsInMs: 18_000_000,
      template: { id: `lt-${HEX}`, companyName: this.company, consent, allowConsentSkip: true, ...lists, uploadsEnabled: true, fileTypes: [], optionalData: this.optionalData, syncInterval: "MONTHLY", retention: "FROM_LAST_SYNC", helpUrl: this.helpUrl },
      hasLinked: this.linked,
      isHandoff: this.#isPhone,
      mayHandOff: !this.#isPhone,
      attempt: { id: `at-${HEX}`, account: this.#account, archives: [], place: PLACE, consentNeeded: true, chosenData: [] },
    };
  }

  /** Uses the code of a hand-off, on the phone. */
  #scan(token: string): Reply {
    if (token === "lph_used") return problem(401, "TOKEN_USED");
    this.#account = { accountId: `a-${HEX}`, providerId: "paymaster", version: 1, phase: this.#challenge("otp", false) };
    this.#isPhone = true;
    return { status: 201, body: this.session() };
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
    const takes = name === "slow" ? 3_600_000 : 4 * this.delay + 300;
    this.#due = { at: Date.now() + takes, phase: wrong ? failure("INVALID_CREDENTIALS") : this.#outcome(name) };
    return { status: 201, body: this.#account };
  }

  #outcome(name: string): Record<string, unknown> {
    if (name === "mfa-push-denied") return { failed: { errorCode: "INVALID_MFA", declined: true, retryInMs: 0 } };
    if (name.startsWith("error-")) return failure(name.slice("error-".length));
    const kind = name.slice("mfa-".length);
    return name.startsWith("mfa-") && kind in KINDS ? this.#challenge(kind, false) : { connected: {} };
  }

  #challenge(kind: string, wrongAnswer: boolean): Record<string, unknown> {
    this.#kind = kind;
    const channels = CHANNELS[kind];
    const resend = channels ? { availableInMs: kind === "image" ? 0 : 10_000, channels } : null;
    const rest = { expiresInMs: 90_000, extendable: true, resend, triesLeft: this.#tries, wrongAnswer };
    return { challenge: { challenge: { id: `ch-${HEX}`, kind: KINDS[kind], ...rest } } };
  }

  #answer(body: Record<string, unknown>): Reply {
    const answer = body["answer"] as { text?: { sealed: string }; choice?: { value: string } };
    this.#tries -= 1;
    const right = answer.choice !== undefined || answer.text?.sealed === "1234";
    const next = right ? { connected: {} } : this.#tries > 0 ? this.#challenge(this.#kind, true) : failure("INVALID_MFA");
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

  /** Each poll advances the archive: queued, reading, result. */
  async #handleArchive(method: string, route: string, body: Record<string, unknown>): Promise<Reply> {
    if (method === "DELETE") return { status: 204, body: null };
    const { type = body["type"], version } = this.#archive;
    const error = this.unread ?? UNREAD[String(type)];
    const end = error ? { failed: { errorCode: error } } : { analyzed: {} };
    const phases = [{ analyzing: { step: "QUEUED" } }, { analyzing: { step: "READING" } }, end];
    let phase: object = { uploading: {} };
    if (route === "/link/archives") this.#archive = { version: 0 };
    else if (route.endsWith("/submit")) phase = phases[0] as object;
    else {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      phase = phases[version - 1] ?? end;
    }
    const base = { archiveId: `archive-${HEX}`, files: [], addedDaysAgo: 0 };
    this.#archive = { ...base, type: body["type"] ?? type, version: this.#archive.version + 1, phase };
    return { status: route === "/link/archives" ? 201 : 200, body: this.#archive };
  }

  #move(phase: Record<string, unknown>): Reply {
    if (!this.#account) return problem(404, "MISSING_RESOURCE");
    this.#due = null;
    this.#account = { ...this.#account, version: this.#account.version + 1, phase };
    return { status: 200, body: this.#account };
  }
}

function failure(errorCode: string): Record<string, unknown> {
  return { failed: { errorCode, declined: false, retryInMs: 0 } };
}

function summary([id, name, longName, type, country]: (typeof PROVIDERS)[number]): object {
  const searchKey = `${name} ${longName}`.toLowerCase();
  return { id, name, longName, logoUrl: PROVIDER_LOGOS[id] ?? null, type, country, enabled: true, loginRequired: true, searchKey };
}

function provider(known: (typeof PROVIDERS)[number]): object {
  const loginOptions = known[0] === "rideo" ? [PASSWORD_LOGIN, PHONE_LOGIN] : [PASSWORD_LOGIN];
  const more = { subType: "", mfa: true, monitorSupported: true, supported: ["IDENTITIES", "EMPLOYMENTS"], loginOptions };
  return { ...summary(known), ...more };
}
