/** Tests the inspection of files before they are sent. */
import { readFile } from "node:fs/promises";

import { expect, test } from "./device";
import { given, pdf, pngOf, tiff, turned } from "./files";
import { LOCKS } from "./locks";
import { sha256 } from "./service";

test("formats are detected by the first bytes, not the name", async ({ device }) => {
  const small = await device.photo(64, 48);
  for (const [name, buffer, format, pages, pixels] of [
    ["a.txt", pdf(3), "PDF", 3, null],
    ["b.pdf", small, "JPEG", 1, 64 * 48],
    ["c.jpg", await device.photo(40, 30, "image/png"), "PNG", 1, 1_200],
    ["d.png", tiff([[100, 200], [300, 50]]), "TIFF", 2, 20_000],
    ["e.png", tiff([[100, 200]], false), "TIFF", 1, 20_000],
  ] as const) {
    const seen = await device.look(given(name, buffer));
    expect(seen, name).toMatchObject({ format, pages, pixels, fault: null, sizeBytes: buffer.length, sha256: sha256(buffer) });
  }
});

test("unreadable files are detected", async ({ device }) => {
  const [jpeg, png, tif] = [await device.photo(640, 480), await device.photo(640, 480, "image/png"), tiff([[10, 10]])];
  const noise = Buffer.concat([jpeg.subarray(0, 200), Buffer.alloc(400, 7), Buffer.from([0xff, 0xd9])]);
  for (const [name, buffer, format, fault] of [
    ["empty", Buffer.alloc(0), null, null],
    ["words", Buffer.from("MZ this is a program"), null, null],
    ["half a JPEG", jpeg.subarray(0, jpeg.length / 2), "JPEG", "DAMAGED"],
    ["a JPEG's head", jpeg.subarray(0, 30), "JPEG", "DAMAGED"],
    ["noise", noise, "JPEG", "DAMAGED"],
    ["half a PNG", png.subarray(0, png.length / 2), "PNG", "DAMAGED"],
    ["a PNG that does not decode", pngOf(300, 300), "PNG", "DAMAGED"],
    ["half a TIFF", tif.subarray(0, tif.length - 8), "TIFF", "DAMAGED"],
    ["a TIFF in circles", Buffer.concat([tif.subarray(0, 70), Buffer.from([8, 0, 0, 0]), tif.subarray(74)]), "TIFF", null],
    ["a TIFF of fax group 3", tiff([[10, 10]], true, [259, 3]), "TIFF", "UNSUPPORTED_FORMAT"],
    ["a TIFF with a palette", tiff([[10, 10], [9, 9]], false, [262, 3]), "TIFF", "UNSUPPORTED_FORMAT"],
    ["a TIFF with turned bits", tiff([[10, 10]], true, [266, 2]), "TIFF", "UNSUPPORTED_FORMAT"],
    ["a TIFF of fax group 4", tiff([[10, 10]], true, [259, 4]), "TIFF", null],
    ["half a PDF", pdf(1).subarray(0, 150), "PDF", "DAMAGED"],
  ] as const) {
    expect(await device.look(given(name, buffer)), name).toMatchObject({ format, fault });
  }
});

/** Encodes a string as a PDF literal with escapes. */
function literal(hex: string): string {
  const text = Buffer.from(hex, "hex").toString("latin1");
  return `(${text.replace(/[\\()]/g, "\\$&").replace(/\r/g, "\\r").replace(/[\x80-\x9f]/g, (byte) => `\\${byte.charCodeAt(0).toString(8)}`)})`;
}

for (const { way, password, version, revision, bits, owner, user, id } of LOCKS) {
  test(`a PDF encrypted with ${way} is ${password ? "rejected" : "accepted without a password"}`, async ({ device }) => {
    const head = `/Filter /Standard /V ${version} /R ${revision} /Length ${bits} /P -4`;
    for (const [o, u] of [[`<${owner}>`, `<${user}>`], [literal(owner), literal(user)]]) {
      const dictionary = `<< ${head} /O ${o} /U ${u} >>`;
      const fault = password ? "ENCRYPTED" : null;
      const apart = pdf(1, `15 0 obj\n<< /Length 1 >>\nendobj\n5 0 obj\n${dictionary}\nendobj\n`, `/Encrypt 5 0 R /ID [<${id}> <${id}>] `);
      expect(await device.look(given("locked.pdf", apart))).toMatchObject({ format: "PDF", fault });
      const inside = pdf(1, "", `/ID [<${id}><${id}>] /Encrypt ${dictionary} `);
      expect(await device.look(given("locked.pdf", inside))).toMatchObject({ format: "PDF", fault });
    }
  });
}

test("unknown PDF encryption is accepted, for the service to inspect", async ({ device }) => {
  expect(await device.look(given("own.pdf", pdf(1, "", "/Encrypt << /Filter /Own >> ")))).toMatchObject({ fault: null });
});

test("bytes before the header and after the end of a PDF are removed", async ({ device }) => {
  const whole = pdf(2);
  const content = whole.subarray(0, whole.length - 1);
  const [head, tail] = [Buffer.from("HTTP/1.1 200 OK\r\n\r\n"), Buffer.from("\n--boundary--\n".repeat(300))];
  for (const [name, buffer] of [
    ["before", Buffer.concat([head, whole.subarray(0, whole.length - 1), tail])],
    ["after", Buffer.concat([whole, tail])],
  ] as const) {
    const seen = await device.look(given(`${name}.pdf`, buffer));
    expect(seen, name).toMatchObject({ format: "PDF", pages: 2, fault: null, sizeBytes: content.length, sha256: sha256(content) });
    await device.send(Number(seen["handle"]));
    await device.until("sent");
  }
  const padded = Buffer.concat([whole, Buffer.alloc(20)]);
  expect(await device.look(given("padded.pdf", padded))).toMatchObject({ sha256: sha256(padded) });
  const cut = Buffer.concat([whole, Buffer.from("7 0 obj\n<< /Length 99 >>\nstream\nabc")]);
  expect(await device.look(given("cut.pdf", cut)), "an earlier end is not the end").toMatchObject({ fault: "DAMAGED" });
  const far = Buffer.concat([Buffer.alloc(2_000, 32), Buffer.from("words")]);
  expect(await device.look(given("far.pdf", far))).toMatchObject({ format: null });
});

test("the number of pages of a PDF is null if it is unknown", async ({ device }) => {
  const packed = Buffer.from("%PDF-1.7\n1 0 obj\n<< /Type /ObjStm >>\nendobj\nstartxref\n9\n%%EOF\n");
  expect(await device.look(given("packed.pdf", packed))).toMatchObject({ format: "PDF", pages: null, fault: null });
  // In a PDF that was changed later, the last root of the page tree is current.
  const changed = pdf(40, "2 0 obj\n<< /Type /Pages /Kids [] /Count 2 >>\nendobj\n");
  expect(await device.look(given("changed.pdf", changed))).toMatchObject({ pages: 2 });
});

test("an image of 50,000 by 50,000 pixels is measured but not decoded", async ({ device }) => {
  const seen = await device.look(given("huge.png", pngOf(50_000, 50_000)));
  expect(seen).toMatchObject({ format: "PNG", pixels: 2_500_000_000, fault: null, preview: null });
  expect(await device.look(given("endless.png", pngOf(0x7fff_ffff, 0x7fff_ffff)))).toMatchObject({ pixels: 0xffff_ffff });
});

for (const type of ["image/jpeg", "image/png"]) {
  test(`bytes after the end of a picture are not sent: ${type}`, async ({ device }) => {
    const photo = await device.photo(400, 300, type);
    for (const after of [Buffer.alloc(44_758), Buffer.from("\0\0\0\x18ftypmp42 a film"), photo]) {
      expect(await device.look(given("motion.jpg", Buffer.concat([photo, after])))).toMatchObject({
        fault: null,
        sizeBytes: photo.length,
        sha256: sha256(photo),
      });
    }
  });
}

test("a stray byte between the segments of a photo does not matter", async ({ device }) => {
  const photo = await device.photo(400, 300);
  // The first segment begins at byte 2: a marker of 2 bytes, and its length.
  const second = 4 + photo.readUInt16BE(4);
  const stray = Buffer.concat([photo.subarray(0, second), Buffer.of(0), photo.subarray(second)]);
  expect(await device.look(given("photo.jpg", stray))).toMatchObject({ fault: null, pixels: 120_000 });
});

test("a large photo is scaled down before it is hashed", async ({ device }) => {
  const photo = await device.photo(4_000, 3_000);
  const seen = await device.look(given("photo.jpg", photo));
  await device.send(Number(seen["handle"]));
  await device.until("sent");
  const { bytes, metadata } = device.service.only;
  expect(await device.seen(bytes)).toMatchObject({ width: 3_000, height: 2_250 });
  expect(metadata["sha256"]).toBe(sha256(bytes));
  expect(seen).toMatchObject({ format: "JPEG", sizeBytes: bytes.length, sha256: sha256(bytes) });
});

test("a scaled photo has the orientation of its EXIF data", async ({ device }) => {
  const photo = turned(await device.photo(4_000, 3_000));
  const seen = await device.look(given("photo.jpg", photo));
  await device.send(Number(seen["handle"]));
  await device.until("sent");
  const { width, height, first, last } = await device.seen(device.service.only.bytes);
  expect([width, height]).toEqual([2_250, 3_000]);
  // The left side is on top after the rotation.
  expect(first[0]).toBeGreaterThan(200);
  expect(last[2]).toBeGreaterThan(200);
});

test("a large PNG becomes a JPEG, and a small photo is not changed", async ({ device }) => {
  const large = await device.look(given("scan.png", await device.photo(3_500, 100, "image/png")));
  expect(large).toMatchObject({ format: "JPEG" });
  const small = await device.photo(3_000, 100);
  expect(await device.look(given("small.jpg", small))).toMatchObject({ sha256: sha256(small) });
});

test("a picture that the service does not read is sent as a JPEG", async ({ device }) => {
  const webp = await device.photo(640, 480, "image/webp");
  expect(webp.subarray(8, 12).toString("latin1")).toBe("WEBP");
  const gif = Buffer.from("R0lGODlhAQABAIAAAP8AAP8AACwAAAAAAQABAAACAkQBADs=", "base64");
  const pixels = Buffer.from("424d3a0000000000000036000000280000000100000001000000010018000000000004000000000000000000000000000000000000000000ff00", "hex");
  for (const [name, buffer, count] of [["a.webp", webp, 640 * 480], ["b.gif", gif, 1], ["c.bmp", pixels, 1]] as const) {
    const seen = await device.look(given(name, buffer));
    expect(seen, name).toMatchObject({ format: "JPEG", pages: 1, pixels: count, fault: null, preview: expect.stringMatching(/^blob:/) });
  }
  await device.send(1);
  await device.until("sent");
  const { width, height, first, last } = await device.seen(device.service.only.bytes);
  expect([width, height, first[0]! > 200, last[2]! > 200]).toEqual([640, 480, true, true]);
});

test("HEIC that the browser cannot draw is sent as it is", async ({ device }) => {
  const heic = await readFile("tests/documents/payslip.heic");
  const unseen = { pages: null, pixels: null, fault: null, preview: null, sizeBytes: heic.length, sha256: sha256(heic) };
  expect(await device.look(given("photo.jpg", heic))).toMatchObject({ format: "HEIC", ...unseen });
  await device.send(1);
  await device.until("sent");
  expect(device.service.only.bytes.equals(heic)).toBe(true);
  const avif = Buffer.from("\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf", "latin1");
  expect(await device.look(given("photo.heic", avif))).toMatchObject({ format: null });
});

test("a photo has a preview, and a PDF does not", async ({ device }) => {
  const { preview } = await device.look(given("photo.jpg", await device.photo(800, 600)));
  expect(preview).toMatch(/^blob:/);
  const shown = await device.page.evaluate(async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  }, String(preview));
  expect(shown).toEqual([80, 60]);
  expect((await device.look(given("a.pdf", pdf(1))))["preview"]).toBeNull();
});
