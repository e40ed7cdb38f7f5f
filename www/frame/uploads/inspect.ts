/**
 * Inspects a file before it is sent: its format, whether it can be read, and the size of its pages.
 *
 * Our own readers of four formats: they have 1.7 KB (brotli) of the scripts for uploads (ADR 55).
 */

import type { FileFault, FileFormat, PhotoFacts } from "../../generated/types";
import type { Edit } from "./edit";
import type { Facts } from "./facts";
import { jpeg } from "./jpeg";
import { latin1, pdf, PDF_HEADER } from "./pdf";
import { picture, redraw } from "./picture";
import { png } from "./png";
import { tiff } from "./tiff";

export interface Inspection {
  /** The data to send: the file, or its picture as a JPEG. */
  blob: Blob;
  format: FileFormat | null;
  pages: number | null;
  pixels: number | null;
  sha256: string | null;
  fault: FileFault | null;
  preview: string | null;
  photo: PhotoFacts | null;
}

/** The number of bytes in which readers search for the header of a PDF. */
const HEAD_BYTES = 1_024;
/** Larger files are not read. Photos up to this size are scaled down. */
const MAX_BYTES = 60_000_000;

const READERS = { JPEG: jpeg, PDF: pdf, PNG: png, TIFF: tiff };

const DAMAGED: Facts = { pages: null, pixels: null, fault: "DAMAGED" };

/** Inspects a file, with the changes that the person made to a photo. */
export async function inspect(file: File, edit: Edit): Promise<Inspection> {
  let blob: Blob = file;
  let format: FileFormat | null = null;
  let { pages, pixels, fault }: Facts = { pages: null, pixels: null, fault: null };
  let preview: string | null = null;
  let photo: PhotoFacts | null = null;
  let sha256: string | null = null;
  try {
    const start = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
    const readable = formatOf(start);
    format = readable ?? otherFormatOf(latin1(start));
    const redrawn = readable === null && file.size > 0 && file.size <= MAX_BYTES ? await redraw(file, edit) : null;
    if (redrawn) {
      ({ blob, preview, photo, pixels } = redrawn);
      format = "JPEG";
      pages = 1;
    } else if (readable && file.size <= MAX_BYTES) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const facts = await read(readable, bytes);
      ({ pages, pixels, fault } = facts);
      if (facts.part) blob = file.slice(...facts.part, file.type);
      if (fault === null && (format === "JPEG" || format === "PNG")) {
        const whole = blob;
        ({ blob, fault, preview, photo } = await picture(whole, facts, edit));
        // Photos are scaled down to JPEG.
        if (blob !== whole) format = "JPEG";
      }
    }
    if (blob.size <= MAX_BYTES) sha256 = await hashOf(blob);
  } catch {
    // The file was deleted, or is a folder.
    fault = "DAMAGED";
  }
  return { blob, format, pages, pixels, sha256, fault, preview, photo };
}

function formatOf(start: Uint8Array): keyof typeof READERS | null {
  const begins = (...bytes: number[]): boolean => bytes.every((byte, at) => start[at] === byte);
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "PNG";
  if (begins(0xff, 0xd8, 0xff)) return "JPEG";
  if (begins(0x49, 0x49, 0x2a, 0) || begins(0x4d, 0x4d, 0, 0x2a)) return "TIFF";
  // Some programs write other bytes before the header.
  return latin1(start).includes(PDF_HEADER) ? "PDF" : null;
}

/** Recognizes pictures that the service reads even if this browser does not. */
function otherFormatOf(start: string): FileFormat | null {
  if (/^.{4}ftyp(.{4})*?hei[cmsx]/s.test(start)) return "HEIC";
  return /^RIFF.{4}WEBP/s.test(start) ? "WEBP" : null;
}

/** Reads a file. A reader that follows an offset beyond the end of a damaged file gets a RangeError. */
async function read(format: keyof typeof READERS, bytes: Uint8Array): Promise<Facts> {
  try {
    return await READERS[format](bytes);
  } catch (error) {
    if (error instanceof RangeError) return DAMAGED;
    throw error;
  }
}

async function hashOf(blob: Blob): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", await blob.arrayBuffer());
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
