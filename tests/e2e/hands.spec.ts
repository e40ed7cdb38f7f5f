/** Small screens, double clicks, translators and password managers. */
import type { Locator, Page } from "@playwright/test";
import { expect, test, type Tenant, type Widget } from "./support/widget";

test.use({ reducedMotion: "no-preference" });

const LOW = { width: 640, height: 400 };

async function atLogin(tenant: Tenant, provider?: string): Promise<Widget> {
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  await widget.choose(provider);
  return widget;
}

const inFrame = <T>(page: Page, run: () => T): Promise<T> =>
  page.frames().find((it) => it.url().includes("/sdk/frame/"))!.evaluate(run);

/** Presses like a person, who needs a moment between down and up. */
async function press(page: Page, button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded();
  await button.hover();
  const blurred = button.page().waitForTimeout(90);
  await page.mouse.down();
  await blurred;
  await page.mouse.up();
}

test("a press counts although a hint above the button disappears", async ({ tenant, page }) => {
  const widget = await atLogin(tenant);
  await page.setViewportSize(LOW);
  await widget.button("Connect").click();
  await expect(widget.frame.locator("[id$=-error]").first()).toBeVisible();
  await widget.frame.getByRole("textbox", { name: "User name" }).fill("good");
  await widget.password.fill("pass");
  await press(page, widget.button("Connect"));
  await widget.shows("You’re connected");
});

test("a press counts although the button moves away below it", async ({ tenant, page }) => {
  const widget = await atLogin(tenant);
  await widget.frame.getByRole("textbox", { name: "User name" }).fill("good");
  await widget.password.fill("pass");
  await widget.button("Connect").hover();
  await page.mouse.down();
  await inFrame(page, () => document.querySelector(".foot")!.append(Object.assign(document.createElement("p"), { style: "height: 60px" })));
  await page.mouse.up();
  await widget.shows("You’re connected");
});

test("the reason of a failed request is scrolled into view", async ({ tenant, page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  await page.route("**/link/providers/*", (route) => route.fulfill({ status: 503, body: "{}" }));
  await widget.frame.getByRole("button", { name: "Social Security Philippines" }).click();
  await expect(widget.main.getByText("The service isn’t answering")).toBeInViewport({ timeout: 15_000 });
  await expect(widget.frame.getByRole("status").last()).toHaveText("The service isn’t answering");
});

test("the second click of a double click does nothing on the next page", async ({ tenant, page }) => {
  await tenant.goto();
  const widget = await tenant.open();
  const { x, y, width, height } = (await widget.button("Agree and continue").boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  // Does not wait for the first click to be handled, because a busy machine is slower than a person.
  const first = [page.mouse.down(), page.mouse.up()];
  await page.waitForTimeout(100);
  await Promise.all([...first, page.mouse.down(), page.mouse.up()]);
  await widget.shows("Choose your provider");
  await widget.pick("Social Security Mexico");
  await widget.shows("Sign in to Social Security Mexico");
  expect((await tenant.screens()).filter((name) => name === "LoginPageOpened")).toHaveLength(1);
});

test("a double click on Done does not reach the tenant's page", async ({ tenant, page }) => {
  const widget = await atLogin(tenant);
  await widget.signIn("good");
  await widget.shows("You’re connected");
  await page.evaluate(() => {
    document.body.dataset["clicks"] = "0";
    document.addEventListener("mousedown", () => (document.body.dataset["clicks"] = "1"));
  });
  const { x, y, width, height } = (await widget.button("Done").boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.up();
  await tenant.waitForClose();
  await page.mouse.down();
  await page.mouse.up();
  expect(await page.evaluate(() => document.body.dataset["clicks"])).toBe("0");
});

test("a translator that replaces texts does not stop the widget", async ({ tenant, page }) => {
  await tenant.goto();
  const widget = await tenant.open();
  await inFrame(page, () => {
    const turn = (node: Node): void => {
      if (!(node instanceof Text) || !node.data.trim() || node.parentElement?.closest("font,script,style")) return;
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.textContent = `${node.data}~`;
      outer.append(inner);
      node.replaceWith(outer);
    };
    const walk = (root: Node): void => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const found: Node[] = [];
      while (walker.nextNode()) found.push(walker.currentNode);
      found.forEach(turn);
    };
    walk(document.body);
    new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach((node) => (turn(node), walk(node))))).observe(
      document.body,
      { childList: true, subtree: true },
    );
  });
  expect(await inFrame(page, () => document.documentElement.translate), "the page opts out").toBe(false);
  await widget.button(/^Agree/).click();
  await widget.frame.getByRole("searchbox").fill("Social Security Mexico");
  await widget.frame.locator("li button").first().click();
  await widget.shows("Sign in to Social Security Mexico~");
  await widget.button(/^Connect/).click();
  await expect(widget.frame.locator("[id$=-error]").first()).toBeVisible();
  await widget.frame.locator("[name=username]").fill("mfa-otp");
  await widget.frame.locator("[name=password]").fill("pass");
  await widget.button(/^Connect/).click();
  await widget.frame.locator(".input-code").fill("9999");
  await expect(widget.main.getByText("tries left")).toBeVisible();
  await widget.frame.locator(".input-code").fill("Code: １２３４");
  await widget.shows("You’re connected~");
});

test("a password manager may wrap inputs, take their names, and send no events", async ({ tenant, page }) => {
  const widget = await atLogin(tenant);
  await inFrame(page, () => {
    for (const input of document.querySelectorAll("form input")) {
      const wrapper = document.createElement("span");
      input.replaceWith(wrapper);
      wrapper.append(input, document.createElement("div"));
    }
  });
  await widget.button("Show password").click();
  await expect(widget.frame.locator("[name=password]")).toHaveAttribute("type", "text");
  await inFrame(page, () => {
    for (const [name, value] of [["username", "good"], ["password", "pass"]] as const) {
      const input = document.querySelector<HTMLInputElement>(`input[name=${name}]`)!;
      input.value = value;
      if (name === "password") input.removeAttribute("name");
    }
  });
  await widget.button("Connect").click();
  await widget.shows("You’re connected");
});

test("every type tab is inside the card", async ({ tenant, page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await tenant.goto();
  const widget = await tenant.open();
  await widget.agree();
  await widget.button("Payroll").click({ trial: true });
  await expect(widget.button("Payroll")).toBeInViewport({ ratio: 1 });
});
