/**
 * Loads the page of the current build inside this one, whose files are gone, and passes port and session on to it (ADR 201).
 * boot.ts imports this script then. Its name has no hash, because every build has it.
 */

/** How long the page may take to load. */
const AGAIN_MS = 10_000;

/** `handOver` is called once, when the new page asks, and returns the message for it. Otherwise `failed` is called. */
export function again(handOver: () => object, port: MessagePort, failed: () => void): void {
  const { href, origin } = location;
  const inner = Object.assign(document.createElement("iframe"), { id: "linchpin", name, title: document.title });
  inner.style.cssText = "position:fixed;inset:0;width:100%;height:100%;border:0";
  const overdue = setTimeout(() => {
    onmessage = null;
    failed();
  }, AGAIN_MS);
  onmessage = ({ source, origin: from, data }) => {
    if (source !== inner.contentWindow || from !== origin || !data?.linchpin) return;
    clearTimeout(overdue);
    onmessage = null;
    inner.contentWindow!.postMessage(handOver(), origin, [port]);
    inner.focus();
  };
  inner.src = href;
  document.getElementById("linchpin")!.replaceWith(inner);
}
