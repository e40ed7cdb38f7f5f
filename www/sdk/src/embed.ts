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

/** Returns the address of the frame. From the query of this page, it has only the values whose names the element lists. */
function addressOf({ linchpinSite, linchpinPrefill = "" }: DOMStringMap): URL {
  const address = new URL(linchpinSite!);
  address.pathname += "/embed";
  const query = new URLSearchParams(location.search);
  for (const name of linchpinPrefill.split(" ")) {
    const value = query.get(name);
    if (name && value !== null) address.searchParams.set(name, value);
  }
  return address;
}

function show(place: HTMLElement): void {
  const { origin, href } = addressOf(place.dataset);
  const frame = Object.assign(document.createElement("iframe"), {
    title: place.dataset.linchpinTitle ?? origin,
    loading: "lazy",
    referrerPolicy: "strict-origin",
  });
  frame.setAttribute("sandbox", SANDBOX);
  frame.style.cssText = `display:block;width:100%;border:0;height:${FIRST_HEIGHT}px`;
  let height = 0;
  addEventListener("message", ({ source, origin: from, data }) => {
    const message: SiteMessage | null = data;
    if (source !== frame.contentWindow || from !== origin || message?.linchpin !== "site") return;
    if (typeof message.height === "number" && message.height > 0) {
      // Several messages may arrive before the page is drawn. The last one counts.
      if (!height) requestAnimationFrame(() => {
        frame.style.height = `${Math.min(Math.max(height, MIN_HEIGHT), MAX_HEIGHT)}px`;
        height = 0;
      });
      height = Math.ceil(message.height);
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
  });
  frame.onload = () => frame.contentWindow!.postMessage({ linchpin: "embed" }, origin);
  frame.src = href;
  place.replaceChildren(frame);
}

function embedAll(): void {
  for (const place of document.querySelectorAll<HTMLElement>("[data-linchpin-site]")) {
    try {
      if (!place.querySelector("iframe[sandbox]")) show(place);
    } catch (error) {
      // An element with a wrong address must not hide the others.
      reportError(error);
    }
  }
}

(window as unknown as { linchpinEmbed: () => void }).linchpinEmbed = embedAll;
if (document.readyState === "loading") addEventListener("DOMContentLoaded", embedAll);
else embedAll();
