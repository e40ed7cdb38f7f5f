//! SHA-256 digests as a type, so that a digest and its secret cannot be confused.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A SHA-256 digest, an HMAC, or another 32-byte value that does not reveal the secret it was derived from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Digest32([u8; 32]);

impl Digest32 {
    /// Computes the digest of a text.
    pub fn from_text(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }

    /// Wraps a digest read from the store.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes, as the store keeps them.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl std::fmt::Debug for Digest32 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Digest32(…)")
    }
}

/// Encodes bytes as lowercase hex digits.
pub fn hex(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(bytes)
}
