/** A page with only uploads.ts and drop zones, under the frame's policy. The test acts as the program. */
import { build } from "esbuild";
import { test as base, expect, type Page } from "@playwright/test";
import { pressApart } from "../../support/presses";
import type { FileFact, FileOrder } from "../../../../www/generated/types";
import { policyOf } from "../../../../www/frame/preview/policy.mjs";
import { Service } from "./service";

export { expect };

const PAGE = `<!doctype html><html lang="en"><title>Files</title><body>
  <div data-slot="FRONT"><input id="front" type="file"></div>
  <div data-slot="BACK"><input id="back" type="file"></div>
  <div data-slot="PAGE"><input id="page" type="file" multiple><input id="camera" type="file" capture="environment"></div>
  <div class="photo" data-framed="true"><div class="photo-stage"><img id="view" alt=""></div>
    ${["left", "top", "right", "bottom"].map((edge, at) => `<input type="range" data-edge="${edge}" value="${at < 2 ? 0 : 100}">`).join("")}
  </div>
  <p id="aside">Elsewhere</p><input id="words">
  <script type="module" src="/start.js"></script>
</body></html>`;

const START = `import { Uploads } from "/uploads.js";
  window.facts = [];
  window.bearer = "secret";
  window.uploads = new Uploads({ apiBase: location.origin + "/v1", bearer: () => window.bearer, report: (fact) => facts.push(fact) });
  window.uploads.order({ open: {} });`;

/** A file for the page. */
export interface Given {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

type Kind = "connection" | "chosen" | "picked" | "inspected" | "sending" | "sent" | "cut" | "dropped";
type Fact = Record<string, any>;

export class Device {
  readonly service = new Service();

  constructor(readonly page: Page) {}

  async start(): Promise<void> {
    const entry = new URL("../../../../www/frame/uploads.ts", import.meta.url).pathname;
    const script = await build({ entryPoints: [entry], bundle: true, format: "esm", target: "es2022", write: false });
    const text: Record<string, [string, string]> = {
      "/": ["text/html", PAGE],
      "/favicon.ico": ["image/x-icon", ""],
      "/start.js": ["text/javascript", START],
      "/uploads.js": ["text/javascript", script.outputFiles[0]?.text ?? ""],
    };
    const origin = await this.service.start(async (path, response) => {
      const [type, body] = text[path] ?? [];
      if (!type) return false;
      response.writeHead(200, { "content-type": type, "content-security-policy": policyOf("") }).end(body);
      return true;
    });
    await this.page.goto(origin);
    await this.until("connection");
  }

  async order(order: FileOrder): Promise<void> {
    await this.page.evaluate(`uploads.order(${JSON.stringify(order)})`);
  }

  /** Orders a file to be sent, like the program. */
  async send(handle: number, fileId: string | null = null, slot: "PAGE" | "FRONT" | "BACK" = "PAGE"): Promise<void> {
    await this.order({ send: { handle, archiveId: "archive-1", slot, fileId } } as FileOrder);
  }

  async facts(): Promise<FileFact[]> {
    return this.page.evaluate("window.facts");
  }

  /** Waits for `count` facts of a kind, and returns all of them. */
  async until(kind: Kind, count = 1): Promise<Fact[]> {
    const reported = async (): Promise<Fact[]> => {
      const facts = ((await this.facts()) ?? []) as unknown as Record<string, Fact>[];
      return facts.map((fact) => fact[kind]).filter((fact): fact is Fact => fact !== undefined);
    };
    // Polls from the test, because the page's policy does not allow eval.
    await expect.poll(async () => (await reported()).length, { message: kind }).toBeGreaterThanOrEqual(count);
    return reported();
  }

  /** Chooses a file and returns the result of its inspection. */
  async look(given: Given): Promise<Fact> {
    const before = ((await this.facts()) as unknown as Fact[]).filter((fact) => fact["inspected"]).length;
    await this.page.setInputFiles("#page", [given]);
    return (await this.until("inspected", before + 1)).at(-1) as Fact;
  }

  /** Drops or pastes a file on an element. Returns whether the page prevented the browser's default action. */
  async put(how: "drop" | "paste", where: string, given: Given): Promise<boolean> {
    const args = { how, where, name: given.name, type: given.mimeType, text: given.buffer.toString("base64") };
    return this.page.evaluate(({ how, where, name, type, text }) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], name, { type }));
      const options = { bubbles: true, cancelable: true };
      const event =
        how === "drop"
          ? new DragEvent("drop", { ...options, dataTransfer: transfer })
          : new ClipboardEvent("paste", { ...options, clipboardData: transfer });
      return !document.querySelector(where)!.dispatchEvent(event);
    }, args);
  }

  /** Creates a photo whose left half is red and right half is blue. */
  async photo(width: number, height: number, type = "image/jpeg"): Promise<Buffer> {
    const text = await this.page.evaluate(
      async ([width, height, type]) => {
        const canvas = document.createElement("canvas");
        Object.assign(canvas, { width, height });
        const context = canvas.getContext("2d")!;
        context.fillStyle = "#f00";
        context.fillRect(0, 0, width, height);
        context.fillStyle = "#00f";
        context.fillRect(width / 2, 0, width / 2, height);
        const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type));
        const bytes = new Uint8Array(await blob!.arrayBuffer());
        let text = "";
        for (let at = 0; at < bytes.length; at += 10_000) text += String.fromCharCode(...bytes.subarray(at, at + 10_000));
        return btoa(text);
      },
      [width, height, type] as const,
    );
    return Buffer.from(text, "base64");
  }

  /** Creates a photo of a page with small print, out of focus by this many pixels, as bright as this. */
  async print(blur: number, brightness = 1): Promise<Buffer> {
    const text = await this.page.evaluate(
      async ([blur, brightness]) => {
        const canvas = Object.assign(document.createElement("canvas"), { width: 1_200, height: 1_600 });
        const context = canvas.getContext("2d")!;
        context.filter = `blur(${blur}px) brightness(${brightness})`;
        context.fillStyle = "#554433";
        context.fillRect(0, 0, 1_200, 1_600);
        context.fillStyle = "#f4f1ea";
        context.fillRect(80, 80, 1_040, 1_440);
        context.fillStyle = "#222";
        context.font = "16px sans-serif";
        for (let line = 0; line < 40; line += 1) context.fillText("Recibo de nómina, periodo 1 al 15 de octubre, percepciones y deducciones", 140, 160 + line * 32);
        const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
        const bytes = new Uint8Array(await blob!.arrayBuffer());
        let text = "";
        for (let at = 0; at < bytes.length; at += 10_000) text += String.fromCharCode(...bytes.subarray(at, at + 10_000));
        return btoa(text);
      },
      [blur, brightness] as const,
    );
    return Buffer.from(text, "base64");
  }

  /** Returns the size of an image, and the colors of its top left and bottom right corners. */
  async seen(bytes: Buffer): Promise<{ width: number; height: number; first: number[]; last: number[] }> {
    return this.page.evaluate(async (text) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]));
      const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
      const context = canvas.getContext("2d")!;
      context.drawImage(image, 0, 0);
      const at = (x: number, y: number): number[] => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)];
      const { width, height } = image;
      return { width, height, first: at(5, 5), last: at(width - 5, height - 5) };
    }, bytes.toString("base64"));
  }
}

export const test = base.extend<{ device: Device }>({
  device: async ({ page }, use) => {
    pressApart(page);
    const device = new Device(page);
    await device.start();
    await use(device);
    device.service.stop();
  },
});
