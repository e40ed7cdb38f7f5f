/** A page with two modals. The second button opens the second modal, also while the first one is open. */
import { createModal, mountable } from "./launch.js";

const modals = [];
mountable(() => {
  modals[1] = createModal();
  modals[0] = createModal();
  return modals;
});
window.modals = modals;
document.getElementById("connect").onclick = () => (window.modal = modals[0]).open();
document.getElementById("other").onclick = () => (window.modal = modals[1]).open();
