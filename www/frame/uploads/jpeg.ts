/** Reads a JPEG file, segment by segment up to the image data. */

import type { Facts } from "./facts";

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

export function jpeg(bytes: Uint8Array): Facts {
  const view = new DataView(bytes.buffer);
  let sides: [number, number] | null = null;
  let at = 2;
  for (;;) {
    const marker = view.getUint8(at + 1);
    // Fill bytes may precede a marker. Like viewers, skips bytes that do not belong to a segment.
    if (view.getUint8(at) !== 0xff || marker === 0xff || marker === 0) {
      at += 1;
      continue;
    }
    if (marker === START_OF_SCAN) break;
    if (isFrame(marker)) sides = [view.getUint16(at + 5), view.getUint16(at + 7)];
    at += 2 + view.getUint16(at + 2);
  }
  // In a scan, every FF is followed by 0 or a restart marker. The next end marker therefore belongs to this image, not to a
  // thumbnail before it or to data that a camera appends.
  const end = endOf(bytes, at);
  if (!sides || !end) return damagedFacts(sides);
  return { ...damagedFacts(sides), fault: null, part: end < bytes.length ? [0, end] : undefined };
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Returns the place after the end marker, or 0 if there is none. */
function endOf(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from + 2); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] === END_OF_IMAGE) return at + 2;
  }
  return 0;
}

function damagedFacts(sides: [number, number] | null): Facts {
  const [high, wide] = sides ?? [0, 0];
  return { pages: 1, pixels: high * wide, longest: Math.max(high, wide), fault: "DAMAGED" };
}
