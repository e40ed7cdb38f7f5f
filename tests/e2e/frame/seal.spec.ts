/** Tests encryption in a real browser with the test vectors of RFC 9180, and with the box that the Rust side decrypts. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import { build } from "esbuild";

const FRAME = new URL("../../../www/frame/", import.meta.url);
const FIXTURE = new URL("../../contract/sealed-box.json", import.meta.url);

/** Appendix A.3.1: base mode of DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-128-GCM, sequence number 0. */
const A3 = {
  info: "4f6465206f6e2061204772656369616e2055726e",
  privateKey: "4995788ef4b9d6132b249ce59a77281493eb39af373d236a1fe415cb0c2d7beb",
  enc: "04a92719c6195d5085104f469a8b9814d5838ff72b60501e2c4466e5e67b325ac98536d7b61a1af4b78e5b7f951c0900be863c403ce65c9bfcb9382657222d18c4",
  receiver: "04fe8c19ce0905191ebc298a9245792531f26f0cece2460639e8bc39cb7f706a826a779b4cf969b8a0e539c7f62fb3d30ad6aa8f80e30f1d128aafd68a2ce72ea0",
  aad: "436f756e742d30",
  plaintext: "4265617574792069732074727574682c20747275746820626561757479",
  ciphertext: "5ad590bb8baa577f8619db35a36311226a896e7342a6d836d8b7bcd2f20b6c7f9076ac232e3ab2523f39513434",
};

/** The published ephemeral key in a format that WebCrypto can import. */
const EPHEMERAL: JsonWebKey = {
  kty: "EC",
  crv: "P-256",
  d: Buffer.from(A3.privateKey, "hex").toString("base64url"),
  x: Buffer.from(A3.enc.slice(2, 66), "hex").toString("base64url"),
  y: Buffer.from(A3.enc.slice(66), "hex").toString("base64url"),
};

/** Loads the frame's scripts on a page in a secure context. */
const sealing = test.extend<{ scripts: Page }>({
  scripts: async ({ page }, use) => {
    const entry = `export * as hpke from "./hpke"; export * as sealer from "./seal";
      export async function pair({ d, ...open }) {
        const curve = { name: "ECDH", namedCurve: "P-256" };
        return {
          privateKey: await crypto.subtle.importKey("jwk", { ...open, d }, curve, false, ["deriveBits"]),
          publicKey: await crypto.subtle.importKey("jwk", open, curve, true, []),
        };
      }
      export const bytes = (hex) => Uint8Array.from(hex.match(/../g), (byte) => parseInt(byte, 16));
      export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");`;
    const { outputFiles } = await build({
      stdin: { contents: entry, resolveDir: FRAME.pathname },
      bundle: true,
      format: "iife",
      globalName: "scripts",
      target: "es2022",
      write: false,
    });
    const server = createServer((_, response) => {
      response.setHeader("content-type", "text/html").end("<!doctype html><title>Sealing</title>");
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}`);
    await page.addScriptTag({ content: outputFiles[0]?.text ?? "" });
    await use(page);
    server.closeAllConnections();
    server.close();
  },
});

declare const scripts: {
  hpke: typeof import("../../../www/frame/hpke");
  sealer: typeof import("../../../www/frame/seal");
  pair(key: JsonWebKey): Promise<CryptoKeyPair>;
  bytes(hex: string): Uint8Array<ArrayBuffer>;
  hex(bytes: Uint8Array): string;
};

sealing("the output equals the test vector of RFC 9180", async ({ scripts: page }) => {
  const sealed = await page.evaluate(
    async ([vector, key]) => {
      const { bytes, hex, hpke, pair } = scripts;
      const [receiver, info, aad, plaintext] = [vector.receiver, vector.info, vector.aad, vector.plaintext].map(bytes);
      const { enc, ciphertext } = await hpke.seal(receiver!, info!, aad!, plaintext!, await pair(key));
      return { enc: hex(enc), ciphertext: hex(ciphertext) };
    },
    [A3, EPHEMERAL] as const,
  );
  expect(sealed).toEqual({ enc: A3.enc, ciphertext: A3.ciphertext });
});

sealing("the frame creates the box that the service's test decrypts", async ({ scripts: page }) => {
  const { key, value, belonging: context, box } = JSON.parse(await readFile(FIXTURE, "utf8"));
  const made = await page.evaluate(
    async ([key, value, context, ephemeral]) => scripts.sealer.seal(key, value, context, await scripts.pair(ephemeral)),
    [key, value, context, EPHEMERAL] as const,
  );
  expect(made).toEqual(box);
});

sealing("two boxes of the same value differ", async ({ scripts: page }) => {
  const { key, value, belonging: context } = JSON.parse(await readFile(FIXTURE, "utf8"));
  const boxes = await page.evaluate(
    async ([key, value, context]) => {
      const seal = (): Promise<{ enc: string; ciphertext: string }> => scripts.sealer.seal(key, value, context);
      return [await seal(), await seal()];
    },
    [key, value, context] as const,
  );
  expect(boxes[0]?.enc).not.toBe(boxes[1]?.enc);
  expect(boxes[0]?.ciphertext).not.toBe(boxes[1]?.ciphertext);
});
