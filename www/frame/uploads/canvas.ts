/** Finds out whether the browser draws what it is told. */

const SIDE = 16;
/** The largest difference of a sample that compression or slight noise makes. */
const NEAR = 64;

let answer: Promise<boolean> | undefined;

/**
 * Returns whether pictures can be drawn, encoded and read. Some browsers and extensions return noise or white pixels, so that
 * pages cannot recognize the device. What they draw must be neither sent nor measured.
 */
export const drawsTruly = (): Promise<boolean> => (answer ??= probe().catch(() => false));

/** Draws black next to white, encodes and decodes it, and compares. */
async function probe(): Promise<boolean> {
  const canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
  const context = canvas.getContext("2d")!;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, SIDE, SIDE);
  context.fillStyle = "#000";
  context.fillRect(0, 0, SIDE / 2, SIDE);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg"));
  const image = await createImageBitmap(blob!);
  context.drawImage(image, 0, 0);
  image.close();
  const { data } = context.getImageData(0, 0, SIDE, SIDE);
  return data.every((sample, at) => {
    const isBlack = at % 4 < 3 && (at >> 2) % SIDE < SIDE / 2;
    return Math.abs(sample - (isBlack ? 0 : 255)) < NEAR;
  });
}
