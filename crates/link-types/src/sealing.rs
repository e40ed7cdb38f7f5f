//! Credentials and answers are encrypted before they leave the frame (`widget.md`: "Isolation and security").
//!
//! Scheme: HPKE (RFC 9180) in base mode with DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and AES-128-GCM. `info` is
//! [`SCHEME`], and the associated data is [`associated_data`]. The plaintext is UTF-8 JSON: an object that maps field
//! names to texts for [`SealedPurpose::Credentials`], a string for [`SealedPurpose::Answer`].

use serde::{Deserialize, Serialize};

use crate::id::{AttemptId, LinkSessionId};

/// Name and version of the scheme, used as HPKE's `info`.
pub const SCHEME: &str = "linchpin-seal-1";

/// Public key of a session, returned by `GET …/link/sealingKey`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SealingKey {
    /// Identifier of the key. Send it with every sealed box.
    pub key_id: String,
    /// Uncompressed point of 65 bytes, as base64url without padding.
    pub public_key: String,
}

/// Encrypted data. The box itself is not a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SealedBox {
    /// Identifier of the key that the data is encrypted to.
    #[cfg_attr(feature = "schema", schema(max_length = 64))]
    pub key_id: String,
    /// Encapsulated key of 65 bytes, as base64url without padding.
    #[cfg_attr(feature = "schema", schema(pattern = "^[A-Za-z0-9_-]{87}$"))]
    pub enc: String,
    /// Ciphertext and tag, at most 16 KiB, as base64url without padding.
    #[cfg_attr(feature = "schema", schema(pattern = "^[A-Za-z0-9_-]{22,22000}$"))]
    pub ciphertext: String,
}

words! {
    /// Purpose of a sealed box.
    SealedPurpose {
        /// Values of a login form. The subject is the provider's id.
        Credentials = "credentials",
        /// Text that answers a challenge. The subject is the challenge's id.
        Answer = "answer",
    }
}

/// Returns the associated data of a box: scheme, purpose, session, attempt and subject, separated by newlines.
pub fn associated_data(
    purpose: SealedPurpose,
    session: &LinkSessionId,
    attempt: &AttemptId,
    subject: &str,
) -> String {
    [SCHEME, purpose.as_str(), session.as_str(), attempt.as_str(), subject].join("\n")
}
