/** A page that imports the ES module. */
import { createModal, mountable } from "./launch.js";

const { LinkModal } = await import(`${window.launchService}/sdk/esm/index.js`);
mountable(() => createModal({}, LinkModal));
document.getElementById("connect").onclick = () => window.modal.open();
