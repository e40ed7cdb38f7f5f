/**
 * The session with the service. Its secret is made here, lives only in this closure's memory and is the bearer of
 * every request: neither the wasm, nor the host page, nor any storage ever holds it.
 */

import { apiBase } from "./page";

/** What the wasm gets back: a status (0 = the network failed) and the decoded JSON, if there was any. */
export interface Reply {
  status: number;
  body: unknown;
}

const DEADLINE_MS = 30_000;
const SESSION = "/link/session";

function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

export class Session {
  readonly #hostOrigin: string;
  #offered: { token: string; secret: string } | null = null;
  #accepted: { token: string; secret: string } | null = null;

  constructor(hostOrigin: string) {
    this.#hostOrigin = hostOrigin;
  }

  /**
   * Turns a link token into a session. The same token again (after the wasm was restarted, or after an answer that
   * got lost) is the same session. Another token is offered with another secret, and the session held until then
   * stays in use unless the service accepts it.
   */
  async exchange(token: string, templateId: string): Promise<Reply> {
    if (token === this.#accepted?.token) return this.request("GET", SESSION);
    if (token !== this.#offered?.token) this.#offered = { token, secret: newSecret() };
    const offered = this.#offered;
    const body = { ...offered, templateId, hostOrigin: this.#hostOrigin };
    const reply = await send("POST", "/link/sessions", body, null);
    if (reply.status === 201) this.#accepted = offered;
    return reply;
  }

  /** Whether there is one: a token was accepted and the session not ended. */
  get isOpen(): boolean {
    return this.#accepted !== null;
  }

  request(method: string, path: string, body?: unknown): Promise<Reply> {
    const secret = this.#accepted?.secret ?? null;
    if (method === "DELETE" && path === SESSION) this.#accepted = null;
    return send(method, path, body, secret);
  }

  end(): void {
    if (this.isOpen) void this.request("DELETE", SESSION);
  }
}

async function send(method: string, path: string, body: unknown, bearer: string | null): Promise<Reply> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (bearer !== null) headers["authorization"] = `Bearer ${bearer}`;
  const request: RequestInit = {
    method,
    headers,
    cache: "no-store",
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(DEADLINE_MS),
    // The session is ended while the frame goes away, and must be ended all the same.
    keepalive: method === "DELETE",
  };
  if (body !== undefined && body !== null) {
    headers["content-type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  try {
    const response = await fetch(apiBase + path, request);
    const text = await response.text();
    return { status: response.status, body: parsed(text) };
  } catch {
    return { status: 0, body: null };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
