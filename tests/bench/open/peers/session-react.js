/** React in a cross-site frame, with token, exchange, and the screens of the responses. */
import { createElement, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { linking } from "./linking.js";
import { onSession } from "./session.js";

onSession((session, service, close) => {
  const Linking = linking({ createElement, useEffect, useState }, session, service);
  createRoot(document.getElementById("root")).render(createElement(Linking, { close }));
});
