//! GCRA limits for each caller, and the headers that tell a caller where it stands.

use std::num::NonZeroU32;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use link_types::problem::ProblemCode;

use super::problem::Problem;

/// One caller's limit: a hash of the credentials that were sent, right or wrong.
pub type LimitKey = [u8; 16];

/// Where an extractor leaves a caller's headers for the answer.
#[derive(Debug, Clone, Default)]
pub struct LimitHeaders(Arc<OnceLock<HeaderMap>>);

impl LimitHeaders {
    /// Leaves the headers; only the first caller of a request counts.
    pub fn set(&self, headers: HeaderMap) {
        self.0.get_or_init(|| headers);
    }
}

/// Puts the headers that an extractor left on the answer.
pub async fn layer(mut request: Request, next: Next) -> Response {
    let slot = LimitHeaders::default();
    request.extensions_mut().insert(slot.clone());
    let mut response = next.run(request).await;
    if let Some(headers) = slot.0.get() {
        response.headers_mut().extend(headers.clone());
    }
    response
}

/// The limits of all callers of this process.
pub struct RateLimits {
    limiter: RateLimiter<LimitKey, DashMapStateStore<LimitKey>, DefaultClock, StateInformationMiddleware>,
    clock: DefaultClock,
    burst: NonZeroU32,
}

impl RateLimits {
    /// So many requests a second, so many at once.
    pub fn new(per_second: NonZeroU32, burst: NonZeroU32) -> Self {
        let quota = Quota::per_second(per_second).allow_burst(burst);
        let limiter = RateLimiter::dashmap(quota).with_middleware::<StateInformationMiddleware>();
        Self { limiter, clock: DefaultClock::default(), burst }
    }

    /// Counts one request of this caller.
    ///
    /// # Errors
    /// 429 with `Retry-After` once the caller is over its limit.
    pub fn count(&self, key: &LimitKey) -> Result<HeaderMap, Problem> {
        match self.limiter.check_key(key) {
            Ok(snapshot) => Ok(headers(self.burst, snapshot.remaining_burst_capacity(), Duration::ZERO)),
            Err(refusal) => {
                let wait = refusal.wait_time_from(self.clock.now());
                let mut problem =
                    Problem::new(ProblemCode::RequestLimitExceeded, "`Retry-After` says how long to wait.")
                        .with_header(header::RETRY_AFTER, number(whole_seconds(wait)));
                for (name, value) in &headers(self.burst, 0, wait) {
                    problem = problem.with_header(name.clone(), value.clone());
                }
                Err(problem)
            }
        }
    }

    /// Forgets callers that are back at their full allowance.
    pub fn forget_idle(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }
}

fn headers(limit: NonZeroU32, remaining: u32, reset: Duration) -> HeaderMap {
    let name = HeaderName::from_static;
    HeaderMap::from_iter([
        (name("ratelimit-limit"), number(u64::from(limit.get()))),
        (name("ratelimit-remaining"), number(u64::from(remaining))),
        (name("ratelimit-reset"), number(whole_seconds(reset))),
    ])
}

fn whole_seconds(wait: Duration) -> u64 {
    if wait.is_zero() { 0 } else { wait.as_secs() + 1 }
}

fn number(value: u64) -> HeaderValue {
    HeaderValue::from(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_over_its_burst_is_told_to_wait_and_another_is_not() {
        let one = NonZeroU32::MIN;
        let limits = RateLimits::new(one, NonZeroU32::new(2).unwrap());
        assert_eq!(limits.count(&[1; 16]).unwrap()["ratelimit-remaining"], "1");
        assert_eq!(limits.count(&[1; 16]).unwrap()["ratelimit-remaining"], "0");
        assert!(limits.count(&[1; 16]).is_err());
        assert!(limits.count(&[2; 16]).is_ok());
    }
}
