/** A page with a dialog of a React library. The button that opens the widget is in the dialog. */
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { createModal, mountable } from "./launch.js";

export function render(HostDialog) {
  function App() {
    const [open, setOpen] = useState(false);
    useEffect(() => mountable(() => createModal()), []);
    return (
      <main>
        <h1>Loans</h1>
        <HostDialog open={open} setOpen={setOpen}>
          <input id="name" aria-label="Name" defaultValue="Ana" />
          <button id="connect" onClick={() => window.modal.open()}>
            Connect
          </button>
        </HostDialog>
      </main>
    );
  }
  createRoot(document.getElementById("app")).render(<App />);
}
