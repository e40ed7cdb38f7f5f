/** The flags of Chromium in tests: it runs as root in a container, and asks no other machine. */
export const CHROMIUM_FLAGS = [
  "--no-sandbox", // Chromium's sandbox does not work for root in a container
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
