/** A page that shows the widget in an element, first of the document and then of a shadow root. */
import { createModal, mountable } from "./launch.js";

let container = document.getElementById("container");
if (document.body.dataset.shadow !== undefined) {
  const root = container.attachShadow({ mode: "open" });
  container = document.createElement("div");
  container.style.cssText = "position:relative;height:100%";
  root.append(container);
}
mountable(() => createModal({ container }));
document.getElementById("connect").onclick = () => window.modal.open();
