/** `@linchpin/server`, with the vectors of the service's own tests. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { requiredVariable } from "./support/variables";

const PROJECT = requiredVariable("LINCHPIN_PROJECT");

interface Vector {
  name: string;
  secret: string;
  whsec: string;
  nextSecret: string | null;
  at: number;
  body: string;
  headers: Record<string, string>;
}

const vectors = JSON.parse(
  await readFile(new URL("../contract/webhook-vectors.json", import.meta.url), "utf8"),
) as Vector[];

interface Server {
  verifyWebhook(request: object, options: object): Promise<{ id: string }>;
  createLinchpin(options: object): { POST(path: string, options: object): Promise<{ data: unknown; error: unknown }> };
}

const load = (): Promise<Server> =>
  import(pathToFileURL(join(PROJECT, "node_modules/@linchpin/server/dist/index.js")).href) as Promise<Server>;

/** Returns the id of the event, or the code of the refusal. */
async function verify(vector: Vector, options: object = {}, request: object = {}): Promise<string> {
  const { verifyWebhook } = await load();
  const { body, headers, secret, at } = vector;
  const verified = verifyWebhook({ body, headers, ...request }, { secret, now: () => at * 1_000, ...options });
  return verified.then(
    ({ id }) => id,
    ({ code }: { code: string }) => code,
  );
}

for (const vector of vectors) {
  test.describe(vector.name, () => {
    const id = vector.headers["webhook-id"]!;

    test("both schemes accept it, and refuse it with one changed byte", async () => {
      for (const scheme of ["standard", "service"]) {
        for (const secret of [vector.secret, vector.whsec, ["an older secret", vector.secret], vector.nextSecret]) {
          if (!secret) continue;
          expect(await verify(vector, { scheme, secret })).toBe(id);
          expect(await verify(vector, { scheme, secret }, { body: Buffer.from(vector.body) })).toBe(id);
          const changed = Buffer.from(vector.body);
          changed[changed.length - 2]! ^= 1;
          expect(await verify(vector, { scheme, secret }, { body: changed })).toBe("wrong-signature");
        }
        expect(await verify(vector, { scheme, secret: "an older secret" })).toBe("wrong-signature");
        expect(await verify(vector, { scheme }, { headers: new Headers(vector.headers) })).toBe(id);
        expect(await verify(vector, { scheme }, { headers: {} })).toBe("missing-header");
      }
    });

    test("an old attempt, and one whose time was changed, are refused", async () => {
      const { at, headers } = vector;
      for (const [seconds, result] of [
        [299, id],
        [-299, id],
        [301, "wrong-time"],
        [-301, "wrong-time"],
      ] as const) {
        expect(await verify(vector, { now: () => (at + seconds) * 1_000 })).toBe(result);
      }
      const later = { ...headers, "webhook-timestamp": String(at + 10) };
      expect(await verify(vector, {}, { headers: later })).toBe("wrong-signature");
    });
  });
}

test("client sends the credentials, and names wrong options", async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization, request.url);
    response.writeHead(201, { "content-type": "application/json" }).end('{"id":"u-1"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sandbox/v1/`;
  const { createLinchpin } = await load();
  const linchpin = createLinchpin({ baseUrl, apiKey: "key", apiSecret: "sécret" });
  const { data } = await linchpin.POST("/users", { body: { reference: "r" } });
  server.close();
  expect(data).toEqual({ id: "u-1" });
  expect(seen).toEqual([`Basic ${Buffer.from("key:sécret").toString("base64")}`, "/sandbox/v1/users"]);
  expect(() => createLinchpin({ baseUrl, apiKey: "key" })).toThrow("createLinchpin: check apiSecret");
  expect(() => createLinchpin({ baseUrl: "https://link.example", apiKey: "k", apiSecret: "s" })).toThrow("baseUrl");
});

test("package runs in Node from CommonJS", async () => {
  await writeFile(join(PROJECT, "server.cjs"), `console.log(typeof require("@linchpin/server").verifyWebhook)`);
  const { stdout } = await promisify(execFile)(process.execPath, [join(PROJECT, "server.cjs")]);
  expect(stdout).toBe("function\n");
});
