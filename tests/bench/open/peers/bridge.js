/** The tenant's page of the peers: opens the frame in a dialog, and sends it the token. */
export function open(frames, name, token, template) {
  const dialog = document.createElement("dialog");
  const frame = document.createElement("iframe");
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== frame.contentWindow || origin !== frames) return;
    if (data === "ready") frame.contentWindow.postMessage({ token, template }, frames);
    if (data === "close") dialog.close();
  });
  // The size of the widget's frame.
  frame.style = "width:420px;height:min(680px,100dvh - 32px);border:0";
  frame.src = `${frames}/${name}`;
  dialog.append(frame);
  document.body.append(dialog);
  dialog.showModal();
}
