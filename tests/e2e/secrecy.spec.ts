import { join } from "node:path";
import { filesOf } from "./support/files";
import { expect, test } from "./support/widget";

const CANARY = "canary-Zg7-never-to-be-seen";

async function filesWith(folder: string, words: string): Promise<string[]> {
  const files = await filesOf(folder);
  return files.filter(([, text]) => text.includes(words)).map(([path]) => path);
}

test("the password appears in no request, storage, log or database", async ({ tenant, page, context }) => {
  const urls: string[] = [];
  const bodies: string[] = [];
  const sealed: string[] = [];
  const logged: string[] = [];
  page.on("request", (request) => {
    urls.push(request.url(), JSON.stringify(request.headers()));
    const body = request.postData() ?? "";
    if (/"ciphertext":"[\w-]{22,}"/.test(body)) sealed.push(new URL(request.url()).pathname);
    if (body.includes(CANARY)) bodies.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  page.on("console", (message) => logged.push(message.text()));
  await page.addInitScript(() => {
    const messages: string[] = [];
    Object.assign(window, { messages });
    addEventListener("message", ({ data }) => messages.push(JSON.stringify(data)), true);
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (this: MessagePort, ...args: [any, any?]): void {
      messages.push(JSON.stringify(args[0]));
      post.apply(this, args);
    };
  });

  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("good", CANARY);
  await widget.shows("Those details didn’t match");
  await widget.button("Enter your details again").click();
  await widget.signIn("good");
  await widget.shows("You’re connected");
  const accountId = (await tenant.argument("onAccountConnected"))?.["accountId"];
  const types = async (): Promise<unknown[]> => (await tenant.received(accountId)).map(({ type }) => type);
  await expect.poll(types, { timeout: 60_000 }).toContain("TASK_FINISHED");

  expect(sealed, "both logins were encrypted").toEqual(["/sandbox/v1/link/accounts", "/sandbox/v1/link/accounts"]);
  expect(bodies, "no body").toEqual([]);
  expect(urls.join("\n"), "no URL, no header").not.toContain(CANARY);
  expect(logged.join("\n"), "no console").not.toContain(CANARY);
  expect(JSON.stringify(await tenant.lines()), "no callback").not.toContain(CANARY);
  expect(await (await page.request.get("/received")).text(), "no webhook").not.toContain(CANARY);
  for (const frame of page.frames()) {
    const state = await frame.evaluate(async () => {
      // A browser may deny a cross-site frame access to storage.
      const stored = [() => localStorage, () => sessionStorage].map((storage) => {
        try {
          return { ...storage() };
        } catch {
          return {};
        }
      });
      return {
        messages: (window as unknown as { messages: string[] }).messages,
        stored,
        history: [history.state, location.href],
        text: document.documentElement.textContent,
      };
    });
    expect(state.messages.length, "the spy sees the messages").toBeGreaterThan(0);
    expect(JSON.stringify(state), frame.url()).not.toContain(CANARY);
    expect(state.stored, "nothing is stored").toEqual([{}, {}]);
  }
  const cookies = await context.cookies();
  expect(cookies.map(({ name }) => name), "only the tenant's own cookie").toEqual(["customer"]);

  const data = process.env["LINCHPIN_DATA"] as string;
  expect(await filesWith(data, String(accountId)), "the search finds the account's id").not.toEqual([]);
  expect(await filesWith(join(data, ".."), CANARY), "no log, no database").toEqual([]);
});

test("link token and session secret appear in no URL, and events contain no login", async ({
  tenant,
  page,
}) => {
  const urls: string[] = [];
  const secrets: string[] = [];
  page.on("request", (request) => {
    urls.push(request.url());
    if (/\/link\/sessions$/.test(request.url()) && request.method() === "POST") {
      const { token, secret } = request.postDataJSON() as { token: string; secret: string };
      secrets.push(token, secret);
    }
  });
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-otp");
  await widget.answer("1234");
  await widget.shows("You’re connected");
  expect(secrets).toHaveLength(2);
  for (const secret of secrets) {
    expect(urls.join("\n")).not.toContain(secret);
    expect(JSON.stringify(await tenant.lines())).not.toContain(secret);
  }
  expect(JSON.stringify(await tenant.lines())).not.toMatch(/mfa-otp|1234"/);
});
