/** Reads a PNG file, chunk by chunk. */

import type { Facts } from "./facts";

const HEADER = 0x49484452;
const END = 0x49454e44;

export function png(bytes: Uint8Array): Facts {
  const view = new DataView(bytes.buffer);
  const [wide, high] = [view.getUint32(16), view.getUint32(20)];
  const facts: Facts = { pages: 1, pixels: wide * high, longest: Math.max(wide, high), fault: "DAMAGED" };
  if (view.getUint32(12) !== HEADER || wide === 0 || high === 0) return facts;
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    const next = at + 12 + view.getUint32(at);
    if (view.getUint32(at + 4) === END) return { ...facts, fault: null, part: next < bytes.length ? [0, next] : undefined };
  }
  return facts;
}
