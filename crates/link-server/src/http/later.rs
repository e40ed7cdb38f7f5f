//! Refusals that pass by themselves: who waits a moment and asks again may be served.

use axum::http::{HeaderValue, header};

use super::problem::Problem;

impl Problem {
    /// 409: the first request under the same `Idempotency-Key` is still at work.
    pub fn at_work() -> Self {
        Self::conflict(
            "The first request with this `Idempotency-Key` is still at work; try again in a moment.",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
    }

    /// 503: as many as may are at it already. `cause` goes to the log alone.
    pub fn busy(cause: &'static str) -> Self {
        Self::unavailable(cause).with_header(header::RETRY_AFTER, HeaderValue::from_static("5"))
    }
}
