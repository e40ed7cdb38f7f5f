/** Reloads the page once Trunk has built a change, and shows why a build failed. Only `cargo xtask dev` uses it. */

const { socket: address } = document.querySelector("script[data-socket]").dataset;
const reason = document.createElement("pre");
reason.className = "build-failure";
reason.setAttribute("role", "alert");
reason.hidden = true;
document.body.prepend(reason);

function listen() {
  const socket = new WebSocket(address);
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === "reload") location.reload();
    if (message.type !== "buildFailure") return;
    reason.hidden = false;
    reason.textContent = `The build failed.\n\n${message.data.reason}`;
  });
  // Trunk may not have started yet.
  socket.addEventListener("close", () => setTimeout(listen, 1_000));
}

listen();
