/** A React page in StrictMode. The hook removes the widget together with its component. */
import { useLinchpinLink } from "@linchpin/react";
import { StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

interface Config {
  serviceUrl: string;
  templateId: string;
}

function Connect({ config, onConnected }: { config: Config; onConnected: (accountId: string) => void }) {
  const { open, ready, error } = useLinchpinLink({
    ...config,
    userToken: async () => (await fetch("/link-token", { method: "POST" })).text(),
    onAccountConnected: ({ accountId }) => onConnected(accountId),
  });
  return (
    <p>
      <button type="button" onClick={() => open()} disabled={!ready}>
        Connect an account
      </button>
      {error && <span role="alert">This did not work ({error.cause}).</span>}
    </p>
  );
}

function App() {
  const [config, setConfig] = useState<Config>();
  const [shown, setShown] = useState(true);
  const [account, setAccount] = useState<string>();
  useEffect(() => {
    void fetch("/config.json")
      .then((response) => response.json())
      .then(setConfig);
  }, []);
  return (
    <>
      <h1>Loans</h1>
      <label>
        <input type="checkbox" checked={shown} onChange={({ target }) => setShown(target.checked)} /> Connect an account now
      </label>
      {shown && config && <Connect config={config} onConnected={setAccount} />}
      <p role="status">{account && `Connected: ${account}`}</p>
    </>
  );
}

createRoot(document.getElementById("app")!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
