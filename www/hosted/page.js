/** The script of the hosted pages. What a page is stands in its body: nothing is inline. */

const { page, template } = document.body.dataset;

// A program that looks at every link of a mail runs no script: only a person's browser says that it shows the page.
if (page === "landing") {
  fetch(`${location.pathname}/opened`, { method: "POST" }).catch(() => {});
}

// The first answer that is wrong is where a person goes on.
if (page === "form") document.querySelector('[aria-invalid="true"]')?.focus();

if (page === "widget") openWidget().catch(broken);

function say(words) {
  document.getElementById("status").textContent = words;
}

function broken(error) {
  say(error.limited ? "This page was opened very often today. Please try again later." : "Something went wrong. Please load this page once more.");
}

async function linkToken() {
  const answer = await fetch("/visit/token", { method: "POST" });
  if (answer.ok) return (await answer.json()).userToken;
  // The visit is over, or its form is not answered: the page says what to do.
  if (answer.status === 401 || answer.status === 409) {
    location.reload();
    return new Promise(() => {});
  }
  throw Object.assign(new Error(`no link token: ${answer.status}`), { limited: answer.status === 429 });
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
      say("You closed the window before an account was linked. You can go on where you were.");
      // A token is good for one launch.
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
