/** The tenant's page. The widget needs the first half; the rest shows what happens. */

const connect = document.getElementById("connect");
const log = document.getElementById("log");

/** From this tenant's own server, which alone holds the API secret. */
async function linkToken() {
  const answer = await fetch("/link-token", { method: "POST" });
  const trouble = document.getElementById("trouble");
  trouble.hidden = answer.ok;
  if (answer.ok) return answer.json();
  trouble.textContent = `There is no link token: ${await answer.text()}`;
  return {};
}

const { templateId, userToken, userId } = await linkToken();
/** Settles once the widget has a token for its next launch. */
let nextToken = Promise.resolve();

const modal = new LinkModal({
  templateId,
  userToken,
  onAccountCreated: (account) => write("onAccountCreated", account),
  onAccountConnected: (account) => write("onAccountConnected", account),
  onAccountRemoved: (account) => write("onAccountRemoved", account),
  onAccountError: (error) => write("onAccountError", error),
  onUploadsCreated: (uploads) => write("onUploadsCreated", uploads),
  onUploadsRemoved: (uploads) => write("onUploadsRemoved", uploads),
  onUIEvent: (event) => write("onUIEvent", event),
  async onTokenExpired() {
    write("onTokenExpired");
    // Whoever returns a new token lets the person go on where they were.
    return (await linkToken()).userToken;
  },
  onClose(close) {
    write("onClose", close);
    // A token is good for one launch: get the next one now, and the next click opens at once.
    nextToken = linkToken()
      .then(({ userToken }) => userToken && modal.setToken(userToken))
      .catch(console.warn);
  },
});
modal.on("error", (error) => write("LinkError", { cause: error.cause, message: error.message }));

connect.addEventListener("click", async () => {
  await nextToken;
  modal.open();
});
connect.disabled = false;

// From here on: what a demo shows and a product does not.

document.querySelector(`.switch [href="/?sdk=${document.body.dataset.version}"]`).setAttribute("aria-current", "page");

/** One line a callback: its name, then its arguments as JSON. */
function write(name, ...args) {
  const line = document.createElement("div");
  const word = document.createElement("b");
  word.textContent = name;
  line.append(word, ...args.map((argument) => ` ${JSON.stringify(argument)}`));
  log.append(line);
  log.scrollTop = log.scrollHeight;
}

function element(tag, text, className = "") {
  return Object.assign(document.createElement(tag), { textContent: text, className });
}

function showWebhooks(events) {
  const list = document.getElementById("webhooks");
  for (const { type, verified, data } of events.slice(list.children.length)) {
    const line = element("li", "");
    const mark = verified ? element("span", "verified", "good") : element("span", "not verified", "bad");
    line.append(element("b", type), " ", mark, ` ${JSON.stringify({ ...data, payload: undefined })}`);
    list.append(line);
    list.scrollTop = list.scrollHeight;
  }
}

/** How many of each kind of data, whether the payload has one, a plain list or a page of a list. */
function count(value) {
  const list = value?.items ?? value;
  return Array.isArray(list) ? list.length : Number(list !== null);
}

function showAccounts(accounts) {
  const place = document.getElementById("accounts");
  if (accounts.length === 0) return;
  place.replaceChildren(
    ...accounts.map(({ account, payload }) => {
      const card = element("article", "", "account");
      const status = element("span", account.connectionStatus, account.connectionStatus === "CONNECTED" ? "good" : "");
      card.append(element("h3", account.providerId), status);
      const { metadata, ...data } = payload ?? {};
      const facts = element("dl", "");
      for (const [kind, value] of Object.entries(data)) {
        if (count(value) === 0) continue;
        const fact = element("div", "", kind);
        fact.append(element("dt", kind), element("dd", kind === "identity" ? value.fullName : String(count(value))));
        facts.append(fact);
      }
      const raw = element("details", "");
      raw.append(element("summary", "All of it, as JSON"), element("pre", JSON.stringify(payload ?? account, null, 2)));
      card.append(facts, raw);
      return card;
    }),
  );
}

/** What came in since the last look, and the accounts again when something of them has changed. */
let seen = 0;
async function refresh() {
  const events = (await (await fetch("/received")).json()).filter(({ data }) => data?.userId === userId);
  if (events.length === seen) return;
  seen = events.length;
  showWebhooks(events);
  showAccounts(await (await fetch("/accounts")).json());
}
setInterval(() => document.hidden || refresh().catch(console.warn), 1000);
await refresh();
