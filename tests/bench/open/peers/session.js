/** What a team would write itself: the frame asks its page for the token, and exchanges it at the service. */

/** Calls `draw` with the session of the service when the page has sent a token. */
export function onSession(draw) {
  addEventListener("message", async ({ source, origin, data }) => {
    if (source !== parent || !data?.token) return;
    const secret = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
    const response = await fetch("/exchange", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        token: data.token,
        secret: secret.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""),
        templateId: data.template,
        hostOrigin: origin,
      }),
    });
    if (!response.ok) throw new Error(`no session: ${response.status} ${await response.text()}`);
    draw(await response.json(), () => parent.postMessage("close", origin));
  });
  parent.postMessage("ready", "*");
}
