/**
 * `cargo xtask bench interaction`: how soon the widget shows the result of a press or key, what its frame keeps in memory, and
 * whether a page that opens it often grows. The peer is React, which draws the same screens from the same responses. Prints
 * samples, of which the task makes figures.
 *
 * Usage: node interaction.mjs <chromium> <service> <keys> <rounds> <cycles> <providers>
 */
import { Browser, Page } from "./browser.mjs";
import { pause, prepare, REVEALED, script } from "./opening.mjs";
import { providers } from "./providers.mjs";

const [program, service, keysFile, rounds, cycles, count] = process.argv.slice(2);
const CYCLES = Number(cycles);
const { body, keys: SEARCH } = providers(Number(count));
/** Openings of each peer in a round. A search has twelve keys, so it needs fewer. */
const WALKS = 6;
const SEARCHES = 2;
/** Until the program has loaded and requests in the background have ended: a person reads the page. */
const READING_MS = 2_500;
/** The widget ignores a second press within this time. */
const BETWEEN_MS = 700;
const SETTLE_MS = 500;
const TOO_LONG_MS = 20_000;
const PROVIDER = "Social Security Mexico";
/** A login that connects after three waits, so that the progress screen stays. */
const LOGIN = "slow";
const PASSWORD = "pass";
const BACKSPACE = { key: "Backspace", code: "Backspace", windowsVirtualKeyCode: 8 };

const FRAME = `(() => {
  const roots = [document, ...[...document.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
  const frame = roots.map((root) => root.querySelector("iframe")).find(Boolean);
  return JSON.stringify(frame.getBoundingClientRect());
})()`;
const button = (words) => `[...document.querySelectorAll("button")].find((it) => it.textContent.includes("${words}"))`;
const AGREE = button("Agree and continue");
const SEARCH_BOX = `document.querySelector("[type=search]")`;
const SECRET = `document.querySelector("[type=password]")`;
const SUBMIT = `document.querySelector("form [type=submit], form .button-primary")`;
const LISTED = `document.querySelector(".rows .row")`;
const STEPS = `document.querySelector("ol.steps")`;
// Ours shows at most 100 of them at first.
const rows = (number) => `[${number}, ${Math.min(number, 100)}].includes(document.querySelector("ul.rows")?.childElementCount)`;

const { close, host, openOurs, openPeer, ours, token } = await prepare(service, keysFile);
const PEERS = { ours: openOurs, react: (page) => openPeer(page, "session-react") };

class TooLate extends Error {}

function inTime(work, what) {
  let timer;
  const tooLate = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new TooLate(`not within ${TOO_LONG_MS} ms: ${what}`)), TOO_LONG_MS);
  });
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}

const waitFor = (page, condition) => inTime(page.evaluateInFrame(`__bench.until(() => ${condition}).then(() => true)`), condition);

/** Presses an element with the mouse, as a person does: the browser routes the press to the frame. */
async function press(page, element) {
  const frame = JSON.parse(await page.evaluate(FRAME));
  const rect = `(it.scrollIntoView({ block: "nearest" }), JSON.stringify(it.getBoundingClientRect()))`;
  const at = JSON.parse(await page.evaluateInFrame(`((it) => ${rect})(${element})`));
  const mouse = { x: frame.x + at.x + at.width / 2, y: frame.y + at.y + at.height / 2, button: "left", clickCount: 1 };
  await page.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: mouse.x, y: mouse.y });
  await page.send("Input.dispatchMouseEvent", { type: "mousePressed", ...mouse });
  await page.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...mouse });
}

async function strike(page, key) {
  const typed = key === BACKSPACE ? key : { key, text: key };
  await page.send("Input.dispatchKeyEvent", { type: "keyDown", ...typed });
  await page.send("Input.dispatchKeyEvent", { type: "keyUp", ...typed });
}

/** Returns the ms from the event that `act` causes until what matches the condition has been painted. */
async function measure(page, event, condition, act) {
  await page.evaluateInFrame(`__bench.measure("${event}", () => ${condition})`);
  await act();
  return inTime(page.evaluateInFrame("__bench.measured"), condition);
}

/** Consents, chooses a provider, and signs in, with the providers of the sandbox. */
async function walk(page, sample) {
  await pause(READING_MS);
  sample("consent to list", await measure(page, "click", LISTED, () => press(page, AGREE)));
  await pause(BETWEEN_MS);
  await press(page, button(PROVIDER));
  await waitFor(page, SECRET);
  await pause(BETWEEN_MS);
  await press(page, `document.querySelector("form input")`);
  await page.send("Input.insertText", { text: LOGIN });
  await press(page, SECRET);
  await page.send("Input.insertText", { text: PASSWORD });
  await pause(BETWEEN_MS);
  sample("login to progress", await measure(page, "click", STEPS, () => press(page, SUBMIT)));
}

/** Returns an infinite time if a screen does not appear in time: it misses its goal. */
const orNever = (work) => work.catch((error) => (error instanceof TooLate ? Infinity : Promise.reject(error)));

/** Consents, and types and deletes a word in the search of a long list. */
async function search(page, sample, weigh) {
  await pause(READING_MS);
  const listed = await orNever(measure(page, "click", rows(SEARCH[0].found), () => press(page, AGREE)));
  sample("consent to long list", listed);
  if (listed === Infinity) return sample("key to filtered list", listed);
  await pause(BETWEEN_MS);
  await weigh(page);
  await press(page, SEARCH_BOX);
  const typed = SEARCH.slice(1).map(({ key, found }) => [key, found]);
  const deleted = SEARCH.slice(0, -1).map(({ found }) => [BACKSPACE, found]);
  for (const [key, found] of [...typed, ...deleted.reverse()]) {
    await pause(BETWEEN_MS / 2);
    const filtered = await orNever(measure(page, "keydown", rows(found), () => strike(page, key)));
    sample("key to filtered list", filtered);
    if (filtered === Infinity) return;
  }
}

/** Returns the bytes that JavaScript and the DOM use in the frame after garbage collection, and those of the program's memory. */
async function weighFrame(page) {
  await page.sendToFrame("HeapProfiler.collectGarbage");
  await page.sendToFrame("HeapProfiler.collectGarbage");
  const { usedSize, embedderHeapUsedSize } = await page.sendToFrame("Runtime.getHeapUsage");
  return [usedSize, await page.evaluateInFrame("__bench.memory?.buffer.byteLength ?? 0"), embedderHeapUsedSize];
}

async function onPage(browser, link, work) {
  const page = await Page.open(browser, link, script);
  try {
    return await work(page);
  } finally {
    await page.close();
    await pause(SETTLE_MS);
  }
}

async function runRound(browser, cpu, round) {
  // Nothing of the first round counts, which warms up the browser and the service.
  const print = (...words) => round && console.log(words.join("\t"));
  const kinds = [
    [round ? WALKS : 1, { cpu }, walk],
    [round ? SEARCHES : 1, { cpu, providers: body }, search],
  ];
  for (const [times, link, interact] of kinds) {
    for (let turn = 0; turn < times; turn += 1) {
      const names = Object.keys(PEERS);
      for (const name of (round + turn) % 2 ? names : names.reverse()) {
        const sample = (step, ms) => print("sample", step, cpu, name, round, ms);
        const weigh = async (page) => cpu === 1 && print("memory", name, ...(await weighFrame(page)));
        await onPage(browser, link, async (page) => {
          await PEERS[name](page);
          await interact(page, sample, weigh);
        });
      }
    }
  }
}

/** Opens and closes the widget often on one page, and prints what the page keeps after a tenth of the cycles, and after all. */
async function cycle(page) {
  await page.goto(`${host}/ours`);
  await page.send("Performance.enable");
  await page.evaluate(`window.modal = ${ours(await token())}; modal.ready.then(() => true)`);
  for (let turn = 1; turn <= CYCLES; turn += 1) {
    const word = JSON.stringify(await token());
    const closed = `${REVEALED}.then(() => (modal.close(), modal.ready))`;
    await inTime(page.evaluate(`modal.setToken(${word}); modal.open(); ${closed}.then(() => true)`), `cycle ${turn}`);
    if (turn !== CYCLES / 10 && turn !== CYCLES) continue;
    // The objects of a closed frame are released when its process responds.
    await pause(3_000);
    await page.send("HeapProfiler.collectGarbage");
    await page.send("HeapProfiler.collectGarbage");
    const { metrics } = await page.send("Performance.getMetrics");
    const metric = (name) => metrics.find((it) => it.name === name).value;
    console.log(["cycles", turn, metric("JSHeapUsedSize"), metric("Nodes"), metric("JSEventListeners")].join("\t"));
  }
}

for (const cpu of [1, 4]) {
  const browser = new Browser(program);
  for (let round = 0; round <= Number(rounds); round += 1) await runRound(browser, cpu, round);
  await browser.close();
}
const browser = new Browser(program);
await onPage(browser, { cpu: 1 }, cycle);
await browser.close();
close();
