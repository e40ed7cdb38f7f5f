import type { Help } from "./helper";
import type { LinkOptions } from "./options";

/**
 * The elements on the host page: a native dialog, a backdrop, a card and, until the frame has answered, a cover. They are
 * in a shadow root, so that the host's rules do not match them (ADR 147). Styles are set through CSSOM, so that a strict
 * CSP does not block them.
 */
export interface Shell {
  readonly element: HTMLDialogElement;
  /** Adds a frame behind the cover. Its URL is the address with the locale as the hash. */
  loadFrame(address: string): HTMLIFrameElement;
  showDialog(): void;
  /** Covers the frame, with a button to close. With a cause, shows that failure and a button that calls `retry`. */
  coverFrame(cause?: string, retry?: () => void): void;
  /** Writes the texts again, because the locale has changed. */
  translate(): void;
  /** Uncovers the frame, also when the dialog is shown later, and focuses it. */
  reveal(): void;
  /** Reverts all changes to the page. */
  removeAll(): void;
}

const TITLE = "Connect an account";
/** An important inline style wins over every rule of the host. */
const RESET = "all:initial!important;direction:ltr!important;display:contents!important";
const OVER = "position:absolute;inset:0;";
/** The card of a dialog. In a narrow window, it fills the window. */
const CARD =
  "dialog>div{margin:auto;overflow:hidden;background:Canvas;width:420px;height:min(680px,100dvh - 32px);border-radius:16px}@media(width<480px){dialog>div{width:100vw;height:100dvh;border-radius:0}}";
/** When the texts are translated: a first open must not load more than it needs. */
const LATER_MS = 1_500;
/** The events that modal libraries of a host listen to, to notice that the person uses something outside their modal. */
const ISOLATED = "pointerdown pointerup mousedown mouseup touchstart touchend click keydown keyup focusin".split(" ");

function draw<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  css: string,
  properties?: object,
): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  element.style.cssText = css;
  return Object.assign(element, properties);
}

/**
 * `leave` is called when the person wants to close. `sure` is set if the browser has closed the dialog or nothing is lost. It is
 * the click, if there was one.
 */
export function createShell(
  options: LinkOptions,
  advise: (use: (help: Help) => void) => void,
  leave: (sure: unknown) => void,
): Shell {
  const { theme } = options;
  // In a container that is not on the page, nothing would be visible.
  const container = options.container?.isConnected ? options.container : undefined;
  const host = document.createElement("linchpin-modal");
  host.style.cssText = RESET;
  const root = host.attachShadow({ mode: "open" });
  const dialog = draw(
    "dialog",
    `min-width:100%;padding:0;border:0;outline:0;pointer-events:auto;color-scheme:${
      theme === "light" || theme === "dark" ? theme : "light dark"
    };${container ? "position:relative;height:100%;min-height:240px;overflow:hidden" : "min-height:100%;background:#0f12198c"}`,
    {
      ariaLabel: TITLE,
      // A click next to a control focuses the dialog. Otherwise the next Escape would go to the host page.
      tabIndex: -1,
      onclose: leave,
      oncancel: (event: Event) => leave(event.preventDefault()),
    },
  );
  const card = draw("div", OVER);
  const cardStyle = new CSSStyleSheet();
  const scrollLock = new CSSStyleSheet();
  // Modal libraries of the host set these attributes on all other elements.
  // If the page removes the modal, for example with its body, nothing else would undo the scroll lock.
  const guard = new MutationObserver(() =>
    host.isConnected ? Object.assign(host, { inert: false, ariaHidden: null }) : leave(true),
  );
  const life = new AbortController();
  let frame: HTMLIFrameElement | undefined;
  let screen: HTMLElement | undefined;
  /** The failure that the screen shows. */
  let failure: string | undefined;
  /** Popovers of the host, which the browser closes when the dialog opens. Set from then on. */
  let popovers: NodeListOf<HTMLElement> | undefined;

  // Gives the dialog its size if the container has no definite one: then 100 % is the size of the content.
  if (container) dialog.append(draw("div", "height:640px;width:280px"));
  else {
    cardStyle.replaceSync(CARD);
    root.adoptedStyleSheets = [cardStyle];
  }
  dialog.append(card);
  root.append(dialog);
  (container ?? document.body).append(host);
  guard.observe(host, { attributeFilter: ["inert", "aria-hidden"] });
  for (const type of ISOLATED) {
    // The earliest listener of an event: libraries listen in the capture phase, too, but on the document.
    addEventListener(
      type,
      (event) => {
        const target = event.composedPath()[0] as HTMLElement;
        // While the focus is nowhere, for example after Tab in the last control, keys reach the body.
        if (!root.contains(target) && !(target === document.body && dialog.matches(":modal"))) return;
        event.stopImmediatePropagation();
        if (type === "click") target.closest("button")?.onclick?.(event as PointerEvent);
      },
      { capture: true, signal: life.signal },
    );
  }

  return {
    element: dialog,

    loadFrame(address) {
      frame = draw("iframe", `${OVER}border:0;width:100%;height:100%`, {
        title: TITLE,
        name: container ? "inline" : "",
        // While the cover is shown, Tab must not enter the frame behind it.
        inert: true,
        referrerPolicy: "strict-origin",
        sandbox: "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox",
        // With the locale in its URL, the frame can load its texts at once.
        src: `${address}#${String(options.locale ?? "")}`,
      });
      card.prepend(frame);
      // The frame does not handle Escape yet.
      this.coverFrame();
      return frame;
    },

    showDialog() {
      guard.observe(document, { childList: true, subtree: true });
      // The frame may have loaded long before.
      setTimeout(this.translate, LATER_MS);
      popovers = document.querySelectorAll("popover" in host ? ":popover-open" : "_");
      if (container) dialog.show();
      else {
        // A separate style sheet changes no attribute of the page, so none must be restored. An important rule in a
        // layer wins over those outside of layers.
        const gutter = innerWidth > document.documentElement.clientWidth ? "stable" : "auto";
        scrollLock.replaceSync(`@layer linchpin{html{overflow:hidden!important;scrollbar-gutter:${gutter}!important}}`);
        document.adoptedStyleSheets.push(scrollLock);
        host.style.cssText = `${RESET};zoom:${1 / (document.body.currentCSSZoom || 1)}!important`;
        dialog.showModal();
      }
    },

    coverFrame(cause, retry) {
      screen?.remove();
      failure = cause;
      screen = draw("div", `${OVER}background:Canvas;font:15px system-ui;display:grid;place-content:center`);
      const status = draw("output", cause ? "" : `${OVER}inset:80px 38% auto 24px;height:22px;background:#8883`);
      screen.append(status);
      if (cause) {
        status.textContent = "Not loaded. Offline?";
        screen.append(draw("button", "", { textContent: "Try again", onclick: retry }));
      }
      screen.append(
        draw("button", `${OVER}inset:9px 9px auto auto`, { textContent: "Close", onclick: leave }),
      );
      card.append(screen);
      screen.querySelector("button")!.focus({ preventScroll: true });
      setTimeout(this.translate, cause ? 0 : LATER_MS);
    },

    translate() {
      advise((help) => help.screen({ dialog, frame, cover: screen }, options, failure));
    },

    reveal() {
      screen?.remove();
      frame!.inert = false;
      frame!.focus({ preventScroll: true });
    },

    removeAll() {
      guard.disconnect();
      life.abort();
      // Before the dialog closes, because it returns the focus, which may have been in a popover.
      for (const popover of popovers ?? []) if (popover.isConnected) popover.togglePopover(true);
      dialog.onclose = null;
      dialog.close();
      host.remove();
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== scrollLock);
    },
  };
}
