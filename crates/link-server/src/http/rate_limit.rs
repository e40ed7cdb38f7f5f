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

/// Whose limit: a hash of a caller's credentials once they are known to be right, or the network that sends wrong ones
/// ([`super::client::limit_key`]). Right ones are let in however many wrong ones came from beside them.
pub type LimitKey = [u8; 16];

/// What the headers call the one policy there is.
const POLICY: &str = "caller";

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
    allowance: Allowance,
}

/// What a caller is allowed, and what headers say of it.
struct Allowance {
    per_second: NonZeroU32,
    burst: NonZeroU32,
    policy: HeaderValue,
}

impl RateLimits {
    /// So many requests a second, so many at once.
    pub fn new(per_second: NonZeroU32, burst: NonZeroU32) -> Self {
        let quota = Quota::per_second(per_second).allow_burst(burst);
        let limiter = RateLimiter::dashmap(quota).with_middleware::<StateInformationMiddleware>();
        Self { limiter, clock: DefaultClock::default(), allowance: Allowance::new(per_second, burst) }
    }

    /// Counts one request of this caller.
    ///
    /// # Errors
    /// 429 with `Retry-After` once the caller is over its limit.
    pub fn count(&self, key: &LimitKey) -> Result<HeaderMap, Problem> {
        match self.limiter.check_key(key) {
            Ok(snapshot) => Ok(self.allowance.headers(snapshot.remaining_burst_capacity())),
            Err(refusal) => {
                let wait = refusal.wait_time_from(self.clock.now());
                let mut problem =
                    Problem::new(ProblemCode::RequestLimitExceeded, "`Retry-After` says how long to wait.")
                        .with_header(header::RETRY_AFTER, HeaderValue::from(whole_seconds(wait)));
                for (name, value) in &self.allowance.headers(0) {
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

impl Allowance {
    fn new(per_second: NonZeroU32, burst: NonZeroU32) -> Self {
        // From nothing to the whole burst takes as long as the burst lasts at the steady rate.
        let window = burst.get().div_ceil(per_second.get());
        let policy = HeaderValue::from_str(&format!("\"{POLICY}\";q={burst};w={window}"));
        Self { per_second, burst, policy: policy.unwrap_or(HeaderValue::from_static("")) }
    }

    /// The three headers of old, and the two that the IETF's draft has made of them.
    fn headers(&self, remaining: u32) -> HeaderMap {
        let reset = self.burst.get().saturating_sub(remaining).div_ceil(self.per_second.get());
        let state = HeaderValue::from_str(&format!("\"{POLICY}\";r={remaining};t={reset}"));
        HeaderMap::from_iter([
            (HeaderName::from_static("ratelimit-limit"), HeaderValue::from(self.burst.get())),
            (HeaderName::from_static("ratelimit-remaining"), HeaderValue::from(remaining)),
            (HeaderName::from_static("ratelimit-reset"), HeaderValue::from(reset)),
            (HeaderName::from_static("ratelimit-policy"), self.policy.clone()),
            (HeaderName::from_static("ratelimit"), state.unwrap_or(HeaderValue::from_static(""))),
        ])
    }
}

fn whole_seconds(wait: Duration) -> u64 {
    if wait.is_zero() { 0 } else { wait.as_secs() + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_over_its_burst_is_told_to_wait_and_another_is_not() {
        let one = NonZeroU32::MIN;
        let limits = RateLimits::new(one, NonZeroU32::new(2).unwrap());
        let first = limits.count(&[1; 16]).unwrap();
        assert_eq!(first["ratelimit-limit"], "2");
        assert_eq!(
            (&first["ratelimit-remaining"], &first["ratelimit-reset"]),
            (&"1".parse().unwrap(), &"1".parse().unwrap())
        );
        assert_eq!(first["ratelimit-policy"], "\"caller\";q=2;w=2");
        assert_eq!(first["ratelimit"], "\"caller\";r=1;t=1");
        assert_eq!(limits.count(&[1; 16]).unwrap()["ratelimit-remaining"], "0");
        assert!(limits.count(&[1; 16]).is_err());
        assert!(limits.count(&[2; 16]).is_ok());
    }
}
