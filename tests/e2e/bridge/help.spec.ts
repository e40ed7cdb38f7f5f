/** The screen of the bridge, and its reports to developers. */
import { type Bridge, expect, tell, test } from "./bridge";

const errors = (bridge: Bridge): string[] => bridge.console.filter((it) => it.type() === "error").map((it) => it.text());

for (const [locale, name, direction] of [
  ["es-MX", "Conecta una cuenta", "ltr"],
  ["fil", "Ikonekta ang isang account", "ltr"],
  ["id", "Hubungkan akun", "ltr"],
  ["pt-BR", "Conecte uma conta", "ltr"],
  ["zh-Hans", "关联账户", "ltr"],
  ["ar", "ربط حساب", "rtl"],
  ["en", "Connect an account", "ltr"],
] as const) {
  test(`the screen before the frame is in the language of ${locale}`, async ({ bridge, page }) => {
    await bridge.goto();
    await bridge.make({ templateId: "lt-quiet", locale });
    await page.evaluate(() => window.modal.open());
    await expect(bridge.dialog).toHaveAccessibleName(name);
    await expect(page.locator("linchpin-modal .cover")).toHaveAttribute("dir", direction);
    await expect(page.locator("linchpin-modal .bone")).toHaveCount(3);
    await expect(page.locator("iframe")).toHaveAttribute("title", name);
  });
}

test("without a locale, the screen has the language of the page", async ({ bridge, page }) => {
  await bridge.goto();
  await page.evaluate(() => (document.documentElement.lang = "pt"));
  await bridge.make({ templateId: "lt-quiet" });
  await page.evaluate(() => window.modal.open());
  await expect(bridge.dialog).toHaveAccessibleName("Conecte uma conta");
  await page.evaluate(() => window.modal.setLocale("id"));
  await expect(bridge.dialog).toHaveAccessibleName("Hubungkan akun");
});

for (const [cause, heading] of [
  ["network", "You seem to be offline"],
  ["blocked", "This window is blocked"],
  ["origin", "This page isn’t set up correctly"],
  ["unsupported", "This browser can’t show the window"],
  ["files", "This didn’t load"],
] as const) {
  test(`the person reads why after ${cause}, and can leave`, async ({ bridge, page }) => {
    const buttons = ["origin", "unsupported"].includes(cause) ? ["Close", "Try again"] : ["Try again", "Close"];
    await bridge.goto();
    const frame = await bridge.opened();
    await bridge.sayLast(frame, { failed: { cause, detail: "why" } });
    await expect(bridge.dialog.getByRole("heading")).toHaveText(heading);
    await expect.poll(() => errors(bridge).filter((it) => it.startsWith(`LinkModal: ${cause}: `))).toHaveLength(1);
    // The language may change while the failure is shown.
    await page.evaluate(() => window.modal.setLocale("id"));
    await expect(bridge.dialog).toHaveAccessibleName("Hubungkan akun");
    await page.evaluate(() => window.modal.setLocale("en"));
    await expect(bridge.dialog.getByRole("heading")).toHaveText(heading);
    await expect(bridge.dialog.getByRole("button")).toHaveText(["", ...buttons]);
    await bridge.dialog.getByRole("button", { name: "Close" }).last().click();
    await expect.poll(() => bridge.calls()).toEqual([["onClose", { reason: "close", cause }]]);
  });
}

test("without its second script, the screen still has a way out", async ({ bridge, page }) => {
  await page.route("**/sdk/help/**", (route) => route.abort());
  await bridge.goto();
  const frame = await bridge.opened();
  await bridge.sayLast(frame, { failed: { cause: "network", detail: "why" } });
  await expect(bridge.dialog.getByRole("status")).toHaveText("Not loaded. Offline?");
  await expect(bridge.dialog.getByRole("button", { name: "Close" })).toBeVisible();
  await bridge.dialog.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => bridge.state()).toBe("open");
});

for (const value of ["undefined", "null", "({})", '""', "5", '" \\n"']) {
  test(`setToken(${value}) is refused with an error, and the token stays`, async ({ bridge, page }) => {
    await bridge.goto();
    await bridge.make();
    const state = await page.evaluate((value) => {
      window.modal.on("error", (error) => void window.calls.push([String(error), (error as Error).cause]));
      window.modal.setToken((0, eval)(value));
      window.modal.open();
      return window.modal.state;
    }, value);
    expect(state).toBe("opening");
    expect(await bridge.calls()).toEqual([["LinkError: userToken", "options"]]);
    await expect.poll(() => bridge.state()).toBe("open");
    expect((await bridge.heard(await bridge.frame()))[0]).toMatchObject({ open: { token: "token-1" } });
  });
}

test("an error of the frame is a LinkError, and the cause in onClose", async ({ bridge, page }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  await page.evaluate(() => window.modal.on("error", (error) => void window.calls.push([String(error), (error as Error).cause])));
  await bridge.say(frame, tell("k", "error", { cause: "token" }));
  expect(await bridge.state(), "the frame shows its own page").toBe("open");
  await bridge.sayLast(frame, { close: { reason: "close" } });
  await expect.poll(() => bridge.calls()).toEqual([
    ["LinkError: token", "token"],
    ["onClose", { reason: "close", cause: "token" }],
  ]);
  expect(errors(bridge).join()).toContain("LinkModal: token: the service refuses the token. Pass the accessToken of");
});

for (const [mistake, callback, message] of [
  ["missing", "undefined", "onTokenExpired is not set"],
  ["without a result", "() => {}", "no new token within 5 s"],
  ["that returns the old token", "() => 'token-1'", "no new token within 5 s"],
  ["that never settles", "() => new Promise(() => {})", "no new token within 5 s"],
  ["that rejects", "async () => { throw new Error('mine') }", "no new token within 5 s"],
] as const) {
  test(`an onTokenExpired ${mistake} is reported after 5 seconds`, async ({ bridge, page }) => {
    await page.clock.install();
    await bridge.goto();
    const frame = await bridge.opened();
    await page.evaluate((callback) => {
      window.modal["onTokenExpired"] = (0, eval)(callback);
      window.modal.on("error", (error) => void window.calls.push([String(error), (error as Error).cause]));
    }, `(${callback})`);
    await page.clock.runFor(2_000);
    await bridge.say(frame, tell("k", "onTokenExpired"));
    await expect.poll(() => page.evaluate(() => document.querySelector("linchpin-modal") !== null)).toBe(true);
    await page.clock.runFor(5_100);
    await expect.poll(() => bridge.calls()).toEqual([[`LinkError: ${message}`, "token-handler"]]);
  });
}

test("a new token that onTokenExpired sets at once is not reported", async ({ bridge, page }) => {
  await page.clock.install();
  await bridge.goto();
  const frame = await bridge.opened();
  await page.evaluate(() => {
    window.modal["onTokenExpired"] = () => window.modal.setToken("token-2");
    window.modal.on("error", (error) => void window.calls.push([String(error), (error as Error).cause]));
  });
  await page.clock.runFor(2_000);
  await bridge.say(frame, tell("k", "onTokenExpired"));
  await expect.poll(() => page.evaluate(() => window.modal.userToken)).toBe("token-2");
  await page.clock.runFor(5_100);
  expect(await bridge.calls()).toEqual([]);
});

test("a modal made while offline has the texts and the look of its language", async ({ bridge, page, context }) => {
  const helped = page.waitForResponse("**/sdk/help/p1.js");
  await bridge.goto();
  await (await helped).finished();
  await context.setOffline(true);
  await bridge.make({ locale: "ar" });
  await page.evaluate(() => window.modal.open());
  const cover = bridge.dialog.locator(".cover");
  await expect(cover.getByRole("heading")).toHaveText("يبدو أنك غير متصل بالإنترنت");
  await expect(cover).toHaveCSS("direction", "rtl");
});

test("a callback that is not a function throws nothing", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.opened({ onClose: "close me" });
  await page.evaluate(() => window.modal.close());
  await expect.poll(() => errors(bridge).concat(bridge.console.map((it) => it.text())).join()).toContain("onClose");
  expect(bridge.errors).toEqual([]);
});

test("a container that is not on the page is an error, and a dialog opens", async ({ bridge, page }) => {
  await bridge.goto();
  for (const container of ["null", "document.createElement('div')"]) {
    await page.evaluate((container) => {
      window.calls = [];
      window.modal = new window.LinkModal({ templateId: "lt-1", userToken: "token-1", container: (0, eval)(container) });
      window.modal.on("error", (error) => void window.calls.push([String((error as Error).cause)]));
      window.modal.on("onClose", (closed) => void window.calls.push([String((closed as Error).cause)]));
      window.modal.open();
    }, container);
    await expect.poll(() => bridge.state()).toBe("open");
    expect(await bridge.calls()).toEqual([["container"]]);
    await expect(page.locator("body > linchpin-modal")).toHaveCount(1);
    await page.evaluate(() => window.modal.close());
    expect(await bridge.calls()).toEqual([["container"], ["container"]]);
    await page.evaluate(() => window.modal.destroy());
  }
});

for (const [style, height] of [
  ["", 640],
  ["height:100%", 640],
  ["min-height:500px", 640],
  ["height:500px", 500],
  ["height:300px", 300],
  ["height:0", 240],
  ["height:40px;overflow:visible", 240],
] as const) {
  test(`a container with "${style}" shows the widget ${height} px high`, async ({ bridge, page }) => {
    await bridge.goto();
    await page.evaluate((style) => {
      const container = document.getElementById("container") as HTMLElement;
      container.style.cssText = style;
      window.modal = new window.LinkModal({ templateId: "lt-1", userToken: "token-1", container });
      window.modal.open();
    }, style);
    await expect.poll(() => bridge.state()).toBe("open");
    expect((await page.locator("#container iframe").boundingBox())?.height).toBe(height);
    const warned = (): string[] => bridge.console.map((it) => it.text()).filter((it) => it.includes("container"));
    if (height === 500) {
      // The script for warnings has loaded when it translates.
      await page.evaluate(() => window.modal.setLocale("id"));
      await expect(page.locator("#container iframe")).toHaveAttribute("title", "Hubungkan akun");
      return expect(warned()).toEqual([]);
    }
    const warning = height === 640 || style === "height:0" ? `no definite height, so the widget is ${height} px` : "at least 280 x 320 px";
    await expect.poll(warned).toEqual([expect.stringContaining(warning)]);
    await page.evaluate(() => {
      window.modal.close();
      window.modal.open();
    });
    await expect.poll(warned, "again at the next open()").toHaveLength(2);
  });
}

for (const outer of ["display:grid;place-items:center", "display:flex;height:500px", "display:table-cell"]) {
  test(`a container in "${outer}" is wide enough to be seen`, async ({ bridge, page }) => {
    await bridge.goto();
    await page.evaluate((outer) => {
      const container = document.getElementById("container") as HTMLElement;
      const parent = document.createElement("div");
      parent.style.cssText = outer;
      container.replaceWith(parent);
      parent.append(container);
      window.modal = new window.LinkModal({ templateId: "lt-1", userToken: "token-1", container });
      window.modal.open();
    }, outer);
    await expect.poll(() => bridge.state()).toBe("open");
    const box = await page.locator("#container iframe").boundingBox();
    expect(box?.width).toBeGreaterThanOrEqual(280);
    expect(box?.height).toBeGreaterThanOrEqual(500);
  });
}

test("a hidden container logs a warning at each opening of a prewarmed modal", async ({ bridge, page }) => {
  await bridge.goto();
  await page.evaluate(async () => {
    const container = document.getElementById("container") as HTMLElement;
    window.modal = new window.LinkModal({ templateId: "lt-1", userToken: "token-1", container });
    await window.modal.ready;
    container.style.display = "none";
    window.modal.open();
  });
  const warned = (): string[] => bridge.console.map((it) => it.text()).filter((it) => it.includes("hidden"));
  await expect.poll(warned).toHaveLength(1);
  await page.evaluate(() => {
    window.modal.close();
    window.modal.open();
  });
  await expect.poll(warned).toHaveLength(2);
});

for (const [value, locale] of [
  ["5", "en"],
  ["({})", "en"],
  ["'no such'", "en"],
  ["'english'", "en"],
  ["'id'", "id"],
] as const) {
  test(`after setLocale(${value}), the locale is ${locale}`, async ({ bridge, page }) => {
    await bridge.goto();
    const frame = await bridge.opened({ locale: "en" });
    await page.evaluate((value) => {
      window.modal.on("error", (error) => void window.calls.push([String(error), (error as Error).cause]));
      window.modal.setLocale((0, eval)(value));
    }, value);
    expect(await page.evaluate(() => window.modal["locale"])).toBe(locale);
    expect(await bridge.calls()).toEqual(locale === "id" ? [] : [["LinkError: locale", "options"]]);
    await bridge.say(frame);
    expect((await bridge.heard(frame)).filter((it) => it["setLocale"])).toHaveLength(locale === "id" ? 1 : 0);
  });
}

test("a wrong userToken that is assigned later is reported at open()", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.make();
  await page.evaluate(() => {
    window.modal.on("error", (error) => void window.calls.push([String(error), (error as Error).cause]));
    window.modal["userToken"] = undefined;
    window.modal.open();
  });
  expect(await bridge.calls()).toEqual([["LinkError: LinkModal: check userToken", "options"]]);
  await expect(bridge.dialog.getByRole("heading")).toHaveText("This page isn’t set up correctly");
  expect(bridge.errors).toEqual([]);
  await page.evaluate(() => (window.modal["userToken"] = "t"));
  await bridge.dialog.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => bridge.state()).toBe("open");
});

test("another wrong option reaches the frame, which names it", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.make();
  await page.evaluate(() => {
    window.modal.on("error", (error) => void window.calls.push([String(error), (error as Error).cause]));
    Object.assign(window.modal, { providers: [() => {}, { id: "b" }, "a"], locale: Symbol("en"), theme: 5, companyName: "" });
    window.modal.open();
  });
  await expect.poll(() => bridge.state()).toBe("open");
  const frame = await bridge.frame();
  expect((await bridge.heard(frame))[0]).toMatchObject({
    open: { options: { providers: [{}, {}, "a"], locale: {}, theme: {}, companyName: "" } },
  });
  await bridge.sayLast(frame, { failed: { cause: "options", detail: "theme must be light, dark or system" } });
  await expect.poll(() => bridge.calls()).toEqual([["LinkError: theme must be light, dark or system", "options"]]);
  await expect(bridge.dialog.getByRole("heading")).toHaveText("This page isn’t set up correctly");
  expect(errors(bridge).join()).toContain("LinkModal: options: theme must be light, dark or system. Correct the option");
});

test("options that become wrong later do not keep the frame from loading again", async ({ bridge, page }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  await page.evaluate(() => Object.assign(window.modal, { companyName: "", theme: "blue" }));
  await frame.evaluate(() => location.reload());
  await expect.poll(async () => JSON.stringify(await bridge.heard(await bridge.frame()))).toContain('"theme":"blue"');
  expect(bridge.errors).toEqual([]);
});

test("a callback of a subclass is replaced by that of the options", async ({ bridge, page }) => {
  await bridge.goto();
  await page.evaluate(() => {
    window.calls = [];
    class Mine extends window.LinkModal {
      onClose(): void {
        window.calls.push(["mine"]);
      }
    }
    const onClose = (): void => void window.calls.push(["given"]);
    window.modal = new Mine({ templateId: "lt-1", userToken: "t", onClose }) as unknown as typeof window.modal;
    window.modal.open();
    window.modal.close();
  });
  expect(await bridge.calls()).toEqual([["given"]]);
});

test("a token that onTokenExpired returns with a wrong type is reported as its fault", async ({ bridge, page }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  await page.evaluate(() => {
    window.modal["onTokenExpired"] = () => ({ accessToken: "t" });
    window.modal.on("error", (error) => void window.calls.push([String(error), (error as Error).cause]));
  });
  await bridge.say(frame, tell("k", "onTokenExpired"));
  await expect.poll(() => bridge.calls()).toEqual([["LinkError: userToken", "token-handler"]]);
});

test("unknown options, and callbacks that are no functions, log a warning", async ({ bridge }) => {
  await bridge.goto();
  await bridge.opened({ onAccountConected: "x", compnayName: "Shop", onUIEvent: "track", onClose: null, onclose: "y" });
  const warnings = (): string[] => bridge.console.filter((it) => it.type() === "warning").map((it) => it.text());
  await expect.poll(warnings).toEqual([
    "LinkModal: onUIEvent is not a function",
    "LinkModal: unknown option onAccountConected. Did you mean onAccountConnected?",
    "LinkModal: unknown option compnayName. Did you mean companyName?",
    "LinkModal: unknown option onclose. Did you mean onClose?",
  ]);
});
