/**
 * `@linchpin/react` in a browser, with React 18 and 19. The numbers are those of issues of react-plaid-link, whose faults this
 * package must not have.
 */
import { expect, type React, test } from "./support/page";

type Shown = { name: string } & Record<string, unknown>;

declare global {
  interface Window {
    show(list: Shown[], how?: { label?: string; strict?: boolean }): void;
    showButton(props: object): void;
    calls: [string, unknown][];
    renders: number;
    handles: Record<string, { open(): void; close(): void; ready: boolean; isOpen: boolean; error?: { cause: string } }>;
    opens: unknown[];
  }
}

for (const react of ["react18", "react19"] satisfies React[]) {
  test.describe(react, () => {
    test.beforeEach(({ tenant }) => tenant.run("react-page.jsx", react));

    test("StrictMode mounts twice, and the page has one frame", async ({ tenant, page }) => {
      await page.evaluate(() => window.show([{ name: "a" }]));
      await tenant.hasFrames(1);
      await page.getByRole("button", { name: "Open a" }).click();
      expect((await tenant.opening()).token).toBe("token-first");
      await tenant.hasFrames(1);
      expect(await page.evaluate(() => window.handles["a"]!.isOpen)).toBe(true);
      await page.evaluate(() => window.handles["a"]!.close());
      await expect.poll(() => page.evaluate(() => window.handles["a"]!.isOpen)).toBe(false);
    });

    test("component that is unmounted and mounted again works each time (#86, #103)", async ({ tenant, page }) => {
      for (let round = 0; round < 3; round += 1) {
        await page.evaluate(() => {
          window.show([{ name: "a" }]);
          setTimeout(() => window.show([]));
          setTimeout(() => window.show([{ name: "a" }]), 1);
        });
        await page.getByRole("button", { name: "Open a" }).click();
        await tenant.opening();
        await tenant.hasFrames(1);
        await page.evaluate(() => window.show([]));
        await tenant.hasFrames(0);
        await expect(page.locator("linchpin-modal")).toHaveCount(0);
      }
    });

    test("two hooks that load at the same time both open (#121)", async ({ tenant, page }) => {
      await page.evaluate(() => window.show([{ name: "a" }, { name: "b", templateId: "lt-2", accountId: "a-1" }]));
      await tenant.hasFrames(2);
      for (const [name, options] of [
        ["a", { templateId: "lt-1" }],
        ["b", { templateId: "lt-2", accountId: "a-1" }],
      ] as const) {
        await page.getByRole("button", { name: `Open ${name}` }).click();
        expect((await tenant.opening()).options).toMatchObject(options);
        await page.evaluate((name) => window.handles[name]!.close(), name);
      }
    });

    test("`ready` comes also if the service does not respond (#239)", async ({ page }) => {
      await page.route("**/sdk/frame/**", () => undefined);
      await page.evaluate(() => window.show([{ name: "a" }]));
      await expect(page.getByRole("status")).toHaveText("ready");
      await page.getByRole("button", { name: "Open a" }).click();
      await expect(page.getByRole("dialog").getByRole("button", { name: "Close" })).toBeVisible();
    });

    test("unmounted while it loads, it leaves nothing and searches no script (#374)", async ({ tenant, page }) => {
      await page.route("**/sdk/frame/**", () => undefined);
      await page.evaluate(() => window.show([{ name: "a", userToken: () => new Promise(() => undefined) }]));
      await page.getByRole("button", { name: "Open a" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await page.evaluate(() => window.show([]));
      await expect(page.locator("linchpin-modal")).toHaveCount(0);
      await expect(page.locator("script[src]")).toHaveCount(0);
      expect(tenant.errors).toEqual([]);
    });

    test("callbacks and options of the latest render count", async ({ tenant, page }) => {
      await page.evaluate(() => window.show([{ name: "a" }]));
      await tenant.hasFrames(1);
      await page.evaluate(() => window.show([{ name: "a", companyName: "Lark", locale: "id" }], { label: "second" }));
      await page.getByRole("button", { name: "Open a" }).click();
      expect(await tenant.opening()).toMatchObject({
        token: "token-second",
        options: { companyName: "Lark", locale: "id" },
      });
      await page.evaluate(() => window.show([{ name: "a" }], { label: "third" }));
      await tenant.hasFrames(1);
      await page.evaluate(() => window.handles["a"]!.close());
      expect(await page.evaluate(() => window.calls)).toEqual([["third onClose", { reason: "close" }]]);
    });

    test("wrong option gives an error next to `ready`, and its correction works", async ({ tenant, page }) => {
      await page.evaluate(() => window.show([{ name: "a", serviceUrl: "link.example" }]));
      await expect(page.getByRole("status")).toHaveText("options");
      expect(await page.evaluate(() => window.handles["a"]!.ready)).toBe(false);
      await page.evaluate(() => window.show([{ name: "a" }]));
      await expect(page.getByRole("status")).toHaveText("ready");
      await page.getByRole("button", { name: "Open a" }).click();
      await tenant.opening();
    });

    test("failure is shown until the next open()", async ({ tenant, page }) => {
      await page.evaluate(() => {
        let tries = 0;
        const userToken = async (): Promise<string> => {
          tries += 1;
          if (tries === 1) throw new Error("offline");
          return "token-2";
        };
        window.opens = [];
        const onError = ({ cause }: { cause: string }): void => void window.opens.push(cause);
        window.show([{ name: "a", userToken, onError }]);
      });
      await page.getByRole("button", { name: "Open a" }).click();
      await expect.poll(() => page.evaluate(() => window.handles["a"]!.error?.cause)).toBe("token-handler");
      await page.evaluate(() => window.handles["a"]!.close());
      await page.getByRole("button", { name: "Open a" }).click();
      expect((await tenant.opening()).token).toBe("token-2");
      expect(await page.evaluate(() => [window.opens, window.handles["a"]!.error])).toEqual([["token-handler"], undefined]);
    });

    test("button opens the widget unless its onClick prevents that", async ({ tenant, page }) => {
      await page.evaluate(() => {
        const onClick = (event: Event): void => event.preventDefault();
        window.showButton({ userToken: "token-1", children: "Connect", button: { className: "main", onClick } });
      });
      await page.locator("button.main").click();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await page.evaluate(() => window.showButton({ userToken: "token-1", children: "Connect" }));
      await page.locator("main").getByRole("button", { name: "Connect" }).click();
      expect((await tenant.opening()).token).toBe("token-1");
    });
  });
}
