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
  /** The heading of the page at which it breaks; none when that is the opening itself. */
  at: RegExp | null;
  /** What is asked there: it may be asked a second time, when the first answer never arrived. */
  own: Asked[];
  /** What each submission breaks there; the other faults are tried by `cargo xtask faults`. */
  often: Fault[];
  /** The request that gets lost. */
  loses: Pick<Drop, "method" | "path">;
  end: RegExp;
}

// Who comes back after it was done finds it in the list.
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
    loses: { method: "GET", path: /\/link\/accounts\// },
    end: CONNECTED,
  },
  {
    name: "challenge",
    plan: code,
    at: /^Enter your code$/,
    own: ["code"],
    often: ["lost at 90 %", "service killed", "frame killed"],
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
    loses: { method: "GET", path: /\/link\/archives\// },
    end: READ,
  },
];

/** What is taken at most once, whatever breaks. */
const ONCE: [string, RegExp][] = [
  ["login", /^POST .*\/link\/accounts$/],
  ["answer", /^POST .*\/answer$/],
];

/** A wait with nothing said is no state. */
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
 * The frame is gone and never said so, as when its process dies; the page around it lives. (A real crash of a frame's
 * process is taken by Playwright for one of the whole page.)
 */
async function killFrame(page: Page, proxy: Proxy): Promise<void> {
  proxy.lack(/^DELETE .*\/link\/session$/);
  await page.locator("dialog iframe").evaluate((frame) => frame.remove());
  // What a person does with a dead window; the second press closes it, as nobody answers the first.
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

/** Every fault at every step, as `cargo xtask faults` asks for, or those of each submission. */
const EVERY = process.env["LINCHPIN_EVERY_FAULT"] === "1";

test("each submission breaks something in every way", () => {
  const tried = new Set(STEPS.flatMap((step) => step.often));
  expect([...tried].sort()).toEqual([...FAULTS].sort());
  for (const step of STEPS) expect(step.often.length, step.name).toBeGreaterThanOrEqual(2);
});

for (const step of STEPS) {
  test(`${step.name}, whatever breaks there`, async ({ browser, stack }) => {
    test.setTimeout(600_000);
    const row: string[] = [];
    const faults = EVERY ? FAULTS : step.often;
    for (const fault of faults) {
      await test.step(fault, async () => {
        const told = await stack.told("ARCHIVE_STARTED");
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
          // What breaks is the opening: the waiting frame stands.
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
          const taken = stack.proxy.accepted.filter((it) => request.test(it)).length;
          expect(taken, `${cell}: ${what} taken`).toBeLessThanOrEqual(1);
        }
        // Its answer may be asked for again; its event is told once.
        if (step.plan.file) {
          const submissions = async (): Promise<number> => (await stack.told("ARCHIVE_STARTED")) - told;
          await expect.poll(submissions, `${cell}: submissions`).toBe(1);
        }
        for (const [what, count] of Object.entries(person.asked)) {
          const own = step.own.includes(what as Asked) || (what === "file" && repicks(fault, step));
          expect(count, `${cell}: ${what} asked`).toBeLessThanOrEqual(own ? 2 : 1);
        }
        for (const what of Object.keys(before)) {
          if (step.own.includes(what as Asked) || (what === "file" && repicks(fault, step))) continue;
          expect(person.asked[what as Asked], `${cell}: ${what} asked again`).toBe(before[what as Asked]);
        }
        if (step.name === "upload" && fault.startsWith("lost")) {
          const lostAt = ((step.plan.file?.buffer.length ?? 0) * percentOf(fault)) / 100;
          expect(lostAt - stack.proxy.resumedAt, `${cell}: bytes sent again`).toBeLessThanOrEqual(256 * 1024);
        }
        row.push(`${fault}: ${await person.widget.heading.innerText()} (${said(person.asked)})`);
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

/** A file's bytes do not outlive the page that has them. */
function repicks(fault: Fault, step: Step): boolean {
  return step.plan.file !== undefined && (fault === "frame killed" || fault === "tab reloaded");
}

function said(asked: Partial<Record<Asked, number>>): string {
  return Object.entries(asked)
    .map(([what, count]) => `${what} ${count}`)
    .join(", ");
}
