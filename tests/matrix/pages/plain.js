/** A page without a framework. */
import { createModal, mountable } from "./launch.js";

mountable(() => createModal());
document.getElementById("connect").onclick = () => window.modal.open();
