/** Compiles: what the documentation shows. */
import { LinkError, LinkModal, loadLinchpin } from "@linchpin/link";
import type { AccountSubject, LinkErrorCause, UiEventName } from "@linchpin/link";

const modal = new LinkModal({
  serviceUrl: "https://link.example",
  templateId: "lt-1",
  userToken: async () => (await fetch("/token", { method: "POST" })).text(),
  onAccountConnected: ({ accountId }) => console.log(accountId.length),
  onClose: ({ reason, cause }) => console.log(reason === "exit", cause === "csp"),
  container: document.querySelector("#widget"),
});
const onCreated = (account: AccountSubject): void => console.log(account.providerId);
modal.on("onAccountCreated", onCreated);
modal.off("onAccountCreated", onCreated);
modal.on("onTokenExpired", () => "token-2");
modal.on("error", (error) => {
  const cause: LinkErrorCause = error.cause;
  console.log(error instanceof LinkError, cause);
});
modal.onUIEvent = ({ eventName }) => {
  const name: UiEventName = eventName;
  console.log(name);
};
modal.open();
modal.open({ userToken: "token-1" });
modal.open({ userToken: () => Promise.resolve("token-1") });

const Served = await loadLinchpin("https://link.example/sdk/v2/linchpin.v2.js", { nonce: "n", integrity: "sha384-x" });
new Served({ templateId: "lt-1", userToken: "token-1" }).open();
