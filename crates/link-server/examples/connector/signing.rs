//! Authenticates requests: an HMAC-SHA256 of the request, a recent timestamp, and a nonce that was not used before.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::http::{HeaderMap, Method};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

/// How far the service's clock and this one may differ, in seconds.
const WINDOW: i64 = 300;

/// Reason why a request is rejected.
#[derive(Debug, PartialEq, Eq)]
pub enum SigningError {
    /// A header is missing or malformed.
    Headers,
    /// The timestamp is too old or too new.
    Clock,
    /// The signature does not match any secret.
    Signature,
    /// The nonce was used before.
    Replay,
}

/// Checks requests and signs their responses.
pub struct Signing {
    secrets: Vec<String>,
    /// Used nonces and when they arrived. Older ones are not needed, because the timestamp check rejects their
    /// requests.
    seen: Mutex<HashMap<String, i64>>,
}

/// An accepted request, with the secret that signs its response.
pub struct Taken<'a> {
    secret: &'a str,
    /// Identifies the exchange in both logs.
    pub nonce: String,
}

impl Signing {
    pub fn new(secrets: Vec<String>) -> Self {
        Self { secrets, seen: Mutex::default() }
    }

    /// Accepts or rejects a request that arrived at `now`, in seconds since 1970.
    pub fn take(
        &self,
        now: i64,
        (method, path): (&Method, &str),
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<Taken<'_>, SigningError> {
        let header = |name: &str| headers.get(name)?.to_str().ok();
        let nonce = header("linchpin-nonce").filter(|it| it.len() == 32).ok_or(SigningError::Headers)?;
        let timestamp =
            header("linchpin-timestamp").and_then(|it| it.parse().ok()).ok_or(SigningError::Headers)?;
        let signature = header("linchpin-signature").and_then(from_hex).ok_or(SigningError::Headers)?;
        if i64::abs_diff(now, timestamp) > WINDOW.unsigned_abs() {
            return Err(SigningError::Clock);
        }
        let text = format!("linchpin/v1 request\n{method}\n{path}\n{timestamp}\n{nonce}\n{}", digest(body));
        // `verify_slice` compares in constant time.
        let is_signed = |secret: &&String| mac(secret, &text).verify_slice(&signature).is_ok();
        let secret = self.secrets.iter().find(is_signed).ok_or(SigningError::Signature)?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.retain(|_, at| now - *at <= 2 * WINDOW);
        match seen.insert(nonce.to_owned(), now) {
            Some(_) => Err(SigningError::Replay),
            None => Ok(Taken { secret, nonce: nonce.to_owned() }),
        }
    }
}

impl Taken<'_> {
    /// Signs a response with status 200.
    pub fn sign(&self, body: &[u8]) -> String {
        let text = format!("linchpin/v1 answer\n200\n{}\n{}", self.nonce, digest(body));
        hex(&mac(self.secret, &text).finalize().into_bytes())
    }
}

fn mac(secret: &str, text: &str) -> Hmac<Sha256> {
    let mut mac = match Hmac::<Sha256>::new_from_slice(secret.as_bytes()) {
        Ok(mac) => mac,
        Err(_) => unreachable!("HMAC takes a key of any length"),
    };
    mac.update(text.as_bytes());
    mac
}

fn digest(body: &[u8]) -> String {
    hex(&Sha256::digest(body))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let pairs = (0..text.len()).step_by(2).map(|at| text.get(at..at + 2));
    pairs.map(|pair| u8::from_str_radix(pair?, 16).ok()).collect()
}
