/** PDF, as far as it can be told without reading its streams. */

import type { Facts } from "./uploads-inspect";
import { needsPassword } from "./uploads-lock";

/** Where readers look for the end of a document. */
const TAIL_BYTES = 2_048;

export async function pdf(bytes: Uint8Array): Promise<Facts> {
  // One character a byte: places in the text are places in the file.
  const text = new TextDecoder("latin1").decode(bytes);
  const whole = text.slice(-TAIL_BYTES).includes("%%EOF") && text.includes("startxref");
  if (!whole) return { pages: null, pixels: null, fault: "DAMAGED" };
  const [lock] = [...text.matchAll(/\/Encrypt\s*(?=\d+\s+\d+\s+R|<<)/g)].slice(-1);
  const locked = lock && (await needsPassword(text, text.slice(lock.index + lock[0].length)));
  return { pages: pages(text), pixels: null, fault: locked ? "ENCRYPTED" : null };
}

/**
 * The root of the page tree says how many pages there are; of several, the last is the one in force. In a document whose
 * objects are packed into streams it is not to be seen, and the number is not known here.
 */
function pages(text: string): number | null {
  let found: number | null = null;
  for (const { index } of text.matchAll(/\/Type\s*\/Pages\b/g)) {
    const object = text.slice(text.lastIndexOf("obj", index), text.indexOf("endobj", index));
    const count = /\/Count\s+(\d+)/.exec(object);
    if (count && !/\/Parent\b/.test(object)) found = Number(count[1]);
  }
  return found;
}
