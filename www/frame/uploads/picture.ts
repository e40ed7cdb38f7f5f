/** Decodes a photo to prove that it can be read, turns, crops and scales it, and measures it. */

import type { FileFault, PhotoFacts } from "../../generated/types";
import { drawsTruly } from "./canvas";
import type { Edit } from "./edit";
import type { Facts } from "./facts";
import { measure } from "./sharpness";

/** Slightly less than the long side of a page at 300 dpi. A higher resolution does not make text easier to read. */
const MAX_SIDE = 3_000;
/** As in link_types::archive. A photo with more bytes is re-encoded even if its dimensions are small enough. */
const MAX_BYTES = 15_000_000;
/** As in link_types::archive. A larger image is not decoded, because decoding takes four bytes per pixel. */
const MAX_PIXELS = 80_000_000;
/** A phone may not have the memory for a larger image, so a failure to decode it does not mean that it is damaged. */
const SURELY_PIXELS = 25_000_000;
const QUALITY = 0.9;
const PREVIEW = 80;
/** The longest side of the photo that is measured: small print of a page is just legible. */
const MAX_MEASURED_SIDE = 1_500;

export interface Picture {
  blob: Blob;
  fault: FileFault | null;
  preview: string | null;
  photo: PhotoFacts | null;
}

export async function picture(file: Blob, { pixels, longest = 0 }: Facts, edit: Edit): Promise<Picture> {
  const unseen = { blob: file, preview: null, photo: null };
  if ((pixels ?? 0) > MAX_PIXELS) return { ...unseen, fault: null };
  const image = await decode(file);
  if (!image) return { ...unseen, fault: (pixels ?? 0) <= SURELY_PIXELS ? "DAMAGED" : null };
  if (!(await drawsTruly())) {
    image.close();
    return { ...unseen, fault: null };
  }
  const { left, top, right, bottom } = edit.part;
  const isEdited = edit.turns !== 0 || left > 0 || top > 0 || right < 1 || bottom < 1;
  const isLarge = longest > MAX_SIDE || file.size > MAX_BYTES;
  const sent = isEdited || isLarge ? await encode(draw(image, MAX_SIDE, edit)) : null;
  return { fault: null, ...(await look(image, sent ?? file, edit)) };
}

/**
 * Draws a picture of another format, as far as the browser decodes it: WebP, AVIF, GIF, BMP and, in Safari, HEIC. Returns null
 * if the browser cannot. The service reads HEIC and WebP, too, but only a picture that was drawn can be looked at and turned.
 */
export async function redraw(file: Blob, edit: Edit): Promise<(Omit<Picture, "fault"> & { pixels: number }) | null> {
  const image = await decode(file);
  if (!image) return null;
  const pixels = image.width * image.height;
  const sent = pixels <= MAX_PIXELS && (await drawsTruly()) ? await encode(draw(image, MAX_SIDE, edit)) : null;
  if (sent) return { pixels, ...(await look(image, sent, edit)) };
  image.close();
  return null;
}

/** Returns null if the browser cannot decode the file. */
function decode(file: Blob): Promise<ImageBitmap | null> {
  // Applies the orientation from EXIF, because a photo that is encoded again has no EXIF data.
  return createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => null);
}

/** Looks at an image, and frees it. */
async function look(image: ImageBitmap, blob: Blob, edit: Edit): Promise<Omit<Picture, "fault">> {
  const seen = draw(image, MAX_MEASURED_SIDE, edit);
  const small = await encode(draw(image, PREVIEW, edit));
  image.close();
  return { blob, preview: small && URL.createObjectURL(small), photo: facts(blob, seen) };
}

/** The person looks at the photo that is sent. */
function facts(sent: Blob, seen: HTMLCanvasElement | null): PhotoFacts | null {
  const pixels = seen?.getContext("2d")?.getImageData(0, 0, seen.width, seen.height);
  return pixels ? { view: URL.createObjectURL(sent), ...measure(pixels) } : null;
}

/** Returns null if the browser cannot draw the image. The original file is then sent. */
function draw(image: ImageBitmap, longest: number, { turns, part }: Edit): HTMLCanvasElement | null {
  const [wide, high] = turns % 2 === 0 ? [image.width, image.height] : [image.height, image.width];
  const [width, height] = [wide * (part.right - part.left), high * (part.bottom - part.top)];
  const scale = Math.min(1, longest / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext("2d");
  if (!context) return null;
  // A JPEG would show transparent areas in black.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  // From the part that is kept to the turned photo, then to its middle, then back to the corner before the turns.
  context.translate(-part.left * wide * scale, -part.top * high * scale);
  context.translate((wide * scale) / 2, (high * scale) / 2);
  context.rotate((turns * Math.PI) / 2);
  context.drawImage(image, (-image.width * scale) / 2, (-image.height * scale) / 2, image.width * scale, image.height * scale);
  return canvas;
}

function encode(canvas: HTMLCanvasElement | null): Promise<Blob | null> {
  if (!canvas) return Promise.resolve(null);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}
