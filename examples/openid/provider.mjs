/**
 * An OpenID provider on this machine, to try out the connector of this folder. It is the certified package `oidc-provider`, with
 * its own pages for the login and the consent, which take any password. Usage:
 * node provider.mjs --callback URL [--port 8792]
 */
import { generateKeyPairSync } from "node:crypto";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Provider } from "oidc-provider";

/** The client that the connector is. A real provider issues these when you register. */
export const CLIENT = { id: "linchpin", secret: "a secret that this provider issued" };

/** The people of the provider, by the login name that its page asks for. */
export const PEOPLE = {
  "lucia@example.com": {
    name: "Lucía Méndez Aurora", given_name: "Lucía", family_name: "Méndez Aurora", birthdate: "1990-05-24",
    email: "lucia@example.com", email_verified: true, phone_number: "+525500000142",
  },
  "bruno@example.com": {
    name: "Bruno Salas Peña", given_name: "Bruno", family_name: "Salas Peña", birthdate: "1984-11-02",
    email: "bruno@example.com", email_verified: true, phone_number: "+525500000177",
  },
  // A provider may know no phone number, and only the year of birth.
  "carmen@example.com": {
    name: "Carmen Ortiz", given_name: "Carmen", family_name: "Ortiz", birthdate: "1990",
    email: "carmen@example.com", email_verified: true,
  },
};

/** Starts the provider. It sends people back only to the address `callback`. */
export async function startProvider({ port, callback }) {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const provider = new Provider(`http://localhost:${port}`, {
    clients: [{
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      client_name: "Linchpin",
      redirect_uris: [callback],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    }],
    claims: {
      openid: ["sub"],
      profile: ["name", "given_name", "family_name", "birthdate"],
      email: ["email", "email_verified"],
      phone: ["phone_number"],
    },
    findAccount: (_, id) => Object.hasOwn(PEOPLE, id) ? { accountId: id, claims: () => ({ sub: id, ...PEOPLE[id] }) } : undefined,
    jwks: { keys: [privateKey.export({ format: "jwk" })] },
    cookies: { keys: [generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }).d] },
    // Each login has its own grant. Otherwise the end of one access would end the others of the person at this client too.
    loadExistingGrant: ({ oidc }) => oidc.result?.consent?.grantId && oidc.provider.Grant.find(oidc.result.consent.grantId),
    pkce: { required: () => true },
    rotateRefreshToken: true,
    features: { introspection: { enabled: true }, revocation: { enabled: true } },
  });
  const server = provider.listen(port, "localhost");
  await new Promise((resolve, reject) => server.once("listening", resolve).once("error", reject));
  return { provider, server };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { callback, port } = parseArgs({
    options: { callback: { type: "string" }, port: { type: "string", default: "8792" } },
  }).values;
  if (!callback) throw new Error("usage: node provider.mjs --callback URL [--port 8792]");
  const { provider } = await startProvider({ port, callback });
  provider.on("grant.success", (context) => console.log(`tokens issued (${context.oidc.params.grant_type})`));
  provider.on("grant.error", (_, error) => console.log(`tokens refused (${error.message})`));
  provider.on("grant.revoked", () => console.log("access ended"));
  console.log(`provider: ${provider.issuer} (${Object.keys(PEOPLE).join(", ")}; any password)`);
}
