/** What every host page does: it creates a modal with the data from its server, and requests a token for each launch. */

/** Creates the modal of the page, and records its callbacks in `window.calls`. */
export function createModal(options = {}, LinkModal = window.LinkModal) {
  const record = (name) => (argument) => void window.calls.push([name, argument]);
  const modal = new LinkModal({
    ...window.launch,
    onAccountConnected: record("onAccountConnected"),
    onAccountError: record("onAccountError"),
    onClose: record("onClose"),
    onTokenExpired: nextToken,
    ...options,
  });
  modal.on("error", (error) => window.calls.push(["error", { cause: error.cause, message: error.message }]));
  window.modal = modal;
  return modal;
}

async function nextToken() {
  const response = await fetch(`/token?user=${window.launchReference}`, { method: "POST" });
  return response.text();
}

/** Defines `mount` and `unmount`, which the tests call, for pages that create the modal themselves. */
export function mountable(create) {
  let modals = [];
  window.mount = () => {
    modals = [create()].flat();
  };
  window.unmount = () => {
    for (const modal of modals) void modal.destroy();
    modals = [];
  };
  window.mount();
}
