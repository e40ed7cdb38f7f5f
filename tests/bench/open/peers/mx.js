/** The bundle of MX's connect widget: loaded and evaluated, but not rendered, which needs MX's service. */
export { ConnectWidget } from "@mxenabled/connect-widget";
