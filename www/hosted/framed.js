/**
 * What the pages of a link site do in a frame (ADR 282). No cookie is sent there, so the page has the visit's secret. It is
 * kept for this tab, so that a person who reloads the page around the frame continues the visit.
 */

const { origins, visit, session, submitted, over } = document.body.dataset;
// No other script of this origin finds it in the page.
delete document.body.dataset.visit;
const isFramed = parent !== window && Boolean(origins);
/** The headers that name the visit. None if a cookie names it. */
const ofVisit = visit ? { "Linchpin-Visit": visit } : {};
/** The address of the first page. */
const FIRST = location.pathname.replace(/\/(form|proof)$/, "") + location.search;
/** The query may name the person, and another person begins another visit. */
const KEPT = `linchpin-visit ${FIRST}`;

if (origins !== undefined) continueVisit();
if (isFramed) talkToParent(origins.split(" "));

/** Remembers the visit until its end, and continues it on the first page. The page of a passing failure changes nothing. */
function continueVisit() {
  const { page } = document.body.dataset;
  let kept;
  try {
    // If the visit is over, the response is the first page again, which must not ask again.
    if (over || page === "done") sessionStorage.removeItem(KEPT);
    else if (visit) sessionStorage.setItem(KEPT, visit);
    kept = sessionStorage.getItem(KEPT);
  } catch {
    // The browser keeps nothing for frames of other sites.
  }
  // This page is the response to a form. If it is loaded again, the form must not be sent again: it may begin another visit.
  if (visit && kept) history.replaceState(null, "", FIRST);
  if (page === "start" && kept) sendVisit(kept);
}

/** Asks for the step that is next. An address would show the secret to others, so a form sends it. */
function sendVisit(secret) {
  const form = Object.assign(document.createElement("form"), { method: "post", action: FIRST });
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

/**
 * Leads to the provider's page. It does not work in a frame, so a tab opens there, by the press on the widget's button. If the
 * browser blocks the tab, returns false.
 */
function lead(path) {
  if (!visit) {
    location.assign(path);
    return true;
  }
  const tab = open(path);
  // The provider's page cannot lead the frame away.
  if (tab) tab.opener = null;
  return Boolean(tab);
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
