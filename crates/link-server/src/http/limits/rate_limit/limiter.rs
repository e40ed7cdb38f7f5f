//! One limit: its rate, what each key used of it, and the headers that report it.

use std::convert::Infallible;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::{HeaderName, HeaderValue, header};
use governor::clock::{Clock as _, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::DashMapStateStore;
use governor::state::{InMemoryState, NotKeyed, StateStore as _};
use governor::{Quota, RateLimiter};
use link_types::problem::ProblemCode;

use super::{LimitKey, Rate};
use crate::http::problem::Problem;

const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");
pub(super) const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const STATE: HeaderName = HeaderName::from_static("ratelimit");

/// A limit for each key.
pub(super) struct Limiter {
    limiter: RateLimiter<LimitKey, DashMapStateStore<LimitKey>, DefaultClock, StateInformationMiddleware>,
    clock: DefaultClock,
    /// The time that the entries of the limiter count from.
    started: Instant,
    allowance: Arc<Allowance>,
}

/// A rate, and its representation in headers.
#[derive(Debug)]
struct Allowance {
    /// The limit's name in the headers.
    name: &'static str,
    burst: NonZeroU32,
    /// The time in which the allowance grows by one.
    refill: Duration,
    limit: HeaderValue,
    policy: HeaderValue,
}

impl Limiter {
    pub(super) fn new(name: &'static str, rate: Rate) -> Self {
        Self::refilling(name, Duration::from_secs(1) / rate.per_second.get(), rate.burst)
    }

    /// Creates a limit that grows by one in the time `refill`, which must not be zero.
    pub(super) fn refilling(name: &'static str, refill: Duration, burst: NonZeroU32) -> Self {
        let refill = refill.max(Duration::from_nanos(1));
        Self::with_uses(Allowance::new(name, refill, burst), DashMapStateStore::default())
    }

    fn with_uses(allowance: Allowance, uses: DashMapStateStore<LimitKey>) -> Self {
        let quota = Quota::with_period(allowance.refill).unwrap_or(Quota::per_second(NonZeroU32::MIN));
        let clock = DefaultClock::default();
        let started = clock.now();
        let limiter = RateLimiter::new(quota.allow_burst(allowance.burst), uses, clock.clone());
        Self { limiter, clock, started, allowance: Arc::new(allowance) }
    }

    /// Changes the rate and the burst to those of another limit, without entries. Each key keeps what it used. Of what is more
    /// than the new burst, it keeps as much as returns in the time that the former rate needed for all.
    pub(super) fn change(&mut self, new: Self) {
        let (refill, burst) = (self.allowance.refill, self.allowance.burst);
        let Allowance { refill: new_refill, burst: new_burst, .. } = *new.allowance;
        if (refill, burst) == (new_refill, new_burst) {
            return;
        }
        let before = std::mem::replace(self, new);
        let passed = before.clock.now().duration_since(before.started);
        let uses = DashMapStateStore::default();
        for (key, entry) in before.limiter.into_state_store() {
            // The time at which the key has its full allowance again.
            let full = read(&entry).saturating_sub(passed);
            if !full.is_zero() {
                let used = full.as_secs_f64() / refill.as_secs_f64();
                let within_burst = new_refill.mul_f64(used.min(f64::from(new_burst.get())));
                // A burst that is lowered by mistake, and raised again, must not return what was used. On the other hand,
                // no one may wait for hours because the rate was lowered too.
                write(&uses, &key, new_refill.mul_f64(used).min(full).max(within_burst));
            }
        }
        let Allowance { name, .. } = *self.allowance;
        *self = Self::with_uses(Allowance::new(name, new_refill, new_burst), uses);
    }

    pub(super) fn count(&self, key: &LimitKey) -> Result<RemainingAllowance, Problem> {
        self.count_or_wait(key).map_err(|wait| self.limit_problem(wait))
    }

    /// Counts a request like [`Limiter::count`]. Returns the time to wait as the error.
    pub(super) fn count_or_wait(&self, key: &LimitKey) -> Result<RemainingAllowance, Duration> {
        match self.limiter.check_key(key) {
            Ok(snapshot) => Ok(self.remaining_allowance(snapshot.remaining_burst_capacity())),
            Err(refusal) => Err(refusal.wait_time_from(self.clock.now())),
        }
    }

    /// Removes the entries of keys that have their full allowance again.
    pub(super) fn forget_idle(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }

    /// Returns the response to a caller that must wait.
    pub(super) fn limit_problem(&self, wait: Duration) -> Problem {
        let mut problem =
            Problem::new(ProblemCode::RequestLimitExceeded, "`Retry-After` says how long to wait.")
                .with_header(header::RETRY_AFTER, HeaderValue::from(whole_seconds(wait)));
        for (name, value) in self.remaining_allowance(0).headers() {
            problem = problem.with_header(name, value);
        }
        problem
    }

    pub(super) fn remaining_allowance(&self, remaining: u32) -> RemainingAllowance {
        RemainingAllowance { allowance: Arc::clone(&self.allowance), remaining }
    }
}

/// Returns the time of an entry of a limiter, from the limiter's start.
fn read(entry: &InMemoryState) -> Duration {
    let Ok(time) = entry.measure_and_replace(&NotKeyed::NonKey, |time| {
        let time = time.unwrap_or(Nanos::new(0));
        Ok::<_, Infallible>((time, time))
    });
    time.into()
}

/// Adds an entry of a limiter that is about to start.
fn write(uses: &DashMapStateStore<LimitKey>, key: &LimitKey, time: Duration) {
    let Ok(()) = uses.measure_and_replace(key, |_| Ok::<_, Infallible>(((), time.into())));
}

impl Allowance {
    fn new(name: &'static str, refill: Duration, burst: NonZeroU32) -> Self {
        // The time in which an exhausted allowance refills at the steady rate.
        let window = refill_seconds(refill, burst.get());
        let policy = HeaderValue::from_str(&format!("\"{name}\";q={burst};w={window}"));
        let limit = HeaderValue::from(burst.get());
        Self { name, burst, refill, limit, policy: policy.unwrap_or(HeaderValue::from_static("")) }
    }
}

/// The remaining allowance of a caller.
#[derive(Debug, Clone)]
pub struct RemainingAllowance {
    allowance: Arc<Allowance>,
    remaining: u32,
}

impl RemainingAllowance {
    /// Returns the response headers: the three common `RateLimit-*` ones, and the two of the current IETF draft.
    pub fn headers(&self) -> [(HeaderName, HeaderValue); 5] {
        let (Allowance { name, burst, refill, limit, policy }, remaining) =
            (&*self.allowance, self.remaining);
        let reset = refill_seconds(*refill, burst.get().saturating_sub(remaining));
        let state = HeaderValue::try_from(format!("\"{name}\";r={remaining};t={reset}"));
        [
            (LIMIT, limit.clone()),
            (REMAINING, HeaderValue::from(remaining)),
            (RESET, HeaderValue::from(reset)),
            (POLICY, policy.clone()),
            (STATE, state.unwrap_or(HeaderValue::from_static(""))),
        ]
    }
}

/// Returns the time in which an allowance grows by a number, in whole seconds.
fn refill_seconds(refill: Duration, number: u32) -> u64 {
    let time = refill.saturating_mul(number);
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

fn whole_seconds(wait: Duration) -> u64 {
    if wait.is_zero() { 0 } else { wait.as_secs() + 1 }
}
