// Starts the program. A separate module script, because the policy of the page forbids inline scripts.
import init, { show } from "./link-console.js";

await init({ module_or_path: document.getElementById("program").href });
show();
