//! The sign-in with a tenant's OpenID provider, as the portal configures it.

use serde::{Deserialize, Serialize};

use super::Role;
use crate::id::TenantId;
use crate::{Sensitive, Timestamp};

/// The single sign-on of a tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SingleSignOn {
    /// The organization's id, which members type on the sign-in page.
    pub organization: TenantId,
    /// Address to register at the provider, exactly.
    pub callback_url: String,
    /// The provider. Null if none is configured.
    pub provider: Option<IdentityProvider>,
    /// Domains whose addresses may join, in the order of their names.
    pub domains: Vec<SignOnDomain>,
}

/// An OpenID provider, without its client secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IdentityProvider {
    /// Issuer.
    pub issuer: String,
    /// Client id.
    pub client_id: String,
    /// The last four characters of the client secret. Empty for a secret of less than 16.
    pub secret_last_four: String,
    /// Role of members who join by their verified address.
    pub role: Role,
    /// Whether members who are not owners must sign in with the provider.
    pub is_required: bool,
    /// When the provider was last configured.
    pub changed_at: Timestamp,
}

/// A provider to configure.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IdentityProviderDraft {
    /// Issuer, exactly as the provider spells it: a URL with https, at most 255 bytes.
    pub issuer: String,
    /// Client id, 1 to 512 visible ASCII characters.
    pub client_id: String,
    /// Client secret, 1 to 512 visible ASCII characters. Null or empty to keep the present one.
    #[serde(default)]
    pub client_secret: Option<Sensitive>,
    /// Role of members who join by their verified address. Not `OWNER`.
    pub role: Role,
    /// Whether members who are not owners must sign in with the provider.
    pub is_required: bool,
}

/// A domain whose addresses may join a tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignOnDomain {
    /// The domain, in lower-case ASCII.
    pub domain: String,
    /// Name of the TXT record that proves it.
    pub record_name: String,
    /// Text of the TXT record.
    pub record_text: String,
    /// When it was proven. Null if it is not.
    pub proven_at: Option<Timestamp>,
}

/// A domain to add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DomainDraft {
    /// The domain, for example `shop.example`.
    pub domain: String,
}

/// The caller's own identity at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnIdentity {
    /// Whether the tenant has a provider.
    pub is_offered: bool,
    /// When the member linked their identity. Null if they have not.
    pub linked_at: Option<Timestamp>,
}
