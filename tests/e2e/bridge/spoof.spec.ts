import { expect, tell, test } from "./bridge";

const forged = [
  { hello: { protocol: "p1", build: "forged" } },
  { ready: {} },
  tell("forged", "onAccountConnected", { accountId: "a-forged", userId: "u", providerId: "p" }),
  { close: { reason: "exit" } },
  { linchpin: "p1" },
];

test("no window message reaches the bridge, whoever sends it", async ({ bridge, page }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  // From the true frame's origin, from a sibling frame of the page's own, and from the page itself.
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

test("a page in the frame's place gets no port and no token", async ({ bridge, page }) => {
  await bridge.goto();
  // The script's origin sends the frame to another one: same host, another port.
  await bridge.make({ templateId: "elsewhere" });
  await page.evaluate(() => window.modal.open());
  const frame = await bridge.frame();
  expect(new URL(frame.url()).origin).toBe(bridge.servers.host);
  expect(await frame.evaluate(() => window.greetings)).toBeUndefined();
  expect(await bridge.state()).toBe("opening");
});

test("a page whose origin merely begins like the script's gets nothing either", async ({ bridge, page }) => {
  const like = `${bridge.servers.sdk.replace("localhost", "localhost.example")}`;
  await page.route(`${like}/**`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<script>addEventListener('message', () => window.got = 1)</script>" }),
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

test("the greeting goes once, to the exact origin, with one port", async ({ bridge }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  expect(await frame.evaluate(() => window.greetings)).toEqual([
    { data: { linchpin: "p1" }, origin: bridge.servers.host, ports: 1 },
  ]);
});

test("the port of a page that was replaced is dead", async ({ bridge, page }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  await page.evaluate(() => window.modal.setToken("token-2"));
  await frame.evaluate(() => location.reload());
  // The new page is greeted anew and opened with the token of now; nothing else is replayed to it.
  await expect.poll(() => bridge.heard(frame)).toEqual([
    { open: { options: { templateId: "lt-1" }, token: "token-2" } },
  ]);
  await bridge.say(frame, tell("at-1/1", "onAccountCreated", { accountId: "a-1" }));
  expect(await bridge.calls()).toEqual([["onAccountCreated", { accountId: "a-1" }]]);
});

test("a callback's name is all that a frame can call", async ({ bridge }) => {
  await bridge.goto();
  const frame = await bridge.opened();
  await bridge.say(frame, tell("evil/1", "destroy"), tell("evil/2", "constructor"), tell("evil/3", "close"));
  expect(await bridge.state()).toBe("open");
});
