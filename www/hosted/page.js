/** The script of the hosted pages. The body's data attributes describe the page, because inline scripts are not allowed. */

const { page, template } = document.body.dataset;
/** How many files of a page are uploaded at once. */
const UPLOADS_AT_ONCE = 3;

// Programs that scan the links of emails do not run scripts, so only a browser reports that the page was opened.
if (page === "landing") {
  fetch(`${location.pathname}/opened`, { method: "POST" }).catch(() => {});
}

if (page === "form") answerForm(document.querySelector("form.questions"));

if (page === "proof") proveAddress(document.querySelectorAll("main form"));

if (page === "widget") openWidget().catch(reportFailure);

if (page === "phone") continueHere();

if (page === "hosted") enterOnce(document.querySelector("main form"));

/** Stores the answers as the person gives them, and shows the fields that the service says they lead to. */
function answerForm(form) {
  // The person continues at the first wrong answer.
  form.querySelector('[aria-invalid="true"]')?.focus();
  let request = new AbortController();
  uploadFiles(form);
  form.addEventListener("change", async ({ target }) => {
    // A file is an answer once it is uploaded.
    if (target.type === "file") return;
    request.abort();
    request = new AbortController();
    const { signal } = request;
    const body = new URLSearchParams(new FormData(form));
    // Without an answer, the service decides when the form is submitted.
    const response = await fetch("/visit/draft", { method: "POST", headers: ofVisit, body, signal }).catch(() => undefined);
    if (!response?.ok || response.redirected) return;
    const { hidden } = await response.json();
    if (signal.aborted) return;
    for (const field of form.querySelectorAll(".conditional")) {
      field.hidden = field.disabled = hidden.includes(field.dataset.field);
    }
  });
}

/** Uploads files as the person chooses them, so that a wrong answer does not send them again. */
function uploadFiles(form) {
  const running = new Set();
  const inTurn = createQueue(UPLOADS_AT_ONCE);
  const run = (work) => {
    const task = work.finally(() => running.delete(task));
    running.add(task);
  };
  form.addEventListener("change", ({ target }) => {
    if (target.type !== "file") return;
    const files = [...target.files];
    // The form must not send them, too. The same file can be chosen again after a failure.
    target.value = "";
    for (const file of files) run(uploadFile(target.closest(".upload"), file, inTurn));
  });
  form.addEventListener("submit", async (event) => {
    if (running.size) {
      event.preventDefault();
      await Promise.all(running);
      return form.requestSubmit(event.submitter);
    }
    const fault = form.querySelector(".files .fault:not([hidden])");
    if (!fault) return;
    event.preventDefault();
    warn(form);
    fault.closest("li").querySelector(".remove").focus();
  });
  form.addEventListener("click", (event) => {
    const button = event.target.closest(".remove");
    if (!button) return;
    event.preventDefault();
    run(removeFile(button.closest("li"), button));
  });
  // A page that is opened again does not continue its uploads, which would keep their place in the field.
  addEventListener("pagehide", () => {
    for (const { value } of form.querySelectorAll("li:has(progress) .remove[value]")) {
      const headers = { "Tus-Resumable": "1.0.0", ...ofVisit };
      fetch(`/visit/uploads/${value}`, { method: "DELETE", headers, keepalive: true }).catch(() => {});
    }
  });
}

/** Returns a function that runs tasks, at most `limit` at once. */
function createQueue(limit) {
  const waiting = [];
  let count = 0;
  return async (task) => {
    if (count === limit) await new Promise((resolve) => waiting.push(resolve));
    else count += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else count -= 1;
    }
  };
}

/** Says above the form that something in it is wrong. */
function warn(form) {
  let alert = form.parentElement.querySelector(".trouble");
  if (!alert) {
    alert = Object.assign(document.createElement("p"), { className: "trouble", role: "alert" });
    form.before(alert);
  }
  alert.textContent = form.dataset.wrong;
}

/** Removes a file. Its row stays with a fault if the service may still have the file. */
async function removeFile(row, button) {
  const question = row.closest(".upload");
  row.cancel?.();
  // Before it has an address, `uploadFile` removes it.
  const removed = button.value ? tus("DELETE", `/visit/uploads/${button.value}`) : undefined;
  const failure = await removed?.then(() => undefined, (error) => error);
  if (failure && failure.status !== 404) return showFault(row, failure);
  row.remove();
  question.querySelector("input").focus();
  question.closest("form").dispatchEvent(new Event("change"));
}

/** Shows the reason why a file was not uploaded or removed in its row. */
function showFault(row, { fileFault = "" }) {
  const texts = row.closest(".upload").querySelector("template").content;
  let fault = row.querySelector(".fault");
  if (!fault) {
    fault = texts.querySelector(".fault").cloneNode(true);
    row.append(fault);
  }
  row.querySelector("progress")?.remove();
  fault.textContent = (texts.querySelector(`[data-fault="${fileFault}"]`) ?? texts.lastElementChild).textContent;
  fault.hidden = false;
}

/** Uploads one file when its turn comes, and shows its progress in a row of its field. */
async function uploadFile(question, file, inTurn) {
  const row = question.querySelector("template").content.querySelector("li").cloneNode(true);
  const [name, progress, button] = row.children;
  name.textContent = file.name;
  progress.ariaLabel = file.name;
  button.title = button.ariaLabel = button.title.replace("{}", () => file.name);
  question.querySelector(".files").append(row);
  const stopped = new AbortController();
  const { signal } = stopped;
  row.cancel = () => stopped.abort();
  const encode = (text) => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
  try {
    await inTurn(async () => {
      if (signal.aborted) return;
      const created = await announce(signal, {
        "Upload-Length": file.size,
        "Upload-Metadata": `field ${encode(question.dataset.field)},filename ${encode(file.name)}`,
      });
      const address = created.getResponseHeader("Location");
      if (signal.aborted) return tus("DELETE", address);
      button.value = address.split("/").pop();
      await sendBytes(address, file, progress, signal);
    });
    if (signal.aborted) return;
    progress.remove();
    row.querySelector(".fault").remove();
    question.closest("form").dispatchEvent(new Event("change"));
  } catch (error) {
    if (!signal.aborted) showFault(row, error);
  }
}

/** Announces a file. If the service is busy, it asks again, up to 5 times. */
async function announce(signal, headers) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await tus("POST", "/visit/uploads", headers);
    } catch (error) {
      if (error.status !== 429 || signal.aborted || tries === 5) throw error;
      await wait(Math.max(error.retryAfter, 2 ** tries));
    }
  }
}

/** Sends the bytes of a file. After an interruption, it continues where the service is, up to 5 times without progress. */
async function sendBytes(address, file, progress, signal) {
  // The visit has ended, or the file was removed.
  const isFinal = ({ status, fileFault }) => fileFault || status === 401 || status === 404;
  let offset = 0;
  for (let tries = 0; ; tries += 1) {
    try {
      const headers = { "Content-Type": "application/offset+octet-stream", "Upload-Offset": offset };
      const onProgress = ({ loaded }) => (progress.value = (offset + loaded) / file.size);
      await tus("PATCH", address, headers, file.slice(offset), onProgress, signal);
      return;
    } catch (error) {
      if (signal.aborted || isFinal(error) || tries === 5) throw error;
      await wait(Math.max(error.retryAfter, 2 ** tries));
    }
    const found = await tus("HEAD", address).catch((error) => {
      if (isFinal(error)) throw error;
    });
    const received = Number(found?.getResponseHeader("Upload-Offset") ?? offset);
    if (received > offset) [offset, tries] = [received, 0];
  }
}

function wait(seconds) {
  return new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
}

/** Sends a request of tus. `fetch` does not report the progress of a body. */
function tus(method, address, headers = {}, body = undefined, onProgress = undefined, signal = undefined) {
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    request.open(method, address);
    for (const [name, value] of Object.entries({ "Tus-Resumable": "1.0.0", ...ofVisit, ...headers })) {
      request.setRequestHeader(name, value);
    }
    request.upload.onprogress = onProgress;
    signal?.addEventListener("abort", () => request.abort());
    request.onloadend = () => {
      const { status } = request;
      if (status >= 200 && status < 300) return resolve(request);
      let problem;
      try {
        problem = JSON.parse(request.responseText);
      } catch {
        // The connection broke, or the response is not of the service.
      }
      const retryAfter = Math.min(Number(request.getResponseHeader("Retry-After")) || 0, 60);
      const details = { status, retryAfter, fileFault: problem?.fileFault };
      reject(Object.assign(new Error(`${method} ${status}`), details));
    };
    request.send(body);
  });
}

/** Sends each form once: a second press would use up an attempt, or be too early for another code. */
function proveAddress(forms) {
  document.querySelector('[aria-invalid="true"]')?.focus();
  forms.forEach(enterOnce);
}

/** Sends a form that works once. The browser would drop the response to the first of two presses, and the visit with it. */
function enterOnce(form) {
  let isSent = false;
  form.addEventListener("submit", (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });
  addEventListener("pageshow", ({ persisted }) => (isSent &&= !persisted));
  // The address of an app is not in a message, so no program opens it before the person.
  if ("atOnce" in form.dataset) form.requestSubmit();
}

/** Shows a text that the page has in its language, or none. */
function say(name) {
  const status = document.getElementById("status");
  status.textContent = name ? status.dataset[name] : "";
}

function reportFailure(error) {
  console.error(error);
  say(error.limited ? "limited" : "broken");
}

async function linkToken() {
  const response = await fetch("/visit/token", { method: "POST", headers: ofVisit });
  if (response.ok) return (await response.json()).userToken;
  // The visit has ended, or its form is missing. The reloaded page says what to do.
  if (response.status === 401 || response.status === 409) {
    reload();
    return new Promise(() => {});
  }
  throw Object.assign(new Error(`no link token: ${response.status}`), { limited: response.status === 429 });
}

/** Reports that the widget of a hosted link closed, and goes back to the company. Returns whether there is a way back. */
async function goBack(link) {
  const response = await fetch("/visit/finish", { method: "POST" }).catch(() => undefined);
  const { returnUrl } = response?.ok ? await response.json() : {};
  if (!returnUrl) return false;
  // A browser may open an app only after a press.
  link.href = returnUrl;
  link.hidden = false;
  location.replace(returnUrl);
  return true;
}

/** Asks for the way to a provider's login page, because the frame cannot lead this page away. Nothing if no login waits there. */
async function findWay(accountId) {
  const response = await fetch(`/visit/sign-in/${encodeURIComponent(accountId)}`, { method: "POST", headers: ofVisit });
  if (response.ok) return response.status === 200 ? (await response.json()).path : undefined;
  const { status } = response;
  throw Object.assign(new Error(`no way: ${status}`), { limited: status === 429, isOver: status === 401 });
}

async function openWidget() {
  const button = document.getElementById("connect");
  const back = document.getElementById("return");
  // A link to the provider's page, which no browser blocks. Only in a frame.
  const tab = document.getElementById("tab");
  let isDone = false;
  let way;
  let trouble;
  const leave = async (accountId) => {
    const asked = way;
    try {
      const path = await asked?.catch(() => findWay(accountId));
      // The person may have closed the widget, or the next challenge may be there.
      if (!path || way !== asked || lead(path)) return;
      tab.href = path;
      tab.hidden = false;
      modal.close();
    } catch (error) {
      if (way !== asked) return;
      if (error.isOver) return reload();
      trouble = error;
      modal.close();
    }
  };
  const modal = new LinkModal({
    templateId: template,
    userToken: await linkToken(),
    locale: document.documentElement.lang,
    onAccountConnected: () => (isDone = true),
    onUploadsCreated: () => (isDone = true),
    onTokenExpired: linkToken,
    onUIEvent({ eventName, account }) {
      // Asked before the press: after the answer to another challenge, a login may wait that was not pressed.
      if (eventName === "MfaPageOpened") (way = findWay(account.accountId)).catch(() => {});
      if (eventName === "MfaSubmitted") leave(account.accountId);
    },
    async onClose() {
      makeRoom(false);
      const failure = trouble;
      way = trouble = undefined;
      if (!failure && back && (await goBack(back))) {
        button.hidden = true;
        return back.focus();
      }
      if (!failure && isDone) return goOn();
      if (failure) reportFailure(failure);
      else say("closed");
      // A token is valid for one launch.
      button.disabled = true;
      await linkToken().then((token) => modal.setToken(token), reportFailure);
      button.disabled = false;
      (tab && !tab.hidden ? tab : button).focus();
    },
  });
  modal.on("error", reportFailure);
  const open = () => {
    makeRoom(true);
    if (tab) tab.hidden = true;
    modal.open();
  };
  button.addEventListener("click", open);
  button.disabled = false;
  say();
  open();
}

/** Continues a step of the widget with the code that the person scanned. */
function continueHere() {
  const userToken = location.hash.slice(1);
  // The code works once, so it must not stay in the address bar and the history.
  history.replaceState(null, "", location.pathname);
  // Another token would open the whole widget, without the warning of a stranger's code.
  if (!userToken.startsWith("lph_")) return say("scan");
  const { lang: locale } = document.documentElement;
  const modal = new LinkModal({ templateId: template, userToken, locale, onClose: () => say("done") });
  modal.on("error", reportFailure);
  say();
  modal.open();
}
