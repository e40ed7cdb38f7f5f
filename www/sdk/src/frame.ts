import type { FrameMessage, HostMessage, LoadFailure } from "./protocol";
import type { Shell } from "./shell";

/** A running frame and the connection to it. */
export interface Frame {
  send(message: HostMessage): void;
  stop(): void;
}

const HELLO_MS = 10_000;
/** How long the question for a port may arrive after the page has loaded. */
const LOADED_MS = 1_000;

/**
 * Puts the frame into the shell. Only a page of the frame's exact origin can use the port that it gets. `first` returns the
 * message that it gets with the port. If the frame cannot report its failure, `receive` gets a `failed` message anyway.
 */
export function startFrame(
  shell: Shell,
  { origin, href }: URL,
  receive: (message: FrameMessage) => void,
  first: () => HostMessage | false,
): Frame {
  const iframe = shell.loadFrame(href);
  const life = new AbortController();
  const screen = visualViewport!;
  const fail = (
    cause: LoadFailure = navigator.onLine ? "blocked" : "network",
    detail = href,
  ): void => receive({ failed: { cause, detail } });
  const overdue = setTimeout(fail, HELLO_MS);
  let port: MessagePort | undefined;
  let answered = false;
  const send = (message: HostMessage): void => port?.postMessage(message);

  addEventListener(
    "securitypolicyviolation",
    (event) => {
      if (event.disposition === "enforce" && event.effectiveDirective === "frame-src" && href.startsWith(event.blockedURI)) {
        fail("csp", origin);
      }
    },
    life,
  );
  // The frame cannot know how much of it the on-screen keyboard covers. A part hidden by zooming in does not count.
  screen.addEventListener(
    "resize",
    () =>
      send({ inset: { bottom: Math.max(0, innerHeight - (screen.height + screen.offsetTop) * screen.scale) | 0 } }),
    life,
  );
  // The page of the frame asks for a port when it is parsed, again after each reload. The message only says when: nothing
  // is read from it.
  addEventListener(
    "message",
    ({ source, origin: from, data }) => {
      if (source !== iframe.contentWindow || from !== origin || !data?.linchpin) return;
      const { port1, port2 } = new MessageChannel();
      port?.close();
      port = port1;
      port.onmessage = ({ data }) => {
        clearTimeout(overdue);
        answered = true;
        receive(data);
      };
      (source as Window).postMessage({ linchpin: "p1", ...first() }, origin, [port2]);
    },
    life,
  );
  // If the person left the page while the frame loaded, and returns to it, the frame may never load. A frame that has
  // answered may have used the token.
  addEventListener("pageshow", ({ persisted }) => persisted && !(answered && first()) && receive({ restored: {} }), life);
  // Our page asks before it has loaded. If it has not, the browser shows an error page in its place.
  iframe.onload = () => setTimeout(() => port || (iframe.isConnected && fail()), LOADED_MS);

  return {
    send,
    stop() {
      clearTimeout(overdue);
      life.abort();
      iframe.remove();
      port?.close();
    },
  };
}
