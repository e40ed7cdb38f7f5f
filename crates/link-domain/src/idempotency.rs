//! `Idempotency-Key` (`service.md`: "Answers"): which requests are one request, what a repeated one is answered,
//! and for how long.

use std::time::Duration;

use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

use crate::clock::{Now, TenantTime};
use crate::digest::{Digest32, hex};
use crate::event::Subject;
use crate::owner::Owner;
use link_types::id::WebhookId;

/// How long an answer is kept at most, on the tenant's clock.
pub const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// The most characters a key has.
pub const MAX_KEY_LENGTH: usize = 255;

/// What a caller calls one of its requests: 1 to 255 printable ASCII characters.
#[derive(Clone, PartialEq, Eq)]
pub struct IdempotencyKey(String);

/// A text that is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("1 to 255 printable ASCII characters")]
pub struct InvalidKey;

impl IdempotencyKey {
    /// The key in the bytes of its header.
    ///
    /// # Errors
    ///
    /// [`InvalidKey`] when they are none, too many, or not printable ASCII.
    pub fn parse(bytes: &[u8]) -> Result<Self, InvalidKey> {
        let printable = bytes.iter().all(|byte| matches!(byte, b' '..=b'~'));
        if bytes.is_empty() || bytes.len() > MAX_KEY_LENGTH || !printable {
            return Err(InvalidKey);
        }
        String::from_utf8(bytes.to_vec()).map(Self).map_err(|_| InvalidKey)
    }
}

impl std::fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("IdempotencyKey(…)")
    }
}

/// A request under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyedRequest {
    /// Whose key it is: two tenants, and the two environments of one, may use the same.
    pub owner: Owner,
    /// The key.
    pub key: IdempotencyKey,
    /// What was asked.
    pub fingerprint: Digest32,
}

/// What the store knows a request by. Keys and bodies may name a person, so neither is stored, nor a digest that
/// could be found by guessing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredName {
    /// The row.
    pub id: String,
    /// What was asked.
    pub fingerprint: Digest32,
}

impl KeyedRequest {
    /// The digest of what is asked: another method, path, query or body is another request.
    pub fn fingerprint(method: &str, path: &str, query: &str, body: &[u8; 32]) -> Digest32 {
        let mut digest = Sha256::new();
        for part in [method.as_bytes(), path.as_bytes(), query.as_bytes(), body] {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        Digest32::from_bytes(digest.finalize().into())
    }

    /// The name of this request in a store that looks things up with `key`.
    pub fn stored_name(&self, key: &[u8; 32]) -> StoredName {
        let Owner { tenant, mode } = &self.owner;
        let row = [b"idempotency key".as_slice(), tenant.as_str().as_bytes(), mode.as_str().as_bytes()];
        let id = keyed(key, row.into_iter().chain([self.key.0.as_bytes()]));
        let fingerprint = keyed(key, [b"idempotent request", self.fingerprint.as_bytes().as_slice()]);
        StoredName { id: hex(&id), fingerprint: Digest32::from_bytes(fingerprint) }
    }
}

fn keyed<'a>(key: &[u8; 32], parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("HMAC takes a key of any length")
    };
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// What an answer is about: it is erased with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// Something with a key of its own, which seals the answer.
    Subject(Subject),
    /// A webhook; the answer is sealed with the service's key.
    Webhook(WebhookId),
}

impl About {
    /// The thing's id.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Subject(subject) => subject.as_str(),
            Self::Webhook(id) => id.as_str(),
        }
    }

    /// The name of the key that seals the answer; null where the thing has none.
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

/// An answer to give again.
#[derive(Clone, PartialEq, Eq)]
pub struct KeptAnswer {
    /// The status.
    pub status: u16,
    /// The JSON body; empty when there is none.
    pub body: Vec<u8>,
    /// What it is about.
    pub subject: Option<About>,
    /// When the answer goes.
    pub expires_at: TenantTime,
    /// Whether it is the last word; false while somebody outside is being asked.
    pub settled: bool,
}

impl std::fmt::Debug for KeptAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeptAnswer").field("status", &self.status).finish_non_exhaustive()
    }
}

/// When an answer goes that is given now: after a day, or sooner with the secret in it.
pub fn expires_at(now: Now, secret_ends: Option<TenantTime>) -> TenantTime {
    let day = now.tenant() + KEPT;
    secret_ends.map_or(day, |ends| ends.min(day))
}

/// What a request under a key meets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Nobody used the key: it is this request's now.
    Mine,
    /// The same request was answered: this is what it is answered again.
    Answered {
        /// The status.
        status: u16,
        /// The JSON body.
        body: Vec<u8>,
    },
    /// The same request came before and still waits for somebody outside.
    Open {
        /// The id of the thing it made, if it made one.
        subject: Option<String>,
    },
    /// Another request has this key.
    OtherRequest,
}

#[cfg(test)]
mod tests {
    use link_types::Mode;
    use rstest::rstest;

    use super::*;
    use crate::clock::{ClockOffset, Wall};

    fn request(mode: Mode, key: &str) -> KeyedRequest {
        let owner = Owner { tenant: "demo".parse().unwrap(), mode };
        let key = IdempotencyKey::parse(key.as_bytes()).unwrap();
        KeyedRequest { owner, key, fingerprint: KeyedRequest::fingerprint("POST", "/users", "", &[1; 32]) }
    }

    #[rstest]
    #[case::empty("")]
    #[case::beyond_ascii("clé")]
    #[case::a_control_character("a\tb")]
    fn what_is_no_key_is_refused(#[case] text: &str) {
        assert_eq!(IdempotencyKey::parse(text.as_bytes()), Err(InvalidKey));
    }

    #[test]
    fn a_key_has_255_characters_at_most() {
        assert!(IdempotencyKey::parse(&[b'k'; 255]).is_ok());
        assert_eq!(IdempotencyKey::parse(&[b'k'; 256]), Err(InvalidKey));
    }

    #[rstest]
    #[case::method(KeyedRequest::fingerprint("PATCH", "/users", "", &[1; 32]))]
    #[case::path(KeyedRequest::fingerprint("POST", "/tokens", "", &[1; 32]))]
    #[case::query(KeyedRequest::fingerprint("POST", "/users", "a=b", &[1; 32]))]
    #[case::body(KeyedRequest::fingerprint("POST", "/users", "", &[2; 32]))]
    #[case::where_a_part_ends(KeyedRequest::fingerprint("POST", "/user", "s", &[1; 32]))]
    fn another_method_path_query_or_body_is_another_request(#[case] other: Digest32) {
        assert_ne!(request(Mode::Sandbox, "k").fingerprint, other);
    }

    #[test]
    fn each_environment_has_keys_of_its_own() {
        let name = |mode, key| request(mode, key).stored_name(&[7; 32]).id;
        assert_ne!(name(Mode::Sandbox, "k"), name(Mode::Production, "k"));
        assert_ne!(name(Mode::Sandbox, "k"), name(Mode::Sandbox, "l"));
        assert_eq!(name(Mode::Sandbox, "k"), name(Mode::Sandbox, "k"));
    }

    #[test]
    fn an_answer_is_kept_for_a_day_or_as_long_as_its_secret_lives() {
        let now = Now::new(Wall::from_micros(1_000), ClockOffset::default());
        let minute = now.tenant() + Duration::from_secs(60);
        assert_eq!(expires_at(now, None), now.tenant() + KEPT);
        assert_eq!(expires_at(now, Some(minute)), minute);
        assert_eq!(expires_at(now, Some(now.tenant() + KEPT * 2)), now.tenant() + KEPT);
    }
}
