//! Limits the concurrent unauthenticated requests of each network.
//!
//! Our own: tower's `ConcurrencyLimit` counts the requests of all networks together.
//!
//! Behind a trusted proxy, the limit of connections per network sees only the proxy. Without this limit, one client
//! could fill all connections with requests that never end.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use http_body_util::BodyExt as _;
use link_connectors::networks::Networks;
use link_types::problem::ProblemCode;

use crate::http::limits::counted::{Counted, Counts};
use crate::http::limits::network::{address_of, network};
use crate::http::limits::rate_limit::LimitKey;
use crate::http::problem::Problem;
use crate::logs::Sampled;
use crate::settings::Settings;

/// Counts each network's requests, from the head until the caller is authenticated or the response is written.
#[derive(Debug)]
pub struct UnauthenticatedRequests {
    maximum: usize,
    proxies: Networks,
    exempt: Networks,
    counts: Counts<LimitKey>,
    rejected: Sampled,
}

/// A request that counts until its last clone is dropped or its caller is authenticated.
#[derive(Debug, Clone)]
pub struct UnauthenticatedRequest(Arc<Mutex<Option<Counted<LimitKey>>>>);

impl UnauthenticatedRequests {
    /// Creates the limit. It equals the limit of connections per network.
    pub fn of(settings: &Settings) -> Self {
        Self {
            maximum: settings.connections.per_network,
            proxies: settings.trusted_proxies.clone(),
            exempt: settings.connections.exempt.clone(),
            counts: Counts::default(),
            rejected: Sampled::default(),
        }
    }

    /// Counts a request. Returns `None` if its network is at the limit.
    fn admit(&self, network: LimitKey) -> Option<UnauthenticatedRequest> {
        let counted = self.counts.admit(&network, self.maximum)?;
        Some(UnauthenticatedRequest(Arc::new(Mutex::new(Some(counted)))))
    }
}

impl UnauthenticatedRequest {
    /// Stops counting the request, because its caller is authenticated and has its own limits.
    pub fn authenticated(&self) {
        drop(self.0.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// Rejects a request with 429 if its network is at the limit. The count ends with the response's body.
pub async fn layer<N, F>(limit: &UnauthenticatedRequests, mut request: Request, next: N) -> Response
where
    N: FnOnce(Request) -> F,
    F: Future<Output = Response>,
{
    let address = address_of(request.extensions(), request.headers(), &limit.proxies);
    if limit.exempt.contains(address) {
        return next(request).await;
    }
    let Some(counted) = limit.admit(network(address)) else {
        if let Some(count) = limit.rejected.count(Instant::now()) {
            tracing::warn!(count, "rejected requests: one network sent too many without credentials at once");
        }
        let detail = "Your network has too many concurrent requests. Try again in a second.";
        return Problem::new(ProblemCode::RequestLimitExceeded, detail)
            .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
            // Closing the connection avoids reading the body.
            .with_header(header::CONNECTION, HeaderValue::from_static("close"))
            .into_response();
    };
    request.extensions_mut().insert(counted.clone());
    next(request).await.map(|body| {
        Body::new(body.map_err(move |error| {
            // Moves the count into the body, which is dropped when it is written.
            let _ = &counted;
            error
        }))
    })
}
