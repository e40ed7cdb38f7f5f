/** Reads a PDF file as far as possible without decoding its streams. */

import type { Facts } from "./facts";
import { needsPassword } from "./lock";

export const PDF_HEADER = "%PDF-";
const END = "%%EOF";

/** Returns one character per byte, so that offsets in the text are offsets in the file. */
export const latin1 = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes);

export async function pdf(bytes: Uint8Array): Promise<Facts> {
  const file = latin1(bytes);
  const from = file.indexOf(PDF_HEADER);
  const end = file.lastIndexOf(END) + END.length;
  const text = file.slice(from, end);
  const after = file.slice(end);
  // A PDF that is cut off may have an earlier end, of its first page or version. More of its objects follow it.
  const whole = end > from && text.includes("startxref") && !/\d\s+obj\b|\bendstream\b|\bxref\b/.test(after);
  if (!whole) return { pages: null, pixels: null, fault: "DAMAGED" };
  // The service accepts padding, so a document with nothing else around it stays as it is.
  const padded = /^(\xef\xbb\xbf)?\s*$/.test(file.slice(0, from)) && /^[\s\0]*$/.test(after);
  const part: [number, number] | undefined = padded ? undefined : [from, end];
  const [lock] = [...text.matchAll(/\/Encrypt\s*(?=\d+\s+\d+\s+R|<<)/g)].slice(-1);
  const locked = lock && (await needsPassword(text, text.slice(lock.index + lock[0].length)));
  return { pages: pages(text), pixels: null, fault: locked ? "ENCRYPTED" : null, part };
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
