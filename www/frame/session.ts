/**
 * The session with the service. Its secret is generated here and is the bearer token of every request. It exists only in
 * the memory of this module: never in the wasm, the host page or storage.
 */

import { lazy } from "./lazy";
import { apiBase, sealUrl } from "./page";
import type { seal, SealingKey } from "./seal";

/** A response for the wasm: the status (0 if the network failed), and the decoded JSON, or null. */
export interface Reply {
  status: number;
  /** The value of `Retry-After` in seconds, or 0. */
  retryAfter?: number;
  body: unknown;
}

/** A secret to encrypt. Its box is stored in `holder` as `name`. */
export interface ToSeal {
  holder: Record<string, unknown>;
  name: string;
  value: unknown;
  purpose: string;
  subject: string;
}

/** A token, and the secret of its session. */
interface Exchanged {
  token: string;
  secret: string;
}

/** What a session consists of. It is passed on only in memory, to a page of our origin. */
export type Held = [
  offered: Exchanged | null,
  accepted: Exchanged | null,
  boxContext: [session: string, attempt: string] | undefined,
];

const DEADLINE_MS = 30_000;
export const SESSION = "/link/session";

function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

export class Session {
  readonly #hostOrigin: string;
  /** Returns the widget's language. */
  readonly #locale: () => string;
  /** Called if the service no longer serves the script that encrypts. */
  readonly #lost: (error: unknown) => void;
  #offered: Exchanged | null;
  #accepted: Exchanged | null;
  #boxContext: Held[2];
  #sealingKey: Promise<Reply> | undefined;
  readonly #sealer = lazy<{ seal: typeof seal }>(sealUrl);

  constructor(hostOrigin: string, locale: () => string, lost: (error: unknown) => void, held?: Held) {
    this.#hostOrigin = hostOrigin;
    this.#locale = locale;
    this.#lost = lost;
    [this.#offered, this.#accepted, this.#boxContext] = held ?? [null, null, undefined];
  }

  /** Gives the session away. This object can do nothing with it from then on. */
  release(): Held {
    const held: Held = [this.#offered, this.#accepted, this.#boxContext];
    this.#offered = this.#accepted = null;
    return held;
  }

  /**
   * Exchanges a link token for a session. The same token (after a restart of the wasm, or a lost response) returns the same
   * session. Another token is sent with a new secret, and the current session stays in use unless the service accepts it.
   */
  async exchange(token: string, templateId: string): Promise<Reply> {
    if (token === this.#accepted?.token) return this.request("GET", SESSION);
    if (token !== this.#offered?.token) this.#offered = { token, secret: newSecret() };
    const offered = this.#offered;
    const body = { ...offered, templateId, hostOrigin: this.#hostOrigin };
    const reply = await this.#send("POST", "/link/sessions", body, null, false);
    // A later token is under way if the host page has set one meanwhile.
    if (reply.status === 201 && offered === this.#offered) {
      this.#accepted = offered;
      this.#sealingKey = undefined;
      const session = reply.body as { sessionId: string; attempt: { id: string } } | null;
      if (session?.attempt) this.#boxContext = [session.sessionId, session.attempt.id];
    }
    return reply;
  }

  /** Returns whether a token was accepted and the session has not ended. */
  get isOpen(): boolean {
    return this.#accepted !== null;
  }

  /** Sends a request. With `leaving`, the browser completes it even if the page is closed. */
  async request(
    method: string,
    path: string,
    body?: unknown,
    toSeal?: ToSeal | null,
    leaving = method === "DELETE",
  ): Promise<Reply> {
    const failed = toSeal && (await this.#seal(toSeal));
    if (failed) return failed;
    const secret = this.bearer;
    if (method === "DELETE" && path === SESSION) this.#accepted = null;
    const sent = this.#send(method, path, body, secret, leaving);
    // The login form comes with the provider. What encrypts the login is there once the person has typed it.
    if (path.startsWith("/link/providers/")) this.#prepareSeal();
    return sent;
  }

  /** Returns the secret, for the upload script. */
  get bearer(): string | null {
    return this.#accepted?.secret ?? null;
  }

  /** Loads the script that encrypts, and the session's key. If that failed, the next call tries again. */
  #prepareSeal(): [Promise<{ seal: typeof seal }>, Promise<Reply>] {
    const script = this.#sealer();
    // Prevents an unhandled rejection.
    script.catch(() => undefined);
    const key = (this.#sealingKey ??= this.request("GET", "/link/sealingKey"));
    void key.then(({ status, body }) => {
      if ((status !== 200 || !body) && key === this.#sealingKey) this.#sealingKey = undefined;
    });
    return [script, key];
  }

  /** Encrypts a secret. Returns the failed response if that is not possible. */
  async #seal({ holder, name, value, purpose, subject }: ToSeal): Promise<Reply | undefined> {
    try {
      const [script, key] = this.#prepareSeal();
      const reply = await key;
      if (reply.status !== 200) return reply;
      // A proxy may answer with its own page.
      if (!reply.body) return { ...reply, status: 0 };
      const { seal } = await script;
      holder[name] = await seal(reply.body as SealingKey, value, [purpose, ...this.#boxContext!, subject]);
      return undefined;
    } catch (error) {
      this.#lost(error);
      return { status: 0, retryAfter: 0, body: null };
    }
  }

  end(): void {
    if (this.isOpen) void this.request("DELETE", SESSION);
  }

  async #send(
    method: string,
    path: string,
    body: unknown,
    bearer: string | null,
    keepalive: boolean,
  ): Promise<Reply> {
    const headers: Record<string, string> = {
      accept: "application/json",
      // The service sends consent texts and the texts of providers in the widget's language.
      "accept-language": this.#locale(),
    };
    if (bearer !== null) headers["authorization"] = `Bearer ${bearer}`;
    const request: RequestInit = {
      method,
      headers,
      cache: "no-store",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(DEADLINE_MS),
      keepalive,
    };
    if (body !== undefined && body !== null) {
      headers["content-type"] = "application/json";
      request.body = JSON.stringify(body);
    }
    try {
      const response = await fetch(apiBase + path, request);
      const text = await response.text();
      const retryAfter = Number(response.headers.get("retry-after")) || 0;
      return { status: response.status, retryAfter, body: parseJson(text) };
    } catch {
      return { status: 0, retryAfter: 0, body: null };
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
