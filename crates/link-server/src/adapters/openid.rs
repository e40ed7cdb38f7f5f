//! The OpenID providers of tenants: their discovery documents, the exchange of a code, and the check of an ID token.
//!
//! The library `openidconnect` parses, sends and verifies. Each request goes through the port [`ProviderClient`], because a
//! tenant chooses the address. A provider's own words are neither shown nor logged.

mod client;
mod discovery;
pub mod token;

use std::time::Duration;

use link_domain::console::single_sign_on::IdentityProvider;
use link_domain::console::single_sign_on::port::{FetchError, ProviderClient};
use link_domain::kernel::clock::Wall;
use link_types::id::TenantId;
use moka::sync::Cache;
use openidconnect::core::CoreJwsSigningAlgorithm;
use tokio::sync::Semaphore;

use crate::http::limits::counted::{Counted, Counts};

pub use self::discovery::Discovered;

/// How long a discovery document and its keys are used before they are fetched again.
const DISCOVERED_FOR: Duration = Duration::from_secs(10 * 60);
/// The maximum number of discovery documents that are kept.
const MAX_DISCOVERED: u64 = 1_000;
/// The maximum number of people of one tenant for whom its provider is asked at the same time.
const AT_ONCE_FOR_TENANT: usize = 8;
/// The maximum number of people for whom providers are asked at the same time.
const AT_ONCE: usize = 64;

/// The signature algorithms that are accepted, if the provider announces them. None has a shared secret.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// The documents of providers that this process has, and how many it asks at present.
pub struct OpenIdProviders {
    discovered: Cache<String, Discovered>,
    asked: Counts<TenantId>,
    permits: Semaphore,
}

/// A permit to ask a provider.
pub struct AskingProvider<'a> {
    _of_tenant: Counted<TenantId>,
    _permit: tokio::sync::SemaphorePermit<'a>,
}

/// Reason why a provider cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// A request was not answered.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The response has another status than 200.
    #[error("the provider responded with status {0}")]
    Status(u16),
    /// The discovery document or the key set is not valid.
    #[error("the discovery document or its key set is not valid JSON of the expected form")]
    Document,
    /// The document has another issuer.
    #[error("the discovery document names another issuer. Compare every character, also a slash at the end")]
    OtherIssuer,
    /// An endpoint is missing.
    #[error("the discovery document has no `{0}`")]
    MissingEndpoint(&'static str),
    /// An endpoint is not an address that the service may use.
    #[error("the discovery document has an address that cannot be used as `{0}`: it must use https")]
    Endpoint(&'static str),
    /// The provider does not announce PKCE with S256.
    #[error("the provider does not announce S256 in `code_challenge_methods_supported`")]
    NoS256,
    /// The provider does not support the authorization code flow.
    #[error("the provider does not announce `code` in `response_types_supported`")]
    NoCode,
    /// The provider signs with no algorithm that is accepted.
    #[error("the provider announces no signature algorithm that is accepted, such as RS256 or ES256")]
    NoAlgorithm,
    /// The provider takes the client secret in no way that is supported.
    #[error("the provider takes client secrets neither by `client_secret_basic` nor by `client_secret_post`")]
    NoClientSecret,
    /// Too many people are on their way at present.
    #[error("too many people use providers at present")]
    Busy,
}

impl Default for OpenIdProviders {
    fn default() -> Self {
        Self {
            discovered: Cache::builder().max_capacity(MAX_DISCOVERED).time_to_live(DISCOVERED_FOR).build(),
            asked: Counts::default(),
            permits: Semaphore::new(AT_ONCE),
        }
    }
}

impl OpenIdProviders {
    /// Returns a permit to ask the provider of a tenant, so that providers that do not respond hold up only their own tenants.
    ///
    /// # Errors
    /// [`ProviderError::Busy`] if too many people are on their way.
    pub fn admit(&self, tenant: &TenantId) -> Result<AskingProvider<'_>, ProviderError> {
        let of_tenant = self.asked.admit(tenant, AT_ONCE_FOR_TENANT).ok_or(ProviderError::Busy)?;
        let permit = self.permits.try_acquire().map_err(|_| ProviderError::Busy)?;
        Ok(AskingProvider { _of_tenant: of_tenant, _permit: permit })
    }

    /// Returns the document of a provider, which is fetched at most once in 10 minutes.
    ///
    /// # Errors
    /// [`ProviderError`] if it cannot be fetched or used.
    pub async fn discover(
        &self,
        client: &dyn ProviderClient,
        provider: &IdentityProvider,
        now: Wall,
    ) -> Result<Discovered, ProviderError> {
        match self.discovered.get(&provider.issuer) {
            Some(known) => Ok(known),
            None => self.discover_again(client, &provider.issuer, now).await,
        }
    }

    /// Fetches the document of a provider, and keeps it.
    ///
    /// # Errors
    /// [`ProviderError`] if it cannot be fetched or used.
    pub async fn discover_again(
        &self,
        client: &dyn ProviderClient,
        issuer: &str,
        now: Wall,
    ) -> Result<Discovered, ProviderError> {
        let found = Discovered::fetch(client, issuer, now).await?;
        self.discovered.insert(issuer.to_owned(), found.clone());
        Ok(found)
    }
}
