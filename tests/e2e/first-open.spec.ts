import { expect, test } from "./support/widget";

/** Files that the size check does not count for the first open. This test proves that it is correct. */
const LOADED_LATER = /^(link-widget-chunk|en-chunk|chunk|fields|seal|uploads|keys|es-MX|fil|id|pt-BR|zh-Hans|ar)\b/;

/** Those that load while the person chooses a provider. */
const CHUNK = ["chunk", "en-chunk", "fields", "link-widget-chunk"];

test("the first open loads files of later pages only after the consent", async ({ tenant, page }) => {
  const loaded: string[] = [];
  page.on("request", (request) => {
    const [, name] = /\/sdk\/assets\/(.+)-[0-9a-f]{8}\.\w+$/.exec(new URL(request.url()).pathname) ?? [];
    if (name) loaded.push(name);
  });
  const later = (): string[] => loaded.filter((name) => LOADED_LATER.test(name)).sort();
  await tenant.goto();
  const widget = await tenant.open();
  await expect(widget.button("Agree and continue")).toBeVisible();
  expect(loaded).toContain("link-widget");
  expect(later()).toEqual([]);

  await widget.agree();
  await expect.poll(later).toEqual(CHUNK);
  await widget.choose();
  await widget.signIn("good");
  await widget.shows("You’re connected");
  expect(later()).toEqual([...CHUNK, "seal"]);
});
