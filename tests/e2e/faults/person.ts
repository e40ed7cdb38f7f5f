/** A simulated person who does what the screen asks, and counts how often each screen asks. */
import { expect, type Locator } from "@playwright/test";
import type { Tenant, Widget } from "../support/widget";

export type Asked = "consent" | "provider" | "login" | "code" | "survey" | "kind" | "file" | "submit";

export interface Plan {
  login: string;
  /** The file to upload, instead of linking an account. */
  file?: { name: string; mimeType: string; buffer: Buffer };
}

export class Person {
  /** How often each screen asked, counted when the person responds. */
  readonly asked: Partial<Record<Asked, number>> = {};

  constructor(
    readonly tenant: Tenant,
    readonly plan: Plan,
  ) {}

  get widget(): Widget {
    return this.tenant.widget;
  }

  /** Continues until the screen has this heading. */
  async until(end: RegExp): Promise<void> {
    await expect(async () => {
      const title = await this.widget.heading.innerText({ timeout: 1_000 });
      if (end.test(title)) return;
      await this.act(title);
      throw new Error(`at “${title}”`);
    }).toPass({ timeout: 90_000, intervals: [50, 100, 200] });
  }

  /** Does one action on a screen. Does nothing if the screen only waits. */
  async step(page: RegExp, what: Asked | undefined): Promise<void> {
    if (what === undefined) return;
    const before = this.asked[what];
    await expect(async () => {
      const title = await this.widget.heading.innerText({ timeout: 1_000 });
      // Another screen means that the action was done, even if its click was interrupted.
      if (!page.test(title)) return;
      await this.act(title);
      if (this.asked[what] === before) throw new Error(`at “${title}”`);
    }).toPass({ timeout: 30_000, intervals: [50, 100, 200] });
  }

  /** Waits until the chosen file can be submitted. */
  async canSubmit(): Promise<void> {
    await expect.poll(() => ready(this.widget.button("Submit"))).toBe(true);
  }

  async reopen(): Promise<void> {
    await expect(this.tenant.connect).toBeEnabled();
    await this.tenant.connect.click();
  }

  async act(title: string): Promise<void> {
    const { frame } = this.widget;
    if (/^Share your data with /.test(title)) return this.#press("consent", "Agree and continue");
    if (title === "Choose your provider") {
      if (this.plan.file) return this.#toUploads();
      const row = frame.getByRole("button", { name: /^Social Security Mexico/ }).first();
      return this.#do("provider", row);
    }
    if (/^Sign in to /.test(title)) return this.#signIn();
    if (title === "Enter your code") return this.#code();
    if (title === "Tell us who we’re missing") return this.#survey();
    if (title === "Thank you, noted") return this.#do("survey", this.widget.button("Upload a document instead"));
    if (title === "Upload a document") return this.#do("kind", frame.getByRole("button", { name: /^Payslip/ }));
    if (title === "Payslip") return this.#upload();
    const again = this.widget.button(/^(Try again|Enter your details again|Upload again)$/);
    if (await ready(again)) await again.click({ timeout: 10_000 });
  }

  async #do(what: Asked, control: Locator): Promise<void> {
    if (!(await ready(control))) return this.#retry();
    await control.click({ timeout: 10_000 });
    this.#count(what);
  }

  #press(what: Asked, name: string): Promise<void> {
    return this.#do(what, this.widget.button(name));
  }

  #count(what: Asked): void {
    this.asked[what] = (this.asked[what] ?? 0) + 1;
  }

  /** Retries if the screen offers it because something did not load. */
  async #retry(): Promise<void> {
    const again = this.widget.button("Try again");
    if (await ready(again)) await again.click({ timeout: 10_000 });
  }

  async #signIn(): Promise<void> {
    const submit = this.widget.button("Connect");
    if (!(await ready(submit))) return this.#retry();
    const name = this.widget.frame.getByRole("textbox", { name: "User name" });
    if ((await name.inputValue({ timeout: 1_000 })) === "") await name.fill(this.plan.login, { timeout: 10_000 });
    await this.widget.password.fill("pass", { timeout: 10_000 });
    await this.#do("login", submit);
  }

  async #code(): Promise<void> {
    const submit = this.widget.button("Continue");
    if (!(await ready(submit)) || !(await this.widget.code.isEditable({ timeout: 500 }))) return;
    // A complete code submits itself.
    await this.widget.code.fill("1234", { timeout: 10_000 });
    this.#count("code");
  }

  async #toUploads(): Promise<void> {
    const missing = this.widget.button("I can’t find mine");
    if (!(await ready(missing))) return this.#retry();
    await missing.click({ timeout: 10_000 });
  }

  async #survey(): Promise<void> {
    const send = this.widget.button("Send");
    if (!(await ready(send))) return;
    const field = this.widget.frame.getByRole("textbox", { name: "Employer or provider" });
    await field.fill("Talleres Aurora", { timeout: 10_000 });
    await send.click({ timeout: 10_000 });
  }

  async #upload(): Promise<void> {
    const { frame } = this.widget;
    const submit = this.widget.button("Submit");
    if (await ready(submit)) return this.#do("submit", submit);
    await this.#retry();
    const listed = frame.getByRole("listitem").filter({ hasText: this.plan.file?.name ?? "" });
    const unfinished = frame.getByText(/^Choose the unfinished file again/);
    if ((await listed.count()) > 0 && !(await unfinished.isVisible())) return;
    const picker = frame.locator('input[type="file"]').first();
    if ((await picker.count()) === 0 || this.plan.file === undefined) return;
    await picker.setInputFiles(this.plan.file, { timeout: 10_000 });
    this.#count("file");
    await expect(listed.first()).toBeVisible();
  }
}

/** Returns whether the control is visible and enabled. */
async function ready(control: Locator): Promise<boolean> {
  const first = control.first();
  if (!(await first.isVisible())) return false;
  return (await first.getAttribute("aria-disabled", { timeout: 500 })) !== "true" && (await first.isEnabled({ timeout: 500 }));
}
