//! A tenant and its API keys.

pub mod key_request;
pub mod scope;
pub mod standing;
mod transition;

use std::time::Duration;

use link_types::console::{ConsoleKey, KeyScope, KeyState, full_access};
use link_types::id::TenantId;
use link_types::{Mode, Sensitive};
use subtle::ConstantTimeEq;

use crate::kernel::clock::{ClockOffset, TenantTime, Wall};
use crate::kernel::context::Context;
use crate::kernel::digest::{Digest32, hex};
use crate::kernel::owner::Owner;
use crate::tenancy::route_code::RouteCode;

use self::standing::Standing;
pub use self::transition::KeyDraftError;

/// Maximum number of active API keys per environment of a tenant: one for each of its services, and twice that during
/// replacement. Each key is cached in memory.
pub const KEYS_LIMIT: usize = 100;
/// Maximum number of days after which a key expires that has an expiry.
pub const KEY_DAYS_LIMIT: u32 = 3_650;
/// Maximum number of hours for which a key still works after it got a successor.
pub const ROTATION_HOURS_LIMIT: u32 = 168;
/// How exactly the last use of a key is stored, so that most requests do not write.
pub const KEY_USE_PRECISION: Duration = Duration::from_secs(60);

/// An organization that links its users' accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tenant {
    /// Identifier of the tenant. The identifiers of the tenant's users start with it.
    pub id: TenantId,
    /// Name shown if a template has no company name.
    pub name: String,
    /// When the tenant was created.
    pub created_at: TenantTime,
    /// How far the sandbox's clock is ahead of wall time. Production has no offset.
    pub sandbox_offset: ClockOffset,
    /// Whether the service works for the tenant.
    pub standing: Standing,
}

impl Tenant {
    /// Returns the clock offset of one of the tenant's environments.
    pub const fn offset(&self, mode: Mode) -> ClockOffset {
        match mode {
            Mode::Sandbox => self.sandbox_offset,
            Mode::Production => ClockOffset::from_micros(0),
        }
    }
}

/// An API key of one environment as the store keeps it: only digests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// SHA-256 of the key, by which the store finds it.
    pub key_hash: Digest32,
    /// Tenant and environment of the key.
    pub owner: Owner,
    /// SHA-256 of the newest secret.
    pub secret_hash: Digest32,
    /// SHA-256 of the secret that was current when a rotation started. It is accepted until the rotation ends.
    pub previous_secret_hash: Option<Digest32>,
    /// Name that people gave the key. Empty if they gave none.
    pub name: String,
    /// The last four characters of the key, by which people recognize it.
    pub last_four: String,
    /// Scopes of the key.
    pub scopes: Vec<KeyScope>,
    /// When the key was created.
    pub created_at: TenantTime,
    /// When the key stops working. `None` if it does not expire.
    pub expires_at: Option<Wall>,
    /// When the key was last used, accurate to [`KEY_USE_PRECISION`].
    pub last_used_at: Option<Wall>,
    /// When the key was revoked. It is rejected from then on.
    pub revoked_at: Option<TenantTime>,
}

/// Reason why a key's secret cannot be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The key is revoked.
    #[error("the key is revoked")]
    Revoked,
    /// The key has only one secret.
    #[error("the key's secret is not being rotated")]
    NotRotating,
    /// The key has expired.
    #[error("the key has expired")]
    Expired,
    /// The key already has two secrets, and only the tenant knows which of them is used.
    #[error("the key's secret is already being rotated")]
    Rotating,
}

/// A key and its secret in plain text. They are shown once and never stored.
#[derive(Debug)]
pub struct IssuedKey {
    /// `lpk_`, 64 hex digits and a checksum of 8 hex digits. The first 54 digits are random. The last 10 are the tenant's
    /// [route code](RouteCode), or random as well if the tenant was not known yet.
    pub key: String,
    /// `lps_`, 64 random hex digits and a checksum of 8 hex digits.
    pub secret: Sensitive,
}

impl IssuedKey {
    /// Draws a key and its secret. `route` is the code of the key's tenant, if it is known.
    fn draw(route: Option<RouteCode>, context: &mut Context) -> Self {
        let random = context.secret();
        let key = route.map_or(random, |it| it.replace_end(random));
        Self { key: credential("lpk_", &key), secret: Sensitive::new(credential("lps_", &context.secret())) }
    }

    /// Returns their digests.
    fn digests(&self) -> KeyDigests {
        KeyDigests {
            key_hash: Digest32::from_text(&self.key),
            secret_hash: Digest32::from_text(self.secret.expose()),
            last_four: self.key[self.key.len() - 4..].to_owned(),
        }
    }
}

/// The part of a key and its secret that the store keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyDigests {
    /// SHA-256 of the key.
    pub key_hash: Digest32,
    /// SHA-256 of the secret.
    pub secret_hash: Digest32,
    /// The last four characters of the key.
    pub last_four: String,
}

/// Number of hex digits of the checksum.
const CHECKSUM: usize = 8;

/// Builds a credential that ends with the CRC-32 (IEEE) of everything before it, so that secret scanners find it
/// without false positives.
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
    /// Returns whether a text may be an issued key. Mistyped keys need not be looked up.
    pub fn is_key(text: &str) -> bool {
        is_credential("lpk_", text)
    }

    /// Returns whether a text may be an issued secret.
    pub fn is_secret(text: &Sensitive) -> bool {
        is_credential("lps_", text.expose())
    }

    /// Creates a key. Returns the stored key, and the secret that is shown once.
    pub fn issue(owner: Owner, context: &mut Context) -> (Self, IssuedKey) {
        let issued = IssuedKey::draw(Some(RouteCode::of_tenant(&owner.tenant)), context);
        (Self::new(owner, issued.digests(), context), issued)
    }

    /// Returns a key without a name that may do everything.
    fn new(owner: Owner, digests: KeyDigests, context: &Context) -> Self {
        let KeyDigests { key_hash, secret_hash, last_four } = digests;
        Self {
            key_hash,
            owner,
            secret_hash,
            previous_secret_hash: None,
            name: String::new(),
            last_four,
            scopes: full_access(),
            created_at: context.now().tenant(),
            expires_at: None,
            last_used_at: None,
            revoked_at: None,
        }
    }

    /// Returns whether the key works.
    pub fn state(&self, now: Wall) -> KeyState {
        match (self.revoked_at, self.expires_at) {
            (Some(_), _) => KeyState::Revoked,
            (None, Some(end)) if end <= now => KeyState::Expired,
            (None, _) => KeyState::Active,
        }
    }

    /// Returns the key as the developer portal shows it.
    pub fn view(&self, now: Wall) -> ConsoleKey {
        let time = |at: Wall| TenantTime::from_micros(at.micros()).into();
        ConsoleKey {
            id: self.id(),
            name: self.name.clone(),
            last_four: self.last_four.clone(),
            scopes: self.scopes.clone(),
            state: self.state(now),
            created_at: self.created_at.into(),
            expires_at: self.expires_at.map(time),
            last_used_at: self.last_used_at.map(time),
            revoked_at: self.revoked_at.map(Into::into),
        }
    }

    /// Returns an identifier that is not a secret: the first 12 hex digits of the key's digest.
    pub fn id(&self) -> String {
        hex(&self.key_hash.as_bytes()[..6])
    }

    /// Adds a new secret. Both secrets are accepted until the rotation ends.
    ///
    /// # Errors
    ///
    /// [`KeyError`] if the key is revoked or a rotation is in progress.
    pub fn rotate(self, context: &mut Context) -> Result<(Self, Sensitive), KeyError> {
        match (self.revoked_at, self.previous_secret_hash) {
            (Some(_), _) => Err(KeyError::Revoked),
            (None, Some(_)) => Err(KeyError::Rotating),
            (None, None) => Ok(Self { previous_secret_hash: Some(self.secret_hash), ..self }.renew(context)),
        }
    }

    /// Replaces the new secret of the rotation in progress, for example if it was lost. The replaced secret is rejected
    /// from now on. The previous secret is still accepted.
    ///
    /// # Errors
    ///
    /// [`KeyError`] if the key is revoked or no rotation is in progress.
    pub fn rotate_again(self, context: &mut Context) -> Result<(Self, Sensitive), KeyError> {
        match (self.revoked_at, self.previous_secret_hash) {
            (Some(_), _) => Err(KeyError::Revoked),
            (None, None) => Err(KeyError::NotRotating),
            (None, Some(_)) => Ok(self.renew(context)),
        }
    }

    fn renew(self, context: &mut Context) -> (Self, Sensitive) {
        let secret = Sensitive::new(credential("lps_", &context.secret()));
        (Self { secret_hash: Digest32::from_text(secret.expose()), ..self }, secret)
    }

    /// Ends the rotation: only the newest secret is accepted from now on.
    ///
    /// # Errors
    ///
    /// [`KeyError`] if the key is revoked or no rotation is in progress.
    pub fn end_rotation(self) -> Result<Self, KeyError> {
        match (self.revoked_at, self.previous_secret_hash) {
            (Some(_), _) => Err(KeyError::Revoked),
            (None, None) => Err(KeyError::NotRotating),
            (None, Some(_)) => Ok(Self { previous_secret_hash: None, ..self }),
        }
    }

    /// Revokes the key at `at`. If it was revoked earlier, that time is unchanged.
    #[must_use]
    pub fn revoke(self, at: TenantTime) -> Self {
        Self { revoked_at: self.revoked_at.or(Some(at)), ..self }
    }

    /// Returns whether a secret is valid for this key. Takes the same time for every wrong secret.
    pub fn accepts(&self, secret: &Sensitive) -> bool {
        let presented = Digest32::from_text(secret.expose());
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
    fn key_ends_with_the_route_code_of_its_tenant() {
        let (_, issued) = ApiKey::issue(fixture::owner(), &mut fixture::context());
        let code = RouteCode::of_tenant(&fixture::owner().tenant).to_string();
        assert_eq!(issued.key[58..68], code);
        assert!(!issued.secret.expose().contains(&code));
    }

    #[test]
    fn key_accepts_only_its_own_secret_until_revoked() {
        let mut context = fixture::context();
        let (mut key, issued) = ApiKey::issue(fixture::owner(), &mut context);
        let (_, other) = ApiKey::issue(fixture::owner(), &mut context);
        assert!(issued.key.starts_with("lpk_") && issued.secret.expose().starts_with("lps_"));
        assert!(key.accepts(&issued.secret));
        assert!(!key.accepts(&other.secret));
        key.previous_secret_hash = Some(Digest32::from_text(other.secret.expose()));
        assert!(key.accepts(&other.secret) && key.accepts(&issued.secret));
        let key = key.revoke(context.now().tenant());
        assert!(!key.accepts(&issued.secret));
    }

    #[test]
    fn mistyped_credential_is_detected_by_its_checksum() {
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
        // The check value of CRC-32, as given in docs/how-to/administration.md.
        assert_eq!(checksum("123456789"), "cbf43926");
    }

    #[test]
    fn rotated_key_accepts_both_secrets_until_rotation_ends() {
        let mut context = fixture::context();
        let (key, issued) = ApiKey::issue(fixture::owner(), &mut context);
        assert_eq!(key.clone().end_rotation(), Err(KeyError::NotRotating));
        let (key, second) = key.rotate(&mut context).unwrap();
        assert!(key.accepts(&issued.secret) && key.accepts(&second));
        assert_eq!(key.clone().rotate(&mut context), Err(KeyError::Rotating));
        let (twice, third) = key.clone().rotate_again(&mut context).unwrap();
        assert!(twice.accepts(&issued.secret) && !twice.accepts(&second) && twice.accepts(&third));
        let ended = twice.end_rotation().unwrap();
        assert!(!ended.accepts(&issued.secret) && ended.accepts(&third));
        let key = key.end_rotation().unwrap();
        assert!(!key.accepts(&issued.secret) && key.accepts(&second));
        assert_eq!(key.clone().rotate_again(&mut context), Err(KeyError::NotRotating));
        assert_eq!(key.revoke(context.now().tenant()).rotate(&mut context), Err(KeyError::Revoked));
    }
}
