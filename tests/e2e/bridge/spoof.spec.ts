import { expect, tell, test } from "./bridge";

const forged = [
  { hello: { protocol: "p1", build: "forged" } },
  { ready: {} },
  tell("forged", "onAccountConnected", { accountId: "a-forged", userId: "u", providerId: "p" }),
  { close: { reason: "exit" } },
  { linchpin: "p1" },
];

test("the bridge reads nothing from window messages of any sender", async ({ bridge, page }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  // From the real frame's origin, from a sibling frame on the page, and from the page itself.
  await frame.evaluate((all) => all.forEach((message) => parent.postMessage(message, "*")), forged);
  await page.evaluate((all) => {
    const sibling = document.createElement("iframe");
    document.body.append(sibling);
    for (const message of all) {
      sibling.contentWindow?.parent.postMessage(message, "*");
      postMessage(message, "*", [new MessageChannel().port1]);
    }
    sibling.remove();
  }, forged);
  await bridge.say(frame);
  expect(await bridge.calls()).toEqual([]);
  expect(await bridge.state()).toBe("open");
});

test("another origin in the iframe gets no port", async ({ bridge, page }) => {
  await page.clock.install({ time: 0 });
  await bridge.goto();
  await page.clock.pauseAt(60_000);
  // The frame is redirected to another origin: the same host with another port.
  await bridge.make({ templateId: "elsewhere" });
  await page.evaluate(() => window.modal.open());
  const frame = await bridge.frame();
  expect(new URL(frame.url()).origin).toBe(bridge.servers.host);
  expect(await frame.evaluate(() => window.greetings)).toBeUndefined();
  expect(await bridge.state()).toBe("opening");
});

test("an origin that only starts like the script's gets no port", async ({ bridge, page }) => {
  const like = `${bridge.servers.sdk.replace("localhost", "localhost.example")}`;
  await page.route(`${like}/**`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<script>addEventListener('message', () => window.got = 1); parent.postMessage({ linchpin: 'p1' }, '*')</script>" }),
  );
  await page.route("**/frame/p1/lt-1", (route) =>
    route.fulfill({ contentType: "text/html", body: `<script>location = ${JSON.stringify(`${like}/`)}</script>` }),
  );
  await bridge.goto();
  await bridge.make();
  await page.evaluate(() => window.modal.open());
  const frame = await bridge.frame();
  await frame.waitForURL(`${like}/`);
  expect(await frame.evaluate(() => "got" in window)).toBe(false);
  expect(await bridge.state()).toBe("opening");
});

test("the greeting is sent once to the exact origin with one port", async ({ bridge, page }) => {
  // A frame that is prewarmed before `open()` gets its options later, on the port.
  await page.addInitScript(() => (window.requestIdleCallback = () => 0));
  await bridge.goto();
  const frame = await bridge.opened();
  expect(await frame.evaluate(() => window.greetings)).toEqual([
    {
      data: { linchpin: "p1", open: { options: { templateId: "lt-1" }, token: "token-1" } },
      origin: bridge.servers.host,
      ports: 1,
    },
  ]);
});

test("the frame gets one port and the token before it has loaded", async ({ bridge, page }) => {
  await bridge.goto();
  await bridge.make({ templateId: "lt-unloaded" });
  await page.evaluate(() => window.modal.open());
  await expect.poll(() => bridge.state()).toBe("open");
  const frame = page.frames().at(-1)!;
  expect(await frame.evaluate(() => document.readyState)).not.toBe("complete");
  expect(await frame.evaluate(() => window.greetings?.length)).toBe(1);
  expect(await bridge.heard(frame)).toEqual([{ open: { options: { templateId: "lt-unloaded" }, token: "token-1" } }]);
});

test("a reloaded frame gets a new port, and the old port is dead", async ({ bridge, page }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  await page.evaluate(() => window.modal.setToken("token-2"));
  await frame.evaluate(() => location.reload());
  // The new page is greeted and opened with the current token. No other message is replayed.
  await expect.poll(() => bridge.heard(frame)).toEqual([
    { open: { options: { templateId: "lt-1" }, token: "token-2" } },
  ]);
  await bridge.say(frame, tell("at-1/1", "onAccountCreated", { accountId: "a-1" }));
  expect(await bridge.calls()).toEqual([["onAccountCreated", { accountId: "a-1" }]]);
});

test("the frame can only call callbacks, not methods", async ({ bridge }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  await bridge.say(frame, tell("evil/1", "destroy"), tell("evil/2", "constructor"), tell("evil/3", "close"));
  expect(await bridge.state()).toBe("open");
});
