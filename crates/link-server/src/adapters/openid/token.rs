//! The request that a person takes to the provider, and what comes back.

use std::time::{Duration, SystemTime};

use super::OpenIdProviders;
use super::client::{ClientError, OpenIdClient};
use super::discovery::Discovered;
use super::types::{Client, Token, TokenClaims, Tokens};
use link_domain::console::single_sign_on::port::ProviderClient;
use link_domain::console::single_sign_on::{
    DepartureSecrets, IdentityClaims, IdentityProvider, SignOnError, nonce_of, verifier_of,
};
use link_domain::kernel::clock::Wall;
use link_types::Sensitive;
use openidconnect::core::{CoreAuthenticationFlow, CoreUserInfoClaims};
use openidconnect::{
    AccessToken, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken,
    IdTokenVerifier, IssuerUrl, Nonce, OAuth2TokenResponse as _, PkceCodeChallenge, PkceCodeVerifier,
    RedirectUrl, RequestTokenError, Scope, SignatureVerificationError, SubjectIdentifier, TokenResponse as _,
    UserInfoError,
};

/// How far the clocks of the provider and of the service may be apart.
const CLOCK_SKEW: Duration = Duration::from_secs(60);
/// How old an ID token may be, in addition to the skew: it is fetched at once.
const TOKEN_AGE: Duration = Duration::from_secs(10 * 60);
/// How old the keys of a provider must be before an unknown key makes the service fetch them again.
const KEYS_AGE: Duration = Duration::from_secs(60);
/// How long all requests for one person who came back may take.
pub const ARRIVAL_TIMEOUT: Duration = Duration::from_secs(25);
/// Maximum length of a subject (OpenID Connect Core 1.0, section 2).
const MAX_SUBJECT: usize = 255;

impl Discovered {
    fn client(&self, provider: &IdentityProvider, callback: &str) -> Option<Client> {
        let client = Client::from_provider_metadata(
            (*self.metadata).clone(),
            ClientId::new(provider.client_id.clone()),
            Some(ClientSecret::new(provider.client_secret.expose().to_owned())),
        );
        let callback = RedirectUrl::new(callback.to_owned()).ok()?;
        Some(client.set_auth_type(self.auth_type()).set_redirect_uri(callback))
    }

    /// Returns the address of the provider's page. `None` if the portal's address is not a valid URL.
    pub fn page(
        &self,
        provider: &IdentityProvider,
        callback: &str,
        secrets: &DepartureSecrets,
    ) -> Option<String> {
        let client = self.client(provider, callback)?;
        let (state, nonce) = (secrets.state.expose().to_owned(), nonce_of(&secrets.browser));
        let verifier = PkceCodeVerifier::new(verifier_of(&secrets.browser));
        let (url, ..) = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                move || CsrfToken::new(state),
                move || Nonce::new(nonce),
            )
            .add_scope(Scope::new("email".to_owned()))
            .add_scope(Scope::new("profile".to_owned()))
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
            .url();
        Some(url.into())
    }
}

/// A person who came back with a code.
#[derive(Debug)]
pub struct ReturnedCode<'a> {
    /// The provider.
    pub provider: &'a IdentityProvider,
    /// The callback address, as it was sent.
    pub callback: &'a str,
    /// The secret of the browser's cookie.
    pub browser: &'a Sensitive,
    /// The code.
    pub code: &'a Sensitive,
    /// The time.
    pub now: Wall,
}

/// A person whose ID token is verified.
#[derive(Debug)]
pub struct Identified {
    /// The claims of the token.
    pub claims: IdentityClaims,
    client: Client,
    token: AccessToken,
    subject: SubjectIdentifier,
}

impl OpenIdProviders {
    /// Exchanges the code, and returns what the verified ID token says. The caller bounds the time.
    ///
    /// # Errors
    /// [`SignOnError`] if the provider does not respond, refuses the code, or its response is not valid. The log says why.
    pub async fn identify(
        &self,
        port: &dyn ProviderClient,
        discovered: Discovered,
        returned: &ReturnedCode<'_>,
    ) -> Result<Identified, SignOnError> {
        let client = discovered.client(returned.provider, returned.callback).ok_or(SignOnError::Invalid)?;
        let tokens: Tokens = client
            .exchange_code(AuthorizationCode::new(returned.code.expose().to_owned()))
            .map_err(|_| SignOnError::Invalid)?
            .set_pkce_verifier(PkceCodeVerifier::new(verifier_of(returned.browser)))
            .request_async(&OpenIdClient(port))
            .await
            .map_err(|error| {
                let (failure, reason) = match error {
                    RequestTokenError::ServerResponse(_) => (SignOnError::Refused, "the code was refused"),
                    RequestTokenError::Request(error) => of_request(&error),
                    RequestTokenError::Parse(..) | RequestTokenError::Other(_) => {
                        (SignOnError::Invalid, "the token response is not valid")
                    }
                };
                returned.fail(failure, reason)
            })?;
        let token = tokens.id_token();
        let token = token.ok_or_else(|| returned.fail(SignOnError::Invalid, "no ID token"))?;
        let claims = self.verify(port, &discovered, returned, token).await?;
        let subject = claims.subject().clone();
        if subject.is_empty() || subject.len() > MAX_SUBJECT {
            return Err(returned.fail(SignOnError::Invalid, "the subject is empty or too long"));
        }
        Ok(Identified { claims: to_claims(&claims), client, token: tokens.access_token().clone(), subject })
    }

    /// Verifies an ID token. If its key is unknown, the provider may have a new one: fetches the keys again, at most once a
    /// minute.
    async fn verify(
        &self,
        port: &dyn ProviderClient,
        discovered: &Discovered,
        returned: &ReturnedCode<'_>,
        token: &Token,
    ) -> Result<TokenClaims, SignOnError> {
        let invalid = |error| returned.fail(SignOnError::Invalid, reason_of(&error));
        match claims_of(discovered, returned, token) {
            Ok(claims) => Ok(claims),
            Err(error) if is_of_key(&error) && returned.now.since(discovered.fetched_at) >= KEYS_AGE => {
                let issuer = returned.provider.issuer.as_str();
                let again = self.discover_newer(port, (issuer, discovered), returned.now).await;
                let again = again
                    .map_err(|_| returned.fail(SignOnError::Unavailable, "its new keys did not come"))?;
                claims_of(&again, returned, token).map_err(invalid)
            }
            Err(error) => Err(invalid(error)),
        }
    }
}

impl ReturnedCode<'_> {
    /// Logs why a sign-in failed, in fixed words: the provider's own are not ours to log.
    fn fail(&self, failure: SignOnError, reason: &'static str) -> SignOnError {
        let (tenant, code) = (&self.provider.tenant, failure.code());
        tracing::info!(%tenant, code, reason, "A sign-in with an OpenID provider failed");
        failure
    }
}

impl Identified {
    /// Asks for the address of the person, if the ID token has none and the provider has an endpoint for it.
    ///
    /// # Errors
    /// [`SignOnError`] if the provider does not respond, or its response is not valid.
    pub async fn ask_for_address(
        self,
        port: &dyn ProviderClient,
        returned: &ReturnedCode<'_>,
    ) -> Result<IdentityClaims, SignOnError> {
        let Self { claims, client, token, subject } = self;
        // The library panics at a token that is not a valid header.
        if !token.secret().bytes().all(|it| it.is_ascii_graphic()) {
            return Err(returned.fail(SignOnError::Invalid, "the access token has invalid characters"));
        }
        let Ok(request) = client.user_info(token, Some(subject)) else { return Ok(claims) };
        let asked: Result<CoreUserInfoClaims, _> = request.request_async(&OpenIdClient(port)).await;
        let info = asked.map_err(|error| {
            let (failure, reason) = match error {
                UserInfoError::Request(error) => of_request(&error),
                UserInfoError::Response(..) => (SignOnError::Unavailable, "the user info was refused"),
                UserInfoError::ClaimsVerification(_)
                | UserInfoError::Parse(_)
                | UserInfoError::Other(_)
                // The library may add more.
                | _ => (SignOnError::Invalid, "the user info is not valid"),
            };
            returned.fail(failure, reason)
        })?;
        let name = claims
            .name
            .or_else(|| info.name().and_then(|it| it.get(None)).map(|it| Sensitive::new(it.as_str())));
        Ok(IdentityClaims {
            email: info.email().map(|it| Sensitive::new(it.as_str())),
            is_email_verified: info.email_verified() == Some(true),
            name,
            ..claims
        })
    }
}

fn of_request(error: &ClientError) -> (SignOnError, &'static str) {
    match error {
        ClientError::Fetch(_) => (SignOnError::Unavailable, "a request was not answered"),
        ClientError::Status(_) => (SignOnError::Unavailable, "a request was answered with status 5xx"),
        ClientError::Request => (SignOnError::Invalid, "a request or response is not valid HTTP"),
    }
}

/// Returns a fixed word for the reason why a token is not valid.
fn reason_of(error: &ClaimsVerificationError) -> &'static str {
    match error {
        ClaimsVerificationError::Expired(_) => "the ID token has expired, or was issued at another time",
        ClaimsVerificationError::InvalidAudience(_) => "the ID token is for another client",
        ClaimsVerificationError::InvalidIssuer(_) => "the ID token has another issuer",
        ClaimsVerificationError::InvalidNonce(_) => "the ID token has another nonce",
        ClaimsVerificationError::SignatureVerification(error) => match error {
            SignatureVerificationError::NoMatchingKey => "no key of the provider signed the ID token",
            SignatureVerificationError::DisallowedAlg(_) => "the ID token has another signature algorithm",
            SignatureVerificationError::NoSignature => "the ID token is not signed",
            SignatureVerificationError::AmbiguousKeyId(_)
            | SignatureVerificationError::CryptoError(_)
            | SignatureVerificationError::InvalidKey(_)
            | SignatureVerificationError::UnsupportedAlg(_)
            // The library may add more.
            | _ => "the signature of the ID token is not valid",
        },
        ClaimsVerificationError::InvalidAuthContext(_)
        | ClaimsVerificationError::InvalidAuthTime(_)
        | ClaimsVerificationError::InvalidSubject(_)
        | ClaimsVerificationError::Other(_)
        | ClaimsVerificationError::Unsupported(_)
        // The library may add more.
        | _ => "the ID token is not valid",
    }
}

/// Verifies an ID token: signature, algorithm, issuer, audience, authorized party, expiry, age and nonce.
fn claims_of(
    discovered: &Discovered,
    returned: &ReturnedCode<'_>,
    token: &Token,
) -> Result<TokenClaims, ClaimsVerificationError> {
    let provider = returned.provider;
    let issuer = IssuerUrl::new(provider.issuer.clone())
        .map_err(|_| ClaimsVerificationError::InvalidIssuer("not a URL".to_owned()))?;
    let now = system_time(returned.now);
    let client_id = ClientId::new(provider.client_id.clone());
    let verifier = IdTokenVerifier::new_public_client(client_id.clone(), issuer, discovered.keys())
        .set_allowed_algs(discovered.algorithms())
        .set_time_fn(move || (now - CLOCK_SKEW).into())
        .set_issue_time_verifier_fn(move |issued| {
            let issued: SystemTime = issued.into();
            let is_recent = issued <= now + CLOCK_SKEW && now <= issued + TOKEN_AGE + CLOCK_SKEW;
            if is_recent { Ok(()) } else { Err("issued at another time".to_owned()) }
        });
    let claims = token.claims(&verifier, &Nonce::new(nonce_of(returned.browser)))?;
    // The library leaves this check to its users. It rejects tokens for several audiences.
    if claims.authorized_party().is_some_and(|it| *it != client_id) {
        return Err(ClaimsVerificationError::InvalidAudience("another authorized party".to_owned()));
    }
    Ok(claims.clone())
}

fn is_of_key(error: &ClaimsVerificationError) -> bool {
    matches!(
        error,
        ClaimsVerificationError::SignatureVerification(
            SignatureVerificationError::NoMatchingKey
                | SignatureVerificationError::CryptoError(_)
                | SignatureVerificationError::AmbiguousKeyId(_)
        )
    )
}

fn system_time(at: Wall) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_micros(u64::try_from(at.micros()).unwrap_or(0))
}

fn to_claims(claims: &TokenClaims) -> IdentityClaims {
    IdentityClaims {
        subject: Sensitive::new(claims.subject().as_str()),
        email: claims.email().map(|it| Sensitive::new(it.as_str())),
        is_email_verified: claims.email_verified() == Some(true),
        name: claims.name().and_then(|it| it.get(None)).map(|it| Sensitive::new(it.as_str())),
        hosted_domain: claims.additional_claims().hosted_domain().map(str::to_owned),
    }
}
