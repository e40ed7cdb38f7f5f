import type { FileFault } from "../../generated/types";

/** The result of reading the bytes of a file. */
export interface Facts {
  pages: number | null;
  /** The number of pixels of the largest page. */
  pixels: number | null;
  fault: FileFault | null;
  /** The longest side of an image. */
  longest?: number;
  /** Start and end of the document or picture, if other bytes surround it. */
  part?: [number, number] | undefined;
}
