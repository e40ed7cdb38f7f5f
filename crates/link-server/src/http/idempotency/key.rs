//! The idempotency key of a request, and the fingerprint of what it asks for.

use std::sync::{Arc, OnceLock};

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method};
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::idempotency::{IdempotencyKey, KeyedRequest};
use link_types::problem::FaultCode;
use sha2::{Digest, Sha256};

use crate::http::problem::Problem;

/// The request header with the caller's idempotency key.
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// A POST with an idempotency key, as the caller's extractor reads it.
#[derive(Clone)]
pub(in crate::http) struct Keyed {
    key: IdempotencyKey,
    method: Method,
    path: String,
    query: String,
    body: BodyDigest,
}

/// The slot into which the body's extractor writes the body's digest.
#[derive(Clone, Default)]
pub(in crate::http) struct BodyDigest(Arc<OnceLock<[u8; 32]>>);

impl BodyDigest {
    /// Stores the digest of these bytes.
    pub(in crate::http) fn set(&self, bytes: &[u8]) {
        self.0.get_or_init(|| Sha256::digest(bytes).into());
    }
}

impl Keyed {
    /// Reads the idempotency key of a POST, if it has one.
    pub(in crate::http) fn of(parts: &mut Parts) -> Result<Option<Self>, Problem> {
        if parts.method != Method::POST {
            return Ok(None);
        }
        let Some(key) = key_in(&parts.headers)? else { return Ok(None) };
        let body = BodyDigest::default();
        parts.extensions.insert(body.clone());
        let (path, query) = (parts.uri.path().to_owned(), parts.uri.query().unwrap_or_default().to_owned());
        Ok(Some(Self { key, method: parts.method.clone(), path, query, body }))
    }

    pub(super) fn request(&self, owner: &Owner) -> KeyedRequest {
        // A POST without a `Body` extractor counts as one with an empty body.
        let body = self.body.0.get().copied().unwrap_or_else(|| Sha256::digest([]).into());
        let fingerprint = KeyedRequest::fingerprint(self.method.as_str(), &self.path, &self.query, &body);
        KeyedRequest { owner: owner.clone(), key: self.key.clone(), fingerprint }
    }
}

fn key_in(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Problem> {
    let mut sent = headers.get_all(IDEMPOTENCY_KEY).iter();
    let invalid = |message: String| Problem::invalid_field("Idempotency-Key", FaultCode::Invalid, message);
    let Some(first) = sent.next() else { return Ok(None) };
    if sent.next().is_some() {
        return Err(invalid("given more than once".to_owned()));
    }
    IdempotencyKey::parse(first.as_bytes()).map(Some).map_err(|error| invalid(error.to_string()))
}
