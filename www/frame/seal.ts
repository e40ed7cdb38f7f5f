/**
 * Encrypts what a person types before it leaves the frame. Only the service's worker can decrypt it. Imported before the
 * first secret is sent. `link_types::sealing` is the Rust side and describes the content of a box.
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

/** The context of a box: purpose, session, attempt and subject. */
export type BoxContext = [purpose: string, session: string, attempt: string, subject: string];

/** Encrypts a value as JSON. The box can only be decrypted in the context it belongs to. */
export async function seal(
  { keyId, publicKey }: SealingKey,
  value: unknown,
  context: BoxContext,
  pair?: CryptoKeyPair,
): Promise<SealedBox> {
  const aad = text([SCHEME, ...context].join("\n"));
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
