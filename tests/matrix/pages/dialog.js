/** A page whose button is in a native modal dialog. */
import { createModal, mountable } from "./launch.js";

mountable(() => createModal());
document.getElementById("show").onclick = () => document.getElementById("host-dialog").showModal();
document.getElementById("connect").onclick = () => window.modal.open();
