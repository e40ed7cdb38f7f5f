/** Reads a TIFF file, directory by directory. Each is a page. Only Safari can decode TIFF, so there is no other check. */

import type { Facts } from "./facts";

const WIDTH = 256;
const HEIGHT = 257;
const COMPRESSION = 259;
const COLOURS = 262;
const FILL_ORDER = 266;
const STRIP_OFFSETS = 273;
const STRIP_BYTES = 279;
const TILE_OFFSETS = 324;
const TILE_BYTES = 325;
const SHORT = 3;
/** The kinds that the service reads (`link-documents/src/pixels/tiff_page.rs`). Fax group 3 and palettes are not among them. */
const READ: [tag: number, values: number[]][] = [
  [COMPRESSION, [1, 4, 5, 7, 8, 32773, 32946]],
  [COLOURS, [0, 1, 2, 5, 6]],
  [FILL_ORDER, [1]],
];

const TAGS = new Set([WIDTH, HEIGHT, STRIP_OFFSETS, STRIP_BYTES, TILE_OFFSETS, TILE_BYTES, ...READ.map(([tag]) => tag)]);

/** Stops at this number of pages, because a file whose directories form a cycle would never end. */
const MAX_PAGES = 1_000;

export function tiff(bytes: Uint8Array): Facts {
  const view = new DataView(bytes.buffer);
  const little = view.getUint8(0) === 0x49;
  const short = (at: number): number => view.getUint16(at, little);
  const long = (at: number): number => view.getUint32(at, little);
  let pages = 0;
  let pixels = 0;
  let isRead = true;
  for (let at = long(4); at !== 0 && pages < MAX_PAGES; pages += 1) {
    const count = short(at);
    const tags = new Map<number, number[]>();
    for (let entry = at + 2; entry < at + 2 + 12 * count; entry += 12) {
      const [tag, type, values] = [short(entry), short(entry + 2), long(entry + 4)];
      if (!TAGS.has(tag)) continue;
      const size = type === SHORT ? 2 : 4;
      const from = values * size <= 4 ? entry + 8 : long(entry + 8);
      // A list of values that exceeds the file is damaged.
      if (values === 0 || from + values * size > bytes.length) throw new RangeError();
      tags.set(tag, [...Array(values).keys()].map((nth) => (size === 2 ? short : long)(from + nth * size)));
    }
    const [wide = 0] = tags.get(WIDTH) ?? [];
    const [high = 0] = tags.get(HEIGHT) ?? [];
    const starts = tags.get(STRIP_OFFSETS) ?? tags.get(TILE_OFFSETS) ?? [];
    const lengths = tags.get(STRIP_BYTES) ?? tags.get(TILE_BYTES) ?? [];
    if (wide * high === 0 || starts.length === 0) throw new RangeError();
    starts.forEach((start, nth) => {
      if (start + (lengths[nth] ?? 0) > bytes.length) throw new RangeError();
    });
    pixels = Math.max(pixels, wide * high);
    isRead &&= READ.every(([tag, values]) => (tags.get(tag) ?? []).every((value) => values.includes(value)));
    at = long(at + 2 + 12 * count);
  }
  if (pages === 0) throw new RangeError();
  return { pages, pixels, fault: isRead ? null : "UNSUPPORTED_FORMAT" };
}
