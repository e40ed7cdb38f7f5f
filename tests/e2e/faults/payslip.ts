/**
 * Generates a payslip as a PDF of any size: one page of text, photographed pages that take long to read, and an unused
 * stream as padding.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

const PHOTO = { bytes: readFileSync("docs/samples/identification-ph.jpg"), width: 1568, height: 915 };

const LINES = [
  "RECIBO DE NOMINA",
  "Empresa: Talleres Aurora SA de CV",
  "Empleado: Lucia Ejemplo Prueba",
  "Puesto: Analista",
  "Periodo de pago: 2026-10-01 al 2026-10-15",
  "Fecha de pago: 2026-10-15",
  "Sueldo base: 12,500.00",
  "Total percepciones: 14,200.00",
  "Total deducciones: 2,130.00",
  "Neto a pagar: 12,070.00",
];

export function payslip(name: string, padding: number, photos = 0): { name: string; mimeType: string; buffer: Buffer } {
  const text = LINES.map((line, index) => `BT /F1 12 Tf 72 ${740 - index * 24} Td (${line}) Tj ET`).join("\n");
  const pages = ["3 0 R", ...Array.from({ length: photos }, (_, index) => `${8 + index} 0 R`)];
  const { bytes, width, height } = PHOTO;
  const objects = [
    Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"),
    Buffer.from(`<< /Type /Pages /Kids [${pages.join(" ")}] /Count ${pages.length} >>`),
    Buffer.from(
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    ),
    stream(Buffer.from(text)),
    Buffer.from("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"),
    stream(bytes, `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray
      /BitsPerComponent 8 /Filter /DCTDecode`),
    stream(Buffer.from("792 0 0 462 0 75 cm /Photo Do")),
    ...Array.from({ length: photos }, () =>
      Buffer.from(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 792 612] /Contents 7 0 R /Resources << /XObject << /Photo 6 0 R >> >> >>",
      ),
    ),
    ...(padding > 0 ? [stream(Buffer.from(randomBytes(padding / 2).toString("hex")))] : []),
  ];
  const parts = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]);
    parts.push(whole);
    length += whole.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return { name, mimeType: "application/pdf", buffer: Buffer.concat(parts) };
}

function stream(content: Buffer, entries = ""): Buffer {
  return Buffer.concat([Buffer.from(`<< ${entries} /Length ${content.length} >>\nstream\n`), content, Buffer.from("\nendstream")]);
}
