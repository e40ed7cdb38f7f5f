/**
 * Reads the QR code of a hand-off like a phone's camera, except that the picture is perfect, so no error is corrected.
 * Knows the versions and the level of error correction that the addresses of a service need.
 */
import type { Locator } from "@playwright/test";

/** For level M, by version: the centers of the alignment patterns, and the number of data bytes of each block. */
const VERSIONS: Record<number, { centers: number[]; blocks: number[] }> = {
  4: { centers: [6, 26], blocks: [32, 32] },
  5: { centers: [6, 30], blocks: [43, 43] },
  6: { centers: [6, 34], blocks: [27, 27, 27, 27] },
  7: { centers: [6, 22, 38], blocks: [31, 31, 31, 31] },
  8: { centers: [6, 24, 42], blocks: [38, 38, 39, 39] },
  9: { centers: [6, 26, 46], blocks: [36, 36, 36, 37, 37] },
};

const MASKS = [
  (x: number, y: number) => (x + y) % 2 === 0,
  (_: number, y: number) => y % 2 === 0,
  (x: number) => x % 3 === 0,
  (x: number, y: number) => (x + y) % 3 === 0,
  (x: number, y: number) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x: number, y: number) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x: number, y: number) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x: number, y: number) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

const ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";

/** Returns the text of the code that a picture shows. */
export async function scan(picture: Locator): Promise<string> {
  const source = (await picture.getAttribute("src")) ?? "";
  return text(modules(Buffer.from(source.split(",")[1] ?? "", "base64").toString()));
}

/** Draws the rectangles of the picture's second path. */
function modules(svg: string): boolean[][] {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]) - 8;
  const drawn = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h/g)) {
    drawn[Number(y) - 4]!.fill(true, Number(x) - 4, Number(x) - 4 + Number(width));
  }
  return drawn;
}

function text(drawn: boolean[][]): string {
  const size = drawn.length;
  const version = (size - 17) / 4;
  const known = VERSIONS[version];
  if (!known) throw new Error(`a code of version ${version}`);
  const isDark = (x: number, y: number): boolean => drawn[y]![x]!;
  // The mask: three bits of the format next to the upper left corner, which are themselves masked by 101.
  const masked = [2, 3, 4].reduce((bits, x) => bits * 2 + Number(isDark(x, 8)), 0) ^ 0b101;
  const isReserved = reserved(size, version, known.centers);
  const bits: number[] = [];
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (!isReserved(x, y)) bits.push(Number(isDark(x, y) !== MASKS[masked]!(x, y)));
      }
    }
  }
  return decode(deinterleave(bits, known.blocks), version);
}

/** Returns whether a module belongs to a pattern and not to the data. */
function reserved(size: number, version: number, centers: number[]): (x: number, y: number) => boolean {
  const last = centers.at(-1)!;
  const isFinder = (x: number, y: number): boolean => (x < 9 && (y < 9 || y >= size - 8)) || (x >= size - 8 && y < 9);
  const isAlignment = (x: number, y: number): boolean =>
    centers.some((row) =>
      centers.some((column) => {
        const isCorner = (row === 6 && (column === 6 || column === last)) || (row === last && column === 6);
        return !isCorner && Math.abs(x - column) <= 2 && Math.abs(y - row) <= 2;
      }),
    );
  const isVersion = (x: number, y: number): boolean =>
    version >= 7 && ((x < 6 && y >= size - 11) || (y < 6 && x >= size - 11));
  return (x, y) => isFinder(x, y) || x === 6 || y === 6 || isAlignment(x, y) || isVersion(x, y);
}

/** Returns the data bytes as bits, block after block. */
function deinterleave(bits: number[], lengths: number[]): number[] {
  const bytes: number[][] = [];
  for (let at = 0; at + 8 <= bits.length; at += 8) bytes.push(bits.slice(at, at + 8));
  const blocks: number[][][] = lengths.map(() => []);
  let next = 0;
  for (let nth = 0; nth < Math.max(...lengths); nth += 1) {
    blocks.forEach((block, index) => {
      if (nth < lengths[index]!) block.push(bytes[next++]!);
    });
  }
  return blocks.flat(2);
}

function decode(bits: number[], version: number): string {
  let at = 0;
  const take = (count: number): number => {
    const value = bits.slice(at, at + count).reduce((number, bit) => number * 2 + bit, 0);
    at += count;
    return value;
  };
  if (version > 9) throw new Error("longer length fields");
  let found = "";
  for (;;) {
    const mode = at + 4 <= bits.length ? take(4) : 0;
    if (mode === 0) return found;
    if (mode === 4) {
      for (let left = take(8); left > 0; left -= 1) found += String.fromCharCode(take(8));
    } else if (mode === 2) {
      let left = take(9);
      for (; left > 1; left -= 2) {
        const pair = take(11);
        found += ALPHANUMERIC[Math.floor(pair / 45)]! + ALPHANUMERIC[pair % 45]!;
      }
      if (left === 1) found += ALPHANUMERIC[take(6)]!;
    } else if (mode === 1) {
      let left = take(10);
      for (; left > 2; left -= 3) found += String(take(10)).padStart(3, "0");
      if (left > 0) found += String(take(left === 2 ? 7 : 4)).padStart(left, "0");
    } else throw new Error(`mode ${mode}`);
  }
}
