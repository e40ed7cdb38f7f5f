/** The login at the provider, its refresh and its end, by the certified client library `openid-client`. */
import * as openid from "openid-client";

/**
 * How long issued tokens are kept, in case the response with them is lost: 26 hours. The service repeats a reading within 7 hours
 * and `revoke` for 1 day. A restart or a second process does not have them: keep them in a database in production, encrypted.
 */
const KEPT_MS = 26 * 3_600_000;
/** The maximum number of logins and readings that are kept. The oldest is forgotten first. */
const MAX_KEPT = 20_000;
/** The shortest rest of its life for which an access token is used again, in seconds. */
const STALE_BELOW = 60;
/** The provider's response does not fit this login: another `iss`, nonce, audience or signature, or it is too old. */
const MISMATCHES = [
  "OAUTH_INVALID_RESPONSE",
  "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED",
  "OAUTH_JWT_CLAIM_COMPARISON_FAILED",
  "OAUTH_JWT_TIMESTAMP_CHECK_FAILED",
  "OAUTH_KEY_SELECTION_FAILED",
];

export class Login {
  #issuer;
  #client;
  #provider;
  /** By the `state` of the request: `tokens`, the newest `refreshToken`, and the `response` to `step`. The last used is last. */
  #kept = new Map();

  constructor(issuer, client) {
    this.#issuer = issuer;
    this.#client = client;
  }

  /** Sends the person to the provider's page. The verifier and the nonce are new for each login. */
  async start(email) {
    const provider = await this.#discover();
    const [verifier, nonce] = [openid.randomPKCECodeVerifier(), openid.randomNonce()];
    const url = openid.buildAuthorizationUrl(provider, {
      scope: "openid profile email phone offline_access",
      // Providers issue a refresh token only if the person is asked.
      prompt: "consent",
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      nonce,
      login_hint: email,
    });
    const { iss: issuer } = issuerOf(provider);
    return {
      outcome: "CHALLENGE",
      state: JSON.stringify({ verifier, nonce, email }),
      challenge: { kind: { redirect: { url: url.href, issuer } }, lastsSeconds: 600 },
    };
  }

  /** Exchanges the code. A code works once, so a repeated request gets the same response. */
  finish(state, input) {
    return this.#inTurn(state, async (kept) => {
      kept.response ??= await this.#exchange(kept, JSON.parse(state), input)
        .catch((error) => fail(explain(error, "MFA_TIMEOUT")));
      if (kept.response.outcome === "FAILED") {
        // If this fails, the service's `revoke` follows.
        await this.#revoke(kept.refreshToken ?? kept.tokens?.access_token).catch(explain);
      }
      return kept.response;
    });
  }

  /** Reads the data. Each reading uses the refresh token, and the provider replaces it. */
  read(state) {
    return this.#inTurn(state, async (kept) => {
      const { refreshToken, sub } = JSON.parse(state);
      kept.refreshToken ??= refreshToken;
      try {
        const provider = await this.#discover();
        // A refresh token may work once. A repeated request has the old one, so it continues with what that one returned.
        if (!(kept.tokens?.expiresIn() >= STALE_BELOW)) {
          kept.tokens = await openid.refreshTokenGrant(provider, kept.refreshToken);
          kept.refreshToken = kept.tokens.refresh_token ?? kept.refreshToken;
        }
        const person = await openid.fetchUserInfo(provider, kept.tokens.access_token, sub);
        return { outcome: "COMPLETE", state: stateOf(kept, sub), data: { identity: identityOf(person) } };
      } catch (error) {
        // The provider may have replaced the token before it failed.
        return { ...fail(explain(error, "EXPIRED_CREDENTIALS")), state: stateOf(kept, sub) };
      }
    });
  }

  /** Ends the access. The response with the newest token may have been lost, and the service has the state before it. */
  end(state) {
    return this.#inTurn(state, async (kept) => {
      const token = kept.refreshToken ?? JSON.parse(state).refreshToken ?? kept.tokens?.access_token;
      if (!token && !kept.response) {
        console.error("revoke: no token of this login is known; if the provider issued one, it still works");
      }
      await this.#revoke(token);
      return {};
    });
  }

  /** Checks that the person signed in with the address that they typed, and that the access lasts. */
  async #exchange(kept, { verifier, nonce, email }, { code, redirectUri }) {
    const provider = await this.#discover();
    const returned = new URL(redirectUri);
    // The service has checked `state` and `iss`.
    returned.search = new URLSearchParams({ code, ...issuerOf(provider) });
    const checks = { pkceCodeVerifier: verifier, expectedNonce: nonce, idTokenExpected: true };
    kept.tokens = await openid.authorizationCodeGrant(provider, returned, checks);
    kept.refreshToken = kept.tokens.refresh_token;
    const { sub } = kept.tokens.claims();
    const person = await openid.fetchUserInfo(provider, kept.tokens.access_token, sub);
    // At some providers, people can enter the address of another person, which is then not verified.
    const isTyped = person.email_verified === true && person.email?.toLowerCase() === email.toLowerCase();
    if (!isTyped) return fail("INVALID_CREDENTIALS");
    if (!kept.refreshToken) {
      console.error("the provider issued no refresh token: is the client allowed to have `offline_access`?");
      return fail("INVALID_AUTH");
    }
    return { outcome: "CONNECTED", state: stateOf(kept, sub) };
  }

  async #revoke(token) {
    if (token) await openid.tokenRevocation(await this.#discover(), token);
  }

  /** Asks the provider for its addresses and keys. Only a provider on this machine may be without TLS. */
  #discover() {
    const execute = new URL(this.#issuer).hostname === "localhost" ? [openid.allowInsecureRequests] : [];
    const { id, secret } = this.#client;
    this.#provider ??= openid.discovery(new URL(this.#issuer), id, secret, undefined, { execute }).catch((error) => {
      this.#provider = undefined;
      throw error;
    });
    return this.#provider;
  }

  /** Calls `run` with what is kept for a state. Requests with the same state wait for each other. */
  #inTurn(state, run) {
    const now = Date.now();
    const kept = this.#kept.get(state) ?? { turn: Promise.resolve() };
    kept.usedAt = now;
    this.#kept.delete(state);
    this.#kept.set(state, kept);
    for (const [oldest, { usedAt }] of this.#kept) {
      if (now - usedAt < KEPT_MS && this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    const result = kept.turn.then(() => run(kept));
    kept.turn = result.catch(() => {});
    return result;
  }
}

/** Returns the `iss` of the provider's responses, as the provider spells it. Not every provider sends one. */
function issuerOf(provider) {
  const { issuer, authorization_response_iss_parameter_supported: isSent } = provider.serverMetadata();
  return isSent ? { iss: issuer } : {};
}

function stateOf({ refreshToken }, sub) {
  return JSON.stringify({ refreshToken, sub });
}

/** Returns what the provider knows of the person. A birth date may lack its year, or have only that (OpenID Connect, 5.1). */
function identityOf(person) {
  return {
    fullName: person.name,
    firstName: person.given_name,
    lastName: person.family_name,
    dob: /^[1-9]\d{3}-\d\d-\d\d$/.test(person.birthdate) ? person.birthdate : undefined,
    referenceId: person.sub,
    emails: person.email ? [{ address: person.email, type: "PRIMARY" }] : [],
    phones: person.phone_number ? [{ number: person.phone_number, type: "PRIMARY" }] : [],
  };
}

function fail(errorCode) {
  return { outcome: "FAILED", errorCode };
}

/** Returns the error code of a failure. `refused`: the code of a provider that does not accept the code or the token. */
function explain(error, refused) {
  const word = error.error ?? error.cause?.[0]?.parameters?.error;
  const status = error.status ?? error.cause?.status;
  // The reason is for the operator. Not the whole error: its cause may have tokens.
  console.error(`the provider failed: ${word ?? error.code ?? error.message}`);
  if (word === "invalid_grant" || word === "invalid_token") return refused;
  // A `TypeError` with a cause is a `fetch` that reached nothing.
  const isNetwork = error.code === "OAUTH_TIMEOUT" || (error instanceof TypeError && error.cause !== undefined);
  if (isNetwork || status >= 500) return "SERVICE_UNAVAILABLE";
  // The rest is for you to mend, such as `invalid_client`.
  return MISMATCHES.includes(error.code) ? "INVALID_AUTH" : "SYSTEM_ERROR";
}
