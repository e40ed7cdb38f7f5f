import type { FrameMessage, HostMessage, LoadFailure } from "./protocol";
import type { Shell } from "./shell";

/** One frame's life, and the line to it. */
export interface Frame {
  post(message: HostMessage): void;
  end(): void;
}

const HELLO_MS = 10_000;

/**
 * Puts the frame into the shell. No window message is ever listened to: one port goes to the one origin trusted, and
 * whoever holds its other end is the frame. For a frame that cannot speak, `receive` gets a `failed` all the same.
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
  // How much of it the on-screen keyboard covers, the frame itself cannot know. What pinching hides is not covered.
  screen.addEventListener(
    "resize",
    () =>
      post({ inset: { bottom: Math.max(0, innerHeight - (screen.height + screen.offsetTop) * screen.scale) | 0 } }),
    life,
  );
  // A frame that loads again is a new page: it gets a new port, the old one is dead.
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
