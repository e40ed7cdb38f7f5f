/** The tenant's page. Only the first half is necessary for the widget; the second half shows what happens. */

const connect = document.getElementById("connect");
const log = document.getElementById("log");

/** Requests a link token from this tenant's server. Only the server has the API secret. */
async function linkToken() {
  const response = await fetch("/link-token", { method: "POST" });
  const trouble = document.getElementById("trouble");
  trouble.hidden = response.ok;
  if (response.ok) return response.json();
  trouble.textContent = `Could not get a link token: ${await response.text()}`;
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
    // With a new token, the person continues where they were.
    return (await linkToken()).userToken;
  },
  onClose(close) {
    write("onClose", close);
    // A token is valid for one launch. Requesting the next one now lets the next click open the widget at once.
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

// The rest is only for the demo.

document.querySelector(`.switch [href="/?sdk=${document.body.dataset.version}"]`).setAttribute("aria-current", "page");

/** Logs a callback as one line: its name and its arguments as JSON. */
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

/** Counts the data of one kind. The payload contains a single value, a list or a page of a list. */
function count(value) {
  const list = value?.items ?? value;
  return Array.isArray(list) ? list.length : Number(list !== null);
}

function showAccounts(accounts) {
  const container = document.getElementById("accounts");
  if (accounts.length === 0) return;
  container.replaceChildren(
    ...accounts.map(({ account, payload }) => {
      const card = element("article", "", "account");
      const status = element("span", account.connectionStatus, account.connectionStatus === "CONNECTED" ? "good" : "");
      card.append(element("h3", account.providerId), status);
      if (account.monitorStatus === "USER_ACTION_REQUIRED") {
        card.append(" ", element("span", "USER_ACTION_REQUIRED", "bad"));
        card.append(element("p", "The provider asks for a new login. Connect an account, and choose this one."));
      }
      const { metadata, ...data } = payload ?? {};
      const facts = element("dl", "");
      for (const [kind, value] of Object.entries(data)) {
        if (count(value) === 0) continue;
        const fact = element("div", "", kind);
        fact.append(element("dt", kind), element("dd", kind === "identity" ? value.fullName : String(count(value))));
        facts.append(fact);
      }
      const raw = element("details", "");
      raw.append(element("summary", "All data as JSON"), element("pre", JSON.stringify(payload ?? account, null, 2)));
      card.append(facts, raw);
      return card;
    }),
  );
}

/** If webhooks have arrived, shows them and reloads the accounts. */
let seen = 0;
async function refresh(always = false) {
  const events = (await (await fetch("/received")).json()).filter(({ data }) => data?.userId === userId);
  if (events.length === seen && !always) return;
  seen = events.length;
  showWebhooks(events);
  showAccounts(await (await fetch("/accounts")).json());
}
/** Shows the sandbox's clock. While it is being advanced, looks again until it has arrived. */
async function showClock(answer) {
  const button = document.getElementById("advance");
  const pace = document.getElementById("pace");
  for (let response = answer; ; response = await fetch("/clock")) {
    if (!response.ok) {
      pace.textContent = await response.text();
      break;
    }
    const { now, advance } = await response.json();
    document.getElementById("now").textContent = new Date(now).toUTCString();
    button.disabled = advance?.status === "STARTED";
    pace.textContent = button.disabled ? `Advancing: ${advance.stops} stops` : "";
    if (!button.disabled) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  button.disabled = false;
}

document.getElementById("advance").addEventListener("click", async ({ currentTarget }) => {
  currentTarget.disabled = true;
  await showClock(await fetch("/clock", { method: "POST" })).catch(console.warn);
  // The token of the next launch has expired on the sandbox's clock.
  nextToken = linkToken().then(({ userToken }) => userToken && modal.setToken(userToken));
  await refresh(true);
});
showClock(await fetch("/clock")).catch(console.warn);

setInterval(() => document.hidden || refresh().catch(console.warn), 1000);
await refresh();
