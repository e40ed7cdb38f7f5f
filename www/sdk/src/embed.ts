/**
 * `/sdk/embed.js`: shows link sites in frames that are as high as their content (ADR 282).
 *
 * `<div data-linchpin-site="https://…/s/slug"></div>` becomes a frame. A page that adds one later calls `linchpinEmbed()`.
 */

/** What a page of a link site reports. */
interface SiteMessage {
  linchpin?: unknown;
  height?: unknown;
  title?: unknown;
  top?: unknown;
  event?: unknown;
  linkSiteSessionId?: unknown;
}

/** Heights of a frame in pixels. A page of the site cannot cover more of the page around it. */
const MIN_HEIGHT = 120;
const MAX_HEIGHT = 10_000;
const FIRST_HEIGHT = 480;
const SANDBOX =
  "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation";

/** The service that this script comes from, and the start of the addresses of its link sites. */
const { origin: SERVICE } = new URL((document.currentScript as HTMLScriptElement).src);
const SITES = `${SERVICE}/s/`;
/** Heights of frames that the browser is about to draw. */
const heights = new Map<HTMLIFrameElement, number>();

const frameIn = (place: Element): HTMLIFrameElement | null => place.querySelector("iframe[sandbox]");
const places = (): NodeListOf<HTMLElement> => document.querySelectorAll("[data-linchpin-site]");

/** Returns the address of the frame. From the query of this page, it has only the values whose names the element lists. */
function addressOf({ linchpinSite, linchpinPrefill = "" }: DOMStringMap): string {
  const address = new URL(linchpinSite!);
  address.pathname = address.pathname.replace(/\/*$/, "/embed");
  const query = new URLSearchParams(location.search);
  for (const name of linchpinPrefill.split(" ")) {
    const value = query.get(name);
    if (name && value !== null) address.searchParams.set(name, value);
  }
  // Text of other people may be able to contain the element, but must not run a script or show another page.
  if (!address.href.startsWith(SITES)) throw new Error(`Not a link site of ${SERVICE}: ${linchpinSite}`);
  return address.href;
}

function show(place: HTMLElement): void {
  const src = addressOf(place.dataset);
  const frame = Object.assign(document.createElement("iframe"), {
    title: place.dataset.linchpinTitle ?? SERVICE,
    loading: "lazy",
    referrerPolicy: "strict-origin",
  });
  frame.setAttribute("sandbox", SANDBOX);
  frame.style.cssText = `display:block;width:100%;border:0;height:${FIRST_HEIGHT}px`;
  frame.onload = () => frame.contentWindow!.postMessage({ linchpin: "embed" }, SERVICE);
  frame.src = src;
  place.replaceChildren(frame);
}

function receive(place: HTMLElement, frame: HTMLIFrameElement, message: SiteMessage): void {
  if (typeof message.height === "number" && message.height > 0) {
    // Several messages may arrive before the page is drawn. The last one counts.
    if (!heights.has(frame)) requestAnimationFrame(() => {
      frame.style.height = `${Math.min(Math.max(heights.get(frame)!, MIN_HEIGHT), MAX_HEIGHT)}px`;
      heights.delete(frame);
    });
    heights.set(frame, Math.ceil(message.height));
    if (!place.dataset.linchpinTitle && message.title) frame.title = String(message.title).slice(0, 200);
  }
  if (typeof message.top === "number" && document.activeElement === frame) {
    // Only for a person who uses the frame, and only within it.
    const { top, height: own } = frame.getBoundingClientRect();
    const at = top + Math.min(Math.max(message.top, 0), own);
    if (at < 0 || at > innerHeight * 0.8) scrollBy(0, at - 16);
  }
  const name = message.event;
  if (name === "submitted" || name === "ended") {
    const detail = { linkSiteSessionId: String(message.linkSiteSessionId) };
    place.dispatchEvent(new CustomEvent(`linchpin:${name}`, { bubbles: true, detail }));
  }
}

addEventListener("message", ({ source, origin, data }) => {
  if (!source || origin !== SERVICE || data?.linchpin !== "site") return;
  for (const place of places()) {
    const frame = frameIn(place);
    if (frame?.contentWindow === source) receive(place, frame, data);
  }
});

function embedAll(): void {
  for (const place of places()) {
    try {
      if (!frameIn(place)) show(place);
    } catch (error) {
      // An element with a wrong address must not hide the others.
      reportError(error);
    }
  }
}

(window as unknown as { linchpinEmbed: () => void }).linchpinEmbed = embedAll;
if (document.readyState === "loading") addEventListener("DOMContentLoaded", embedAll);
else embedAll();
