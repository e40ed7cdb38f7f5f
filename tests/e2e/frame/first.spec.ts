/** Tests of the frame before the program draws: the skeleton, slow loading, and files that did not load. */
import type { Page, Route } from "@playwright/test";
import { expect, test, type Stage } from "./stage";
import { hold, PROGRAM, start } from "./start";

const accent = (stage: Stage): Promise<string> =>
  stage.frame.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent"));

/** Lets the program fail the first time. */
async function failOnce(page: Page, fail: (route: Route) => Promise<void>): Promise<void> {
  let count = 0;
  await page.route(PROGRAM, (route) => (count++ ? route.continue() : fail(route)));
}

const heading = (stage: Stage): Promise<string> => stage.page.frameLocator("iframe").getByRole("heading").innerText();
const lines = (stage: Stage): string[] => stage.calls.map(({ line }) => line);

test("the skeleton has the tenant's name and colors, which the first screen keeps", async ({ stage, page }) => {
  stage.hasLinked = true;
  const release = await hold(page);
  await start(stage, { theme: "dark" });
  const widget = page.frameLocator("iframe");
  await expect(widget.getByRole("banner")).toHaveText("Northwind");
  await expect(widget.getByRole("status")).toHaveText("Getting ready");
  expect(await accent(stage)).toBe("#ddeeff");
  release();
  await stage.button("Done").waitFor();
  expect(await accent(stage)).toBe("#ddeeff");
});

for (const way of ["Escape", "the close button"]) {
  test(`${way} closes the skeleton`, async ({ stage, page }) => {
    stage.hasLinked = true;
    await hold(page);
    await start(stage);
    await stage.page.frameLocator("iframe").getByRole("button", { name: "Close" }).focus();
    await page.keyboard.press(way === "Escape" ? "Escape" : "Enter");
    expect(await stage.until("close")).toMatchObject([{ close: { reason: "close" } }]);
  });
}

test("after 8 seconds the frame says that it takes longer, and then starts", async ({ stage, page }) => {
  stage.hasLinked = true;
  await page.clock.install();
  const release = await hold(page);
  await start(stage);
  await expect.poll(() => lines(stage)).toEqual(["POST /link/sessions"]);
  await page.clock.runFor(8_100);
  expect(await heading(stage)).toBe("This is taking longer than usual");
  await expect(stage.button("Try again")).toBeVisible();
  release();
  await stage.button("Done").waitFor();
});

test("a program that the service refuses is named, and a retry keeps the session", async ({ stage, page }) => {
  await failOnce(page, (route) => route.fulfill({ status: 500 }));
  await start(stage);
  const [{ failed }] = (await stage.until("failed")) as [{ failed: object }];
  expect(failed).toEqual({ cause: "network", detail: expect.stringMatching(/status 500$/), shown: true });
  expect(await heading(stage)).toBe("The service isn’t answering");
  await stage.button("Try again").click();
  await stage.button("Agree and continue").waitFor();
  expect(lines(stage)).toEqual(["POST /link/sessions", "GET /link/session"]);
  expect(stage.calls[1]!.bearer).toBe(`Bearer ${stage.calls[0]!.body["secret"]}`);
});

test("an offline frame says so in its language, has the focus, and closes on Escape", async ({ stage, page }) => {
  await page.route(PROGRAM, (route) => route.abort());
  await start(stage, { locale: "es-MX" }, "es-MX");
  await stage.until("failed");
  await expect.poll(() => heading(stage)).toBe("Parece que no tienes conexión");
  await expect(page.frameLocator("iframe").getByRole("heading")).toBeFocused();
  expect(await stage.frame.evaluate(() => document.documentElement.lang)).toBe("es-MX");
  await page.keyboard.press("Tab");
  await expect(page.frameLocator("iframe").getByRole("button").nth(1)).toBeFocused();
  await page.keyboard.press("Escape");
  expect(await stage.until("close")).toMatchObject([{ close: { reason: "close" } }]);
});

test("texts that do not load are named in English, and a retry loads them again", async ({ stage, page }) => {
  let count = 0;
  await page.route(/\/sdk\/assets\/en-\w+\.json$/, (route) => (count++ ? route.continue() : route.fulfill({ status: 503 })));
  await start(stage);
  await stage.until("failed");
  expect(await heading(stage)).toBe("The service isn’t answering");
  await stage.button("Try again").click();
  await stage.button("Agree and continue").waitFor();
});

test("a new token is used if a part fails before it arrives", async ({ stage, page }) => {
  await failOnce(page, (route) => route.abort());
  await start(stage);
  await stage.until("failed");
  await stage.say({ setToken: { token: "token-2" } });
  await stage.button("Try again").click();
  await stage.button("Agree and continue").waitFor();
  expect(stage.calls.map(({ body }) => body["token"])).toEqual(["token-1", "token-2"]);
});

test("the early exchange asks for texts in the language that loads", async ({ stage, page }) => {
  const asked = page.waitForRequest(/\/link\/sessions$/);
  await start(stage, { locale: "es-MX" }, "es-MX");
  expect(await (await asked).headerValue("accept-language")).toBe("es-MX");
});
