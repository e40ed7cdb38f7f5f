//! The discovery document of a provider (OpenID Connect Discovery 1.0), and the checks that make it usable.

use std::sync::Arc;

use link_domain::console::single_sign_on::port::ProviderClient;
use link_domain::kernel::clock::Wall;
use openidconnect::core::{
    CoreAuthDisplay, CoreClaimName, CoreClaimType, CoreClientAuthMethod, CoreGrantType, CoreJsonWebKey,
    CoreJsonWebKeySet, CoreJweContentEncryptionAlgorithm, CoreJweKeyManagementAlgorithm,
    CoreJwsSigningAlgorithm, CoreResponseMode, CoreResponseType, CoreSubjectIdentifierType,
};
use openidconnect::{AdditionalProviderMetadata, AuthType, DiscoveryError, IssuerUrl, ProviderMetadata};
use serde::{Deserialize, Serialize};

use super::client::{ClientError, OpenIdClient};
use super::{ALGORITHMS, ProviderError};

/// The fields of a discovery document that the library does not have.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Announced {
    #[serde(default)]
    code_challenge_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

impl AdditionalProviderMetadata for Announced {}

/// A discovery document.
pub(super) type Metadata = ProviderMetadata<
    Announced,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

/// A discovery document that can be used, with its keys. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Discovered {
    pub(super) metadata: Arc<Metadata>,
    pub(super) fetched_at: Wall,
}

impl Discovered {
    /// Fetches and checks the document of an issuer.
    pub(super) async fn fetch(
        client: &dyn ProviderClient,
        issuer: &str,
        now: Wall,
    ) -> Result<Self, ProviderError> {
        let url = IssuerUrl::new(issuer.to_owned()).map_err(|_| ProviderError::Document)?;
        let metadata = Metadata::discover_async(url, &OpenIdClient(client)).await.map_err(to_error)?;
        check(&metadata, client)?;
        Ok(Self { metadata: Arc::new(metadata), fetched_at: now })
    }

    /// Returns whether each response of the provider has its issuer (RFC 9207).
    pub fn announces_issuer(&self) -> bool {
        self.metadata.additional_metadata().authorization_response_iss_parameter_supported
    }

    /// Returns the keys.
    pub(super) fn keys(&self) -> CoreJsonWebKeySet {
        self.metadata.jwks().clone()
    }

    /// Returns the algorithms that the provider announces and that are accepted.
    pub(super) fn algorithms(&self) -> Vec<CoreJwsSigningAlgorithm> {
        let announced = self.metadata.id_token_signing_alg_values_supported();
        ALGORITHMS.into_iter().filter(|it| announced.contains(it)).collect()
    }

    /// Returns how the provider takes the client secret.
    pub(super) fn auth_type(&self) -> AuthType {
        auth_type(&self.metadata).unwrap_or(AuthType::BasicAuth)
    }
}

fn auth_type(metadata: &Metadata) -> Option<AuthType> {
    let Some(methods) = metadata.token_endpoint_auth_methods_supported() else {
        return Some(AuthType::BasicAuth);
    };
    if methods.contains(&CoreClientAuthMethod::ClientSecretBasic) {
        Some(AuthType::BasicAuth)
    } else {
        methods.contains(&CoreClientAuthMethod::ClientSecretPost).then_some(AuthType::RequestBody)
    }
}

fn check(metadata: &Metadata, client: &dyn ProviderClient) -> Result<(), ProviderError> {
    let token = metadata.token_endpoint().ok_or(ProviderError::MissingEndpoint("token_endpoint"))?;
    let mut endpoints = vec![
        ("authorization_endpoint", metadata.authorization_endpoint().url()),
        ("token_endpoint", token.url()),
        ("jwks_uri", metadata.jwks_uri().url()),
    ];
    endpoints.extend(metadata.userinfo_endpoint().map(|it| ("userinfo_endpoint", it.url())));
    // The browser goes to the first of them, so its scheme must not be one that runs scripts.
    let is_wrong =
        |url: &openidconnect::url::Url| url.fragment().is_some() || client.vet(url.as_str()).is_err();
    if let Some((name, _)) = endpoints.iter().find(|(_, url)| is_wrong(url)) {
        return Err(ProviderError::Endpoint(name));
    }
    let has_code = metadata.response_types_supported().iter().any(|it| ***it == [CoreResponseType::Code]);
    if !has_code {
        return Err(ProviderError::NoCode);
    }
    // Microsoft's document has no such field. The challenge is sent with S256 anyway, and the nonce binds the token to the browser.
    let methods = metadata.additional_metadata().code_challenge_methods_supported.as_ref();
    if methods.is_some_and(|it| !it.iter().any(|it| it == "S256")) {
        return Err(ProviderError::NoS256);
    }
    if !ALGORITHMS.iter().any(|it| metadata.id_token_signing_alg_values_supported().contains(it)) {
        return Err(ProviderError::NoAlgorithm);
    }
    auth_type(metadata).map(drop).ok_or(ProviderError::NoClientSecret)
}

fn to_error(error: DiscoveryError<ClientError>) -> ProviderError {
    match error {
        DiscoveryError::Request(ClientError::Fetch(error)) => ProviderError::Fetch(error),
        DiscoveryError::Request(ClientError::Status(status)) => ProviderError::Status(status),
        DiscoveryError::Response(status, ..) if status != openidconnect::http::StatusCode::OK => {
            ProviderError::Status(status.as_u16())
        }
        DiscoveryError::Validation(_) => ProviderError::OtherIssuer,
        DiscoveryError::Parse(error) => match missing_field(&error.inner().to_string()) {
            Some(name) => ProviderError::MissingEndpoint(name),
            None => ProviderError::Document,
        },
        DiscoveryError::Other(_)
        | DiscoveryError::Response(..)
        | DiscoveryError::UrlParse(_)
        // The library may add more.
        | _ => ProviderError::Document,
    }
}

/// Returns the endpoint that a document lacks, by the words of `serde`.
fn missing_field(message: &str) -> Option<&'static str> {
    ["authorization_endpoint", "jwks_uri", "issuer"]
        .into_iter()
        .find(|name| message.starts_with(&format!("missing field `{name}`")))
}
