import type { LinkOptions } from "./options";

/**
 * Everything the host page gets to see of us: a native dialog, a scrim, a card and, until the frame has drawn its first
 * screen, a calm wait. Styles go through CSSOM, so a strict CSP has nothing to refuse and the host's own rules nothing
 * to hold on to.
 */
export interface Shell {
  readonly dialog: HTMLDialogElement;
  /** Adds a frame behind the cover. */
  load(address: string): HTMLIFrameElement;
  show(): void;
  /** Covers the frame: with a wait or, given what a new try does, with the failure. */
  cover(retry?: () => void): void;
  /** Uncovers the frame and gives it the focus. */
  reveal(): void;
  /** Takes back all that was done to the page. */
  remove(): void;
}

const TITLE = "Connect an account";
const BUTTON = "font:inherit;border:0;border-radius:10px;padding:15px;";
const OVER = "position:absolute;inset:0;";

/** `all:revert` undoes the host's rules for that element. */
function draw<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  css: string,
  properties?: object,
): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  element.style.cssText = `all:revert;${css}`;
  return Object.assign(element, properties);
}

/** `leave` hears that the person wants out; `sure` when the browser has closed the dialog or nothing could be lost. */
export function createShell({ container, theme, locale }: LinkOptions, leave: (sure: unknown) => void): Shell {
  const dialog = draw(
    "dialog",
    `min-width:100%;min-height:100%;padding:0;border:0;pointer-events:auto;color-scheme:${
      theme && theme !== "system" ? theme : "light dark"
    };${container ? "position:relative" : "background:#0f12198c"}`,
    {
      ariaLabel: TITLE,
      onclose: leave,
      oncancel: (event: Event) => leave(event.preventDefault()),
    },
  );
  // Below 480 px the factor outweighs the card's measures: it becomes a sheet.
  const card = draw(
    "div",
    container
      ? OVER
      : `${OVER}margin:auto;overflow:hidden;background:Canvas;width:min(100vw,max(420px,(480px - 100vw)*999));height:min(100dvh,max(min(680px,100dvh - 32px),(480px - 100vw)*999));border-radius:clamp(0px,(100vw - 480px)*999,16px)`,
  );
  const scrollLock = new CSSStyleSheet();
  // Modal libraries of the host hide all that is not theirs, and we are not.
  const guard = new MutationObserver(() => Object.assign(dialog, { inert: false, ariaHidden: null }));
  let frame: HTMLIFrameElement;
  let screen: HTMLElement | undefined;

  dialog.append(card);
  (container ?? document.body).append(dialog);
  guard.observe(dialog, { attributeFilter: ["inert", "aria-hidden"] });

  return {
    dialog,

    load(address) {
      frame = draw("iframe", `${OVER}border:0;width:100%;height:100%`, {
        title: TITLE,
        referrerPolicy: "strict-origin",
        sandbox: "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox",
        // By the language in its address the frame has its texts load at once, with all the rest.
        src: [address, locale].join("#"),
      });
      card.prepend(frame);
      return frame;
    },

    show() {
      if (container) dialog.show();
      else {
        // A style sheet of our own: no attribute of the page changes, so there is none to restore.
        const gutter = innerWidth > document.documentElement.clientWidth ? "stable" : "auto";
        scrollLock.replaceSync(`html{overflow:hidden!important;scrollbar-gutter:${gutter}}`);
        document.adoptedStyleSheets.push(scrollLock);
        dialog.showModal();
      }
      // Now, as the dialog gave the focus to the frame, where nobody would hear Escape yet.
      this.cover();
    },

    cover(retry) {
      screen?.remove();
      screen = draw(
        "div",
        `${OVER}background:Canvas;color:CanvasText;font:15px system-ui;display:grid;place-items:center;place-content:center`,
      );
      screen.append(
        draw("p", "", {
          role: "status",
          textContent: retry ? "This did not load" : "One moment",
        }),
        retry
          ? draw("button", `${BUTTON}background:CanvasText;color:Canvas`, {
              textContent: "Try again",
              onclick: retry,
            })
          : draw("progress", "accent-color:CanvasText"),
        draw("button", `${BUTTON}${OVER}inset:4px 4px auto auto;background:none`, {
          textContent: "Close",
          onclick: leave,
        }),
      );
      card.append(screen);
      screen.querySelector("button")!.focus();
    },

    reveal() {
      screen?.remove();
      frame.focus({ preventScroll: true });
    },

    remove() {
      guard.disconnect();
      dialog.onclose = null;
      dialog.close();
      dialog.remove();
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== scrollLock);
    },
  };
}
