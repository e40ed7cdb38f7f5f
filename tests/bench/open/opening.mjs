/** Opens the widget and its peers, for all benches of this folder. */
import { readFileSync } from "node:fs";
import { serve } from "./servers.mjs";

export const script = readFileSync(new URL("observer.js", import.meta.url), "utf8");
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const BEGIN = "__bench.now()";
export const SEEN = "__bench.shown";
/** Resolves when the shell no longer covers the frame, and that has been painted. */
export const REVEALED = `new Promise((resolve) => {
  const look = () => modal.state === "open" ? __bench.painted().then(() => resolve(__bench.now())) : requestAnimationFrame(look);
  look();
})`;

/** Rejects with these words if the work does not end. */
export function inTime(work, words) {
  const tooLate = new Promise((_, reject) => setTimeout(() => reject(new Error(words)), 60_000).unref());
  return Promise.race([work, tooLate]);
}

const ours = (token) => `new LinkModal({ templateId: template, userToken: "${token}" })`;

/** Starts the servers, and returns how to open the widget and its peers on a page. Times are from `open()` to the first screen. */
export async function prepare(service, keysFile) {
  const keys = JSON.parse(readFileSync(keysFile, "utf8")).sandbox;
  const servers = await serve(service, keys);

  async function api(method, path, body) {
    const headers = { authorization: `Basic ${btoa(`${keys.apiKey}:${keys.apiSecret}`)}`, "content-type": "application/json" };
    const response = await fetch(keys.baseUrl + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  const token = async () => (await api("POST", "/users", {})).token.accessToken;

  async function opened(page) {
    const [at, shown] = JSON.parse(await page.evaluate(`(async () => JSON.stringify([started, await ${REVEALED}]))()`));
    return Math.max(shown, await page.evaluateInFrame(SEEN)) - at;
  }

  async function openOurs(page) {
    await page.goto(`${servers.host}/ours`);
    await page.evaluate(`window.started = ${BEGIN}; window.modal = ${ours(await token())}; modal.open()`);
    return opened(page);
  }

  async function openPeer(page, name) {
    await page.goto(`${servers.host}/tenant`);
    const words = [servers.frames, name, await token(), keys.linkTemplateId].map((word) => JSON.stringify(word));
    const at = await page.evaluate(`(() => { const at = ${BEGIN}; openPeer(${words}); return at; })()`);
    return (await inTime(page.evaluateInFrame(SEEN), `${name} shows no page: is its exchange refused?`)) - at;
  }

  await api("PATCH", `/linkTemplates/${keys.linkTemplateId}`, { allowedOrigins: [servers.host] });
  return { ...servers, ours, opened, openOurs, openPeer, token };
}
