/** Tests the frame's boot script with a host page that behaves differently from the bridge. */
import { expect, test, type Stage } from "./stage";

/** Simulates a trap: an uncaught error of the WebAssembly runtime. */
const trap = (stage: Stage): Promise<void> =>
  stage.frame.evaluate(() => {
    setTimeout(() => {
      throw new WebAssembly.RuntimeError("unreachable");
    });
  });

test("a page with a disallowed origin gets no response", async ({ stage }) => {
  await stage.embed("foreign");
  await stage.page.waitForTimeout(1_000);
  expect(await stage.heard()).toEqual([]);
});

test("the frame accepts one valid greeting", async ({ stage }) => {
  await stage.embed();
  await stage.until("hello");
  await stage.page.evaluate("greet(); greet({ linchpin: 'p0' })");
  await stage.page.waitForTimeout(500);
  expect(await stage.heard()).toEqual([{ hello: { protocol: "p1", build: expect.stringMatching(/\.js$/) } }]);
});

test("the frame asks for its port and exchanges the token while the program loads", async ({ stage, page }) => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/sdk\/assets\/link-widget-\w+\.(wasm|js)$/, async (route) => {
    await held;
    await route.continue();
  });
  // The first headings that the frame draws.
  await page.addInitScript(() => {
    const drawn: string[] = ((window as unknown as { drawn: string[] }).drawn = []);
    new MutationObserver(() => drawn.push(document.querySelector("h1")?.textContent ?? "")).observe(document, {
      childList: true,
      subtree: true,
    });
  });
  await stage.embed("allowed", "/asked");
  await stage.until("hello");
  await stage.say({ open: { options: { templateId: "allowed" }, token: "token-1" } });
  await expect.poll(() => stage.calls.map(({ line }) => line)).toEqual(["POST /link/sessions"]);
  release();
  await stage.button("Agree and continue").waitFor();
  const drawn = await stage.frame.evaluate(() => (window as unknown as { drawn: string[] }).drawn.filter(Boolean));
  expect(new Set(drawn), "nothing is drawn before the first screen").toEqual(new Set([drawn.at(-1)]));
  expect(stage.calls).toHaveLength(1);
});

test("a failed early exchange is repeated by the program", async ({ stage, page }) => {
  let count = 0;
  await page.route(/\/link\/sessions$/, (route) => (count++ ? route.continue() : route.abort()));
  await stage.open();
  expect(count).toBe(2);
  expect(stage.calls.map(({ line }) => line)).toEqual(["POST /link/sessions"]);
});

test("the session secret has 32 bytes and is the bearer token of later requests", async ({ stage }) => {
  await stage.open();
  await stage.page.frameLocator("iframe").getByRole("button", { name: "Agree and continue" }).click();
  const called = (line: string): (typeof stage.calls)[number] | undefined => stage.calls.find((call) => call.line === line);
  await expect.poll(() => called("GET /link/providers")).toBeDefined();
  const [exchange, providers] = [called("POST /link/sessions"), called("GET /link/providers")];
  const secret = String(exchange?.body["secret"]);
  expect(Buffer.from(secret, "base64url").length).toBe(32);
  expect(exchange).toMatchObject({ line: "POST /link/sessions", body: { token: "token-1", templateId: "allowed" } });
  expect(exchange?.bearer).toBeUndefined();
  expect(providers).toMatchObject({ line: "GET /link/providers", bearer: `Bearer ${secret}` });
  expect(JSON.stringify(await stage.heard())).not.toContain(secret);
});

test("what encrypts a login is loaded with the login form", async ({ stage }) => {
  const script = stage.page.waitForResponse(/\/seal[-.].*js$/);
  await stage.open();
  const frame = stage.page.frameLocator("iframe");
  await frame.getByRole("button", { name: "Agree and continue" }).click();
  await frame.getByRole("button", { name: "Rideo" }).click();
  await expect(frame.getByRole("textbox").first()).toBeVisible();
  expect((await script).ok()).toBe(true);
  await expect.poll(() => stage.lines).toContain("GET /link/sealingKey");
});

test("a callback is repeated until it is acknowledged", async ({ stage }) => {
  await stage.open();
  const [first, again] = await stage.until("tell", 2);
  expect(again).toEqual(first);
  await stage.say({ told: { key: first?.["tell"]?.["key"] } });
  await stage.page.waitForTimeout(1_500);
  const count = (await stage.heard()).length;
  await stage.page.waitForTimeout(2_500);
  expect(await stage.heard()).toHaveLength(count);
});

test("a trap restarts the program with the same session, and a second trap fails", async ({ stage }) => {
  await stage.open();
  const seqs = async (): Promise<unknown[]> =>
    (await stage.until("tell")).map((message) => message["tell"]?.callback?.["onUIEvent"]?.["seq"]);
  await trap(stage);
  await stage.until("ready", 2);
  await stage.until("tell", 2);
  const [exchange, session] = stage.calls;
  expect(session).toMatchObject({ line: "GET /link/session", bearer: `Bearer ${exchange?.body["secret"]}` });
  expect(stage.calls.filter(({ line }) => line === "POST /link/sessions")).toHaveLength(1);
  expect(Math.max(...(await seqs()).map(Number))).toBe(2);
  await trap(stage);
  expect(await stage.until("failed")).toEqual([{ failed: { cause: "wasm", detail: expect.stringContaining("unreachable"), shown: true } }]);
});

test("the frame applies the host's close request and keyboard height", async ({ stage }) => {
  await stage.open();
  await stage.say({ inset: { bottom: 120 } });
  await expect
    .poll(() => stage.frame.evaluate(() => document.documentElement.style.getPropertyValue("--inset-bottom")))
    .toBe("120px");
  await stage.say({ closeRequested: {} });
  expect(await stage.until("close")).toMatchObject([{ close: { reason: "close", lastPage: "ConsentPageOpened" } }]);
});

test("invalid options are all reported with the cause options", async ({ stage }) => {
  await stage.embed();
  await stage.until("hello");
  const options = { templateId: "allowed", theme: "sepia", providers: "all", topProviders: [{}], locale: {}, companyName: " " };
  await stage.say({ open: { options, token: "token-1" } });
  const [{ failed }] = (await stage.until("failed")) as [{ failed: { cause: string; detail: string } }];
  expect(failed.cause).toBe("options");
  for (const name of ["theme", "providers", "topProviders", "locale", "companyName"]) expect(failed.detail).toContain(`${name} must be`);
});

test("a frame that waited reports wrong options before it uses the token", async ({ stage, page }) => {
  await page.addInitScript(() => {
    const instantiate = WebAssembly.instantiate.bind(WebAssembly);
    WebAssembly.instantiate = (async (...parts: Parameters<typeof instantiate>) => {
      const instance = await instantiate(...parts);
      setTimeout(() => ((window as unknown as { isWarm: boolean }).isWarm = true), 50);
      return instance;
    }) as typeof WebAssembly.instantiate;
  });
  await stage.embed();
  await stage.until("hello");
  await expect.poll(() => stage.frame.evaluate(() => (window as unknown as { isWarm?: boolean }).isWarm)).toBe(true);
  await stage.say({ open: { options: { templateId: "allowed", theme: "sepia" }, token: "token-1" } });
  await stage.until("failed");
  expect(stage.calls).toEqual([]);
  expect((await stage.heard()).filter((it) => "ready" in it)).toEqual([]);
});

test("a prewarmed frame opens after it returns from the page cache", async ({ stage }) => {
  await stage.embed();
  await stage.until("hello");
  await stage.frame.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await stage.page.waitForTimeout(300);
  expect(stage.calls, "without a session there is no request").toEqual([]);
  await stage.say({ open: { options: { templateId: "allowed" }, token: "token-1" } });
  await stage.until("ready");
});

test("a removed frame ends its session, but a frame in the page cache does not", async ({ stage }) => {
  await stage.open();
  const [exchange] = stage.calls;
  await stage.frame.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
  await stage.page.waitForTimeout(300);
  expect(stage.calls).toHaveLength(1);
  await stage.page.evaluate("document.querySelector('iframe').remove()");
  await expect.poll(() => stage.calls.length).toBe(2);
  expect(stage.calls[1]).toMatchObject({ line: "DELETE /link/session", bearer: `Bearer ${exchange?.body["secret"]}` });
});

test("the session ends once if the widget closes itself", async ({ stage }) => {
  await stage.open();
  await stage.say({ closeRequested: {} });
  await stage.until("close");
  await stage.page.evaluate("document.querySelector('iframe').remove()");
  await stage.page.waitForTimeout(500);
  expect(stage.calls.map(({ line }) => line)).toEqual(["POST /link/sessions", "DELETE /link/session"]);
});

test("every press of Escape is a close request", async ({ stage }) => {
  await stage.open();
  await stage.button("Agree and continue").click();
  const widget = stage.page.frameLocator("iframe");
  await widget.getByRole("button", { name: /Rideo/ }).click();
  const name = widget.getByLabel("username");
  await name.fill("good");
  const leave = widget.getByRole("alertdialog");
  for (const turn of [1, 2]) {
    await stage.page.keyboard.press("Escape");
    await expect(leave, `opens the question, round ${turn}`).toBeVisible();
    await stage.page.keyboard.press("Escape");
    await expect(leave, `closes the question, round ${turn}`).toHaveCount(0);
  }
  await expect(name).toHaveValue("good");
  await stage.page.keyboard.press("Escape");
  await stage.button("Leave").click();
  expect(await stage.until("close")).toMatchObject([{ close: { reason: "close", lastPage: "LoginPageOpened" } }]);
});

for (const way of ["Enter", "a click"]) {
  test(`${way} submits in a host page whose sandbox lacks allow-forms`, async ({ stage }) => {
    await stage.open({}, "/without-forms");
    await stage.button("Agree and continue").click();
    const widget = stage.page.frameLocator("iframe");
    await widget.getByRole("button", { name: /Rideo/ }).click();
    await widget.getByLabel("username").fill("good");
    await widget.getByLabel("password").first().fill("secret");
    if (way === "Enter") await stage.page.keyboard.press("Enter");
    else await widget.locator("button[type=submit]").click();
    await expect.poll(() => stage.calls.filter(({ line }) => line === "POST /link/accounts").length).toBe(1);
  });
}

/** Loads the style sheet of the later pages, and goes to the first page that needs it. */
async function chooseProvider(stage: Stage): Promise<void> {
  await stage.open();
  const styles = stage.page.waitForResponse(/chunk-\w+\.css/);
  await stage.button("Agree and continue").click();
  await styles;
  await stage.page.frameLocator("iframe").getByRole("button", { name: /Rideo/ }).click();
}

test("a style sheet that failed is loaded again", async ({ stage }) => {
  // The element does not tell why it failed, so the frame asks again.
  stage.styleFaults.push(503, 503);
  await chooseProvider(stage);
  await stage.page.frameLocator("iframe").getByLabel("username").waitFor();
  expect(stage.loaded.filter((name) => /^chunk-.*css/.test(name))).toHaveLength(3);
});

test("a style sheet that still fails is loaded when the person tries again", async ({ stage }) => {
  // While the person chooses a provider, and three times for the page; each time the frame asks why.
  stage.styleFaults.push(...Array<number>(8).fill(503));
  await chooseProvider(stage);
  await stage.button("Try again").click();
  await stage.page.frameLocator("iframe").getByLabel("username").waitFor();
});
