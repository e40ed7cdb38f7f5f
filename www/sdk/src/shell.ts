import type { LinkOptions } from "./options";

/**
 * The elements on the host page: a native dialog, a backdrop, a card and, until the frame has answered, a cover. They are
 * in a shadow root, so that the host's rules do not match them (ADR 147). Styles are set through CSSOM, so that a strict
 * CSP does not block them.
 */
export interface Shell {
  readonly dialog: HTMLDialogElement;
  /** Adds a frame behind the cover. Its URL is the address with the locale as the hash. */
  load(address: string): HTMLIFrameElement;
  show(): void;
  /** Covers the frame, with a button to close and, if `retry` is given, a failure and a button that calls it. */
  cover(retry?: () => void): void;
  /** Uncovers the frame, also when the dialog is shown later, and focuses it. */
  reveal(): void;
  /** Reverts all changes to the page. */
  remove(): void;
}

const TITLE = "Connect an account";
const BUTTON = "font:inherit;border:0;border-radius:10px;padding:15px;";
const OVER = "position:absolute;inset:0;";
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

/** `leave` is called when the person wants to close. `sure` is set if the browser has closed the dialog or nothing is lost. */
export function createShell({ container, theme, locale }: LinkOptions, leave: (sure: unknown) => void): Shell {
  const host = document.createElement("linchpin-modal");
  // An important inline style wins over every rule of the host.
  host.style.cssText = "all:initial!important;direction:ltr!important;display:contents!important";
  const root = host.attachShadow({ mode: "open" });
  const dialog = draw(
    "dialog",
    `min-width:100%;min-height:100%;padding:0;border:0;outline:0;pointer-events:auto;color-scheme:${
      theme && theme !== "system" ? theme : "light dark"
    };${container ? "position:relative" : "background:#0f12198c"}`,
    {
      ariaLabel: TITLE,
      // A click next to a control focuses the dialog. Otherwise the next Escape would go to the host page.
      tabIndex: -1,
      onclose: leave,
      oncancel: (event: Event) => leave(event.preventDefault()),
    },
  );
  // Below 480 px, the term with the factor 999 dominates, so that the card fills the window.
  const card = draw(
    "div",
    container
      ? OVER
      : `${OVER}margin:auto;overflow:hidden;background:Canvas;width:min(100vw,max(420px,(480px - 100vw)*999));height:min(100dvh,max(min(680px,100dvh - 32px),(480px - 100vw)*999));border-radius:clamp(0px,(100vw - 480px)*999,16px)`,
  );
  const scrollLock = new CSSStyleSheet();
  // Modal libraries of the host set these attributes on all other elements.
  // If the page removes the modal, for example with its body, nothing else would undo the scroll lock.
  const guard = new MutationObserver(() =>
    host.isConnected ? Object.assign(host, { inert: false, ariaHidden: null }) : leave(true),
  );
  const life = new AbortController();
  let frame: HTMLIFrameElement | undefined;
  let screen: HTMLElement | undefined;
  /** Popovers of the host, which the browser closes when the dialog opens. Set from then on. */
  let popovers: NodeListOf<HTMLElement> | undefined;

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
    dialog,

    load(address) {
      frame = draw("iframe", `${OVER}border:0;width:100%;height:100%`, {
        title: TITLE,
        name: container ? "inline" : "",
        // While the cover is shown, Tab must not enter the frame behind it.
        inert: true,
        referrerPolicy: "strict-origin",
        sandbox: "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox",
        // With the locale in its URL, the frame can load its texts at once.
        src: [address, locale].join("#"),
      });
      card.prepend(frame);
      // The frame does not handle Escape yet.
      this.cover();
      return frame;
    },

    show() {
      guard.observe(document, { childList: true, subtree: true });
      popovers = document.querySelectorAll("popover" in host ? ":popover-open" : "_");
      if (container) dialog.show();
      else {
        // A separate style sheet changes no attribute of the page, so none must be restored. An important rule in a
        // layer wins over those outside of layers.
        const gutter = innerWidth > document.documentElement.clientWidth ? "stable" : "auto";
        scrollLock.replaceSync(`@layer linchpin{html{overflow:hidden!important;scrollbar-gutter:${gutter}!important}}`);
        document.adoptedStyleSheets.push(scrollLock);
        host.style.setProperty("zoom", `${1 / (document.body.currentCSSZoom || 1)}`, "important");
        dialog.showModal();
      }
    },

    cover(retry) {
      screen?.remove();
      screen = draw("div", `${OVER}background:Canvas;color:CanvasText;font:15px system-ui;display:grid;place-content:center;text-align:center`);
      if (retry) {
        screen.append(
          draw("p", "", { role: "status", textContent: "This did not load" }),
          draw("button", `${BUTTON}background:CanvasText;color:Canvas`, { textContent: "Try again", onclick: retry }),
        );
      }
      screen.append(
        draw("button", `${BUTTON}${OVER}inset:4px 4px auto auto;background:none`, { textContent: "Close", onclick: leave }),
      );
      card.append(screen);
      screen.querySelector("button")!.focus({ preventScroll: true });
    },

    reveal() {
      screen?.remove();
      frame!.inert = false;
      frame!.focus({ preventScroll: true });
    },

    remove() {
      guard.disconnect();
      life.abort();
      if (popovers) {
        // The Escape that closed the modal is released afterwards, on the host page.
        addEventListener("keyup", (event) => event.key === "Escape" && event.stopImmediatePropagation(), {
          capture: true,
          signal: AbortSignal.timeout(1_000),
        });
        // Before the dialog closes, because it returns the focus, which may have been in a popover.
        for (const popover of popovers) if (popover.isConnected) popover.togglePopover(true);
      }
      dialog.onclose = null;
      dialog.close();
      host.remove();
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== scrollLock);
    },
  };
}
