/** `@linchpin/link` in a browser, with the frame of the bridge's tests. */
import { expect, test } from "./support/page";

test.beforeEach(({ tenant }) => tenant.run("link-page.js"));

test("frame is loaded without a token, and opens with the one of open()", async ({ tenant, page }) => {
  await page.evaluate(() => window.create({}));
  await page.evaluate(() => window.modal.ready);
  await tenant.hasFrames(1);
  await page.evaluate(() => window.modal.open({ userToken: "token-7" }));
  expect(await tenant.opening()).toMatchObject({ token: "token-7", options: { templateId: "lt-1" } });
  await tenant.hasFrames(1);
});

test("no script of the service is loaded, not even for a failure", async ({ tenant, page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()));
  await page.route("**/sdk/frame/**", (route) => route.abort());
  await page.evaluate(() => window.create({ userToken: "token-1" }));
  await page.evaluate(() => window.modal.open());
  await expect(page.getByRole("dialog").getByRole("button", { name: "Try again" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "This window is blocked" })).toBeVisible();
  expect(scripts).toEqual([]);
  expect(tenant.errors).toEqual([]);
});

test("token function is called at each open()", async ({ tenant, page }) => {
  await page.evaluate(() => {
    window.tokens = 0;
    window.create({ userToken: async () => `token-${++window.tokens}` });
  });
  for (const token of ["token-1", "token-2"]) {
    await page.evaluate(() => window.modal.open());
    expect((await tenant.opening()).token).toBe(token);
    await page.evaluate(() => window.modal.close());
  }
  expect(await page.evaluate(() => window.closes.length)).toBe(2);
});

test("person sees that the widget loads until the token comes, and can close it", async ({ tenant, page }) => {
  await page.evaluate(() => {
    const token = new Promise<string>((resolve) => (window.resolveToken = resolve));
    window.create({ userToken: () => token });
  });
  await page.evaluate(() => window.modal.ready);
  await page.evaluate(() => window.modal.open());
  const dialog = page.getByRole("dialog");
  await expect(dialog.locator("output")).toHaveText("Getting ready…");
  await dialog.getByRole("button", { name: "Close" }).click();
  expect(await page.evaluate(() => [window.modal.state, window.closes])).toEqual(["closed", [{ reason: "close" }]]);
  // The token of an opening that has ended opens nothing.
  await page.evaluate(() => window.resolveToken("token-late"));
  await page.evaluate(() => window.modal.ready);
  expect(await page.evaluate(() => window.modal.state)).toBe("closed");

  await page.evaluate(() => window.modal.open());
  expect((await tenant.opening()).token).toBe("token-late");
  await expect(dialog.getByRole("button")).toHaveCount(0);
  await expect(page.locator("linchpin-modal iframe")).toBeFocused();
});

test("token of an earlier opening does not open a later one", async ({ tenant, page }) => {
  await page.clock.install();
  await page.evaluate(() => {
    window.resolvers = [];
    window.create({ userToken: () => new Promise<string>((resolve) => window.resolvers.push(resolve)) });
  });
  await page.evaluate(() => {
    window.modal.open();
    window.modal.close();
  });
  // The next frame loads in real time. Without this wait, the clock may reach its limit of 10 s.
  await page.clock.runFor(2_000);
  await page.evaluate(() => window.modal.ready);
  await page.clock.runFor(13_000);
  await page.evaluate(() => window.modal.open());
  await page.evaluate(() => window.resolvers[0]!("token-1"));
  await page.clock.runFor(6_000);
  expect(await page.evaluate(() => [window.modal.state, window.errors]), "nor do its 20 s end it").toEqual(["opening", []]);
  await page.evaluate(() => window.resolvers[1]!("token-2"));
  expect((await tenant.opening()).token).toBe("token-2");
});

test("options that an object inherits are read", async ({ tenant, page }) => {
  await page.evaluate(() => {
    const options = Object.create({ serviceUrl: window.serviceUrl, templateId: "lt-1", userToken: "token-1", locale: "id" }) as object;
    window.modal = new window.link.LinkModal(Object.freeze(options)) as typeof window.modal;
    window.modal.open();
  });
  expect(await tenant.opening()).toMatchObject({ token: "token-1", options: { templateId: "lt-1", locale: "id" } });
});

test("failing token function gives a typed error, and the person can try again", async ({ tenant, page }) => {
  await page.evaluate(() => {
    window.tokens = 0;
    window.create({
      userToken: async () => {
        window.tokens += 1;
        if (window.tokens === 1) throw new Error("503 of /token");
        return window.tokens === 2 ? "" : "token-3";
      },
    });
  });
  await page.evaluate(() => window.modal.open());
  const again = page.getByRole("dialog").getByRole("button", { name: "Try again" });
  await expect(page.getByRole("heading", { name: "This didn’t load" })).toBeVisible();
  const first = { cause: "token-handler", message: "userToken failed: 503 of /token" };
  expect(await page.evaluate(() => window.errors)).toEqual([first]);
  await again.click();
  const second = { cause: "token-handler", message: "userToken gave no token" };
  await expect.poll(() => page.evaluate(() => window.errors)).toEqual([first, second]);
  await again.click();
  expect((await tenant.opening()).token).toBe("token-3");
});

test("token function that never responds fails after 20 s", async ({ page }) => {
  await page.clock.install();
  await page.evaluate(() => window.create({ userToken: () => new Promise(() => undefined) }));
  await page.evaluate(() => window.modal.ready);
  await page.evaluate(() => window.modal.open());
  await page.clock.runFor(21_000);
  await expect
    .poll(() => page.evaluate(() => window.errors.at(-1)))
    .toEqual({ cause: "token-handler", message: "userToken gave no token within 20 s" });
});

test("expired token is replaced by the token function", async ({ tenant, page }) => {
  await page.evaluate(() => {
    window.tokens = 0;
    window.create({ userToken: async () => `token-${++window.tokens}` });
  });
  await page.evaluate(() => window.modal.open());
  await tenant.opening();
  await tenant.frame
    .locator("html")
    .evaluate(() => window.say({ tell: { key: "opening/onTokenExpired/1", callback: { onTokenExpired: {} } } }));
  await expect
    .poll(() => tenant.frame.locator("html").evaluate(() => window.heard.find(({ setToken }) => setToken)))
    .toEqual({ setToken: { token: "token-2" } });
});

test("wrong options name themselves and the right one", async ({ page }) => {
  const thrown = (options: object): Promise<unknown> =>
    page.evaluate((options) => {
      try {
        new window.link.LinkModal(options);
      } catch (error) {
        const { cause, message } = error as { cause: string; message: string };
        return { cause, message };
      }
      return undefined;
    }, options);
  const cause = "options";
  const address = "LinkModal: serviceUrl must be the address of the service, such as https://link.example";
  expect(await thrown({ templateId: "lt-1" })).toEqual({ cause, message: address });
  expect(await thrown({ templateId: "lt-1", serviceUrl: "link.example" })).toEqual({ cause, message: address });
  expect(await thrown({ serviceUrl: "https://link.example", templateId: "lt-1", userToken: 5 })).toEqual({
    cause,
    message: "LinkModal: userToken must be a link token, or a function that requests one",
  });
  expect(await thrown({ serviceUrl: "https://link.example" })).toEqual({ cause, message: "LinkModal: check templateId" });

  const warning = page.waitForEvent("console", (message) => message.type() === "warning");
  await page.evaluate(() => window.create({ userToken: "token-1", providerid: "rideo" }));
  await page.evaluate(() => window.modal.open());
  expect((await warning).text()).toBe("LinkModal: unknown option providerid. Did you mean providerId?");
});

test.describe("loadLinchpin", () => {
  const tags = "script[src*='linchpin.v2.js']";

  test("calls share one promise, one script, and the tag of the page", async ({ page, servers }) => {
    const url = `${servers.sdk}/sdk/v2/linchpin.v2.js`;
    const classes = await page.evaluate(async (url) => {
      const [one, other] = [window.link.loadLinchpin(url, { nonce: "n1" }), window.link.loadLinchpin(url)];
      await Promise.all([one, other]);
      return [one === other, (await one) === (window as unknown as { LinkModal: unknown }).LinkModal];
    }, url);
    expect(classes).toEqual([true, true]);
    await expect(page.locator(tags)).toHaveCount(1);
    expect(await page.locator(tags).evaluate((tag: HTMLScriptElement) => tag.nonce)).toBe("n1");
  });

  test("tag that is still loading is found", async ({ page, servers }) => {
    const url = `${servers.sdk}/sdk/v2/linchpin.v2.js`;
    let serve = (): void => undefined;
    const mayServe = new Promise<void>((resolve) => (serve = resolve));
    await page.route(url, (route) => mayServe.then(() => route.continue()));
    await page.evaluate((url) => {
      document.head.append(Object.assign(document.createElement("script"), { src: url }));
    }, url);
    const loaded = page.evaluate(async (url) => typeof (await window.link.loadLinchpin(url)), url);
    // The call has looked for the tag before the script loads.
    expect(await page.evaluate(() => "LinkModal" in window)).toBe(false);
    serve();
    expect(await loaded).toBe("function");
    await expect(page.locator(tags)).toHaveCount(1);
  });

  const load = (url: string, options = {}): [string, object] => [url, options];

  test("failures have a cause, and a later call tries again", async ({ page, servers }) => {
    const url = `${servers.sdk}/sdk/v2/linchpin.v2.js`;
    const cause = ([url, options]: [string, object]): Promise<unknown> =>
      page.evaluate(
        ([url, options]) =>
          window.link.loadLinchpin(url as string, options as object).then(
            () => "loaded",
            (error: { cause: string }) => error.cause,
          ),
        [url, options],
      );
    await page.route(url, (route) => route.abort());
    expect(await cause(load(url))).toBe("blocked");
    await page.unroute(url);
    await page.route(url, (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
    expect(await cause(load(url))).toBe("script");
    await page.unroute(url);
    expect(await cause(load(url, { integrity: `sha384-${"A".repeat(64)}` }))).toBe("blocked");
    await page.route(url, () => undefined);
    expect(await cause(load(url, { timeoutMs: 50 }))).toBe("network");
    await page.unroute(url);
    expect(await cause(load(url))).toBe("loaded");
  });

  test("policy of the page that forbids the script is named", async ({ page, servers }) => {
    const policy = { httpEquiv: "Content-Security-Policy", content: "script-src 'none'" };
    const cause = await page.evaluate(
      ([url, policy]) => {
        document.head.append(Object.assign(document.createElement("meta"), policy));
        return window.link.loadLinchpin(url as string).catch((error: { cause: string }) => error.cause);
      },
      [`${servers.sdk}/sdk/v2/linchpin.v2.js`, policy] as const,
    );
    expect(cause).toBe("csp");
  });
});

