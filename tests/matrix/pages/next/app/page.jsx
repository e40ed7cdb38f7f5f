"use client";
import { useEffect, useRef, useState } from "react";
import { createModal } from "../../launch.js";

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

export default function Page() {
  const [shown, setShown] = useState(true);
  useEffect(() => {
    window.mount = () => setShown(true);
    window.unmount = () => setShown(false);
  }, []);
  return (
    <main>
      <h1>Loans</h1>
      <input id="name" aria-label="Name" defaultValue="Ana" />
      {shown && <Connect />}
    </main>
  );
}
