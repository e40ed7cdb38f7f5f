/** Host pages with other people's styles, frameworks, modal dialogs and policies. */
import { showsLogin, signIn } from "../../e2e/support/provider";
import { expect, type Host, test, unaffected } from "../support/host";
import { Site } from "../support/site";
import { THEMES } from "../support/themes";

test.describe("style sheets", () => {
  for (const theme of Object.keys(THEMES)) {
    test(theme, ({ host }) => unaffected(host, Site.themed(theme), { hidden: theme === "hides unknown elements" }));
  }
});

test.describe("frameworks", () => {
  for (const [name, path] of [
    ["React 18, StrictMode", "/react18"],
    ["React 19, StrictMode", "/react19"],
    ["Vue", "/vue"],
    ["Svelte", "/svelte"],
    ["Angular with zone.js", "/angular"],
    ["Next, static export", "/next"],
    ["no framework", "/plain"],
    ["ES module", "/module"],
    ["both scripts, v1 and v2", "/twice"],
  ] as const) {
    test(name, ({ host }) => unaffected(host, path));
  }
});

const HOST_DIALOGS = [
  ["native dialog", "/dialog"],
  ["popover", "/popover"],
  ["manual popover", "/popover-manual"],
  ["Radix", "/radix"],
  ["MUI", "/mui"],
  ["Headless UI", "/headless"],
] as const;

async function showDialog(host: Host): Promise<void> {
  await host.frame.locator("#show").click();
  await expect(host.frame.locator("#host-dialog")).toBeVisible();
}

test.describe("dialogs of the host", () => {
  for (const [name, path] of HOST_DIALOGS) {
    test(name, ({ host }) => unaffected(host, path, { before: showDialog }));

    test(`${name}: scrim click, Tab and Escape while it loads`, async ({ host, page }) => {
      await page.route("**/sdk/frame/**", () => undefined);
      await host.visit(path);
      await showDialog(host);
      await host.frame.locator("#connect").focus();
      const before = await host.snapshot();
      for (const way of ["Escape", "Close"]) {
        await host.frame.locator("#connect").click();
        await page.getByRole("dialog").getByRole("button", { name: "Close" }).waitFor();
        await page.mouse.click(20, 20);
        await page.keyboard.press("Tab");
        await page.keyboard.press("Tab");
        expect(await host.state()).toBe("opening");
        if (way === "Escape") await page.keyboard.press("Escape");
        else await page.getByRole("button", { name: "Close" }).click();
        await host.waitForClose();
        await expect(host.frame.locator("#host-dialog")).toBeVisible();
        await host.isAs(before, way);
      }
    });
  }
});

test.describe("policies", () => {
  test("strict CSP with Trusted Types", ({ host }) => unaffected(host, "/strict"));

  test("COOP and COEP", ({ host }) =>
    unaffected(host, "/isolated", {
      during: async () => expect(await host.frame.evaluate(() => crossOriginIsolated)).toBe(true),
    }));

  test("COOP and COEP: a login on the provider's page", async ({ host, page }) => {
    await host.goto("/isolated");
    const widget = await host.open();
    await widget.link("oauth");
    await widget.shows("Sign in on the provider’s page");
    const opened = page.context().waitForEvent("page");
    await widget.frame.getByRole("link", { name: /^Continue to / }).click();
    const provider = await opened;
    await provider.getByRole("button", { name: /^Continue to / }).click();
    await showsLogin(provider);
    await signIn(provider);
    await provider.getByRole("button", { name: "Allow", exact: true }).click();
    await widget.shows("You’re connected");
  });

  test("sandbox without allow-forms", ({ host }) =>
    unaffected(host, "/framing?sandbox=allow-scripts%20allow-same-origin&src=/plain", { inline: true }));

  test("opaque origin", async ({ host, page }) => {
    await page.goto(`${host.site.origin}/framing?sandbox=allow-scripts&src=/plain`);
    await expect.poll(() => page.frames().length).toBe(2);
    const frame = page.frames()[1]!;
    await frame.waitForFunction(() => window.modal !== undefined);
    await frame.evaluate(() => window.modal.open());
    await expect
      .poll(() => frame.evaluate(() => window.calls.at(-1)))
      .toEqual(["error", { cause: "unsupported", message: "unsupported" }]);
  });
});

test.describe("structure of the page", () => {
  test("right to left", ({ host }) => unaffected(host, "/rtl"));
  test("host page in a frame of another site", ({ host }) =>
    unaffected(host, `${host.site.other}/framing?src=${host.site.origin}/plain`, { inline: true }));
  test("host page in a frame in a frame", ({ host }) =>
    unaffected(host, `/framing?src=${encodeURIComponent("/framing?src=/plain")}`, { inline: true }));
  test("inline container", ({ host }) => unaffected(host, "/inline", { inline: true }));
  test("inline container in a shadow root", ({ host }) => unaffected(host, "/inline-shadow", { inline: true }));
  test("two modals, one after the other", ({ host }) => unaffected(host, "/two"));
});
