/** Decodes a photo: proves that it can be read, scales it down, and makes a small picture of it for the list. */

import type { FileFault } from "../generated/types";
import type { Facts } from "./uploads-inspect";

/** At 300 dpi this is the long side of a sheet with little to spare: more does not make text easier to read. */
const LONGEST = 3_000;
/** As link_types::archive has it: a photo with more bytes is written anew even when it is small enough. */
const MOST_BYTES = 15_000_000;
/** As link_types::archive has it: a picture with more is not decoded, as it takes four bytes a pixel to do so. */
const MOST_PIXELS = 80_000_000;
/** A phone may lack the memory for a larger picture; that it cannot be decoded here then says nothing of the file. */
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
    // Turned the way the camera's note says: what is written anew has no such note.
    image = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return { blob: file, fault: (pixels ?? 0) <= SURELY_PIXELS ? "DAMAGED" : null, preview: null };
  }
  const scaled = longest > LONGEST || file.size > MOST_BYTES ? await drawn(image, LONGEST) : null;
  const small = await drawn(image, PREVIEW);
  image.close();
  return { blob: scaled ?? file, fault: null, preview: small && URL.createObjectURL(small) };
}

/** Null when the browser cannot: the file then goes as it is. */
function drawn(image: ImageBitmap, longest: number): Promise<Blob | null> {
  const scale = Math.min(1, longest / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return Promise.resolve(null);
  // Paper is white; a JPEG would show what is transparent as black.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}
