/** The script of the hosted pages. The body's data attributes describe the page, because inline scripts are not allowed. */

const { page, template } = document.body.dataset;

// Programs that scan the links of emails do not run scripts, so only a browser reports that the page was opened.
if (page === "landing") {
  fetch(`${location.pathname}/opened`, { method: "POST" }).catch(() => {});
}

// The person continues at the first wrong answer.
if (page === "form") document.querySelector('[aria-invalid="true"]')?.focus();

if (page === "widget") openWidget().catch(broken);

if (page === "phone") continueHere();

function say(words) {
  document.getElementById("status").textContent = words;
}

function broken(error) {
  say(error.limited ? "This page was opened too often today. Please try again later." : "Something went wrong. Please reload this page.");
}

async function linkToken() {
  const response = await fetch("/visit/token", { method: "POST" });
  if (response.ok) return (await response.json()).userToken;
  // The visit has ended, or its form is missing. The reloaded page says what to do.
  if (response.status === 401 || response.status === 409) {
    location.reload();
    return new Promise(() => {});
  }
  throw Object.assign(new Error(`no link token: ${response.status}`), { limited: response.status === 429 });
}

async function openWidget() {
  const button = document.getElementById("connect");
  let isDone = false;
  const modal = new LinkModal({
    templateId: template,
    userToken: await linkToken(),
    onAccountConnected: () => (isDone = true),
    onUploadsCreated: () => (isDone = true),
    onTokenExpired: linkToken,
    async onClose() {
      if (isDone) return location.assign("/visit/done");
      say("You closed the window before an account was linked. You can continue where you left off.");
      // A token is valid for one launch.
      button.disabled = true;
      await linkToken().then((token) => modal.setToken(token), broken);
      button.disabled = false;
      button.focus();
    },
  });
  modal.on("error", ({ message }) => say(`The window cannot be shown: ${message}`));
  button.addEventListener("click", () => modal.open());
  button.disabled = false;
  say("");
  modal.open();
}

/** Continues a step of the widget with the code that the person scanned. */
function continueHere() {
  const userToken = location.hash.slice(1);
  // The code works once, so it must not stay in the address bar and the history.
  history.replaceState(null, "", location.pathname);
  if (!userToken) return say("Show the code on your computer, and scan it again.");
  const modal = new LinkModal({ templateId: template, userToken, onClose: () => say("You can close this page.") });
  modal.on("error", ({ message }) => say(`The window cannot be shown: ${message}`));
  say("");
  modal.open();
}
