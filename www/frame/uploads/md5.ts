/** MD5 and RC4, which older PDF encryption needs and WebCrypto does not have. Do not use them for anything else. */

const TURNS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const SINES = Array.from({ length: 64 }, (_, nth) => Math.floor(Math.abs(Math.sin(nth + 1)) * 2 ** 32));

export function md5(...parts: ArrayLike<number>[]): Uint8Array {
  const text = parts.flatMap((part) => Array.from(part));
  const bits = text.length * 8;
  text.push(0x80);
  while (text.length % 64 !== 56) text.push(0);
  const view = new DataView(new Uint8Array([...text, ...new Array(8).fill(0)]).buffer);
  view.setUint32(text.length, bits, true);
  const sum = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  for (let block = 0; block < view.byteLength; block += 64) {
    let [a, b, c, d] = sum as [number, number, number, number];
    for (let nth = 0; nth < 64; nth += 1) {
      const round = nth >> 4;
      const mixed = [(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d, c ^ (b | ~d)][round]!;
      const word = [nth, 5 * nth + 1, 3 * nth + 5, 7 * nth][round]! % 16;
      const added = (a + mixed + SINES[nth]! + view.getUint32(block + 4 * word, true)) | 0;
      const turn = TURNS[4 * round + (nth % 4)]!;
      [a, d, c, b] = [d, c, b, (b + ((added << turn) | (added >>> (32 - turn)))) | 0];
    }
    [a, b, c, d].forEach((part, nth) => (sum[nth] = (sum[nth]! + part) | 0));
  }
  const out = new DataView(new ArrayBuffer(16));
  sum.forEach((part, nth) => out.setUint32(4 * nth, part, true));
  return new Uint8Array(out.buffer);
}

export function rc4(key: ArrayLike<number>, text: ArrayLike<number>): Uint8Array {
  const box = Array.from({ length: 256 }, (_, nth) => nth);
  const swap = (one: number, other: number): void => void ([box[one], box[other]] = [box[other]!, box[one]!]);
  for (let nth = 0, other = 0; nth < 256; nth += 1) {
    other = (other + box[nth]! + key[nth % key.length]!) & 255;
    swap(nth, other);
  }
  let [one, other] = [0, 0];
  return Uint8Array.from(text, (byte) => {
    one = (one + 1) & 255;
    other = (other + box[one]!) & 255;
    swap(one, other);
    return byte ^ box[(box[one]! + box[other]!) & 255]!;
  });
}
