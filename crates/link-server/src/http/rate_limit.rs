//! GCRA limits for each caller, and the headers that tell a caller where it stands.

use std::num::NonZeroU32;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
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

/// Where an extractor leaves how a caller stands, for the answer.
#[derive(Debug, Clone, Default)]
pub struct LimitHeaders(Arc<OnceLock<Standing>>);

impl LimitHeaders {
    /// Leaves it; only the first caller of a request counts.
    pub fn set(&self, standing: Standing) {
        self.0.get_or_init(|| standing);
    }

    /// Writes what was left on an answer.
    pub fn write(&self, answer: &mut HeaderMap) {
        if let Some(standing) = self.0.get() {
            answer.extend(standing.headers());
        }
    }
}

/// The limits of all callers of this process.
pub struct RateLimits {
    limiter: RateLimiter<LimitKey, DashMapStateStore<LimitKey>, DefaultClock, StateInformationMiddleware>,
    clock: DefaultClock,
    allowance: Arc<Allowance>,
}

/// What a caller is allowed, and what headers say of it.
#[derive(Debug)]
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
        Self {
            limiter,
            clock: DefaultClock::default(),
            allowance: Arc::new(Allowance::new(per_second, burst)),
        }
    }

    /// Counts one request of this caller.
    ///
    /// # Errors
    /// 429 with `Retry-After` once the caller is over its limit.
    pub fn count(&self, key: &LimitKey) -> Result<Standing, Problem> {
        match self.limiter.check_key(key) {
            Ok(snapshot) => Ok(self.standing(snapshot.remaining_burst_capacity())),
            Err(refusal) => {
                let wait = refusal.wait_time_from(self.clock.now());
                let mut problem =
                    Problem::new(ProblemCode::RequestLimitExceeded, "`Retry-After` says how long to wait.")
                        .with_header(header::RETRY_AFTER, HeaderValue::from(whole_seconds(wait)));
                for (name, value) in self.standing(0).headers() {
                    problem = problem.with_header(name, value);
                }
                Err(problem)
            }
        }
    }

    fn standing(&self, remaining: u32) -> Standing {
        Standing { allowance: Arc::clone(&self.allowance), remaining }
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
}

/// How much of its allowance a caller has left.
#[derive(Debug, Clone)]
pub struct Standing {
    allowance: Arc<Allowance>,
    remaining: u32,
}

impl Standing {
    /// The three headers of old, and the two that the IETF's draft has made of them.
    pub fn headers(&self) -> [(HeaderName, HeaderValue); 5] {
        let (Allowance { per_second, burst, policy }, remaining) = (&*self.allowance, self.remaining);
        let reset = burst.get().saturating_sub(remaining).div_ceil(per_second.get());
        let state = HeaderValue::from_str(&format!("\"{POLICY}\";r={remaining};t={reset}"));
        [
            (HeaderName::from_static("ratelimit-limit"), HeaderValue::from(burst.get())),
            (HeaderName::from_static("ratelimit-remaining"), HeaderValue::from(remaining)),
            (HeaderName::from_static("ratelimit-reset"), HeaderValue::from(reset)),
            (HeaderName::from_static("ratelimit-policy"), policy.clone()),
            (HeaderName::from_static("ratelimit"), state.unwrap_or(HeaderValue::from_static(""))),
        ]
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
        let headers = |key| limits.count(&[key; 16]).map(|it| HeaderMap::from_iter(it.headers()));
        let first = headers(1).unwrap();
        assert_eq!(first["ratelimit-limit"], "2");
        assert_eq!(
            (&first["ratelimit-remaining"], &first["ratelimit-reset"]),
            (&"1".parse().unwrap(), &"1".parse().unwrap())
        );
        assert_eq!(first["ratelimit-policy"], "\"caller\";q=2;w=2");
        assert_eq!(first["ratelimit"], "\"caller\";r=1;t=1");
        assert_eq!(headers(1).unwrap()["ratelimit-remaining"], "0");
        assert!(limits.count(&[1; 16]).is_err());
        assert!(limits.count(&[2; 16]).is_ok());
    }
}
