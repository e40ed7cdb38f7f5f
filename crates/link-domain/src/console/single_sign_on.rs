//! The sign-in with an OpenID provider that the tenant chose.
//!
//! The provider says who a person is: an [`Identity`] is the issuer and the subject of an ID token. It belongs to a member who
//! accepted an invitation with it, who linked it while signed in, or whose verified address has a domain that the tenant has
//! [proven](SignOnDomain). The address alone never leads to a member who exists.

mod departure;
mod domain;
mod identity;
pub mod port;
mod provider;

#[cfg(test)]
mod tests;

pub use self::departure::{Aim, DEPARTURE_LIFE, Departure, DepartureSecrets, nonce_of, verifier_of};
pub use self::domain::{DomainError, MAX_DOMAINS, SignOnDomain, domain_of_address};
pub use self::identity::{Arrival, Identity, IdentityClaims, SignOnError, SignedInByProvider, subject_hash};
pub use self::provider::{IdentityProvider, IdentityProviderError, MAX_ISSUER, check_issuer};
