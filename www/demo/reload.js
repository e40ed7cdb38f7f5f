/** Reloads the page once Trunk has built a change, and shows why a build failed. Only `cargo xtask dev` uses it. */

const { socket: address } = document.querySelector("script[data-socket]").dataset;
const reason = document.createElement("pre");
reason.className = "build-failure";
reason.setAttribute("role", "alert");
reason.hidden = true;
document.body.prepend(reason);

/** Returns the first error in the output of the failed build. Trunk's reason only names the program that failed. */
async function findError() {
  const response = await fetch("/build.log");
  const log = (await response.text()).replace(/\x1b\[[\d;]*m/g, "");
  return log.match(/^error(\[|: )(?!could not compile)(.|\n)*?(\n\n|(?![^]))/im)?.[0];
}

function listen() {
  const socket = new WebSocket(address);
  socket.addEventListener("message", async ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === "reload") location.reload();
    if (message.type !== "buildFailure") return;
    const error = await findError().catch(() => undefined);
    reason.hidden = false;
    reason.textContent = `The build failed.\n\n${error ?? message.data.reason}`;
  });
  // Trunk may not have started yet.
  socket.addEventListener("close", () => setTimeout(listen, 1_000));
}

listen();
