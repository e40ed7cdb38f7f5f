//! Requests under way whose caller is not known yet, counted by network. Behind a trusted proxy the limit of connections per
//! network counts the proxy alone, so without this one client could fill all connections with requests that never end.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use link_connectors::networks::Networks;
use link_types::problem::ProblemCode;

use super::client::{address_of, network};
use super::counted::{Counted, Counts};
use super::problem::Problem;
use super::rate_limit::LimitKey;
use crate::logs::Sampled;
use crate::settings::Settings;

/// Counts each network's requests from their head until their caller is authenticated or their answer is written.
#[derive(Debug)]
pub struct Strangers {
    most: usize,
    proxies: Networks,
    exempt: Networks,
    counts: Counts<LimitKey>,
    refused: Sampled,
}

/// A counted request, until its last clone is dropped or its caller is authenticated.
#[derive(Debug, Clone)]
pub struct Stranger(Arc<Mutex<Option<Counted<LimitKey>>>>);

impl Strangers {
    /// A network may have as many of these requests as connections.
    pub fn of(settings: &Settings) -> Self {
        Self {
            most: settings.connections.per_network,
            proxies: settings.trusted_proxies.clone(),
            exempt: settings.connections.exempt.clone(),
            counts: Counts::default(),
            refused: Sampled::default(),
        }
    }

    /// The request's place; `None` if its network has no more.
    fn admit(&self, network: LimitKey) -> Option<Stranger> {
        let counted = self.counts.admit(&network, self.most)?;
        Some(Stranger(Arc::new(Mutex::new(Some(counted)))))
    }
}

impl Stranger {
    /// The caller is authenticated: from here on its own limits count.
    pub fn is_known(&self) {
        drop(self.0.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// Refuses a request if its network has too many under way. Its place goes with the answer: the connection drops it once the
/// answer is written.
pub async fn layer(strangers: Arc<Strangers>, mut request: Request, next: Next) -> Response {
    let address = address_of(request.extensions(), request.headers(), &strangers.proxies);
    if strangers.exempt.contains(address) {
        return next.run(request).await;
    }
    let Some(stranger) = strangers.admit(network(address)) else {
        if let Some(count) = strangers.refused.count(Instant::now()) {
            tracing::warn!(count, "requests refused: one network has too many without credentials under way");
        }
        let words = "Too many requests of your network are under way. Try again in a moment.";
        return Problem::new(ProblemCode::RequestLimitExceeded, words)
            .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
            // Its body is not read either.
            .with_header(header::CONNECTION, HeaderValue::from_static("close"))
            .into_response();
    };
    request.extensions_mut().insert(stranger.clone());
    let mut response = next.run(request).await;
    response.extensions_mut().insert(stranger);
    response
}
