import { expect, tell, test } from "./bridge";

const account = { accountId: "a-1", userId: "t-1", providerId: "mx_social_security" };

const story: [string, object][] = [
  ["onUIEvent", { eventName: "ConsentPageOpened", eventTime: "t", mode: "SANDBOX", userId: "t-1", account: null, archive: null, seq: 1 }],
  ["onAccountCreated", account],
  ["onAccountError", { ...account, errorCode: "INVALID_CREDENTIALS" }],
  ["onAccountConnected", account],
  ["onAccountRemoved", account],
  ["onUploadsCreated", { uploads: [{ archiveId: "archive-1", type: "PAYSLIP", files: [] }], userId: "t-1" }],
  ["onUploadsRemoved", { uploads: [], userId: "t-1" }],
];
const tells = story.map(([name, argument], index) => tell(`at-1/${index}`, name, argument));

test("all nine callbacks are called in order with their arguments", async ({ bridge }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  await bridge.say(frame, ...tells, tell("at-1/expired", "onTokenExpired"));
  const close = { reason: "exit", lastPage: "ConnectErrorPageOpened", providerId: "p-1", errorCode: "SYSTEM_ERROR" };
  await bridge.sayLast(frame, { close });
  await expect.poll(() => bridge.state()).toBe("closed");
  expect(await bridge.calls()).toEqual([...story, ["onTokenExpired"], ["onClose", close]]);
});

test("a repeated callback is acknowledged each time and called once", async ({ bridge }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  await bridge.say(frame, ...tells, ...tells);
  expect(await bridge.calls()).toEqual(story);
  const acknowledged = (await bridge.heard(frame)).filter(({ told }) => JSON.stringify(told)?.includes("at-1/3"));
  expect(acknowledged).toHaveLength(2);
});

test("callbacks that a later frame repeats are not called twice", async ({ bridge, page }) => {
  const [, ...ofAccounts] = tells;
  await bridge.goto();
  await bridge.say(await bridge.opened(), ...ofAccounts);
  await page.evaluate(() => {
    window.modal.close();
    window.modal.open();
  });
  await expect.poll(() => bridge.state()).toBe("open");
  await bridge.say(await bridge.frame(), ...ofAccounts, tell("at-2/1", "onAccountRemoved", account));
  expect((await bridge.calls()).map(([name]) => name)).toEqual([
    ...story.slice(1).map(([name]) => name),
    "onClose",
    "onAccountRemoved",
  ]);
});

test("a callback that throws is reported, and the others are still called", async ({ bridge, page }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  await page.evaluate(() => {
    window.modal.onAccountCreated = () => {
      throw new Error("thrown by the page");
    };
    window.modal.onAccountError = () => Promise.reject(new Error("rejected by the page"));
  });
  await bridge.say(frame, ...tells);
  await bridge.sayLast(frame, { close: { reason: "exit" } });
  await expect.poll(() => bridge.state()).toBe("closed");
  expect((await bridge.calls()).map(([name]) => name)).toEqual([
    "onUIEvent",
    "onAccountConnected",
    "onAccountRemoved",
    "onUploadsCreated",
    "onUploadsRemoved",
    "onClose",
  ]);
  await expect.poll(() => bridge.errors.map((error) => error.message)).toEqual([
    "thrown by the page",
    "rejected by the page",
  ]);
});

test("a callback that is replaced while open is used", async ({ bridge, page }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  await bridge.say(frame, tell("at-1/1", "onAccountCreated", account));
  await page.evaluate(() => {
    window.modal.onAccountConnected = () => void window.calls.push(["another"]);
  });
  await bridge.say(frame, tell("at-1/2", "onAccountConnected", account));
  expect(await bridge.calls()).toEqual([["onAccountCreated", account], ["another"]]);
});

test("listeners are called in addition to the callback until they are removed", async ({ bridge, page }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  await page.evaluate(() => {
    const listener = (...args: unknown[]): void => void window.calls.push(["listener", ...args]);
    window.modal.on("onAccountCreated", listener);
    window.modal.on("onAccountConnected", listener);
    window.modal.off("onAccountConnected", listener);
    window.modal.off("onClose", listener);
  });
  await bridge.say(
    frame,
    tell("at-1/1", "onAccountCreated", account),
    tell("at-1/2", "onAccountConnected", account),
  );
  expect(await bridge.calls()).toEqual([
    ["onAccountCreated", account],
    ["listener", account],
    ["onAccountConnected", account],
  ]);
});

for (const [how, callback] of [
  ["returned", () => "token-2"],
  ["promised", () => new Promise<string>((resolve) => setTimeout(resolve, 20, "token-2"))],
] as const) {
  test(`a token ${how} by onTokenExpired is sent to the frame`, async ({ bridge, page }) => {
    await bridge.goto();
    const frame = await bridge.opened();
    await page.evaluate((source) => {
      window.modal.onTokenExpired = new Function(`return (${source})()`);
    }, String(callback));
    await bridge.say(frame, tell("at-1/expired", "onTokenExpired"));
    await expect.poll(async () => (await bridge.heard(frame)).filter(({ setToken }) => setToken)).toEqual([
      { setToken: { token: "token-2" } },
    ]);
  });
}

test("a token promised to a removed frame is not sent to the next frame", async ({ bridge, page }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  await page.evaluate(() => {
    window.modal.onTokenExpired = () => new Promise((resolve) => Object.assign(window, { late: resolve }));
  });
  await bridge.say(frame, tell("at-1/expired", "onTokenExpired"));
  await page.evaluate(async () => {
    window.modal.close();
    window.modal.setToken("token-3");
    (window as unknown as { late(token: string): void }).late("token-2");
    await Promise.resolve();
    window.modal.open();
  });
  await expect.poll(() => bridge.state()).toBe("open");
  expect((await bridge.heard(await bridge.frame()))[0]).toMatchObject({ open: { token: "token-3" } });
});

test("setToken works before open() and while open", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.make();
  await page.evaluate(() => {
    window.modal.setToken("token-2");
    window.modal.open();
  });
  await expect.poll(() => bridge.state()).toBe("open");
  const frame = await bridge.frame();
  await page.evaluate(() => window.modal.setToken("token-3"));
  await bridge.say(frame);
  const heard = await bridge.heard(frame);
  expect(heard.find(({ open }) => open)).toMatchObject({ open: { token: "token-2" } });
  expect(heard).toContainEqual({ setToken: { token: "token-3" } });
});

test("the locale is in the frame's URL and options, and can change while open", async ({ bridge, page }) => {
  await bridge.goto();
  const frame = await bridge.opened({ locale: "es-MX" });
  expect(frame.url()).toMatch(/#es-MX$/);
  await page.evaluate(() => window.modal.setLocale("fil"));
  await bridge.say(frame);
  const heard = await bridge.heard(frame);
  expect(heard[0]).toMatchObject({ open: { options: { locale: "es-MX" } } });
  expect(heard).toContainEqual({ setLocale: { locale: "fil" } });
  expect(await page.evaluate(() => window.modal["locale"])).toBe("fil");
});

test("no callback is called after onClose", async ({ bridge }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  const late = tell("at-1/late", "onAccountCreated", account);
  await bridge.sayLast(frame, { close: { reason: "close" } }, late, { close: { reason: "exit" } });
  await expect.poll(() => bridge.state()).toBe("closed");
  await bridge.frame();
  expect(await bridge.calls()).toEqual([["onClose", { reason: "close" }]]);
});
