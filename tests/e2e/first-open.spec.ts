import { expect, test } from "./support/widget";

/** Files that the size check does not count for the first open. This test proves that it is correct. */
const LOADED_LATER = /^(link-widget-chunk|en-chunk|chunk|uploads|keys|es-MX|fil|id|pt-BR|zh-Hans|ar)\b/;

/** Those that load while the person signs in. */
const LOADED_AT_LOGIN = ["chunk", "en-chunk", "link-widget-chunk"];

test("the first open loads files of later screens only at the login", async ({ tenant, page }) => {
  const loaded: string[] = [];
  page.on("request", (request) => {
    const [, name] = /\/sdk\/assets\/(.+)-[0-9a-f]{10}\.\w+$/.exec(new URL(request.url()).pathname) ?? [];
    if (name) loaded.push(name);
  });
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  expect(loaded).toContain("link-widget");
  expect(loaded.filter((name) => LOADED_LATER.test(name))).toEqual([]);

  await widget.choose();
  await expect.poll(() => loaded.filter((name) => LOADED_LATER.test(name)).sort()).toEqual(LOADED_AT_LOGIN);
  await widget.signIn("good");
  await widget.shows("You’re connected");
  expect(loaded.filter((name) => LOADED_LATER.test(name))).toHaveLength(LOADED_AT_LOGIN.length);
});
