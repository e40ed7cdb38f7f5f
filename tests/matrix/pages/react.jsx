/** A React page in StrictMode, which mounts each component twice. Built with React 18 and with React 19. */
import { StrictMode, useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { createModal } from "./launch.js";

function Connect() {
  const modal = useRef(null);
  useEffect(() => {
    const current = createModal();
    modal.current = current;
    return () => void current.destroy();
  }, []);
  return (
    <button id="connect" onClick={() => modal.current.open()}>
      Connect
    </button>
  );
}

function App() {
  const [shown, setShown] = useState(true);
  window.mount = () => setShown(true);
  window.unmount = () => setShown(false);
  return (
    <main>
      <h1>Loans</h1>
      <input id="name" aria-label="Name" defaultValue="Ana" />
      {shown && <Connect />}
    </main>
  );
}

createRoot(document.getElementById("app")).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
