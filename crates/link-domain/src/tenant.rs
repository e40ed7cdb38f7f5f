//! A tenant and its API keys.

use link_types::id::TenantId;
use link_types::{Mode, Sensitive};
use subtle::ConstantTimeEq;

use crate::clock::{ClockOffset, TenantTime};
use crate::context::Context;
use crate::digest::{Digest32, hex};
use crate::owner::Owner;

/// An organization that links its users' accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tenant {
    /// The id; it begins the ids of the tenant's users.
    pub id: TenantId,
    /// The name shown where a template names no company.
    pub name: String,
    /// When the tenant was made.
    pub created_at: TenantTime,
    /// How far the sandbox's clock is ahead of the wall. Production has none.
    pub sandbox_offset: ClockOffset,
}

impl Tenant {
    /// The clock offset of one of the tenant's environments.
    pub const fn offset(&self, mode: Mode) -> ClockOffset {
        match mode {
            Mode::Sandbox => self.sandbox_offset,
            Mode::Production => ClockOffset::from_micros(0),
        }
    }
}

/// An API key of one environment, as the store keeps it: digests only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// SHA-256 of the key: the store looks a key up by it.
    pub key_hash: Digest32,
    /// Whose key it is.
    pub owner: Owner,
    /// SHA-256 of the secret in force.
    pub secret_hash: Digest32,
    /// SHA-256 of the secret before it, still accepted while the tenant rotates.
    pub previous_secret_hash: Option<Digest32>,
    /// When the key was made.
    pub created_at: TenantTime,
    /// When the key was revoked: it is refused from then on.
    pub revoked_at: Option<TenantTime>,
}

/// A key and its secret in clear: shown once, never stored.
#[derive(Debug)]
pub struct IssuedKey {
    /// `lpk_` and 64 hexadecimal digits.
    pub key: String,
    /// `lps_` and 64 hexadecimal digits.
    pub secret: Sensitive,
}

impl ApiKey {
    /// Makes a key: what is stored, and what is shown once.
    pub fn issue(owner: Owner, context: &mut Context) -> (Self, IssuedKey) {
        let issued = IssuedKey {
            key: format!("lpk_{}", hex(&context.secret())),
            secret: Sensitive::new(format!("lps_{}", hex(&context.secret()))),
        };
        let stored = Self {
            key_hash: Digest32::of(&issued.key),
            owner,
            secret_hash: Digest32::of(issued.secret.expose()),
            previous_secret_hash: None,
            created_at: context.now().tenant(),
            revoked_at: None,
        };
        (stored, issued)
    }

    /// Whether a presented secret opens this key. Takes the same time for every wrong one.
    pub fn accepts(&self, secret: &Sensitive) -> bool {
        let presented = Digest32::of(secret.expose());
        let current = self.secret_hash.as_bytes().ct_eq(presented.as_bytes());
        let previous = self.previous_secret_hash.unwrap_or(self.secret_hash);
        let matches = current | previous.as_bytes().ct_eq(presented.as_bytes());
        bool::from(matches) && self.revoked_at.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn a_key_opens_with_its_secret_and_no_other_until_revoked() {
        let mut context = fixture::context();
        let (mut key, issued) = ApiKey::issue(fixture::owner(), &mut context);
        let (_, other) = ApiKey::issue(fixture::owner(), &mut context);
        assert!(issued.key.starts_with("lpk_") && issued.secret.expose().starts_with("lps_"));
        assert!(key.accepts(&issued.secret));
        assert!(!key.accepts(&other.secret));
        key.previous_secret_hash = Some(Digest32::of(other.secret.expose()));
        assert!(key.accepts(&other.secret) && key.accepts(&issued.secret));
        key.revoked_at = Some(context.now().tenant());
        assert!(!key.accepts(&issued.secret));
    }
}
