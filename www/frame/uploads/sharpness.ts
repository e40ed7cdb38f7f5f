/** Measures a photo: how sharp its edges are, and how bright it is. link-flow decides what that means. */

export interface Measured {
  /** Steepness of the sharpest edges in percent, or null if there is none. */
  sharpness: number | null;
  /** Mean brightness in percent. */
  brightness: number;
}

/** The side of the squares that are compared, in pixels: a few letters wide at the scale of the view. */
const TILE = 24;
/** The least difference of brightness in a square that has an edge. Noise and paper have less. */
const MIN_RANGE = 48;
/** The share of the squares with edges that may be sharper than the result. */
const SHARPEST = 0.1;

/** Takes the pixels of a canvas: four bytes per pixel. */
export function measure({ data, width, height }: ImageData): Measured {
  const grey = new Uint8Array(width * height);
  let sum = 0;
  for (let at = 0, from = 0; at < grey.length; at += 1, from += 4) {
    const level = ((data[from] ?? 0) * 77 + (data[from + 1] ?? 0) * 150 + (data[from + 2] ?? 0) * 29) >> 8;
    grey[at] = level;
    sum += level;
  }
  const steepness: number[] = [];
  for (let top = 0; top + TILE <= height; top += TILE) {
    for (let left = 0; left + TILE <= width; left += TILE) {
      const found = tile(grey, width, top * width + left);
      if (found !== null) steepness.push(found);
    }
  }
  steepness.sort((one, other) => other - one);
  const sharpest = steepness[Math.floor(steepness.length * SHARPEST)];
  return {
    sharpness: sharpest === undefined ? null : Math.round(sharpest * 100),
    brightness: Math.round((sum / Math.max(1, grey.length) / 255) * 100),
  };
}

/**
 * Returns the largest difference of neighbours in a square, as a fraction of its range: 1 if dark turns to light from one
 * pixel to the next, and less if the edge is spread over several. Null if the square has no edge.
 */
function tile(grey: Uint8Array, width: number, from: number): number | null {
  let [darkest, lightest, steepest] = [255, 0, 0];
  for (let row = 0; row < TILE - 1; row += 1) {
    for (let at = from + row * width; at < from + row * width + TILE - 1; at += 1) {
      const level = grey[at] ?? 0;
      darkest = Math.min(darkest, level);
      lightest = Math.max(lightest, level);
      steepest = Math.max(steepest, Math.abs(level - (grey[at + 1] ?? 0)), Math.abs(level - (grey[at + width] ?? 0)));
    }
  }
  const range = lightest - darkest;
  return range < MIN_RANGE ? null : Math.min(1, steepest / range);
}
