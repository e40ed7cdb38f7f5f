/** Preact in a cross-site frame, with token, exchange and the consent page of the response. */
import { h, render } from "preact";
import { useState } from "preact/hooks";
import { modal } from "./modal.js";
import { onSession } from "./session.js";

onSession((session, close) => render(h(modal(h, useState, session), { close }), document.getElementById("root")));
