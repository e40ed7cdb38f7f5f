/** A page without a framework. It removes the widget together with the button. */
import { LinkModal } from "@linchpin/link";

const find = <T extends HTMLElement>(id: string): T => document.querySelector<T>(`#${id}`)!;
const config: { serviceUrl: string; templateId: string } = await (await fetch("/config.json")).json();

function createModal(): LinkModal {
  const modal = new LinkModal({
    ...config,
    userToken: async () => (await fetch("/link-token", { method: "POST" })).text(),
    onAccountConnected: ({ accountId }) => (find("status").textContent = `Connected: ${accountId}`),
    onClose: ({ reason }) => console.log("closed", reason),
  });
  modal.on("error", ({ cause }) => (find("status").textContent = `This did not work (${cause}).`));
  return modal;
}

let modal: LinkModal | undefined = createModal();
find("open").addEventListener("click", () => modal?.open());
find<HTMLInputElement>("shown").addEventListener("change", ({ target }) => {
  const { checked } = target as HTMLInputElement;
  find("connect").hidden = !checked;
  if (checked) modal = createModal();
  else void modal?.destroy();
});
