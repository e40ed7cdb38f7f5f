/** A page whose button is in a popover. */
import { createModal, mountable } from "./launch.js";

mountable(() => createModal());
document.getElementById("connect").onclick = () => window.modal.open();
