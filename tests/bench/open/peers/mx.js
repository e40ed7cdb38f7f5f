/** MX's connect widget as an integrator embeds it: on the page itself, in a dialog, with requests to the integrator's backend. */
import { ApiProvider, ConnectWidget } from "@mxenabled/connect-widget";
// The widget needs React 18, whose hooks work only with the copy that the widget itself uses.
import { createElement } from "@mxenabled/connect-widget/node_modules/react";
import { createRoot } from "@mxenabled/connect-widget/node_modules/react-dom/client";

async function get(path) {
  const response = await fetch(`/mx/${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

const api = {
  loadMembers: () => get("members"),
  loadPopularInstitutions: () => get("institutions"),
};
const props = {
  clientConfig: { widget_type: "connect", mode: "aggregation", color_scheme: "light", ui_message_version: 4 },
  language: { locale: "en", custom_copy_namespace: "" },
  onAnalyticEvent() {},
  onAnalyticPageview() {},
  onPostMessage() {},
  profiles: {
    client: { guid: "CLT-bench", oauth_app_name: "Shop" },
    clientProfile: { account_verification_is_enabled: true, locale: "en", uses_oauth: true },
    clientColorScheme: {},
    user: { guid: "USR-bench" },
    userProfile: {},
    widgetProfile: { enable_manual_accounts: true, enable_support_requests: true, show_mx_branding: true },
  },
  userFeatures: [],
};

export function open() {
  const dialog = document.createElement("dialog");
  const root = document.createElement("div");
  // The size of the widget's frame.
  root.style = "width:420px;height:min(680px,100dvh - 32px);overflow:auto";
  dialog.append(root);
  document.body.append(dialog);
  dialog.showModal();
  createRoot(root).render(createElement(ApiProvider, { apiValue: api }, createElement(ConnectWidget, props)));
}
