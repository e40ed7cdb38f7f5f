import type { webhooks } from "../../../generated/types";

/** An event, as a webhook receives it. Its `type` says which `data` it has. New types may be added. */
export type WebhookEvent = webhooks[keyof webhooks]["post"]["requestBody"]["content"]["application/json"];

/** A delivery, as your server has received it. */
export interface WebhookRequest {
  /** The exact bytes of the body, before anything has parsed them. A string is taken as UTF-8. */
  body: string | Uint8Array;
  /** The headers: of a `Request`, or those of Node's `IncomingMessage`. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** How to check a delivery. */
export interface VerifyOptions {
  /** The webhook's secret as you registered it, or as `whsec_…`. Pass both while a secret rotates. */
  secret: string | readonly string[];
  /**
   * Which signature to check. `standard` (default): `webhook-signature` of Standard Webhooks, which covers the time of the
   * attempt. `service`: `Service-Signature`, which covers only the body. Each delivery has both.
   */
  scheme?: "standard" | "service" | undefined;
  /** How far the time of the attempt may differ from yours, in seconds. Default: 300. */
  toleranceSeconds?: number | undefined;
  /** The current time in milliseconds since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined;
}

/** Why a delivery is refused. */
export type WebhookFault = "missing-header" | "wrong-signature" | "wrong-time" | "not-json";

/** The error of `verifyWebhook`. Respond with 401, and act on nothing of the body. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  /** Why the delivery is refused. Branch on this, never on the message. */
  readonly code: WebhookFault;

  constructor(code: WebhookFault, message: string) {
    super(message);
    this.code = code;
  }
}

const TOLERANCE_SECONDS = 300;

/**
 * Checks the signature of a delivery, in constant time, and returns its event. The same event may come twice: compare its `id`.
 *
 * @throws WebhookVerificationError if the delivery is not from the service, or too old.
 */
export async function verifyWebhook({ body, headers }: WebhookRequest, options: VerifyOptions): Promise<WebhookEvent> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const keys = [options.secret].flat().flatMap(keysOf);
  if (options.scheme === "service") await checkService(bytes, headers, keys);
  else await checkStandard(bytes, headers, keys, options);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError("not-json", "the body is not JSON");
  }
}

async function checkService(body: Uint8Array, headers: WebhookRequest["headers"], keys: Uint8Array[]): Promise<void> {
  const given = [findHeader(headers, "service-signature"), findHeader(headers, "service-signature-next")];
  if (!given[0]) throw new WebhookVerificationError("missing-header", "the header Service-Signature is missing");
  await checkSignatures("SHA-512", given.map(fromHex), body, keys);
}

async function checkStandard(
  body: Uint8Array,
  headers: WebhookRequest["headers"],
  keys: Uint8Array[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now }: VerifyOptions,
): Promise<void> {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => {
    const value = findHeader(headers, name);
    if (!value) throw new WebhookVerificationError("missing-header", `the header ${name} is missing`);
    return value;
  }) as [string, string, string];
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  const given = signatures.split(" ").map((it) => (it.startsWith("v1,") ? fromBase64(it.slice(3)) : undefined));
  await checkSignatures("SHA-256", given, signed, keys);
  // After the signature, so that the message says nothing about a body that is not from the service.
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now() / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError("wrong-time", `the attempt was not within ${toleranceSeconds} s of now`);
  }
}

/** Succeeds if one of the signatures is that of one of the keys. */
async function checkSignatures(
  hash: "SHA-256" | "SHA-512",
  signatures: (Uint8Array | undefined)[],
  message: Uint8Array,
  keys: Uint8Array[],
): Promise<void> {
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey("raw", bytes as BufferSource, { name: "HMAC", hash }, false, ["verify"]);
    for (const signature of signatures) {
      if (signature && (await crypto.subtle.verify("HMAC", key, signature as BufferSource, message as BufferSource))) return;
    }
  }
  throw new WebhookVerificationError("wrong-signature", "no signature is that of the secret and the exact bytes of the body");
}

/** Returns the keys that a secret may mean: its bytes and, after `whsec_`, those in base64. */
function keysOf(secret: string): Uint8Array[] {
  if (typeof secret !== "string" || !secret) throw new TypeError("verifyWebhook: secret must be the webhook's secret");
  const decoded = secret.startsWith("whsec_") ? fromBase64(secret.slice(6)) : undefined;
  const own = new TextEncoder().encode(secret);
  return decoded?.length ? [decoded, own] : [own];
}

function findHeader(headers: WebhookRequest["headers"], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === "string" ? found : found?.[0];
}

function fromHex(text: string | undefined): Uint8Array | undefined {
  if (!text || !/^([0-9a-f]{2})+$/i.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
