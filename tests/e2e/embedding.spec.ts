import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Frame, Page } from "@playwright/test";
import { expect, test } from "./support/widget";

const SERVICE = process.env["LINCHPIN_SERVICE_URL"] as string;

async function templateId(page: Page): Promise<string> {
  return (await (await page.request.post("/link-token")).json()).templateId;
}

test("the widget works on a page with a strict policy and Trusted Types", async ({ page, tenant }) => {
  const response = await page.goto("/");
  const policy = response?.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).not.toContain("unsafe");
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("good");
  // The fixture checks at the end of every test that no policy was violated.
  await widget.shows("You’re connected");
});

test("the frame is served with headers that isolate it", async ({ page }) => {
  const template = await templateId(page);
  const address = `${SERVICE}/sdk/frame/p1/${template}`;
  const frame = await page.request.get(address, { headers: { "sec-fetch-dest": "iframe" } });
  expect(frame.status()).toBe(200);
  const headers = frame.headers();
  for (const word of [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "require-trusted-types-for 'script'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors 'self' ${new URL(process.env["LINCHPIN_DEMO_URL"] as string).origin}`,
  ]) {
    expect(headers["content-security-policy"]).toContain(word);
  }
  expect(headers["content-security-policy"]).not.toMatch(/'unsafe-(inline|eval)'/);
  expect(headers["cache-control"]).toBe("private, no-cache, no-transform");
  expect(headers["cross-origin-embedder-policy"]).toBe("require-corp");
  const known = { "if-none-match": headers["etag"]! };
  const again = await page.request.get(address, { headers: { "sec-fetch-dest": "iframe", ...known } });
  expect(again.status(), "a browser that has the page gets only its policy").toBe(304);
  expect(again.headers()["content-security-policy"]).toBe(headers["content-security-policy"]);
  const alone = await page.request.get(address, { headers: { "sec-fetch-dest": "document", ...known } });
  expect(alone.status(), "the frame is not served as a top-level page").toBe(403);
});

test("a disallowed origin is named to the page, and the person reads a reason", async ({ page }) => {
  const template = await templateId(page);
  const script = `<!doctype html><script src="${SERVICE}/sdk/v2/linchpin.v2.js"></script>`;
  const server = await serve((_, response) => void response.end(script));
  const origin = `http://127.0.0.1:${server.port}`;
  for (const [templateId, locale, error, heading] of [
    [template, "en", `origin: ${origin} is not in allowedOrigins of ${template}`, "This page isn’t set up correctly"],
    ["lt-none", "es-MX", "template: lt-none is not a link template", "Esta página no está bien configurada"],
  ] as const) {
    await page.goto(origin);
    await page.evaluate(
      ([templateId, locale]) => {
        const modal = new (window as any).LinkModal({ templateId, userToken: "lpt_none", locale });
        modal.on("error", ({ cause, message }: { cause: string; message: string }) => {
          document.title = `${cause}: ${message}`;
        });
        modal.open();
      },
      [templateId, locale],
    );
    await expect(page).toHaveTitle(error);
    await expect(page.getByRole("dialog").getByRole("heading")).toHaveText(heading);
  }
  server.close();
});

test.describe("the frame responds to one greeting, from its parent with an allowed origin", () => {
  /** Embeds a frame without the bridge. */
  const embed = (page: Page, address: string): Promise<void> =>
    page.evaluate(
      (src) =>
        new Promise<void>((resolve) => {
          const frame = Object.assign(document.createElement("iframe"), { id: "frame", src, onload: () => resolve() });
          document.body.append(frame);
        }),
      address,
    );

  /** Greets the frame from a window of the page's origin. Returns whether the frame sent `hello`. */
  const greet = (from: Page | Frame, wait = 700): Promise<boolean> =>
    from.evaluate(
      (wait) =>
        new Promise<boolean>((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }) => resolve("hello" in data);
          setTimeout(resolve, wait, false);
          const frame = window.top?.document.querySelector("#frame") as HTMLIFrameElement;
          frame.contentWindow?.postMessage({ linchpin: "p1" }, "*", [port2]);
        }),
      wait,
    );

  test("the frame responds to its parent, but not to a sibling or a replay", async ({ page }) => {
    await page.goto("/");
    await embed(page, `${SERVICE}/sdk/frame/p1/${await templateId(page)}`);
    await page.evaluate(() => document.body.append(Object.assign(document.createElement("iframe"), { name: "sibling" })));
    expect(await greet(page.frame("sibling") as Frame)).toBe(false);
    expect(await greet(page, 15_000)).toBe(true);
    expect(await greet(page)).toBe(false);
  });

  test("the frame ignores a disallowed origin even without frame-ancestors", async ({ page }) => {
    const template = await templateId(page);
    const host = await serve((_, response) => void response.end("<!doctype html><body>"));
    let allowed = "";
    // Forwards to the service, but removes the header that would block the frame, and adds the allowed origin.
    const service = await serve(async ({ url, headers }, response) => {
      const forwarded = await fetch(SERVICE + url, { headers: { "sec-fetch-dest": headers["sec-fetch-dest"] as string } });
      const body = Buffer.from(await forwarded.arrayBuffer());
      response.setHeader("content-type", forwarded.headers.get("content-type") ?? "");
      const at = 'name="linchpin-origins" content="';
      response.end(url?.includes("/frame/") ? body.toString().replace(at, at + allowed) : body);
    });
    const getsHello = async (): Promise<boolean> => {
      await page.goto(`http://127.0.0.1:${host.port}`);
      await embed(page, `http://localhost:${service.port}/sdk/frame/p1/${template}`);
      return greet(page);
    };
    expect(await getsHello()).toBe(false);
    allowed = `http://127.0.0.1:${host.port} `;
    expect(await getsHello()).toBe(true);
    host.close();
    service.close();
  });
});

async function serve(listener: RequestListener): Promise<{ port: number; close(): void }> {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "text/html");
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
