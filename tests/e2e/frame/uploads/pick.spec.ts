/** Tests choosing, dropping and pasting of files. */
import { expect, test } from "./device";
import { given, pdf } from "./files";

test("several chosen files are picked in order with separate handles", async ({ device }) => {
  await device.page.setInputFiles("#page", [given("a.pdf", pdf(1)), given("b.pdf", pdf(2))]);
  expect(await device.until("picked", 2)).toEqual([
    { handle: 1, slot: "PAGE", name: "a.pdf", sizeBytes: pdf(1).length, fromCamera: false },
    { handle: 2, slot: "PAGE", name: "b.pdf", sizeBytes: pdf(2).length, fromCamera: false },
  ]);
  expect((await device.until("inspected", 2)).map((seen) => seen["pages"])).toEqual([1, 2]);
});

test("the number of chosen files is reported first, and dropped ones are not inspected", async ({ device }) => {
  await device.page.evaluate(`facts.push = function (fact) {
    if (fact.picked?.handle === 2) queueMicrotask(() => uploads.order({ drop: { handle: 2, fileId: null } }));
    return Array.prototype.push.call(this, fact);
  }`);
  const files = ["a.pdf", "b.pdf", "c.pdf"].map((name, at) => given(name, pdf(at + 1)));
  await device.page.setInputFiles("#page", files);
  expect(await device.until("chosen")).toEqual([{ count: 3 }]);
  expect((await device.until("inspected", 2)).map((seen) => seen["handle"])).toEqual([1, 3]);
  const kinds = (await device.facts()).map((fact) => Object.keys(fact)[0]);
  expect(kinds.slice(1, 5)).toEqual(["chosen", "picked", "picked", "picked"]);
});

test("a file can be chosen again after its removal", async ({ device }) => {
  for (const handle of [1, 2]) {
    await device.page.setInputFiles("#front", [given("a.pdf", pdf(1))]);
    expect((await device.until("picked", handle)).at(-1)).toMatchObject({ handle, slot: "FRONT" });
    await device.until("inspected", handle);
    await device.order({ drop: { handle, fileId: null } });
    await device.until("dropped", handle);
  }
});

test("a dropped file goes to its drop zone, or to the first one", async ({ device }) => {
  expect(await device.put("drop", "#back", given("a.pdf", pdf(1)))).toBe(true);
  expect(await device.put("drop", "#aside", given("b.pdf", pdf(1)))).toBe(true);
  expect((await device.until("picked", 2)).map((picked) => picked["slot"])).toEqual(["BACK", "FRONT"]);
});

test("only the drop zone under the dragged file is marked", async ({ device }) => {
  const over = (where: string): Promise<string[]> =>
    device.page.evaluate((where) => {
      const options = { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() };
      document.querySelector(where)!.dispatchEvent(new DragEvent("dragover", options));
      return [...document.querySelectorAll<HTMLElement>("[data-over]")].map((zone) => zone.dataset["slot"] ?? "");
    }, where);
  expect(await over("#back")).toEqual(["BACK"]);
  expect(await over("#page")).toEqual(["PAGE"]);
  await device.put("drop", "#page", given("a.pdf", pdf(1)));
  expect(await device.page.locator("[data-over]").count()).toBe(0);
});

test("a file can be pasted anywhere, and pasted text is ignored", async ({ device }) => {
  expect(await device.put("paste", "body", given("a.pdf", pdf(1)))).toBe(true);
  expect(await device.until("picked")).toMatchObject([{ slot: "FRONT", name: "a.pdf" }]);
  const kept = await device.page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.setData("text/plain", "words");
    const event = new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: transfer });
    return document.querySelector("#words")!.dispatchEvent(event);
  });
  expect(kept).toBe(true);
});

test("after closing, files are ignored and previews are released", async ({ device }) => {
  const { preview } = await device.look(given("photo.jpg", await device.photo(80, 60)));
  await device.order({ close: {} });
  await device.page.setInputFiles("#page", [given("a.pdf", pdf(1))]);
  const alive = await device.page.evaluate(
    (address) => new Promise((resolve) => {
      const image = new Image();
      image.onload = () => resolve(true);
      image.onerror = () => resolve(false);
      image.src = address;
    }),
    String(preview),
  );
  expect(alive).toBe(false);
  expect((await device.until("picked")).length).toBe(1);
});

test("all files are reported again to a restarted program", async ({ device }) => {
  await device.look(given("a.pdf", pdf(1)));
  await device.order({ open: {} });
  const [first, again] = await device.until("inspected", 2);
  expect(again).toEqual(first);
});

test("changes of the connection are reported", async ({ device }) => {
  await device.page.context().setOffline(true);
  expect((await device.until("connection", 2)).at(-1)).toEqual({ online: false, saveData: false });
  await device.page.context().setOffline(false);
  expect((await device.until("connection", 3)).at(-1)).toEqual({ online: true, saveData: false });
});
