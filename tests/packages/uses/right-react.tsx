/** Compiles: the hook and the component. */
import { LinchpinLink, useLinchpinLink } from "@linchpin/react";

export function Connect() {
  const { open, ready, error } = useLinchpinLink({
    serviceUrl: "https://link.example",
    templateId: "lt-1",
    userToken: async () => "token-1",
    onAccountConnected: ({ accountId }) => console.log(accountId),
  });
  return (
    <>
      <button onClick={() => open()} disabled={!ready}>
        Connect
      </button>
      {error && <p>{error.cause}</p>}
      <LinchpinLink serviceUrl="https://link.example" templateId="lt-1" userToken="token-1" button={{ className: "main" }}>
        Connect
      </LinchpinLink>
    </>
  );
}
