/** A React page whose tests mount and unmount components with `@linchpin/react`. */
import { LinchpinLink, useLinchpinLink } from "@linchpin/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

Object.assign(window, { calls: [], handles: {}, renders: 0 });

/** Records what the hook returns as `window.handles[name]`. */
function Connect({ name, ...options }) {
  const handle = useLinchpinLink({ serviceUrl: window.serviceUrl, templateId: "lt-1", ...options });
  window.handles[name] = handle;
  window.renders += 1;
  return (
    <p>
      <button onClick={handle.open}>Open {name}</button>
      <output>{handle.error?.cause ?? (handle.ready ? "ready" : "not ready")}</output>
    </p>
  );
}

const root = createRoot(document.body.appendChild(document.createElement("main")));
const record = (label) => (argument) => void window.calls.push([label, argument]);

/** Renders one component for each list of options. `label` names the callbacks of this render. */
window.show = (list, { label = "first", strict = true } = {}) => {
  const Mode = strict ? StrictMode : "div";
  const components = list.map(({ name, ...options }) => (
    <Connect key={name} name={name} userToken={() => `token-${label}`} onClose={record(`${label} onClose`)} {...options} />
  ));
  root.render(<Mode>{components}</Mode>);
};

window.showButton = (props) => root.render(<LinchpinLink serviceUrl={window.serviceUrl} templateId="lt-1" {...props} />);
