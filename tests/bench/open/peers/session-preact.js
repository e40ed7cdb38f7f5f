/** Preact in a cross-site frame, with token, exchange, and the screens of the responses. */
import { createElement, render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { linking } from "./linking.js";
import { onSession } from "./session.js";

onSession((session, service, close) => {
  const Linking = linking({ createElement, useEffect, useState }, session, service);
  render(createElement(Linking, { close }), document.getElementById("root"));
});
