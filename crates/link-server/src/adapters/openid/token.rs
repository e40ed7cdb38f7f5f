//! The request that a person takes to the provider, and what comes back.

use std::time::{Duration, SystemTime};

use link_domain::console::single_sign_on::port::ProviderClient;
use link_domain::console::single_sign_on::{
    DepartureSecrets, IdentityClaims, IdentityProvider, SignOnError, nonce_of, verifier_of,
};
use link_domain::kernel::clock::Wall;
use link_types::Sensitive;
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreIdToken, CoreIdTokenClaims, CoreTokenResponse, CoreUserInfoClaims,
};
use openidconnect::{
    AccessToken, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken,
    EndpointMaybeSet, EndpointNotSet, EndpointSet, IdTokenVerifier, IssuerUrl, Nonce,
    OAuth2TokenResponse as _, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope,
    SignatureVerificationError, SubjectIdentifier, TokenResponse as _,
};
use tokio::time::timeout;

use super::OpenIdProviders;
use super::client::{ClientError, OpenIdClient};
use super::discovery::Discovered;

/// How far the clocks of the provider and of the service may be apart.
const CLOCK_SKEW: Duration = Duration::from_secs(60);
/// How old an ID token may be, in addition to the skew: it is fetched at once.
const TOKEN_AGE: Duration = Duration::from_secs(10 * 60);
/// How old the keys of a provider must be before an unknown key makes the service fetch them again.
const KEYS_AGE: Duration = Duration::from_secs(60);
/// How long all requests for one person who came back may take.
const ARRIVAL_TIMEOUT: Duration = Duration::from_secs(25);
/// Maximum length of a subject (OpenID Connect Core 1.0, section 2).
const MAX_SUBJECT: usize = 255;

type Client = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

impl Discovered {
    fn client(&self, provider: &IdentityProvider, callback: &str) -> Option<Client> {
        let client = CoreClient::from_provider_metadata(
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

impl OpenIdProviders {
    /// Exchanges the code, and returns what the verified ID token says.
    ///
    /// # Errors
    /// [`SignOnError`] if the provider does not respond, refuses the code, or its response is not valid.
    pub async fn identify(
        &self,
        client: &dyn ProviderClient,
        discovered: Discovered,
        returned: &ReturnedCode<'_>,
    ) -> Result<IdentityClaims, SignOnError> {
        let identified = self.exchange(client, discovered, returned);
        timeout(ARRIVAL_TIMEOUT, identified).await.unwrap_or(Err(SignOnError::Unavailable))
    }

    async fn exchange(
        &self,
        port: &dyn ProviderClient,
        discovered: Discovered,
        returned: &ReturnedCode<'_>,
    ) -> Result<IdentityClaims, SignOnError> {
        let http = OpenIdClient(port);
        let client = discovered.client(returned.provider, returned.callback).ok_or(SignOnError::Invalid)?;
        let tokens: CoreTokenResponse = client
            .exchange_code(AuthorizationCode::new(returned.code.expose().to_owned()))
            .map_err(|_| SignOnError::Invalid)?
            .set_pkce_verifier(PkceCodeVerifier::new(verifier_of(returned.browser)))
            .request_async(&http)
            .await
            .map_err(|error| match error {
                RequestTokenError::ServerResponse(_) => SignOnError::Refused,
                RequestTokenError::Request(ClientError::Fetch(_) | ClientError::Status(_)) => {
                    SignOnError::Unavailable
                }
                RequestTokenError::Request(ClientError::Request)
                | RequestTokenError::Parse(..)
                | RequestTokenError::Other(_) => SignOnError::Invalid,
            })?;
        let token = tokens.id_token().ok_or(SignOnError::Invalid)?;
        let claims = self.verify(port, &discovered, returned, token).await?;
        let subject = claims.subject().as_str();
        if subject.is_empty() || subject.len() > MAX_SUBJECT {
            return Err(SignOnError::Invalid);
        }
        let info = match claims.email() {
            Some(_) => None,
            None => user_info(&client, &http, tokens.access_token(), claims.subject()).await,
        };
        Ok(to_claims(&claims, info.as_ref()))
    }

    /// Verifies an ID token. If its key is unknown, the provider may have a new one: fetches the keys again, at most once a
    /// minute.
    async fn verify(
        &self,
        port: &dyn ProviderClient,
        discovered: &Discovered,
        returned: &ReturnedCode<'_>,
        token: &CoreIdToken,
    ) -> Result<CoreIdTokenClaims, SignOnError> {
        match claims_of(discovered, returned, token) {
            Ok(claims) => Ok(claims),
            Err(error) if is_of_key(&error) && returned.now.since(discovered.fetched_at) >= KEYS_AGE => {
                let again = self.discover_again(port, &returned.provider.issuer, returned.now).await;
                let again = again.map_err(|_| SignOnError::Unavailable)?;
                claims_of(&again, returned, token).map_err(|_| SignOnError::Invalid)
            }
            Err(_) => Err(SignOnError::Invalid),
        }
    }
}

/// Verifies an ID token: signature, algorithm, issuer, audience, authorized party, expiry, age and nonce.
fn claims_of(
    discovered: &Discovered,
    returned: &ReturnedCode<'_>,
    token: &CoreIdToken,
) -> Result<CoreIdTokenClaims, ClaimsVerificationError> {
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

/// Asks for the address of a person whose ID token has none. Without a response, they have no address.
async fn user_info(
    client: &Client,
    http: &OpenIdClient<'_>,
    token: &AccessToken,
    subject: &SubjectIdentifier,
) -> Option<CoreUserInfoClaims> {
    // The library panics at a token that is not a valid header.
    if !token.secret().bytes().all(|it| it.is_ascii_graphic()) {
        return None;
    }
    let request = client.user_info(token.clone(), Some(subject.clone())).ok()?;
    request.request_async(http).await.ok()
}

fn to_claims(claims: &CoreIdTokenClaims, info: Option<&CoreUserInfoClaims>) -> IdentityClaims {
    let email = claims.email().or_else(|| info.and_then(CoreUserInfoClaims::email));
    let verified = match claims.email() {
        Some(_) => claims.email_verified(),
        None => info.and_then(CoreUserInfoClaims::email_verified),
    };
    let name = claims.name().or_else(|| info.and_then(CoreUserInfoClaims::name));
    IdentityClaims {
        subject: Sensitive::new(claims.subject().as_str()),
        email: email.map(|it| Sensitive::new(it.as_str())),
        is_email_verified: verified == Some(true),
        name: name.and_then(|it| it.get(None)).map(|it| Sensitive::new(it.as_str())),
    }
}
