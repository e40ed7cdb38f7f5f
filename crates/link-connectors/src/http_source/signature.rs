//! Authenticates the service and a connector to each other: HMAC-SHA256 with a shared secret.
//!
//! A request's signature covers method, path, time, nonce and body. A response's signature covers the request's nonce,
//! the status and the body. Each begins with a different line, so that a request's signature cannot be used for a
//! response, and a response matches only its own request.

use hmac::{Hmac, KeyInit as _, Mac as _};
use link_types::Sensitive;
use sha2::{Digest as _, Sha256};

/// Header of both: the signature, 64 hex digits.
pub const SIGNATURE: &str = "linchpin-signature";
/// Header of a request: the time of the signature, in seconds since 1970.
pub const TIMESTAMP: &str = "linchpin-timestamp";
/// Header of a request: 32 unique hex digits.
pub const NONCE: &str = "linchpin-nonce";

/// The parts of a request that its signature covers.
#[derive(Clone, Copy, Debug)]
pub struct SignedRequest<'a> {
    /// The method, like `POST`.
    pub method: &'a str,
    /// The path, as sent.
    pub path: &'a str,
    /// Seconds since 1970.
    pub timestamp: i64,
    /// 32 hex digits.
    pub nonce: &'a str,
    /// The exact bytes. Empty for a GET.
    pub body: &'a [u8],
}

/// The parts of a response that its signature covers.
#[derive(Clone, Copy, Debug)]
pub struct SignedResponse<'a> {
    /// The nonce of the request.
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
    /// Creates the key from the secret's UTF-8 bytes.
    pub fn new(secret: Sensitive) -> Self {
        Self(secret)
    }

    /// Returns a request's signature, in hex.
    pub fn sign_request(&self, request: SignedRequest<'_>) -> String {
        base16ct::lower::encode_string(&self.mac(&request.text()).finalize().into_bytes())
    }

    /// Returns a response's signature, in hex.
    pub fn sign_response(&self, response: SignedResponse<'_>) -> String {
        base16ct::lower::encode_string(&self.mac(&response.text()).finalize().into_bytes())
    }

    /// Returns whether a response's signature is correct. Compares in constant time.
    pub fn is_response_signed(&self, response: SignedResponse<'_>, signature: &str) -> bool {
        match from_hex(signature) {
            Some(bytes) => self.mac(&response.text()).verify_slice(&bytes).is_ok(),
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

impl SignedResponse<'_> {
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
