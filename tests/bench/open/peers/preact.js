/** Preact on the host page itself: no frame, no service. */
import { h, render } from "preact";
import { useState } from "preact/hooks";
import { modal } from "./modal.js";

export function open() {
  const dialog = document.createElement("dialog");
  document.body.append(dialog);
  render(h(modal(h, useState), { close: () => dialog.close() }), dialog);
  dialog.showModal();
}
