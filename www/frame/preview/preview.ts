/**
 * Mounts the widget with the fake service. Parameters: `?scheme=dark&dir=rtl&token=expired&delay=400&provider=rideo`
 * `&account=a-…&locale=fil&linked&brand=wordmark&long&choice&help&handoff=expired&unread=FILE_FORM`.
 */

import { applyInset, moveByArrows } from "../focus";
import type { Glue, LinkHost } from "../program";
import { loadTexts } from "../texts";
import { applyBrand } from "../theme";
import { Uploads } from "../uploads";
import { BRANDS, LONG_COMPANY } from "./brand";
import { FakeService } from "./fake-service";

const query = new URLSearchParams(location.search);
const brand = BRANDS[query.get("brand") ?? ""];
const service = new FakeService(
  Number(query.get("delay") ?? 150),
  query.has("linked"),
  query.has("long") ? LONG_COMPANY : undefined,
  query.has("choice") ? ["INCOMES", "TRANSACTIONS", "LIABILITIES", "INSIGHTS"] : [],
  query.has("help") ? "https://help.example.com/" : null,
  query.get("handoff") ?? undefined,
  query.get("unread"),
);
const locale = query.get("locale") ?? "en";
document.documentElement.lang = locale;
document.documentElement.dir = query.get("dir") ?? "ltr";
if (brand) applyBrand(brand);

const [glue, texts] = await Promise.all([
  import(new URL("link_widget.js", location.href).href) as Promise<Glue>,
  loadTexts({ locale, url: `${locale}.json`, chunk: "" }),
]);
await glue.default({ module_or_path: fetch("link_widget_bg.wasm") });

const host: LinkHost = {
  mode: "SANDBOX",
  isTouch: false,
  opening: "preview",
  lastSeq: 0,
  request: (method, path, body, seal) => {
    if (seal) seal.holder[seal.name] = seal.value;
    return service.request(method, path, (body ?? null) as Record<string, unknown> | null);
  },
  exchange: (token) => service.exchange(token),
  text: (number, args) => texts.text(number, args),
  tell: (key, callback) => console.info("tell", key, JSON.stringify(callback)),
  file: (order) => uploads.order(order),
  // The preview's wasm is not split.
  loadChunk: async () => ({ status: 200 }),
  focus: (element) => element.focus(),
  showNotice: () => undefined,
  isHeld: () => false,
  ready: () => document.documentElement.setAttribute("data-ready", ""),
  close: (reason) => document.documentElement.setAttribute("data-closed", String(reason)),
};
const uploads = new Uploads({ apiBase: `${location.origin}/v1`, bearer: () => null, report: (fact) => modal.file(fact) });
const options = { templateId: "lt-preview", theme: query.get("scheme"), providerId: query.get("provider"), accountId: query.get("account") };
const modal = new glue.LinkModal(options, host);
modal.open(document.getElementById("linchpin") as Element, query.get("token") ?? "good");
moveByArrows();
// The bridge sends this when an on-screen keyboard opens.
addEventListener("message", ({ data }) => typeof data.inset === "number" && applyInset(data.inset));
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.defaultPrevented) modal.requestClose();
});
