/** A deploy or a proxy removes files of the build that is open. */
import type { FrameLocator, Page, Route } from "@playwright/test";
import { expect, type Stage, test } from "./stage";

const GONE: Record<string, (route: Route) => Promise<void>> = {
  "are gone": (route) => route.fulfill({ status: 404, body: "not found" }),
  "are answered with a page": (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>App</title>" }),
};

/** The page that was loaded again, inside the first one. */
const inner = (page: Page): FrameLocator => page.frameLocator("iframe").frameLocator("iframe");

/** The failures that the host page was told. */
const failures = async (stage: Stage): Promise<unknown[]> =>
  (await stage.heard()).flatMap(({ failed }) => (failed ? [failed["cause"]] : []));

for (const [what, answer] of Object.entries(GONE)) {
  test(`files that ${what} are loaded again once, with the same session`, async ({ stage, page }) => {
    let refused = 0;
    await stage.open();
    await page.route(/\/sdk\/assets\/link-widget-chunk-/, (route) => (refused++ ? route.continue() : answer(route)));
    await stage.button("Agree and continue").click();
    await inner(page).getByRole("button", { name: "Agree and continue" }).click();
    await inner(page).getByRole("button", { name: /Rideo/ }).click();
    await inner(page).getByRole("textbox", { name: "username" }).fill("good");
    await inner(page).getByRole("textbox", { name: "password" }).fill("pass");
    await inner(page).getByRole("button", { name: "Connect" }).click();
    await inner(page).getByRole("button", { name: "Done" }).waitFor();
    expect(stage.calls.filter(({ line }) => line === "POST /link/sessions")).toHaveLength(1);
    const bearer = `Bearer ${stage.calls[0]!.body["secret"]}`;
    expect(stage.calls.slice(1).every((call) => call.bearer === bearer)).toBe(true);
    expect(await failures(stage)).toEqual([]);
  });

  for (const [file, pattern] of [
    ["the program", /\/sdk\/assets\/link-widget-[0-9a-f]{8}\.wasm/],
    ["its glue", /\/sdk\/assets\/link-widget-[0-9a-f]{8}\.js/],
    ["the texts", /\/sdk\/assets\/en-[0-9a-f]{8}\.json/],
    ["all files, after the start", /\/sdk\/assets\/(?!again)/],
  ] as const) {
    test(`${file}: files that ${what} permanently are named after one reload`, async ({ stage, page }) => {
      let asked = 0;
      const refuse = (): Promise<unknown> => page.route(pattern, (route) => (asked++, answer(route)));
      if (file.startsWith("all")) {
        await stage.open();
        await refuse();
        await stage.button("Agree and continue").click();
      } else {
        await refuse();
        await stage.embed();
        await stage.until("hello");
        await stage.say({ open: { options: { templateId: "allowed" }, token: "token-1" } });
      }
      // The consent page may be there before.
      await inner(page).getByRole("heading", { name: "The service isn’t answering" }).waitFor();
      await expect.poll(() => failures(stage)).toEqual(["files"]);
      const before = asked;
      await inner(page).getByRole("button", { name: "Try again" }).click();
      await expect.poll(() => asked).toBeGreaterThan(before);
      await expect.poll(() => failures(stage)).toEqual(["files", "files"]);
      expect(page.frames(), "no further reload").toHaveLength(3);
      await inner(page).getByRole("button", { name: "Close" }).last().click();
      expect(await stage.until("close")).toMatchObject([{ close: { reason: "close" } }]);
    });
  }

  test(`all files, even that of the reload, that ${what}, are named at once`, async ({ stage, page }) => {
    await stage.open();
    await page.route(/\/sdk\/assets\//, answer);
    await stage.button("Agree and continue").click();
    await page.frameLocator("iframe").getByRole("heading", { name: "The service isn’t answering" }).waitFor();
    await expect.poll(() => failures(stage)).toEqual(["files"]);
  });

  test(`a language whose texts ${what} is an error, and the current one stays`, async ({ stage, page }) => {
    await stage.open();
    await page.route(/\/sdk\/assets\/es-MX-/, answer);
    await stage.say({ setLocale: { locale: "es-MX" } });
    await expect
      .poll(async () => (await stage.heard()).flatMap(({ tell }) => tell?.callback?.["error"]?.["cause"] ?? []))
      .toContain("files");
    await expect(stage.button("Agree and continue")).toBeVisible();
    expect(page.frames()).toHaveLength(2);
  });
}

test("a damaged file of the right type is not called a lost connection", async ({ stage, page }) => {
  await stage.open();
  let isDamaged = true;
  const damaged = { contentType: "application/wasm", body: "damaged" };
  await page.route(/\/sdk\/assets\/link-widget-chunk-.*wasm/, (route) => (isDamaged ? route.fulfill(damaged) : route.continue()));
  await stage.button("Agree and continue").click();
  const widget = page.frameLocator("iframe");
  await widget.getByRole("button", { name: /Rideo/ }).click();
  await stage.button("Try again").waitFor();
  await expect(widget.getByRole("main")).not.toContainText(/connection|offline/i);
  isDamaged = false;
  await stage.button("Try again").click();
  await widget.getByRole("textbox", { name: "username" }).waitFor();
});

test("what was typed is there after the files were loaded again, but no secret", async ({ stage, page }) => {
  const gone = GONE["are gone"]!;
  await stage.open();
  // The form asks for it, and the press of Connect again.
  const isFirst = (): boolean => page.frames().length < 3;
  await page.route(/\/sdk\/assets\/seal-/, (route) => (isFirst() ? gone(route) : route.continue()));
  const widget = page.frameLocator("iframe");
  const open = async (within: FrameLocator): Promise<void> => {
    await within.getByRole("button", { name: "Agree and continue" }).click();
    await within.getByRole("button", { name: /Rideo/ }).click();
  };
  await open(widget);
  await widget.getByRole("textbox", { name: "username" }).fill("ana@example.com");
  await widget.getByRole("textbox", { name: "password" }).fill("pass");
  await widget.getByRole("button", { name: "Connect" }).click();
  await open(inner(page));
  await expect(inner(page).getByRole("textbox", { name: "username" })).toHaveValue("ana@example.com");
  await expect(inner(page).getByRole("textbox", { name: "password" })).toHaveValue("");
  await inner(page).getByRole("textbox", { name: "password" }).fill("pass");
  await inner(page).getByRole("button", { name: "Connect" }).click();
  await inner(page).getByRole("button", { name: "Done" }).waitFor();
});

const BODY = { contentType: "text/javascript" };
for (const [what, pattern, answer] of [
  ["a copy of the script of fields that is cut", /\/sdk\/assets\/fields-/, { ...BODY, body: "const damag" }],
  ["a copy of the script that encrypts that is cut", /\/sdk\/assets\/seal-/, { ...BODY, body: "const damag" }],
  ["an empty script that encrypts", /\/sdk\/assets\/seal-/, { ...BODY, body: "" }],
  // As a proxy does that wants a sign-in.
  ["a redirect of the script that encrypts", /\/sdk\/assets\/seal-/, { status: 302, headers: { location: "https://login.test/" } }],
] as const) {
  test(`${what} is loaded again once, and then named`, async ({ stage, page }) => {
    await stage.open();
    await page.route("https://login.test/", (route) => route.fulfill({ contentType: "text/html", body: "Sign in" }));
    await page.route(pattern, (route) => route.fulfill(answer));
    const widget = (isInner: boolean): FrameLocator => (isInner ? inner(page) : page.frameLocator("iframe"));
    const signIn = async (isInner: boolean): Promise<void> => {
      await widget(isInner).getByRole("button", { name: "Agree and continue" }).click();
      if (what.includes("fields")) return;
      await widget(isInner).getByRole("button", { name: /Rideo/ }).click();
      await widget(isInner).getByRole("textbox", { name: "username" }).fill("good");
      await widget(isInner).getByRole("textbox", { name: "password" }).fill("pass");
      await widget(isInner).getByRole("button", { name: "Connect" }).click();
    };
    await signIn(false);
    await signIn(true);
    await inner(page).getByRole("heading", { name: "The service isn’t answering" }).waitFor();
    await expect.poll(() => failures(stage)).toEqual(["files"]);
  });
}
