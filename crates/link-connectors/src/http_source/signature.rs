//! How the service and a connector know each other: HMAC-SHA256 with a secret that both hold.
//!
//! A request's signature is over method, path, time, nonce and body; an answer's over the request's nonce, the status
//! and the body. Each begins with a line of its own, so that neither can stand for the other, and an answer fits no
//! other request.

use hmac::{Hmac, Mac as _};
use link_types::Sensitive;
use sha2::{Digest as _, Sha256};

/// Header of both: the signature, 64 hex digits.
pub const SIGNATURE: &str = "linchpin-signature";
/// Header of a request: when it was signed, in seconds since 1970.
pub const TIMESTAMP: &str = "linchpin-timestamp";
/// Header of a request: 32 hex digits that no other request has.
pub const NONCE: &str = "linchpin-nonce";

/// What one request's signature covers.
#[derive(Clone, Copy, Debug)]
pub struct SignedRequest<'a> {
    /// Like `POST`.
    pub method: &'a str,
    /// The path as it is sent.
    pub path: &'a str,
    /// Seconds since 1970.
    pub timestamp: i64,
    /// 32 hex digits.
    pub nonce: &'a str,
    /// The exact bytes; empty for a GET.
    pub body: &'a [u8],
}

/// What one answer's signature covers.
#[derive(Clone, Copy, Debug)]
pub struct SignedAnswer<'a> {
    /// The nonce of the request that is answered.
    pub nonce: &'a str,
    /// The HTTP status.
    pub status: u16,
    /// The exact bytes.
    pub body: &'a [u8],
}

/// The secret of one connector.
#[derive(Clone, Debug)]
pub struct SigningKey(Sensitive);

impl SigningKey {
    /// The key that the secret's UTF-8 bytes are.
    pub fn new(secret: Sensitive) -> Self {
        Self(secret)
    }

    /// A request's signature, in hex.
    pub fn sign_request(&self, request: SignedRequest<'_>) -> String {
        base16ct::lower::encode_string(&self.mac(&request.text()).finalize().into_bytes())
    }

    /// An answer's signature, in hex.
    pub fn sign_answer(&self, answer: SignedAnswer<'_>) -> String {
        base16ct::lower::encode_string(&self.mac(&answer.text()).finalize().into_bytes())
    }

    /// Whether an answer's signature is right; compared in constant time.
    pub fn is_answer_signed(&self, answer: SignedAnswer<'_>, signature: &str) -> bool {
        match from_hex(signature) {
            Some(bytes) => self.mac(&answer.text()).verify_slice(&bytes).is_ok(),
            None => false,
        }
    }

    fn mac(&self, text: &str) -> Hmac<Sha256> {
        let mut mac = match Hmac::<Sha256>::new_from_slice(self.0.expose().as_bytes()) {
            Ok(mac) => mac,
            Err(_) => unreachable!("HMAC takes a key of any length"),
        };
        mac.update(text.as_bytes());
        mac
    }
}

impl SignedRequest<'_> {
    fn text(&self) -> String {
        let Self { method, path, timestamp, nonce, body } = self;
        format!("linchpin/v1 request\n{method}\n{path}\n{timestamp}\n{nonce}\n{}", digest(body))
    }
}

impl SignedAnswer<'_> {
    fn text(&self) -> String {
        let Self { nonce, status, body } = self;
        format!("linchpin/v1 answer\n{status}\n{nonce}\n{}", digest(body))
    }
}

fn digest(body: &[u8]) -> String {
    base16ct::lower::encode_string(&Sha256::digest(body))
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    base16ct::mixed::decode_vec(text).ok().filter(|bytes| bytes.len() == 32)
}
