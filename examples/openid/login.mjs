/** The login at the provider, its refresh and its end, by the certified client library `openid-client`. */
import * as openid from "openid-client";

/** How long issued tokens are kept, in case the response with them is lost and the service repeats its request: 5 minutes. */
const REPEATED_WITHIN_MS = 300_000;

export class Login {
  #issuer;
  #client;
  #provider;
  #issued = new Map();

  constructor(issuer, client) {
    this.#issuer = issuer;
    this.#client = client;
  }

  /** Sends the person to the provider's page. The verifier and the nonce are new for each login. */
  async start(email) {
    const [verifier, nonce] = [openid.randomPKCECodeVerifier(), openid.randomNonce()];
    const url = openid.buildAuthorizationUrl(await this.#discover(), {
      scope: "openid profile email phone offline_access",
      // Providers issue a refresh token only if the person is asked.
      prompt: "consent",
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      nonce,
      login_hint: email,
    });
    const redirect = { url: url.href, issuer: this.#issuer };
    return {
      outcome: "CHALLENGE",
      state: JSON.stringify({ verifier, nonce, email }),
      challenge: { kind: { redirect }, lastsSeconds: 600 },
    };
  }

  /** Exchanges the code, and checks that the person signed in with the address that they typed. */
  async finish(state, { code, redirectUri }) {
    const { verifier, nonce, email } = JSON.parse(state);
    const returned = new URL(redirectUri);
    // The service has checked `state` and `iss`.
    returned.search = new URLSearchParams({ code, iss: this.#issuer });
    const checks = { pkceCodeVerifier: verifier, expectedNonce: nonce, idTokenExpected: true };
    try {
      const provider = await this.#discover();
      const tokens = await this.#once(state, () => openid.authorizationCodeGrant(provider, returned, checks));
      const { sub } = tokens.claims();
      const person = await openid.fetchUserInfo(provider, tokens.access_token, sub);
      if (person.email?.toLowerCase() !== email.toLowerCase()) return fail("INVALID_CREDENTIALS");
      return { outcome: "CONNECTED", state: JSON.stringify({ refreshToken: tokens.refresh_token, sub }) };
    } catch (error) {
      return fail(explain(error, "MFA_TIMEOUT"));
    }
  }

  /** Reads the data. Each reading uses the refresh token, and the provider replaces it. */
  async read(state) {
    const { refreshToken, sub } = JSON.parse(state);
    let next = state;
    try {
      const provider = await this.#discover();
      const tokens = await this.#once(state, () => openid.refreshTokenGrant(provider, refreshToken));
      next = JSON.stringify({ refreshToken: tokens.refresh_token ?? refreshToken, sub });
      const person = await openid.fetchUserInfo(provider, tokens.access_token, sub);
      return { outcome: "COMPLETE", state: next, data: { identity: identityOf(person) } };
    } catch (error) {
      // The provider may have replaced the token before it failed.
      return { ...fail(explain(error, "EXPIRED_CREDENTIALS")), state: next };
    }
  }

  /** Ends the access. The response with the newest token may have been lost, and the service has the state before it. */
  async end(state) {
    const issued = await this.#issued.get(state);
    const refreshToken = issued?.refresh_token ?? JSON.parse(state).refreshToken;
    if (refreshToken) {
      await openid.tokenRevocation(await this.#discover(), refreshToken, { token_type_hint: "refresh_token" });
    }
    return {};
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

  /** Requests tokens. A code and a refresh token work once, so a repeated request gets the tokens of the first. */
  #once(state, request) {
    const known = this.#issued.get(state);
    if (known) return known;
    const tokens = request();
    this.#issued.set(state, tokens);
    tokens.catch(() => this.#issued.delete(state));
    setTimeout(() => this.#issued.delete(state), REPEATED_WITHIN_MS).unref();
    return tokens;
  }
}

function identityOf(person) {
  return {
    fullName: person.name,
    firstName: person.given_name,
    lastName: person.family_name,
    dob: person.birthdate,
    referenceId: person.sub,
    emails: [{ address: person.email, type: "PRIMARY" }],
    phones: [{ number: person.phone_number, type: "PRIMARY" }],
  };
}

function fail(errorCode) {
  return { outcome: "FAILED", errorCode };
}

/** Returns the error code of a failure. `refused`: the code of a provider that does not accept the code or the token. */
function explain(error, refused) {
  // The reason is for the operator. Not the whole error: its cause may have tokens.
  console.error(`the provider failed: ${error.error ?? error.code ?? error.message}`);
  return error.error === "invalid_grant" ? refused : "SERVICE_UNAVAILABLE";
}
