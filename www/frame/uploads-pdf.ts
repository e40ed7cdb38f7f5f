/** Reads a PDF file as far as possible without decoding its streams. */

import type { Facts } from "./uploads-inspect";
import { needsPassword } from "./uploads-lock";

/** The number of bytes in which readers search for the end of a document. */
const TAIL_BYTES = 2_048;

export async function pdf(bytes: Uint8Array): Promise<Facts> {
  // One character per byte, so that offsets in the text are offsets in the file.
  const text = new TextDecoder("latin1").decode(bytes);
  const whole = text.slice(-TAIL_BYTES).includes("%%EOF") && text.includes("startxref");
  if (!whole) return { pages: null, pixels: null, fault: "DAMAGED" };
  const [lock] = [...text.matchAll(/\/Encrypt\s*(?=\d+\s+\d+\s+R|<<)/g)].slice(-1);
  const locked = lock && (await needsPassword(text, text.slice(lock.index + lock[0].length)));
  return { pages: pages(text), pixels: null, fault: locked ? "ENCRYPTED" : null };
}

/**
 * Returns the number of pages, which is in the root of the page tree. If there are several roots, the last is current.
 * Returns null if the objects are packed into streams.
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
