import type { FrameMessage, HostMessage, LoadFailure } from "./protocol";
import type { Shell } from "./shell";

/** A running frame and the connection to it. */
export interface Frame {
  post(message: HostMessage): void;
  end(): void;
}

const HELLO_MS = 10_000;

/**
 * Puts the frame into the shell. The bridge never listens to window messages: it sends one port to the exact origin of the
 * frame, and only the frame can use it. If the frame cannot report its failure, `receive` gets a `failed` message anyway.
 */
export function startFrame(shell: Shell, { origin, href }: URL, receive: (message: FrameMessage) => void): Frame {
  const iframe = shell.load(href);
  const life = new AbortController();
  const screen = visualViewport!;
  const fail = (cause: LoadFailure, detail: string): void => receive({ failed: { cause, detail } });
  const overdue = setTimeout(
    () =>
      fail(navigator.onLine ? "blocked" : "network", `No answer from ${href}. Does it allow ${location.origin}?`),
    HELLO_MS,
  );
  let port: MessagePort | undefined;
  const post = (message: HostMessage): void => port?.postMessage(message);

  document.addEventListener(
    "securitypolicyviolation",
    ({ blockedURI, disposition, effectiveDirective }) => {
      if (disposition === "enforce" && effectiveDirective === "frame-src" && href.startsWith(blockedURI)) {
        fail("csp", `CSP needs frame-src ${origin}`);
      }
    },
    life,
  );
  // The frame cannot know how much of it the on-screen keyboard covers. A part hidden by zooming in does not count.
  screen.addEventListener(
    "resize",
    () =>
      post({ inset: { bottom: Math.max(0, innerHeight - (screen.height + screen.offsetTop) * screen.scale) | 0 } }),
    life,
  );
  // If the frame reloads, it is a new page without the old port.
  iframe.onload = () => {
    const { port1, port2 } = new MessageChannel();
    port = port1;
    port1.onmessage = ({ data }) => {
      clearTimeout(overdue);
      if (port === port1) receive(data);
    };
    iframe.contentWindow!.postMessage({ linchpin: "p1" }, origin, [port2]);
  };

  return {
    post,
    end() {
      clearTimeout(overdue);
      life.abort();
      iframe.remove();
      port?.close();
      port = undefined;
    },
  };
}
