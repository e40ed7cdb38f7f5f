/** Decodes a photo to prove that it can be read, scales it down, and creates a thumbnail for the list. */

import type { FileFault } from "../generated/types";
import type { Facts } from "./uploads-facts";

/** Slightly less than the long side of a page at 300 dpi. A higher resolution does not make text easier to read. */
const LONGEST = 3_000;
/** As in link_types::archive. A photo with more bytes is re-encoded even if its dimensions are small enough. */
const MOST_BYTES = 15_000_000;
/** As in link_types::archive. A larger image is not decoded, because decoding takes four bytes per pixel. */
const MOST_PIXELS = 80_000_000;
/** A phone may not have the memory for a larger image, so a failure to decode it does not mean that it is damaged. */
const SURELY_PIXELS = 25_000_000;
const QUALITY = 0.9;
const PREVIEW = 80;

export interface Picture {
  blob: Blob;
  fault: FileFault | null;
  preview: string | null;
}

export async function picture(file: Blob, { pixels, longest = 0 }: Facts): Promise<Picture> {
  if ((pixels ?? 0) > MOST_PIXELS) return { blob: file, fault: null, preview: null };
  let image: ImageBitmap;
  try {
    // Applies the orientation from EXIF, because the re-encoded photo has no EXIF data.
    image = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return { blob: file, fault: (pixels ?? 0) <= SURELY_PIXELS ? "DAMAGED" : null, preview: null };
  }
  const scaled = longest > LONGEST || file.size > MOST_BYTES ? await drawn(image, LONGEST) : null;
  const small = await drawn(image, PREVIEW);
  image.close();
  return { blob: scaled ?? file, fault: null, preview: small && URL.createObjectURL(small) };
}

/** Returns null if the browser cannot draw the image. The original file is then sent. */
function drawn(image: ImageBitmap, longest: number): Promise<Blob | null> {
  const scale = Math.min(1, longest / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return Promise.resolve(null);
  // A JPEG would show transparent areas in black.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}
