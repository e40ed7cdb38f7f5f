/**
 * Determines whether an encrypted PDF opens without a password (ISO 32000-2, 7.6.4). Many PDFs are encrypted only to
 * prevent changes, and can be read. Unknown encryption counts as readable, because the service inspects the file again.
 */

import { md5, rc4 } from "./md5";

const PADDING = [
  0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08, 0x2e, 0x2e, 0x00, 0xb6,
  0xd0, 0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a,
];
const ESCAPES: Record<string, number> = { n: 10, r: 13, t: 9, b: 8, f: 12 };

/** `text` has one character per byte. `lock` is the text after `/Encrypt`. */
export async function needsPassword(text: string, lock: string): Promise<boolean> {
  const object = /^(\d+)\s+(\d+)\s+R/.exec(lock);
  const start = object ? text.search(new RegExp(`(^|[^\\d])${object[1]}\\s+${object[2]}\\s+obj\\b`)) : 0;
  const dictionary = object ? text.slice(start, text.indexOf("endobj", start)) : lock.slice(0, 2_000);
  const [revision, user] = [number(dictionary, "R"), bytes(dictionary, "U")];
  if (start < 0 || user === null || !/\/Filter\s*\/Standard\b/.test(dictionary)) return false;
  if (revision >= 5) return (await strong(user.subarray(32, 40), revision)) !== hex(user.subarray(0, 32));
  const owner = bytes(dictionary, "O");
  const id = bytes(text.slice(text.lastIndexOf("/ID")), "ID") ?? new Uint8Array();
  if (owner === null) return false;
  const rights = new Uint8Array(new Int32Array([number(dictionary, "P")]).buffer);
  const clear = revision >= 4 && /\/EncryptMetadata\s+false/.test(dictionary) ? [255, 255, 255, 255] : [];
  const length = revision === 2 ? 5 : (number(dictionary, "Length") || 40) / 8;
  let key = md5(PADDING, owner.subarray(0, 32), rights, id, clear);
  for (let turn = 0; turn < 50 && revision > 2; turn += 1) key = md5(key.subarray(0, length));
  key = key.subarray(0, length);
  if (revision === 2) return hex(rc4(key, PADDING)) !== hex(user.subarray(0, 32));
  let expected = md5(PADDING, id);
  for (let turn = 0; turn < 20; turn += 1) expected = rc4(key.map((byte) => byte ^ turn), expected);
  return hex(expected) !== hex(user.subarray(0, 16));
}

/** Returns the hash of an empty password: SHA-256 in revision 5, the hardened hash in revision 6. */
async function strong(salt: Uint8Array<ArrayBuffer>, revision: number): Promise<string> {
  let key = new Uint8Array(await crypto.subtle.digest("SHA-256", salt));
  for (let turn = 0, last = 0; revision >= 6 && (turn < 64 || last > turn - 32); turn += 1) {
    const repeated = new Uint8Array(key.length * 64);
    for (let at = 0; at < repeated.length; at += key.length) repeated.set(key, at);
    const aes = await crypto.subtle.importKey("raw", key.subarray(0, 16), "AES-CBC", false, ["encrypt"]);
    const sealed = await crypto.subtle.encrypt({ name: "AES-CBC", iv: key.subarray(16, 32) }, aes, repeated);
    // WebCrypto appends a padding block, which is not part of the result.
    const mixed = new Uint8Array(sealed, 0, repeated.length);
    const rest = mixed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = new Uint8Array(await crypto.subtle.digest(["SHA-256", "SHA-384", "SHA-512"][rest]!, mixed));
    last = mixed[mixed.length - 1]!;
  }
  return hex(key.subarray(0, 32));
}

function number(dictionary: string, name: string): number {
  return Number(new RegExp(`/${name}\\s+(-?\\d+)`).exec(dictionary)?.[1] ?? 0);
}

/** Returns the first string after a name, in literal or hexadecimal notation. */
function bytes(dictionary: string, name: string): Uint8Array<ArrayBuffer> | null {
  const found = new RegExp(`/${name}\\s*\\[?\\s*([<(])`).exec(dictionary);
  if (!found) return null;
  const from = found.index + found[0].length;
  if (found[1] === "<") {
    const digits = dictionary.slice(from, dictionary.indexOf(">", from)).replace(/\s/g, "");
    return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  }
  const out: number[] = [];
  for (let at = from, depth = 1; at < dictionary.length; at += 1) {
    const letter = dictionary[at]!;
    if (letter === "(") depth += 1;
    if (letter === ")" && (depth -= 1) === 0) break;
    if (letter !== "\\") {
      out.push(dictionary.charCodeAt(at));
      continue;
    }
    const octal = /^[0-7]{1,3}/.exec(dictionary.slice(at + 1, at + 4))?.[0];
    const next = dictionary[at + 1] ?? "";
    if (octal) out.push(parseInt(octal, 8) & 255);
    else if (next !== "\n") out.push(ESCAPES[next] ?? next.charCodeAt(0));
    at += octal?.length ?? 1;
  }
  return Uint8Array.from(out);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
