/**
 * What the pages of a link site do in a frame (ADR 282). No cookie is sent there, so the page has the visit's secret. It is
 * kept for this tab, so that a person who reloads the page around the frame continues the visit.
 */

const { origins, visit, session, submitted } = document.body.dataset;
const isFramed = parent !== window && Boolean(origins);
/** The headers that name the visit. None if a cookie names it. */
const ofVisit = visit ? { "Linchpin-Visit": visit } : {};
const PATH = location.pathname.replace(/\/form$/, "");
const KEPT = `linchpin-visit ${PATH}`;

if (origins !== undefined) continueVisit();
if (isFramed) talkToParent(origins.split(" "));

/** Remembers the visit until its end, and continues it on the first page. */
function continueVisit() {
  const { page } = document.body.dataset;
  let kept;
  try {
    kept = sessionStorage.getItem(KEPT);
    // If the visit is over, the response is the first page again, which must not ask again.
    sessionStorage.removeItem(KEPT);
    if (visit && page !== "done") sessionStorage.setItem(KEPT, visit);
  } catch {
    // The browser keeps nothing for frames of other sites.
  }
  if (page === "start" && kept) sendVisit(kept);
}

/** Asks for the step that is next. An address would show the secret to others, so a form sends it. */
function sendVisit(secret) {
  const form = Object.assign(document.createElement("form"), { method: "post", action: PATH + location.search });
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "_visit", value: secret }));
  document.body.append(form);
  form.submit();
}

/** Goes to the end page. */
function goOn() {
  if (visit) sendVisit(visit);
  else location.assign("/visit/done");
}

/** Shows the step that is next, for example if the form is missing or the visit is over. */
function reload() {
  if (visit) sendVisit(visit);
  else location.reload();
}

/** Leads to the provider's page. It does not work in a frame, so a tab opens there, by the press on the widget's button. */
function lead(path) {
  if (visit) open(path);
  else location.assign(path);
}

/** Gives the widget the height that it needs. In a frame, it is not higher than the page. */
function makeRoom(isNeeded) {
  document.body.classList.toggle("roomy", isNeeded && isFramed);
}

/** Reports height, steps and faults to the page around the frame. */
function talkToParent(allowed) {
  document.body.classList.add("framed");
  let target;
  const tell = (message) => target && parent.postMessage({ linchpin: "site", ...message }, target);
  const begin = (origin) => {
    // Only a page that the site allows learns anything, and never with the target `*`.
    if (target || !allowed.includes(origin)) return;
    target = origin;
    const { title, body } = document;
    new ResizeObserver(() => tell({ height: Math.ceil(body.getBoundingClientRect().height), title })).observe(body);
    if (submitted) tell({ event: "submitted", linkSiteSessionId: session });
    if (body.dataset.page === "done") tell({ event: "ended", linkSiteSessionId: session });
    // After a press in the frame, the person continues at its top, or at the first wrong answer.
    const fault = document.querySelector('[aria-invalid="true"], .trouble');
    if (visit) tell({ top: fault ? fault.closest(".question, .card").getBoundingClientRect().top : 0 });
  };
  addEventListener("message", ({ source, origin, data }) => {
    if (source === parent && data?.linchpin === "embed") begin(origin);
  });
  // Some browsers do not say which page is around the frame. There, its script says it.
  begin(location.ancestorOrigins?.[0]);
}
