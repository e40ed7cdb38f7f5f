"use client";
/** The server renders the button, too. The hook creates the widget in the browser, and removes it with its component. */
import { useLinchpinLink } from "@linchpin/react";
import { useState } from "react";

function Connect({ onConnected, ...config }) {
  const { open, error } = useLinchpinLink({
    ...config,
    userToken: async () => (await fetch("/link-token", { method: "POST" })).text(),
    onAccountConnected: ({ accountId }) => onConnected(accountId),
  });
  return (
    <p>
      <button type="button" onClick={() => open()}>
        Connect an account
      </button>
      {error && <span role="alert">This did not work ({error.cause}).</span>}
    </p>
  );
}

export function Loans(config) {
  const [shown, setShown] = useState(true);
  const [account, setAccount] = useState();
  return (
    <main>
      <h1>Loans</h1>
      <label>
        <input type="checkbox" checked={shown} onChange={({ target }) => setShown(target.checked)} /> Connect an account now
      </label>
      {shown && <Connect {...config} onConnected={setAccount} />}
      <p role="status">{account && `Connected: ${account}`}</p>
    </main>
  );
}
