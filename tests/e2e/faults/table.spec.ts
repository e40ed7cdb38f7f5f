import { test as base, type Page } from "@playwright/test";
import { expect, Tenant } from "../support/widget";
import { payslip } from "./payslip";
import { Person, type Asked, type Plan } from "./person";
import type { Drop, Proxy } from "./proxy";
import { Stack } from "./stack";

const FAULTS = [
  "offline",
  "slow",
  "lost at 10 %",
  "lost at 50 %",
  "lost at 90 %",
  "service killed",
  "frame killed",
  "tab reloaded",
] as const;
type Fault = (typeof FAULTS)[number];

interface Step {
  name: string;
  plan: Plan;
  /** The heading of the screen at which the fault occurs. Null for the opening of the widget. */
  at: RegExp | null;
  /** Request of this screen. It may be sent twice, if the first response was lost. */
  own: Asked[];
  /** The faults that every run includes. `cargo xtask faults` includes all. */
  often: Fault[];
  /** Whether the login or the files were submitted before the fault. */
  submitted?: true;
  /** The request that is lost. */
  loses: Pick<Drop, "method" | "path">;
  end: RegExp;
}

// A person who returns afterwards sees the result in the list.
const CONNECTED = /^(You’re connected|Your connected accounts)$/;
const READ = /^(Your document was read|Your connected accounts)$/;
const code: Plan = { login: "mfa-otp" };
const small: Plan = { login: "good", file: payslip("payslip.pdf", 0) };
const photographed: Plan = { login: "good", file: payslip("payslip.pdf", 0, 2) };
const large: Plan = { login: "good", file: payslip("large.pdf", 6_000_000) };

const STEPS: Step[] = [
  {
    name: "opening",
    plan: code,
    at: null,
    own: [],
    often: ["offline", "lost at 90 %", "service killed"],
    loses: { method: "POST", path: /\/link\/sessions$/ },
    end: CONNECTED,
  },
  {
    name: "consent",
    plan: code,
    at: /^Share your data/,
    own: ["consent"],
    often: ["slow", "lost at 10 %", "tab reloaded"],
    loses: { method: "GET", path: /\/link\/providers/ },
    end: CONNECTED,
  },
  {
    name: "provider",
    plan: code,
    at: /^Choose your provider$/,
    own: ["provider"],
    often: ["offline", "lost at 50 %", "frame killed"],
    loses: { method: "GET", path: /\/link\/providers\/mx/ },
    end: CONNECTED,
  },
  {
    name: "login",
    plan: code,
    at: /^Sign in to /,
    own: ["login"],
    often: ["lost at 90 %", "service killed", "tab reloaded"],
    loses: { method: "POST", path: /\/link\/accounts$/ },
    end: CONNECTED,
  },
  {
    name: "wait for the provider",
    plan: { login: "slow" },
    at: /^Connecting to /,
    own: [],
    often: ["offline", "service killed", "tab reloaded"],
    submitted: true,
    loses: { method: "GET", path: /\/link\/accounts\// },
    end: CONNECTED,
  },
  {
    name: "challenge",
    plan: code,
    at: /^Enter your code$/,
    own: ["code"],
    often: ["lost at 90 %", "service killed", "frame killed"],
    submitted: true,
    loses: { method: "POST", path: /\/answer$/ },
    end: CONNECTED,
  },
  {
    name: "kind of document",
    plan: small,
    at: /^Upload a document$/,
    own: ["kind"],
    often: ["offline", "lost at 50 %"],
    loses: { method: "GET", path: /\/uploads-[^/]*\.js/ },
    end: READ,
  },
  {
    name: "upload",
    plan: large,
    at: /^Payslip$/,
    own: ["file"],
    often: ["lost at 50 %", "service killed", "tab reloaded"],
    loses: { method: "PATCH", path: /\/link\/uploads\// },
    end: READ,
  },
  {
    name: "submit",
    plan: small,
    at: /^Payslip$/,
    own: ["file", "submit"],
    often: ["offline", "lost at 90 %", "frame killed"],
    loses: { method: "POST", path: /\/submit$/ },
    end: READ,
  },
  {
    name: "wait for the reader",
    plan: photographed,
    at: /^Reading your document$/,
    own: [],
    often: ["slow", "service killed", "tab reloaded"],
    submitted: true,
    loses: { method: "GET", path: /\/link\/archives\// },
    end: READ,
  },
];

/** The requests that must succeed at most once with every fault. */
const ONCE: [string, RegExp][] = [
  ["login", /^POST .*\/link\/accounts$/],
  ["answer", /^POST .*\/answer$/],
];

/** The widget must show one of these messages while it is offline. */
const SAID = /offline|didn’t reach us|can’t reach|interrupted|Connection lost|No connection|isn’t answering|on our side/;

const test = base.extend<object, { stack: Stack }>({
  stack: [
    async ({}, use) => {
      const stack = await Stack.start();
      await use(stack);
      await stack.stop();
    },
    { scope: "worker" },
  ],
});

/**
 * Removes the frame without notice, as if its process had crashed. The page continues. (Playwright treats a real crash of a
 * frame's process as a crash of the page.)
 */
async function killFrame(page: Page, proxy: Proxy): Promise<void> {
  proxy.block(/^DELETE .*\/link\/session$/);
  await page.locator("dialog iframe").evaluate((frame) => frame.remove());
  // The second press closes the dialog, because the removed frame does not respond to the first.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
}

async function broken(fault: Fault, step: Step, person: Person, stack: Stack): Promise<void> {
  const { page } = person.tenant;
  const act = (): Promise<void> => (step.at === null ? person.reopen() : person.step(step.at, step.own.at(-1)));
  switch (fault) {
    case "offline":
      stack.proxy.cut();
      await act();
      await expect(person.widget.frame.locator("body")).toContainText(SAID);
      return stack.proxy.mend();
    case "slow":
      stack.proxy.slow(1_000);
      return act();
    case "lost at 10 %":
    case "lost at 50 %":
    case "lost at 90 %": {
      const lost = stack.proxy.lose({ ...step.loses, percent: percentOf(fault) });
      await act();
      return lost;
    }
    case "service killed":
      await act();
      await stack.killService();
      return stack.startService();
    case "frame killed":
      await act();
      await killFrame(page, stack.proxy);
      return person.reopen();
    case "tab reloaded":
      await act();
      await page.reload();
      return person.reopen();
  }
}

/** Whether to run every fault at every step, as for `cargo xtask faults`. */
const EVERY = process.env["LINCHPIN_EVERY_FAULT"] === "1";

test("every run includes each fault, and at least two at each step", () => {
  const tried = new Set(STEPS.flatMap((step) => step.often));
  expect([...tried].sort()).toEqual([...FAULTS].sort());
  for (const step of STEPS) expect(step.often.length, step.name).toBeGreaterThanOrEqual(2);
});

for (const step of STEPS) {
  test(`the widget recovers from faults at the step: ${step.name}`, async ({ browser, stack }) => {
    test.setTimeout(600_000);
    const row: string[] = [];
    const faults = EVERY ? FAULTS : step.often;
    for (const fault of faults) {
      await test.step(fault, async () => {
        const started = await stack.receivedCount("ARCHIVE_STARTED");
        const context = await browser.newContext({ baseURL: stack.page });
        const tenant = new Tenant(await context.newPage());
        const person = new Person(tenant, step.plan);
        await tenant.goto();
        if (step.at !== null) {
          await person.reopen();
          await person.until(step.at);
          if (step.name === "submit") {
            await person.step(step.at, "file");
            await person.canSubmit();
          }
        } else {
          // The fault affects the opening, so the frame must be prewarmed.
          await tenant.page.waitForLoadState("networkidle");
        }
        stack.proxy.accepted = [];
        stack.proxy.resumedAt = 0;
        const before = { ...person.asked };
        await broken(fault, step, person, stack);
        await person.until(step.end);
        stack.proxy.mend();

        const cell = `${step.name}, ${fault}`;
        for (const [what, request] of ONCE) {
          const accepted = stack.proxy.accepted.filter((it) => request.test(it)).length;
          expect(accepted, `${cell}: ${what} accepted`).toBeLessThanOrEqual(1);
        }
        // The widget may repeat the request, but the service emits its event once.
        if (step.plan.file) {
          const submissions = async (): Promise<number> => (await stack.receivedCount("ARCHIVE_STARTED")) - started;
          await expect.poll(submissions, `${cell}: submissions`).toBe(1);
        }
        for (const [what, count] of Object.entries(person.asked)) {
          const own = mayRepeat(what as Asked, fault, step);
          expect(count, `${cell}: ${what} asked`).toBeLessThanOrEqual(own ? 2 : 1);
        }
        for (const what of Object.keys(before)) {
          if (mayRepeat(what as Asked, fault, step)) continue;
          expect(person.asked[what as Asked], `${cell}: ${what} asked again`).toBe(before[what as Asked]);
        }
        if (step.name === "upload" && fault.startsWith("lost")) {
          const lostAt = ((step.plan.file?.buffer.length ?? 0) * percentOf(fault)) / 100;
          expect(lostAt - stack.proxy.resumedAt, `${cell}: bytes sent again`).toBeLessThanOrEqual(256 * 1024);
        }
        row.push(`${fault}: ${await person.widget.heading.innerText()} (${shown(person.asked)})`);
        await context.close();
      });
    }
    expect(row).toHaveLength(faults.length);
    console.log([`| ${step.name}`, ...row].join(" | "));
  });
}

function percentOf(fault: Fault): number {
  return Number(/\d+/.exec(fault)?.[0]);
}

/** Returns whether a screen may ask twice. */
function mayRepeat(what: Asked, fault: Fault, step: Step): boolean {
  if (step.own.includes(what)) return true;
  if (fault !== "frame killed" && fault !== "tab reloaded") return false;
  // Without the page, the bytes of the file are lost. The consent is given again with the tenant's next token.
  return what === "file" || (what === "consent" && !step.submitted);
}

function shown(asked: Partial<Record<Asked, number>>): string {
  return Object.entries(asked)
    .map(([what, count]) => `${what} ${count}`)
    .join(", ");
}
