//! `Idempotency-Key` (`service.md`: "Answers"): which requests count as repetitions, which response they get, and for
//! how long.

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::kernel::clock::{Now, TenantTime, Wall};
use crate::kernel::digest::{Digest32, hex};
use crate::kernel::owner::Owner;
use crate::kernel::subject::Subject;
use link_types::id::WebhookId;

/// Maximum time that a response is stored, in real time: 24 hours. A client repeats requests in real time, and an
/// advance of the sandbox's clock must not run one twice.
pub const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Maximum number of characters in a key.
pub const MAX_KEY_LENGTH: usize = 255;

/// Key that a client assigns to a request: 1 to 255 printable ASCII characters.
#[derive(Clone, PartialEq, Eq)]
pub struct IdempotencyKey(String);

/// Error for a text that is not a valid key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 255 printable ASCII characters")]
pub struct InvalidKeyError;

impl IdempotencyKey {
    /// Parses the key from the bytes of the header.
    ///
    /// # Errors
    ///
    /// [`InvalidKeyError`] if the key is empty, too long, or not printable ASCII.
    pub fn parse(bytes: &[u8]) -> Result<Self, InvalidKeyError> {
        let printable = bytes.iter().all(|byte| matches!(byte, b' '..=b'~'));
        if bytes.is_empty() || bytes.len() > MAX_KEY_LENGTH || !printable {
            return Err(InvalidKeyError);
        }
        String::from_utf8(bytes.to_vec()).map(Self).map_err(|_| InvalidKeyError)
    }
}

impl std::fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("IdempotencyKey(…)")
    }
}

/// A request with an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyedRequest {
    /// Tenant and environment of the key. Other tenants, and the tenant's other environment, can use the same key.
    pub owner: Owner,
    /// Key sent by the client.
    pub key: IdempotencyKey,
    /// Digest of the request.
    pub fingerprint: Digest32,
}

/// How the store identifies a request. Keys and bodies may contain personal data. So the store has neither of them, nor
/// a digest that could be reversed by guessing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredName {
    /// Identifier of the row.
    pub id: String,
    /// Keyed hash of the request's fingerprint.
    pub fingerprint: Digest32,
}

impl KeyedRequest {
    /// Computes the digest of a request. A different method, path, query or body is a different request.
    pub fn fingerprint(method: &str, path: &str, query: &str, body: &[u8; 32]) -> Digest32 {
        let mut digest = Sha256::new();
        for part in [method.as_bytes(), path.as_bytes(), query.as_bytes(), body] {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        Digest32::from_bytes(digest.finalize().into())
    }

    /// Returns how a store that uses the lookup key `key` identifies this request.
    pub fn to_stored_name(&self, key: &[u8; 32]) -> StoredName {
        let Owner { tenant, mode } = &self.owner;
        let row = [b"idempotency key".as_slice(), tenant.as_str().as_bytes(), mode.as_str().as_bytes()];
        let id = compute_keyed_digest(key, row.into_iter().chain([self.key.0.as_bytes()]));
        let fingerprint =
            compute_keyed_digest(key, [b"idempotent request", self.fingerprint.as_bytes().as_slice()]);
        StoredName { id: hex(&id), fingerprint: Digest32::from_bytes(fingerprint) }
    }
}

fn compute_keyed_digest<'a>(key: &[u8; 32], parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("HMAC takes a key of any length")
    };
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// Object that a response is about. Erasing the object erases the response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// An object with its own key, which encrypts the response.
    Subject(Subject),
    /// A webhook. The response is encrypted with the service's key.
    Webhook(WebhookId),
}

impl About {
    /// Returns the identifier of the object.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Subject(subject) => subject.as_str(),
            Self::Webhook(id) => id.as_str(),
        }
    }

    /// Returns the name of the key that encrypts the response, or `None` if the object has no key.
    pub fn scope(&self) -> Option<&str> {
        match self {
            Self::Subject(subject) => Some(subject.as_str()),
            Self::Webhook(_) => None,
        }
    }
}

impl From<Subject> for About {
    fn from(subject: Subject) -> Self {
        Self::Subject(subject)
    }
}

impl From<WebhookId> for About {
    fn from(id: WebhookId) -> Self {
        Self::Webhook(id)
    }
}

/// A stored response to a repeated request.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredResponse {
    /// HTTP status.
    pub status: u16,
    /// JSON body. Empty if the response has no body.
    pub body: Vec<u8>,
    /// Object that the response is about.
    pub subject: Option<About>,
    /// When the response is deleted.
    pub expires_at: Wall,
    /// Whether the response is final. False while an external source is being queried.
    pub settled: bool,
}

impl std::fmt::Debug for StoredResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredResponse").field("status", &self.status).finish_non_exhaustive()
    }
}

/// Returns when a response that is sent now expires: after 24 hours, or earlier if a secret in it expires.
pub fn expires_at(now: Now, secret_ends: Option<TenantTime>) -> Wall {
    let rest = secret_ends.map_or(MAX_AGE, |ends| ends.since(now.tenant()).min(MAX_AGE));
    now.wall() + rest
}

/// Result of claiming a key for a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The key was unused and now belongs to this request.
    Mine,
    /// The same request already has a response, which is repeated.
    Responded {
        /// HTTP status.
        status: u16,
        /// JSON body.
        body: Vec<u8>,
    },
    /// The same request is still waiting for an external source.
    Open {
        /// Identifier of the object that the request created, if any.
        subject: Option<String>,
    },
    /// A different request has this key.
    OtherRequest,
}

#[cfg(test)]
mod tests {
    use link_types::Mode;
    use rstest::rstest;

    use super::*;
    use crate::kernel::clock::ClockOffset;

    fn request(mode: Mode, key: &str) -> KeyedRequest {
        let owner = Owner { tenant: "demo".parse().unwrap(), mode };
        let key = IdempotencyKey::parse(key.as_bytes()).unwrap();
        KeyedRequest { owner, key, fingerprint: KeyedRequest::fingerprint("POST", "/users", "", &[1; 32]) }
    }

    #[rstest]
    #[case::empty("")]
    #[case::non_ascii("clé")]
    #[case::control_character("a\tb")]
    fn invalid_idempotency_key_is_rejected(#[case] text: &str) {
        assert_eq!(IdempotencyKey::parse(text.as_bytes()), Err(InvalidKeyError));
    }

    #[test]
    fn idempotency_key_of_256_characters_is_rejected() {
        assert!(IdempotencyKey::parse(&[b'k'; 255]).is_ok());
        assert_eq!(IdempotencyKey::parse(&[b'k'; 256]), Err(InvalidKeyError));
    }

    #[rstest]
    #[case::method(KeyedRequest::fingerprint("PATCH", "/users", "", &[1; 32]))]
    #[case::path(KeyedRequest::fingerprint("POST", "/tokens", "", &[1; 32]))]
    #[case::query(KeyedRequest::fingerprint("POST", "/users", "a=b", &[1; 32]))]
    #[case::body(KeyedRequest::fingerprint("POST", "/users", "", &[2; 32]))]
    #[case::part_boundary(KeyedRequest::fingerprint("POST", "/user", "s", &[1; 32]))]
    fn fingerprint_covers_method_path_query_and_body(#[case] other: Digest32) {
        assert_ne!(request(Mode::Sandbox, "k").fingerprint, other);
    }

    #[test]
    fn environments_do_not_share_idempotency_keys() {
        let name = |mode, key| request(mode, key).to_stored_name(&[7; 32]).id;
        assert_ne!(name(Mode::Sandbox, "k"), name(Mode::Production, "k"));
        assert_ne!(name(Mode::Sandbox, "k"), name(Mode::Sandbox, "l"));
        assert_eq!(name(Mode::Sandbox, "k"), name(Mode::Sandbox, "k"));
    }

    #[test]
    fn response_is_stored_for_24h_or_until_its_secret_expires() {
        let now = Now::new(Wall::from_micros(1_000), ClockOffset::from_micros(86_400_000_000));
        let minute = Duration::from_secs(60);
        assert_eq!(expires_at(now, None), now.wall() + MAX_AGE);
        assert_eq!(expires_at(now, Some(now.tenant() + minute)), now.wall() + minute);
        assert_eq!(expires_at(now, Some(now.tenant() + MAX_AGE * 2)), now.wall() + MAX_AGE);
    }
}
