//! Who may ask: HMAC-SHA256 over the request, a timestamp near this machine's, a nonce not seen before.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::http::{HeaderMap, Method};
use hmac::{Hmac, Mac as _};
use sha2::{Digest as _, Sha256};

/// Seconds that the service's clock and this one may differ.
const WINDOW: i64 = 300;

/// Why a request is not taken.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused {
    /// A header is missing or malformed.
    Headers,
    /// The timestamp is too old or too new.
    Clock,
    /// No secret made the signature.
    Signature,
    /// The nonce was seen before.
    Replay,
}

/// Checks requests and signs their answers.
pub struct Signing {
    secrets: Vec<String>,
    /// Nonces and when they came; a request older than the window is refused by its timestamp.
    seen: Mutex<HashMap<String, i64>>,
}

/// A request that was taken: what its answer is signed with.
pub struct Taken<'a> {
    secret: &'a str,
    /// Names the exchange in both logs.
    pub nonce: String,
}

impl Signing {
    pub fn new(secrets: Vec<String>) -> Self {
        Self { secrets, seen: Mutex::default() }
    }

    /// Takes a request that came at this second since 1970, or says why not.
    pub fn take(
        &self,
        now: i64,
        (method, path): (&Method, &str),
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<Taken<'_>, Refused> {
        let header = |name: &str| headers.get(name)?.to_str().ok();
        let nonce = header("linchpin-nonce").filter(|it| it.len() == 32).ok_or(Refused::Headers)?;
        let timestamp =
            header("linchpin-timestamp").and_then(|it| it.parse().ok()).ok_or(Refused::Headers)?;
        let signature = header("linchpin-signature").and_then(from_hex).ok_or(Refused::Headers)?;
        if i64::abs_diff(now, timestamp) > WINDOW.unsigned_abs() {
            return Err(Refused::Clock);
        }
        let text = format!("linchpin/v1 request\n{method}\n{path}\n{timestamp}\n{nonce}\n{}", digest(body));
        // `verify_slice` compares in constant time.
        let is_signed = |secret: &&String| mac(secret, &text).verify_slice(&signature).is_ok();
        let secret = self.secrets.iter().find(is_signed).ok_or(Refused::Signature)?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.retain(|_, at| now - *at <= 2 * WINDOW);
        match seen.insert(nonce.to_owned(), now) {
            Some(_) => Err(Refused::Replay),
            None => Ok(Taken { secret, nonce: nonce.to_owned() }),
        }
    }
}

impl Taken<'_> {
    /// The signature of an answer with status 200.
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
