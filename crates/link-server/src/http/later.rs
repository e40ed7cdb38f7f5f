//! Refusals that pass by themselves: who waits a moment and asks again may be served.

use std::time::Duration;

use axum::http::{HeaderValue, header};
use link_domain::quota::QuotaExceeded;
use link_types::problem::ProblemCode;

use super::problem::Problem;

impl Problem {
    /// 409: the first request under the same `Idempotency-Key` is still at work.
    pub fn at_work() -> Self {
        Self::conflict(
            "The first request with this `Idempotency-Key` is still at work; try again in a moment.",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
    }

    /// 429: too many attempts and pings of the tenant's webhooks are under way; each ends within 15 seconds.
    pub fn pings_under_way() -> Self {
        Self::new(
            ProblemCode::RequestLimitExceeded,
            "Too many pings and resends of your webhooks are under way. Try again in a few seconds.",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from_static("5"))
    }

    /// 503: as many as may are at it already. `cause` goes to the log alone.
    pub fn busy(cause: &'static str) -> Self {
        Self::unavailable(cause).with_header(header::RETRY_AFTER, HeaderValue::from_static("5"))
    }
}

impl From<QuotaExceeded> for Problem {
    fn from(exceeded: QuotaExceeded) -> Self {
        Self::new(
            ProblemCode::RequestLimitExceeded,
            "A quota of the user is used up; `Retry-After` says until when.",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from(whole_seconds(exceeded.wait)))
    }
}

/// A wait as `Retry-After` says it: whole seconds, never less than the wait.
pub fn whole_seconds(wait: Duration) -> u64 {
    wait.as_millis().div_ceil(1_000).try_into().unwrap_or(u64::MAX)
}
