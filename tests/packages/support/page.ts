/** The fixture for tests of the packages in a browser: a page without any script of the service, which gets a bundle. */
import { test as base, expect, type FrameLocator, type Page } from "@playwright/test";
import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { type Servers, startServers } from "../../e2e/bridge/servers";
import { requiredVariable } from "./variables";

export { expect };

/** The folder in which the tarballs are installed. */
export const PROJECT = requiredVariable("LINCHPIN_PROJECT");

export type React = "react18" | "react19";

const bundles = new Map<string, Promise<string>>();

/** Bundles a page of this folder with the installed packages, as a tenant's bundler does. */
export function bundle(page: string, react: React = "react19"): Promise<string> {
  const key = `${page} ${react}`;
  const known = bundles.get(key) ?? bundleNow(page, react);
  bundles.set(key, known);
  return known;
}

async function bundleNow(page: string, react: React): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(page, import.meta.url))],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    jsx: "automatic",
    logLevel: "warning",
    absWorkingDir: PROJECT,
    nodePaths: [join(PROJECT, "node_modules")],
    // React's StrictMode mounts twice only in development builds.
    define: { "process.env.NODE_ENV": '"development"' },
    ...(react === "react18" && { alias: { react: "react18", "react-dom": "react-dom18" } }),
  });
  return outputFiles[0]!.text;
}

export class TenantPage {
  readonly errors: string[] = [];

  constructor(
    readonly page: Page,
    readonly servers: Servers,
  ) {
    page.on("pageerror", ({ message }) => this.errors.push(message));
  }

  /** Opens an empty page of the tenant, and runs a bundle in it. */
  async run(source: string, react?: React): Promise<void> {
    await this.page.goto(`${this.servers.host}/bare`);
    await this.page.evaluate((sdk) => Object.assign(window, { serviceUrl: sdk }), this.servers.sdk);
    await this.page.addScriptTag({ content: await bundle(source, react) });
  }

  /** The widget's frame in the open dialog. */
  get frame(): FrameLocator {
    return this.page.frameLocator("linchpin-modal dialog[open] iframe");
  }

  /** Waits until the page has this number of frames. */
  async hasFrames(count: number): Promise<void> {
    await expect(this.page.locator("linchpin-modal iframe")).toHaveCount(count);
  }

  /** Returns the message with which the open frame was opened, as soon as there is one. */
  async opening(): Promise<{ token: string; options: Record<string, unknown> }> {
    const find = (): Promise<unknown> =>
      this.frame.locator("html").evaluate(() => window.heard?.map(({ open }) => open).find((open) => open));
    await expect.poll(find).toBeTruthy();
    return (await find()) as { token: string; options: Record<string, unknown> };
  }
}

interface Modal {
  state: string;
  ready: Promise<void>;
  open(options?: object): void;
  close(): void;
}

declare global {
  interface Window {
    /** In the page. */
    serviceUrl: string;
    modal: Modal;
    create(options: object): void;
    errors: { cause: string; message: string }[];
    closes: object[];
    tokens: number;
    resolveToken(token: string): void;
    resolvers: ((token: string) => void)[];
    link: {
      loadLinchpin(url: string, options?: object): Promise<unknown>;
      LinkModal: new (options: object) => unknown;
    };
    /** In the fake frame. */
    heard: Record<string, unknown>[];
    say(message: object): void;
  }
}

export const test = base.extend<{ tenant: TenantPage }, { servers: Servers }>({
  servers: [
    async ({}, use) => {
      const servers = await startServers();
      await use(servers);
      await servers.close();
    },
    { scope: "worker" },
  ],
  tenant: async ({ page, servers }, use) => {
    const tenant = new TenantPage(page, servers);
    await use(tenant);
    expect(tenant.errors, "no uncaught errors").toEqual([]);
  },
});
