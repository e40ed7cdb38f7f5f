/** Each marked line must not compile, with this error, and no other line may fail. */
import { LinkModal, loadLinchpin } from "@linchpin/link";
import { LinchpinLink, useLinchpinLink } from "@linchpin/react";

const modal = new LinkModal({ serviceUrl: "https://link.example", templateId: "lt-1" });
modal.on("onAccountConnectd", () => undefined); // TS2345
modal.on("connected", () => undefined); // TS2345
modal.on("onClose", (close: { accountId: string }) => console.log(close)); // TS2345
modal.on("onAccountConnected", ({ email }) => console.log(email)); // TS2339
modal.on("error", (error) => console.log(error.cause === "timeout")); // TS2367
modal.onClose = ({ reason }) => console.log(reason === "done"); // TS2367
modal.onUIEvent = ({ eventName }) => console.log(eventName === "LoginPage"); // TS2367
modal.open({ token: "token-1" }); // TS2353
modal.open({ userToken: async () => 5 }); // TS2322
new LinkModal({ templateId: "lt-1", userToken: "token-1" }); // TS2345
new LinkModal({ serviceUrl: "https://link.example", templateId: "lt-1", theme: "blue" }); // TS2322
new LinkModal({ serviceUrl: "https://link.example", templateId: "lt-1", onAccountConected: () => undefined }); // TS2561
void loadLinchpin("https://link.example/sdk/v2/linchpin.v2.js", { hash: "sha384-x" }); // TS2353

export function Connect() {
  const { isReady } = useLinchpinLink({ serviceUrl: "https://link.example", templateId: "lt-1" }); // TS2339
  useLinchpinLink({ templateId: "lt-1" }); // TS2345
  return (
    <LinchpinLink // TS2741
      serviceUrl="https://link.example"
    >
      {isReady}
    </LinchpinLink>
  );
}
