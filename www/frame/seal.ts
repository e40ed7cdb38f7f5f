/**
 * Seals what a person types before it leaves the frame: only the service's worker opens it. Imported when the first
 * secret is about to leave. The Rust side, and what goes into a box, is `link_types::sealing`.
 */

import { ephemeralPair, seal as sealTo, text } from "./hpke";

const SCHEME = "linchpin-seal-1";

export interface SealingKey {
  keyId: string;
  publicKey: string;
}

export interface SealedBox {
  keyId: string;
  enc: string;
  ciphertext: string;
}

/** What the box is for, from general to particular: purpose, session, attempt and subject. */
export type Belonging = [purpose: string, session: string, attempt: string, subject: string];

/** Seals a value as JSON. Nobody opens the box as anything else than what it belongs to. */
export async function seal(
  { keyId, publicKey }: SealingKey,
  value: unknown,
  belonging: Belonging,
  pair?: CryptoKeyPair,
): Promise<SealedBox> {
  const aad = text([SCHEME, ...belonging].join("\n"));
  const receiver = Uint8Array.from(atob(publicKey.replace(/-/g, "+").replace(/_/g, "/")), (byte) => byte.charCodeAt(0));
  const { enc, ciphertext } = await sealTo(
    receiver,
    text(SCHEME),
    aad,
    text(JSON.stringify(value)),
    pair ?? (await ephemeralPair()),
  );
  return { keyId, enc: base64url(enc), ciphertext: base64url(ciphertext) };
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}
