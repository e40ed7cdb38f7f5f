/** React in a cross-site frame, with token, exchange and the consent page of the response. */
import { createElement, useState } from "react";
import { createRoot } from "react-dom/client";
import { modal } from "./modal.js";
import { onSession } from "./session.js";

onSession((session, close) =>
  createRoot(document.getElementById("root")).render(createElement(modal(createElement, useState, session), { close })),
);
