//! The OpenID providers of tenants: their discovery documents, the exchange of a code, and the check of an ID token.
//!
//! The library `openidconnect` parses, sends and verifies. Each request goes through the port [`ProviderClient`], because a
//! tenant chooses the address. A provider's own words are neither shown nor logged.

mod client;
mod discovery;
#[cfg(test)]
mod tests;
pub mod token;
mod types;

use std::sync::Arc;
use std::time::Duration;

use link_domain::console::single_sign_on::IdentityProvider;
use link_domain::console::single_sign_on::port::{FetchError, ProviderClient};
use link_domain::kernel::clock::Wall;
use link_types::id::TenantId;
use moka::sync::Cache;
use openidconnect::core::CoreJwsSigningAlgorithm;
use tokio::sync::{OnceCell, Semaphore};

use crate::app::counted::{Counted, Counts};

pub use self::discovery::Discovered;

/// How long a discovery document and its keys are used before they are fetched again.
const DISCOVERED_FOR: Duration = Duration::from_secs(10 * 60);
/// The maximum number of discovery documents that are kept.
const MAX_DISCOVERED: u64 = 1_000;
/// How long an attempt to fetch a discovery document that failed counts, from its beginning.
const FAILED_FOR: Duration = Duration::from_secs(30);
/// The maximum number of people of one tenant and purpose for whom its provider is asked at the same time.
const MAX_AT_ONCE_FOR_TENANT: usize = 8;
/// The maximum number of people of one purpose for whom providers are asked at the same time.
const MAX_AT_ONCE: usize = 64;
/// The maximum number of own hosts of a tenant whose records are looked up at the same time.
const MAX_HOSTS_AT_ONCE_FOR_TENANT: usize = 2;
/// The maximum number of own hosts whose records are looked up at the same time.
const MAX_HOSTS_AT_ONCE: usize = 16;

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
    discovered: Cache<String, Arc<Attempt>>,
    asked: Counts<(TenantId, Purpose)>,
    leaving: Semaphore,
    arriving: Semaphore,
    settings: Semaphore,
    site_hosts: Semaphore,
}

/// An attempt to fetch the document of an issuer. All people who need it wait for the same one.
struct Attempt {
    begun_at: Wall,
    found: OnceCell<Result<Discovered, ProviderError>>,
}

impl Attempt {
    fn begin(now: Wall) -> Arc<Self> {
        Arc::new(Self { begun_at: now, found: OnceCell::new() })
    }

    fn has_failed_long_ago(&self, now: Wall) -> bool {
        matches!(self.found.get(), Some(Err(_))) && now.since(self.begun_at) >= FAILED_FOR
    }
}

/// Why a provider or a name server is asked. Each purpose has its own limits: people who only leave, whom anyone can pretend to
/// be, do not hold up those who come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// A person leaves for the provider.
    Leaving,
    /// A person comes back.
    Arriving,
    /// An owner changes the settings or proves a domain.
    Settings,
    /// An API key proves an own host of link sites. A program can do so all the time, so it does not hold up owners.
    SiteHosts,
}

/// A permit to ask a provider.
pub struct AskingProvider<'a> {
    _of_tenant: Counted<(TenantId, Purpose)>,
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
    /// The provider announces methods of PKCE without S256.
    #[error("the provider announces `code_challenge_methods_supported` without S256")]
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
            leaving: Semaphore::new(MAX_AT_ONCE),
            arriving: Semaphore::new(MAX_AT_ONCE),
            settings: Semaphore::new(MAX_AT_ONCE),
            site_hosts: Semaphore::new(MAX_HOSTS_AT_ONCE),
        }
    }
}

impl OpenIdProviders {
    /// Returns a permit to ask the provider of a tenant. One provider that does not respond holds up only its own tenant; those of
    /// eight tenants can hold up the others for the same purpose.
    ///
    /// # Errors
    /// [`ProviderError::Busy`] if too many people are on their way.
    pub fn admit(&self, tenant: &TenantId, purpose: Purpose) -> Result<AskingProvider<'_>, ProviderError> {
        let (permits, at_once) = match purpose {
            Purpose::Leaving => (&self.leaving, MAX_AT_ONCE_FOR_TENANT),
            Purpose::Arriving => (&self.arriving, MAX_AT_ONCE_FOR_TENANT),
            Purpose::Settings => (&self.settings, MAX_AT_ONCE_FOR_TENANT),
            Purpose::SiteHosts => (&self.site_hosts, MAX_HOSTS_AT_ONCE_FOR_TENANT),
        };
        let of_tenant = self.asked.admit(&(tenant.clone(), purpose), at_once);
        let of_tenant = of_tenant.ok_or(ProviderError::Busy)?;
        let permit = permits.try_acquire().map_err(|_| ProviderError::Busy)?;
        Ok(AskingProvider { _of_tenant: of_tenant, _permit: permit })
    }

    /// Returns the document of a provider, which is fetched at most once in 10 minutes, or in 30 seconds if that fails.
    ///
    /// # Errors
    /// [`ProviderError`] if it cannot be fetched or used.
    pub async fn discover(
        &self,
        client: &dyn ProviderClient,
        provider: &IdentityProvider,
        now: Wall,
    ) -> Result<Discovered, ProviderError> {
        self.try_once(client, &provider.issuer, now, |it| it.has_failed_long_ago(now)).await
    }

    /// Returns a newer document of a provider than an earlier one.
    ///
    /// # Errors
    /// [`ProviderError`] if it cannot be fetched or used.
    async fn discover_newer(
        &self,
        client: &dyn ProviderClient,
        (issuer, earlier): (&str, &Discovered),
        now: Wall,
    ) -> Result<Discovered, ProviderError> {
        let is_old = |it: &Attempt| it.begun_at <= earlier.fetched_at || it.has_failed_long_ago(now);
        self.try_once(client, issuer, now, is_old).await
    }

    /// Joins the attempt to fetch a document, or begins one if there is none, or an old one.
    async fn try_once(
        &self,
        client: &dyn ProviderClient,
        issuer: &str,
        now: Wall,
        is_old: impl Fn(&Attempt) -> bool,
    ) -> Result<Discovered, ProviderError> {
        let entry = self.discovered.entry_by_ref(issuer);
        let attempt = entry.or_insert_with_if(|| Attempt::begin(now), |it| is_old(it)).into_value();
        attempt.found.get_or_init(|| Discovered::fetch(client, issuer, now)).await.clone()
    }

    /// Fetches the document of a provider for its owner, and keeps it.
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
        let attempt = Attempt { begun_at: now, found: OnceCell::new_with(Some(Ok(found.clone()))) };
        self.discovered.insert(issuer.to_owned(), Arc::new(attempt));
        Ok(found)
    }
}
