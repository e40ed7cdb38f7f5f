/** What a team would write itself: the frame asks its page for the token, exchanges it, and sends its requests to the service. */
import { seal } from "../../../../www/frame/seal.ts";

const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

async function request(method, path, body, secret) {
  const headers = { "content-type": "application/json" };
  if (secret) headers.authorization = `Bearer ${secret}`;
  const response = await fetch(`/api/link${path}`, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Returns the requests of a session. */
function serviceOf({ sessionId, attempt, template }, secret) {
  const get = (path) => request("GET", path, undefined, secret);
  const { consent, syncInterval, retention } = template;
  const { consentTemplateId, version, locale } = consent;
  return {
    providers: () => get("/providers"),
    provider: (id) => get(`/providers/${id}`),
    poll: ({ accountId, version }) => get(`/accounts/${accountId}?after=${version}&wait=20000`),
    async start(providerId, loginOption, loginName, values) {
      const credentials = await seal(await get("/sealingKey"), values, ["credentials", sessionId, attempt.id, providerId]);
      const given = { consentTemplateId, version, locale, givenBy: "PERSON", syncInterval, retention, dataChoice: null };
      const body = { providerId, loginOption, loginName, credentials, accountId: null, consent: given };
      return request("POST", "/accounts", body, secret);
    },
  };
}

/** Calls `draw` with the session of the service when the page has sent a token. */
export function onSession(draw) {
  addEventListener("message", async ({ source, origin, data }) => {
    if (source !== parent || !data?.token) return;
    const secret = base64url(crypto.getRandomValues(new Uint8Array(32)));
    const exchange = { token: data.token, secret, templateId: data.template, hostOrigin: origin };
    const session = await request("POST", "/sessions", exchange);
    draw(session, serviceOf(session, secret), () => parent.postMessage("close", origin));
  });
  parent.postMessage("ready", "*");
}
