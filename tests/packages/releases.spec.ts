/** The files of a release, whose hash a page checks. */
import { readFile } from "node:fs/promises";
import { expect, test } from "./support/page";

interface Manifest {
  releases: { version: string; files: { path: string; integrity: string; bytes: number }[] }[];
}

const MANIFEST = new URL("../../www/sdk/dist/releases/manifest.json", import.meta.url);

async function file(name: string): Promise<{ path: string; integrity: string }> {
  const { releases } = JSON.parse(await readFile(MANIFEST, "utf8")) as Manifest;
  return releases[0]!.files.find(({ path }) => path.endsWith(name))!;
}

for (const [kind, name] of [
  ["script", "linchpin.js"],
  ["module", "index.js"],
] as const) {
  test(`release as a ${kind} opens the widget and loads nothing without a hash`, async ({ tenant, page, servers }) => {
    const { path, integrity } = await file(name);
    const scripts: string[] = [];
    page.on("request", (request) => request.resourceType() === "script" && scripts.push(new URL(request.url()).pathname));
    await page.goto(`${servers.host}/bare`);
    await page.evaluate(
      async ({ kind, src, integrity }) => {
        const properties = { src, integrity, crossOrigin: "anonymous", type: kind === "module" ? "module" : "" };
        const script = Object.assign(document.createElement("script"), properties);
        await new Promise((resolve, reject) => {
          script.onload = resolve;
          script.onerror = reject;
          document.head.append(script);
        });
        const { LinkModal } = kind === "module" ? await import(src) : window;
        window.modal = new LinkModal({ templateId: "lt-1", userToken: "token-1" });
        window.modal.open();
      },
      { kind, src: servers.sdk + path, integrity },
    );
    expect(await tenant.opening()).toMatchObject({ token: "token-1" });
    await page.route("**/sdk/frame/**", (route) => route.abort());
    await page.evaluate(() => window.modal.close());
    await page.evaluate(() => window.modal.open());
    await expect(page.getByRole("heading", { name: "This window is blocked" })).toBeVisible();
    expect(scripts).toEqual([path]);
  });
}

test("release with one changed byte does not run", async ({ page, servers }) => {
  const { path, integrity } = await file("linchpin.js");
  await page.route(`${servers.sdk}${path}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()} ` });
  });
  await page.goto(`${servers.host}/bare`);
  const loaded = await page.evaluate(
    ({ src, integrity }) =>
      new Promise((resolve) => {
        const script = Object.assign(document.createElement("script"), { src, integrity, crossOrigin: "anonymous" });
        script.onload = () => resolve(true);
        script.onerror = () => resolve("LinkModal" in window);
        document.head.append(script);
      }),
    { src: servers.sdk + path, integrity },
  );
  expect(loaded).toBe(false);
});
