/** Tests what is measured on a photo, and how it is turned and cropped. */
import { type Device, expect, test } from "./device";
import { given, pdf } from "./files";

/** As in link-flow/src/uploads/photo.rs. */
const MIN_SHARPNESS = 24;
const MIN_BRIGHTNESS = 20;

async function photo(device: Device, buffer: Buffer): Promise<{ sharpness: number | null; brightness: number; view: string }> {
  return (await device.look(given("photo.jpg", buffer)))["photo"];
}

test("small print is sharp until it cannot be read", async ({ device }) => {
  const sharpness: number[] = [];
  for (const blur of [0, 0.8, 4, 8]) sharpness.push((await photo(device, await device.print(blur))).sharpness ?? -1);
  const [sharp, soft, blurred, hopeless] = sharpness as [number, number, number, number];
  expect(sharp, `${sharpness}`).toBeGreaterThanOrEqual(40);
  expect(soft, `${sharpness}`).toBeGreaterThanOrEqual(MIN_SHARPNESS);
  expect(Math.max(blurred, hopeless), `${sharpness}`).toBeLessThan(MIN_SHARPNESS);
});

test("a photo in the dark is dark", async ({ device }) => {
  expect((await photo(device, await device.print(0))).brightness).toBeGreaterThan(50);
  expect((await photo(device, await device.print(0, 0.15))).brightness).toBeLessThan(MIN_BRIGHTNESS);
});

/** Browsers and extensions that do not let a page read what it has drawn. */
const BLOCKERS: Record<string, string> = {
  "encodes nothing": "HTMLCanvasElement.prototype.toBlob = (f) => setTimeout(() => f(null))",
  "refuses to encode": "HTMLCanvasElement.prototype.toBlob = () => { throw new DOMException('blocked', 'SecurityError') }",
  "has no context": "HTMLCanvasElement.prototype.getContext = () => null",
  "reads white": `const read = CanvasRenderingContext2D.prototype.getImageData;
    CanvasRenderingContext2D.prototype.getImageData = function (...a) { const it = read.apply(this, a); it.data.fill(255); return it }`,
  "reads noise": `const read = CanvasRenderingContext2D.prototype.getImageData;
    CanvasRenderingContext2D.prototype.getImageData = function (...a) { const it = read.apply(this, a); crypto.getRandomValues(it.data); return it }`,
  "encodes white": `const encode = HTMLCanvasElement.prototype.toBlob;
    HTMLCanvasElement.prototype.toBlob = function (...a) {
      const canvas = Object.assign(document.createElement("canvas"), { width: this.width, height: this.height });
      canvas.getContext("2d").fillStyle = "#fff";
      canvas.getContext("2d").fillRect(0, 0, this.width, this.height);
      return encode.apply(canvas, a);
    }`,
};

for (const [what, code] of Object.entries(BLOCKERS)) {
  test(`the file itself is sent from a browser that ${what}`, async ({ device }) => {
    const [small, large] = [await device.photo(40, 30), await device.photo(4_000, 3_000)];
    await device.page.evaluate(code);
    for (const buffer of [small, large]) {
      const seen = await device.look(given("photo.jpg", buffer));
      expect(seen).toMatchObject({ fault: null, format: "JPEG", preview: null, photo: null, sizeBytes: buffer.length });
    }
  });
}

test("a picture without edges has no sharpness, and a PDF has no photo", async ({ device }) => {
  expect((await photo(device, await device.photo(20, 20))).sharpness).toBeNull();
  expect((await device.look(given("a.pdf", pdf(1))))["photo"]).toBeNull();
});

test("only a photo from the camera is reported as one", async ({ device }) => {
  const buffer = await device.photo(40, 30);
  await device.page.setInputFiles("#page", [given("chosen.jpg", buffer)]);
  await device.page.setInputFiles("#camera", [given("taken.jpg", buffer)]);
  expect((await device.until("picked", 2)).map((it) => it["fromCamera"])).toEqual([false, true]);
});

/** Shows the last inspected photo, whose left half was red and right half blue. */
async function seen(device: Device, count: number): Promise<{ width: number; height: number; first: number[]; last: number[] }> {
  const view = (await device.until("inspected", count)).at(-1)?.["photo"].view as string;
  await device.page.evaluate((src) => {
    const image = document.querySelector<HTMLImageElement>("#view")!;
    image.src = src;
    return image.decode();
  }, view);
  return device.page.evaluate(() => {
    const image = document.querySelector<HTMLImageElement>("#view")!;
    const { naturalWidth: width, naturalHeight: height } = image;
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const context = canvas.getContext("2d")!;
    context.drawImage(image, 0, 0);
    const at = (x: number, y: number): number[] => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)];
    return { width, height, first: at(5, 5), last: at(width - 5, height - 5) };
  });
}

const isRed = ([red = 0, , blue = 0]: number[]): boolean => red > 200 && blue < 60;

test("a photo is turned clockwise, four times to where it began", async ({ device }) => {
  await device.look(given("photo.jpg", await device.photo(400, 300)));
  const turns: [number, number, boolean, boolean][] = [];
  for (let turn = 1; turn <= 4; turn += 1) {
    await device.order({ turn: { handle: 1 } });
    const { width, height, first, last } = await seen(device, turn + 1);
    turns.push([width, height, isRed(first), isRed(last)]);
  }
  expect(turns).toEqual([
    [300, 400, true, false],
    [400, 300, false, true],
    [300, 400, false, true],
    [400, 300, true, false],
  ]);
});

test("a photo is cropped to the frame, also after a turn", async ({ device }) => {
  await device.look(given("photo.jpg", await device.photo(400, 300)));
  await seen(device, 1);
  await device.page.locator('[data-edge="left"]').fill("60");
  await device.order({ crop: { handle: 1 } });
  const right = await seen(device, 2);
  expect([right.width, right.height, isRed(right.first)]).toEqual([160, 300, false]);
  await device.page.locator('[data-edge="left"]').fill("0");
  await device.order({ turn: { handle: 1 } });
  const turned = await seen(device, 3);
  expect([turned.width, turned.height, isRed(turned.first)]).toEqual([300, 160, false]);
});

test("a pointer moves the nearest edges, and opposite edges keep a distance", async ({ device }) => {
  await device.look(given("photo.jpg", await device.photo(400, 300)));
  await seen(device, 1);
  const box = (await device.page.locator(".photo-stage").boundingBox())!;
  await device.page.mouse.move(box.x + 4, box.y + 4);
  await device.page.mouse.down();
  await device.page.mouse.move(box.x + box.width / 2, box.y + box.height / 4, { steps: 4 });
  await device.page.mouse.up();
  const values = (): Promise<number[]> => device.page.locator("[data-edge]").evaluateAll((edges) => edges.map((edge) => Math.round((edge as HTMLInputElement).valueAsNumber)));
  expect(await values()).toEqual([50, 25, 100, 100]);
  await device.page.locator('[data-edge="right"]').fill("20");
  expect(await values()).toEqual([50, 25, 60, 100]);
});
