//! Problems that a later retry can solve.

use std::time::Duration;

use axum::http::{HeaderValue, header};
use link_domain::tenancy::quota::QuotaExceededError;
use link_types::problem::ProblemCode;

use crate::http::problem::Problem;

impl Problem {
    /// Returns a 409: the first request with the same `Idempotency-Key` is still running.
    pub fn at_work() -> Self {
        Self::conflict(
            "The first request with this `Idempotency-Key` is still running. Try again in a few seconds.",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
    }

    /// Returns a 429: too many resends and pings of the tenant's webhooks are running. Each ends within 15 seconds.
    pub fn pings_under_way() -> Self {
        Self::new(
            ProblemCode::RequestLimitExceeded,
            "Too many pings and resends of your webhooks are running. Try again in a few seconds.",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from_static("5"))
    }

    /// Returns a 503: all slots for this work are taken. Only the log shows `cause`.
    pub fn busy(cause: &'static str) -> Self {
        Self::unavailable(cause).with_header(header::RETRY_AFTER, HeaderValue::from_static("5"))
    }
}

impl From<QuotaExceededError> for Problem {
    fn from(exceeded: QuotaExceededError) -> Self {
        Self::new(
            ProblemCode::RequestLimitExceeded,
            "The user has reached a quota. `Retry-After` says how long to wait.",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from(whole_seconds(exceeded.wait)))
    }
}

/// Rounds a wait up to the whole seconds of `Retry-After`.
pub fn whole_seconds(wait: Duration) -> u64 {
    wait.as_millis().div_ceil(1_000).try_into().unwrap_or(u64::MAX)
}
