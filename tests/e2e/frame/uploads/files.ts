/** Generates small files of every format, valid and invalid. */
import { deflateSync } from "node:zlib";
import type { Given } from "./device";

export function given(name: string, buffer: Buffer | string): Given {
  return { name, mimeType: "application/octet-stream", buffer: Buffer.from(buffer) };
}

/** Creates a PDF with only the parts that the inspection reads. */
export function pdf(pages: number, more = "", trailer = ""): Buffer {
  const objects = [
    "1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n",
    `2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count ${pages} >>\nendobj\n`,
    `3 0 obj\n<< /Type /Pages /Parent 2 0 R /Kids [] /Count 999 >>\nendobj\n`,
    more,
  ];
  return Buffer.from(`%PDF-1.7\n${objects.join("")}trailer\n<< /Root 1 0 R ${trailer}>>\nstartxref\n9\n%%EOF\n`, "latin1");
}

/** Creates a TIFF in either byte order, with pages of these sizes, one strip each, and another tag. */
export function tiff(sides: [number, number][], little = true, more: [tag: number, value: number] = [259, 1]): Buffer {
  const [short, long] = little
    ? [(b: Buffer, v: number, at: number) => b.writeUInt16LE(v, at), (b: Buffer, v: number, at: number) => b.writeUInt32LE(v, at)]
    : [(b: Buffer, v: number, at: number) => b.writeUInt16BE(v, at), (b: Buffer, v: number, at: number) => b.writeUInt32BE(v, at)];
  const page = 2 + 12 * 5 + 4;
  const buffer = Buffer.alloc(8 + sides.length * page + 16);
  buffer.write(little ? "II" : "MM", 0, "latin1");
  short(buffer, 42, 2);
  long(buffer, 8, 4);
  sides.forEach(([width, height], nth) => {
    const at = 8 + nth * page;
    short(buffer, 5, at);
    const values: [number, number][] = [[256, width], [257, height], [273, buffer.length - 16], [279, 16], more];
    values.forEach(([tag, value], entry) => {
      const offset = at + 2 + 12 * entry;
      short(buffer, tag, offset);
      short(buffer, 4, offset + 2);
      long(buffer, 1, offset + 4);
      long(buffer, value, offset + 8);
    });
    long(buffer, nth + 1 < sides.length ? at + page : 0, at + page - 4);
  });
  return buffer;
}

/** Creates a PNG whose header declares this size, without matching pixels. */
export function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc(body));
    return Buffer.concat([head, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [chunk("IHDR", header), chunk("IDAT", deflateSync(Buffer.alloc(64))), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]);
}

function crc(bytes: Buffer): number {
  let sum = 0xffff_ffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb8_8320 : 0);
  }
  return (sum ^ 0xffff_ffff) >>> 0;
}

/** Adds EXIF data to a photo that says that the camera was held upright. */
export function turned(jpeg: Buffer): Buffer {
  const tiff = Buffer.from("II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0", "latin1");
  const exif = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
}
