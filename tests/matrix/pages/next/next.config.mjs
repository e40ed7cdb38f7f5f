import { fileURLToPath } from "node:url";

/** Static files, which the host pages' server serves. */
export default {
  output: "export",
  devIndicators: false,
  reactStrictMode: true,
  turbopack: { root: fileURLToPath(new URL("../../../..", import.meta.url)) },
};
