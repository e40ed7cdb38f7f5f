/** Compiles: the same package from CommonJS. */
import link = require("@linchpin/link");
import react = require("@linchpin/react");

const { LinkModal } = link;
new LinkModal({ serviceUrl: "https://link.example", templateId: "lt-1" }).open({ userToken: "token-1" });
export const { useLinchpinLink } = react;
