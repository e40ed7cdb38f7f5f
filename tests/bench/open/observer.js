/**
 * Runs in every document before its scripts. Records when the first screen is painted (its button exists, or the heading of MX's,
 * and a frame has been presented), and for the trace, when the frame got its port, its program and its responses. Times are on the
 * wall clock, so that the times of two processes can be compared. Also measures interactions, and keeps the memory of the program.
 */
(() => {
  const now = () => performance.timeOrigin + performance.now();
  const bench = (window.__bench = { marks: {} });
  const mark = (name) => (bench.marks[name] ??= now());
  const task = (done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(0);
  };
  const painted = (done) => requestAnimationFrame(() => task(done));
  bench.painted = () => new Promise(painted);
  bench.now = now;
  /** Resolves when what `isShown` finds has been painted. Looks before each painting, because observing 5,000 rows costs time. */
  bench.until = (isShown) =>
    new Promise((resolve) => {
      const look = () => (isShown() ? task(resolve) : requestAnimationFrame(look));
      requestAnimationFrame(look);
    });
  /** Measures the time in ms from the next event of this type until what `isShown` finds has been painted. */
  bench.measure = (type, isShown) => {
    bench.measured = new Promise((resolve) => {
      const handle = ({ timeStamp }) => bench.until(isShown).then(() => resolve(performance.now() - timeStamp));
      addEventListener(type, handle, { capture: true, once: true });
    });
    return true;
  };
  bench.shown = new Promise((resolve) => {
    const isShown = () =>
      document.getElementById("connect-search-header") ||
      [...document.querySelectorAll("button")].some(({ textContent }) => textContent.includes("Agree and continue"));
    const look = () => {
      if (!isShown()) return;
      observer.disconnect();
      mark("first screen drawn");
      painted(() => resolve(mark("first screen painted")));
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { childList: true, subtree: true });
  });
  if (window === window.top) return;
  addEventListener("message", () => mark("port received"), { capture: true });
  const { instantiateStreaming, instantiate } = WebAssembly;
  const timed = (original) =>
    function (...args) {
      return original.apply(this, args).then((made) => {
        mark("wasm instantiated");
        // The build shortens the names of exports.
        bench.memory ??= Object.values((made.instance ?? made).exports).find((it) => it instanceof WebAssembly.Memory);
        return made;
      });
    };
  WebAssembly.instantiateStreaming = timed(instantiateStreaming);
  WebAssembly.instantiate = timed(instantiate);
})();
