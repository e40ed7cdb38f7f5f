/**
 * `cargo xtask bench open`: how long it takes from `open()` to the first screen. Ours runs in its cross-site frame: cold, prewarmed,
 * and for the second time in a browser. The peers that do the same work are React and Preact in a cross-site frame that gets the
 * token from its page, exchanges it at the same service, and draws the consent page of the response. Another peer, without a goal,
 * is MX's connect widget as an integrator embeds it: on the page itself, loaded on the click, with requests to a backend, until the
 * heading of its first screen, the search. Its list of institutions comes later. The limits do less: a modal without token and
 * request in Preact on the page itself and in React in a frame. All take turns in each round, so that the ratios are comparable
 * between machines.
 *
 * Usage: node run.mjs <chromium> <service> <keys> <rounds>
 */
import { Browser, Page } from "./browser.mjs";
import { BEGIN, inTime, pause, prepare, script, SEEN } from "./opening.mjs";

const [program, service, keysFile, rounds = "7"] = process.argv.slice(2);
const ROUNDS = Number(rounds);
const TRACED = 3;
/** How long the processes of the previous case may take to end, so that they take no time from the next case. */
const SETTLE_MS = 500;
const SLOW = { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const UNLIMITED = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
const PHONE = { latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 };
const SAME_WORK = ["cold", "prewarmed", "second", "react", "reactSecond", "preact"];
const LIMITS = ["limitPreact", "limitReact"];
const LINKS = [
  { name: "1x CPU", cpu: 1, cases: [...SAME_WORK, "mx", ...LIMITS] },
  { name: "4x CPU", cpu: 4, cases: [...SAME_WORK, "mx", ...LIMITS] },
  { name: "4x CPU, 1.6 Mbit/s, 150 ms", cpu: 4, network: SLOW, cases: [...SAME_WORK, "mx", ...LIMITS] },
  { name: "phone: 6x CPU, 400 kbit/s, 400 ms", cpu: 6, network: PHONE, cases: ["cold", "react", "preact", "mx"] },
];
/** What is compared with what, and the most that the ratio may be for each link, if there is a goal. */
const GOALS = [
  ["cold", "react", [0.9, 0.9, 0.6, 0.9]],
  ["cold", "preact", [1.2, 1.2, 0.8]],
  ["prewarmed", "react", [0.5, 0.5, 0.5]],
  ["second", "reactSecond", [0.7, 0.7, 0.7]],
  ["cold", "mx", []],
  ["cold", "limitReact", []],
  ["prewarmed", "limitPreact", []],
];

const { close, host, frames, ours, openOurs, openPeer, opened, token } = await prepare(service, keysFile);

const CASES = {
  cold: (page) => openOurs(page),
  react: (page) => openPeer(page, "session-react"),
  preact: (page) => openPeer(page, "session-preact"),
  async second(page) {
    await openOurs(page);
    await pause(SETTLE_MS);
    return openOurs(page);
  },
  async reactSecond(page) {
    await openPeer(page, "session-react");
    await pause(SETTLE_MS);
    return openPeer(page, "session-react");
  },
  async prewarmed(page) {
    await page.goto(`${host}/ours`);
    await page.evaluate(`window.modal = ${ours(await token())}; modal.ready`);
    await pause(500);
    await page.evaluate(`window.started = ${BEGIN}; modal.open()`);
    return opened(page);
  },
  async limitPreact(page) {
    await page.goto(`${host}/styled`);
    return page.evaluate(`(async () => { const at = ${BEGIN}; (await import("/preact.js")).open(); return (await ${SEEN}) - at; })()`);
  },
  async limitReact(page) {
    await page.goto(`${host}/peer`);
    const at = await page.evaluate(`(() => {
      const at = ${BEGIN}, dialog = document.createElement("dialog"), frame = document.createElement("iframe");
      frame.src = "${frames}/react";
      dialog.append(frame);
      document.body.append(dialog);
      dialog.showModal();
      return at;
    })()`);
    return (await page.evaluateInFrame(SEEN)) - at;
  },
  async mx(page) {
    await page.goto(`${host}/mx`);
    const opened = `(async () => { const at = ${BEGIN}; (await import("/mx.js")).open(); return (await ${SEEN}) - at; })()`;
    return inTime(page.evaluate(opened), "MX's widget shows no heading");
  },
};

async function measured(browser, link, name) {
  const page = await Page.open(browser, link, script);
  try {
    return await CASES[name](page);
  } finally {
    await page.close();
    await pause(SETTLE_MS);
  }
}

/** Returns how many bytes the browser receives until a cold open shows its first screen. */
async function weighed(browser, name) {
  const page = await Page.open(browser, { cpu: 1, network: UNLIMITED }, script);
  let bytes = 0;
  const off = browser.on((method, { encodedDataLength }, session) => {
    if (method === "Network.loadingFinished" && page.sessions.includes(session)) bytes += encodedDataLength;
  });
  try {
    await CASES[name](page);
    return bytes;
  } finally {
    off();
    await page.close();
  }
}

/** Returns when each step of a cold open ended, in ms after `open()`. */
async function traced(browser, link) {
  const page = await Page.open(browser, link, script);
  try {
    const total = await CASES.cold(page);
    const at = await page.evaluate("started");
    const frame = JSON.parse(
      await page.evaluateInFrame(
        `JSON.stringify({
          origin: performance.timeOrigin, marks: __bench.marks,
          page: performance.getEntriesByType("navigation")[0].toJSON(),
          files: performance.getEntriesByType("resource").map((it) => it.toJSON()),
        })`,
      ),
    );
    const since = (ms) => frame.origin + ms - at;
    const file = (pattern) => frame.files.find(({ name }) => pattern.test(name)) ?? {};
    const steps = {
      "frame requested": since(frame.page.fetchStart),
      "frame HTML arrived": since(frame.page.responseEnd),
      "page parsed": since(frame.page.domInteractive),
      "port received": frame.marks["port received"] - at,
      "texts arrived": since(file(/\/en-[^/]+json/).responseEnd),
      "glue arrived": since(file(/\/link-widget-[^/]+js/).responseEnd),
      "wasm arrived": since(file(/\/link-widget-[^/]+wasm/).responseEnd),
      "wasm instantiated": frame.marks["wasm instantiated"] - at,
      "exchange sent": since(file(/\/link\/sessions$/).fetchStart),
      "exchange answered": since(file(/\/link\/sessions$/).responseEnd),
      "first screen drawn": frame.marks["first screen drawn"] - at,
      "first screen painted": frame.marks["first screen painted"] - at,
      "on screen": total,
    };
    return steps;
  } finally {
    await page.close();
    await pause(SETTLE_MS);
  }
}

const median = (values) => {
  const sorted = [...values].filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
  return sorted.length ? sorted[sorted.length >> 1] : NaN;
};

const weighing = new Browser(program);
console.log("\nBytes on the wire until the first screen");
for (const name of ["cold", "react", "preact", "mx", "limitReact"]) {
  console.log(`  ${name.padEnd(12)} ${String(await weighed(weighing, name)).padStart(8)}`);
}
await weighing.close();

for (const [at, link] of LINKS.entries()) {
  const browser = new Browser(program);
  const names = link.cases;
  const times = Object.fromEntries(names.map((name) => [name, []]));
  // The first round warms up the browser and the service, and does not count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    // Each round begins with another case, so that none always follows the same one.
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length];
      const ms = await measured(browser, link, name);
      if (round) times[name].push(ms);
    }
  }
  console.log(`\n${link.name}: medians of ${ROUNDS} rounds`);
  for (const [name, all] of Object.entries(times)) {
    const spread = `${Math.round(Math.min(...all))} to ${Math.round(Math.max(...all))}`;
    console.log(`  ${name.padEnd(12)} ${String(Math.round(median(all))).padStart(6)} ms  (${spread})`);
  }
  for (const [one, other, goals] of GOALS.filter(([one, other]) => times[one] && times[other])) {
    const ratio = median(times[one].map((ms, round) => ms / times[other][round]));
    const goal = goals[at];
    const verdict = goal ? `goal <= ${goal}  ${ratio <= goal ? "reached" : "missed"}` : "no goal";
    console.log(`  ${`${one} / ${other}`.padEnd(24)} ${ratio.toFixed(2)}  ${verdict}`);
  }
  const traces = [];
  for (let round = 0; round < TRACED; round += 1) traces.push(await traced(browser, link));
  console.log("  a cold open, in ms after open():");
  for (const step of Object.keys(traces[0])) {
    console.log(`    ${String(Math.round(median(traces.map((trace) => trace[step])))).padStart(6)}  ${step}`);
  }
  await browser.close();
}
close();
