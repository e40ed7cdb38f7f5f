/** Pages of a tenant that show link sites in frames. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Frame, FrameLocator, Page } from "@playwright/test";
import { rest, type Keys } from "./rest";
import { expect } from "./widget";

export interface Site {
  id: string;
  url: string;
}

/** A tenant's own server: each path has a page. */
export interface Shop {
  origin: string;
  pages: Record<string, string>;
  close(): void;
}

export async function openShop(host = "localhost"): Promise<Shop> {
  const pages: Record<string, string> = {};
  const server = createServer(({ url }, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(pages[new URL(url!, "http://shop").pathname] ?? "<!doctype html><title>Nothing</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return { origin: `http://${host}:${(server.address() as AddressInfo).port}`, pages, close: () => server.close() };
}

let last = 0;

/** Publishes a site that pages of the shop may embed. */
export async function publish(keys: Keys, shop: Shop, change: object = {}): Promise<Site> {
  const own = await rest(keys, "GET", `/linkTemplates/${keys.linkTemplateId}`);
  const template = await rest(keys, "POST", "/linkTemplates", {
    name: "Embedded",
    companyName: "Demo Company",
    consentTemplateId: own.consentTemplateId,
    allowedOrigins: [shop.origin],
  });
  last += 1;
  return rest(keys, "POST", "/alpha/linkSites", {
    name: "Loans",
    slug: `framed-${process.pid}-${Date.now()}-${last}`,
    status: "PUBLISHED",
    linkTemplateId: template.id,
    steps: ["FORM", "WIDGET", "THANK_YOU"],
    form: {
      name: "About the loan",
      reference: "loan-2026",
      fields: [
        { name: "purpose", label: "What is it for?", type: "CHOICE", required: true, choices: ["Car", "Home"] },
        { name: "story", label: "Tell us more", type: "LONG_TEXT" },
        { name: "amount", label: "How much?", type: "NUMBER", help: "In pesos" },
        { name: "campaign", label: "Campaign", type: "HIDDEN" },
      ],
    },
    prefill: ["campaign"],
    embedOrigins: [shop.origin],
    startPage: { title: "Apply for a loan", text: "A few questions, and the account of your employer." },
    endPage: { title: "All done", text: "We will write to you within two days." },
    ...change,
  });
}

/** Returns a page with text around its sites. It counts the events of each place. */
export function pageWith(...sites: Site[]): string {
  const places = sites.map(({ url }, place) => {
    return `<div id="site-${place}" data-linchpin-site="${url}" data-linchpin-prefill="campaign"></div><p>Text of the shop.</p>`;
  });
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Shop</title>
    <style>body { font-family: system-ui; margin: 16px; color-scheme: light dark }</style>
    <main><h1>The shop</h1>${places.join("")}</main>
    <script>
      window.heard = [];
      for (const name of ["linchpin:submitted", "linchpin:ended"]) {
        addEventListener(name, ({ target, detail }) => heard.push([target.id, name, detail.linkSiteSessionId]));
      }
    </script>
    <script src="${new URL(sites.at(-1)!.url).origin}/sdk/embed.js" defer></script></html>`;
}

export const heard = (page: Page): Promise<string[][]> => page.evaluate(() => (window as any).heard);

export const site = (page: Page, place: number): FrameLocator => page.frameLocator(`#site-${place} > iframe`);

export async function frameOf(page: Page, place: number): Promise<Frame> {
  const element = await page.locator(`#site-${place} > iframe`).elementHandle();
  return (await element!.contentFrame())!;
}

/** Waits until a frame is as high as its page. */
export async function fits(page: Page, place: number): Promise<number> {
  let height = 0;
  await expect(async () => {
    const frame = await frameOf(page, place);
    const [content, window] = await frame.evaluate(() => [document.body.getBoundingClientRect().height, innerHeight]);
    expect(Math.abs(content! - window!)).toBeLessThanOrEqual(1);
    height = window!;
  }).toPass({ timeout: 15_000 });
  return height;
}

export async function press(frame: FrameLocator, name = "Continue"): Promise<void> {
  await frame.getByRole("button", { name }).click();
}

/** Sends the form, again if the service takes the person for a program. */
export async function send(frame: FrameLocator, next: string): Promise<void> {
  await expect(async () => {
    const button = frame.getByRole("button", { name: "Continue" });
    if (await button.isVisible()) await button.click({ timeout: 2_000 });
    await expect(frame.getByRole("heading", { level: 1 })).toHaveText(next, { timeout: 1_500 });
  }).toPass();
}
