//! A tenant and its API keys.

use link_types::id::TenantId;
use link_types::{Mode, Sensitive};
use subtle::ConstantTimeEq;

use crate::clock::{ClockOffset, TenantTime};
use crate::context::Context;
use crate::digest::{Digest32, hex};
use crate::owner::Owner;

/// The most live API keys of one environment of a tenant: one for each of its services, and as many again while they are
/// replaced. Each is remembered in memory.
pub const KEYS_LIMIT: usize = 100;

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
    /// SHA-256 of the newest secret.
    pub secret_hash: Digest32,
    /// SHA-256 of the secret that was in force when a rotation began, accepted until it ends.
    pub previous_secret_hash: Option<Digest32>,
    /// When the key was made.
    pub created_at: TenantTime,
    /// When the key was revoked: it is refused from then on.
    pub revoked_at: Option<TenantTime>,
}

/// Why a key's secret cannot be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyFault {
    /// The key is revoked.
    #[error("the key is revoked")]
    Revoked,
    /// There is one secret alone.
    #[error("the key's secret is not being rotated")]
    NotRotating,
    /// There are two secrets already, and nobody but the tenant knows which of them is used.
    #[error("the key's secret is being rotated already")]
    Rotating,
}

/// A key and its secret in clear: shown once, never stored.
#[derive(Debug)]
pub struct IssuedKey {
    /// `lpk_`, 64 random hexadecimal digits and a checksum of 8.
    pub key: String,
    /// `lps_`, 64 random hexadecimal digits and a checksum of 8.
    pub secret: Sensitive,
}

/// Hexadecimal digits of a checksum.
const CHECKSUM: usize = 8;

/// A credential that ends with the CRC-32 (IEEE) of everything before: scanners find it in a text without mistakes.
fn credential(prefix: &str, random: &[u8]) -> String {
    let body = format!("{prefix}{}", hex(random));
    let checksum = checksum(&body);
    body + &checksum
}

fn checksum(body: &str) -> String {
    format!("{:08x}", crc32fast::hash(body.as_bytes()))
}

fn is_credential(prefix: &str, text: &str) -> bool {
    let Some((body, sum)) = text.len().checked_sub(CHECKSUM).and_then(|at| text.split_at_checked(at)) else {
        return false;
    };
    body.starts_with(prefix) && checksum(body) == sum
}

impl ApiKey {
    /// Whether this is a key that may have been issued: a mistyped one need not be looked up.
    pub fn is_key(text: &str) -> bool {
        is_credential("lpk_", text)
    }

    /// Whether this is a secret that may have been issued.
    pub fn is_secret(text: &Sensitive) -> bool {
        is_credential("lps_", text.expose())
    }

    /// Makes a key: what is stored, and what is shown once.
    pub fn issue(owner: Owner, context: &mut Context) -> (Self, IssuedKey) {
        let issued = IssuedKey {
            key: credential("lpk_", &context.secret()),
            secret: Sensitive::new(credential("lps_", &context.secret())),
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

    /// A name that is no secret: the first twelve hexadecimal digits of the key's digest.
    pub fn id(&self) -> String {
        hex(&self.key_hash.as_bytes()[..6])
    }

    /// A new secret beside the one in force: both open the key until the rotation ends.
    ///
    /// # Errors
    ///
    /// [`KeyFault`] when it is revoked, or a rotation is under way.
    pub fn rotate(self, context: &mut Context) -> Result<(Self, Sensitive), KeyFault> {
        match (self.revoked_at, self.previous_secret_hash) {
            (Some(_), _) => Err(KeyFault::Revoked),
            (None, Some(_)) => Err(KeyFault::Rotating),
            (None, None) => {
                Ok(Self { previous_secret_hash: Some(self.secret_hash), ..self }.renewed(context))
            }
        }
    }

    /// Another secret in the place of the one that the rotation under way gave, which is refused from now on: for when
    /// that was lost. The one before stays.
    ///
    /// # Errors
    ///
    /// [`KeyFault`] when it is revoked, or no rotation is under way.
    pub fn rotate_again(self, context: &mut Context) -> Result<(Self, Sensitive), KeyFault> {
        match (self.revoked_at, self.previous_secret_hash) {
            (Some(_), _) => Err(KeyFault::Revoked),
            (None, None) => Err(KeyFault::NotRotating),
            (None, Some(_)) => Ok(self.renewed(context)),
        }
    }

    fn renewed(self, context: &mut Context) -> (Self, Sensitive) {
        let secret = Sensitive::new(credential("lps_", &context.secret()));
        (Self { secret_hash: Digest32::of(secret.expose()), ..self }, secret)
    }

    /// The newest secret alone opens the key from now on.
    ///
    /// # Errors
    ///
    /// [`KeyFault`] when it is revoked, or has one secret anyway.
    pub fn end_rotation(self) -> Result<Self, KeyFault> {
        match (self.revoked_at, self.previous_secret_hash) {
            (Some(_), _) => Err(KeyFault::Revoked),
            (None, None) => Err(KeyFault::NotRotating),
            (None, Some(_)) => Ok(Self { previous_secret_hash: None, ..self }),
        }
    }

    /// Refused from `at` on; one that was revoked before stays so.
    #[must_use]
    pub fn revoke(self, at: TenantTime) -> Self {
        Self { revoked_at: self.revoked_at.or(Some(at)), ..self }
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
        let key = key.revoke(context.now().tenant());
        assert!(!key.accepts(&issued.secret));
    }

    #[test]
    fn mistyped_credential_is_told_by_its_checksum() {
        let mut context = fixture::context();
        let (_, issued) = ApiKey::issue(fixture::owner(), &mut context);
        assert!(ApiKey::is_key(&issued.key) && ApiKey::is_secret(&issued.secret));
        assert_eq!((issued.key.len(), issued.secret.expose().len()), (76, 76));
        assert!(!ApiKey::is_key(issued.secret.expose()));
        for at in 4..issued.key.len() {
            let mut typed = issued.key.clone().into_bytes();
            typed[at] = if typed[at] == b'0' { b'1' } else { b'0' };
            assert!(!ApiKey::is_key(std::str::from_utf8(&typed).unwrap()), "{at}");
        }
        for text in ["", "lpk_", "lpk_nobody", "lpk_é1234567", &issued.key[..75]] {
            assert!(!ApiKey::is_key(text), "{text}");
        }
        // The check value of CRC-32, which docs/how-to/administration.md names.
        assert_eq!(checksum("123456789"), "cbf43926");
    }

    #[test]
    fn a_rotated_key_opens_with_both_secrets_until_the_rotation_ends() {
        let mut context = fixture::context();
        let (key, issued) = ApiKey::issue(fixture::owner(), &mut context);
        assert_eq!(key.clone().end_rotation(), Err(KeyFault::NotRotating));
        let (key, second) = key.rotate(&mut context).unwrap();
        assert!(key.accepts(&issued.secret) && key.accepts(&second));
        assert_eq!(key.clone().rotate(&mut context), Err(KeyFault::Rotating));
        let (twice, third) = key.clone().rotate_again(&mut context).unwrap();
        assert!(twice.accepts(&issued.secret) && !twice.accepts(&second) && twice.accepts(&third));
        let ended = twice.end_rotation().unwrap();
        assert!(!ended.accepts(&issued.secret) && ended.accepts(&third));
        let key = key.end_rotation().unwrap();
        assert!(!key.accepts(&issued.secret) && key.accepts(&second));
        assert_eq!(key.clone().rotate_again(&mut context), Err(KeyFault::NotRotating));
        assert_eq!(key.revoke(context.now().tenant()).rotate(&mut context), Err(KeyFault::Revoked));
    }
}
