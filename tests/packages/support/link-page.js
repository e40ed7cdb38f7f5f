/** A page without a framework, with `@linchpin/link` in its bundle. The tests create the modals. */
import * as link from "@linchpin/link";

Object.assign(window, { link, errors: [], closes: [] });

/** Creates `window.modal`, and records its errors and closes. */
window.create = (options) => {
  window.modal = new link.LinkModal({ serviceUrl: window.serviceUrl, templateId: "lt-1", ...options });
  window.modal.on("error", ({ cause, message }) => window.errors.push({ cause, message }));
  window.modal.on("onClose", (closed) => window.closes.push(closed));
};
