import type { Frame, Page } from "@playwright/test";
import { accessible, reflows } from "./support/axe";
import { expect, test } from "./support/widget";

test("a one-time code connects the account", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-otp");
  await widget.answer("1234");
  await widget.shows("You’re connected");
  await tenant.closeBy(widget.button("Done"));
  expect(await tenant.callbacks()).toEqual(["onAccountCreated", "onAccountConnected", "onClose"]);
  expect(await tenant.screens()).toEqual(expect.arrayContaining(["MfaPageOpened", "MfaSubmitted"]));
});

test("the code field has the focus, and the last digit submits the code", async ({ tenant, page }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-otp");
  await expect(widget.code).toBeFocused();
  await expect(widget.main.getByText(/^Time left: 4:5\d\. You can send it again in 1?\d\ss\.$/)).toHaveCount(1);
  await page.keyboard.type("123");
  await expect(widget.button("Continue")).not.toHaveAttribute("aria-disabled");
  await page.keyboard.type("4");
  await widget.shows("You’re connected");
});

test("a declined push names the cause", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-push-denied");
  await widget.shows("Approve on your phone");
  await expect(widget.button("Choose another provider")).toBeVisible();
  await widget.shows("The request was declined");
  expect((await tenant.argument("onAccountError"))?.["errorCode"]).toBe("INVALID_MFA");
});

test("a code by text message replaces an unanswered push", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-push-timeout");
  await widget.shows("Approve on your phone");
  const other = widget.button("Get a code by text message");
  await expect(other).not.toHaveAttribute("aria-disabled");
  await other.click();
  await widget.answer("1234");
  await widget.shows("You’re connected");
});

test("a picture has another picture", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-image");
  await widget.shows("Type what you see");
  const picture = widget.main.getByRole("img", { name: /^Letters or digits/ });
  const first = (await picture.getAttribute("src"))!;
  await widget.button("Show another picture").click();
  await expect(picture).not.toHaveAttribute("src", first);
  await expect(widget.button("Get a code by phone call")).toBeVisible();
  await widget.frame.getByRole("textbox").fill("K7M4");
  await widget.button("Continue").click();
  await widget.shows("You’re connected");
});

/** Keeps the elements that play, in `window.players` of each frame. They are not in the document. */
async function watchPlayers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const players: HTMLMediaElement[] = ((window as any).players = []);
    const play = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function () {
      players.push(this);
      return play.call(this);
    };
  });
}

function frameOf(page: Page): Frame {
  return page.frames().find((frame) => frame.url().includes("/frame/p1/"))!;
}

/** Lets the first recording play until it is stopped: the checks of a playing screen can take longer than it does. */
function repeatFirst(page: Page): Promise<void> {
  return frameOf(page).evaluate(() => void (((window as any).players as HTMLMediaElement[])[0]!.loop = true));
}

/** Returns what the frame has played: the seconds of each element, and whether it plays now. */
function players(page: Page): Promise<{ seconds: number; paused: boolean }[]> {
  return frameOf(page).evaluate(() =>
    ((window as any).players as HTMLMediaElement[]).map(({ played, paused }) => ({
      seconds: played.length === 0 ? 0 : played.end(played.length - 1),
      paused,
    })),
  );
}

test("the keyboard plays and stops the recording of a picture", async ({ tenant, page }) => {
  await watchPlayers(page);
  const blocked: string[] = [];
  page.on("console", (message) => /Content Security Policy/.test(message.text()) && blocked.push(message.text()));
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-image");
  await widget.shows("Type what you see");
  const field = widget.frame.getByRole("textbox", { name: "Characters in the image" });
  await field.fill("K7");
  expect(await players(page), "nothing plays before a press").toEqual([]);

  await page.keyboard.press("Shift+Tab");
  await expect(widget.button("Listen instead")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(widget.button("Stop the recording")).toBeFocused();
  await expect(widget.main.getByText("The recording is playing.")).toBeVisible();
  await repeatFirst(page);
  await expect.poll(async () => (await players(page))[0]!.seconds).toBeGreaterThan(0.2);
  await accessible(page, "a recording that plays");
  await reflows(page, "a recording that plays");

  await page.keyboard.press("Space");
  await expect(widget.button("Listen instead")).toBeFocused();
  expect((await players(page)).map(({ paused }) => paused)).toEqual([true]);

  await page.keyboard.press("Space");
  await expect(widget.main.getByText("The recording has ended. Type what you heard.")).toBeVisible({ timeout: 15_000 });
  await expect(widget.button("Play again")).toBeFocused();
  expect((await players(page))[1]!.seconds).toBeGreaterThan(4);
  await expect(field).toHaveValue("K7");
  expect(blocked).toEqual([]);
  await field.fill("K7M4");
  await page.keyboard.press("Enter");
  await widget.shows("You’re connected");
});

test("a recording that the browser cannot play says so", async ({ tenant, page }) => {
  await page.addInitScript(() => {
    HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException("No decoder", "NotSupportedError"));
  });
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-image");
  await widget.button("Listen instead").click();
  await expect(widget.main.getByText(/^The recording didn’t play\./)).toBeVisible();
  await expect(widget.button("Play again")).toBeEnabled();
  await accessible(page, "a recording that does not play");
});

test("a picture without a recording or another way offers other providers", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-image-only");
  await widget.shows("Type what you see");
  await expect(widget.button("Listen instead")).toHaveCount(0);
  await widget.button("Choose another provider").click();
  await widget.shows("Choose your provider");
});

test("a wrong code is reported, and the correct one then connects", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-otp");
  await widget.answer("9999");
  await expect(widget.main.getByText("That wasn’t right")).toBeVisible();
  await expect(widget.code).toHaveValue("");
  await widget.answer("1234");
  await widget.shows("You’re connected");
  expect(await tenant.callbacks(), "a wrong code is not yet a failed account").toEqual([
    "onAccountCreated",
    "onAccountConnected",
  ]);
});

test("the last wrong code fails the account, and a new login starts over", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-otp");
  await widget.shows("Enter your code");
  await expect(async () => {
    // The field does not exist if the error screen has appeared in the meantime.
    const editable = await widget.code.isEditable({ timeout: 500 }).catch(() => false);
    if (editable) await widget.answer("9999");
    await expect(widget.heading).toHaveText("The code was wrong too often", { timeout: 500 });
  }).toPass();
  expect((await tenant.argument("onAccountError"))?.["errorCode"]).toBe("INVALID_MFA");
  await widget.button("Try again").click();
  await widget.signIn("mfa-otp");
  await widget.answer("1234");
  await widget.shows("You’re connected");
  expect(await tenant.callbacks()).toEqual(["onAccountCreated", "onAccountError", "onAccountConnected"]);
});

test("a choice challenge rejects a missing and a wrong choice, and then connects", async ({ tenant }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-choice");
  await widget.shows("Confirm it’s you");
  await widget.button("Continue").click();
  await expect(widget.main.getByText("Choose one answer to continue.")).toBeVisible();
  await widget.frame.getByRole("radio", { name: "None of these" }).check();
  await widget.button("Continue").click();
  await expect(widget.main.getByText("That wasn’t right")).toBeVisible();
  await widget.frame.getByRole("radio", { name: "Talleres Aurora" }).check();
  await widget.button("Continue").click();
  await widget.shows("You’re connected");
  expect(await tenant.callbacks()).toEqual(["onAccountCreated", "onAccountConnected"]);
});

test("a reload continues at the same challenge, and the widget asks for nothing twice", async ({
  tenant,
  page,
}) => {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.link("mfa-otp");
  await widget.shows("Enter your code");
  const created = await tenant.argument("onAccountCreated");
  await page.reload();
  await expect(tenant.connect).toBeEnabled();
  await tenant.connect.click();
  await tenant.widget.answer("1234");
  await tenant.widget.shows("You’re connected");
  await expect.poll(() => tenant.argument("onAccountConnected")).toEqual(created);
});
