//! Credentials and answers are sealed before they leave the frame (`widget.md`: "Isolation and security").
//!
//! HPKE (RFC 9180) base mode, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-128-GCM; `info` is [`SCHEME`]; the
//! associated data is [`associated_data`]. The plaintext is JSON in UTF-8: an object of field names to texts for
//! [`SealedPurpose::Credentials`], a string for [`SealedPurpose::Answer`].

use serde::{Deserialize, Serialize};

use crate::id::{AttemptId, LinkSessionId};

/// Name and version of the scheme: HPKE's `info`.
pub const SCHEME: &str = "linchpin-seal-1";

/// What `GET …/link/sealingKey` answers: the session's public key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SealingKey {
    /// Sent back with every box.
    pub key_id: String,
    /// base64url without padding of the uncompressed point, 65 bytes.
    pub public_key: String,
}

/// Something sealed. It is no secret itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SealedBox {
    /// Which key it is sealed to.
    #[cfg_attr(feature = "schema", schema(max_length = 64))]
    pub key_id: String,
    /// base64url without padding of the encapsulated key, 65 bytes.
    #[cfg_attr(feature = "schema", schema(pattern = "^[A-Za-z0-9_-]{87}$"))]
    pub enc: String,
    /// base64url without padding of ciphertext and tag, at most 16 KiB.
    #[cfg_attr(feature = "schema", schema(pattern = "^[A-Za-z0-9_-]{22,22000}$"))]
    pub ciphertext: String,
}

words! {
    /// What a box holds.
    SealedPurpose {
        /// A login form's values; the subject is the provider's id.
        Credentials = "credentials",
        /// The text that answers a challenge; the subject is the challenge's id.
        Answer = "answer",
    }
}

/// The associated data of a box: scheme, purpose, session, attempt and subject, a line each, without a last newline.
pub fn associated_data(
    purpose: SealedPurpose,
    session: &LinkSessionId,
    attempt: &AttemptId,
    subject: &str,
) -> String {
    [SCHEME, purpose.as_str(), session.as_str(), attempt.as_str(), subject].join("\n")
}
