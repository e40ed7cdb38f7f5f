/** React in a cross-site frame that needs no token and no request. */
import { createElement, useState } from "react";
import { createRoot } from "react-dom/client";
import { modal } from "./modal.js";

const close = () => parent.postMessage("close", "*");
createRoot(document.getElementById("root")).render(createElement(modal(createElement, useState), { close }));
