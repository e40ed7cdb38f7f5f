//! GCRA rate limits, and the headers that report them to callers.
//!
//! Our own around `governor`: tower_governor's layer counts a request before its caller is authenticated.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hash, RandomState};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use link_domain::kernel::owner::Owner;
use link_types::id::ConsoleSessionId;
use link_types::problem::ProblemCode;

use crate::http::problem::Problem;

/// The key of a limit: a keyed hash of the caller's id once it is authenticated, or the network that sends wrong credentials
/// ([`network`](super::network::network)). Wrong credentials from a network never block right ones from the same
/// network.
pub type LimitKey = [u8; 16];

/// The rate of wrong credentials that a network may send, as a fraction of a caller's rate: 1 a second by default.
///
/// Credentials cannot be guessed, so this only bounds the cost of unauthenticated requests. Widgets with an outdated
/// token stay far below it.
const REFUSALS_OF_RATE: u32 = 100;
/// The rate of requests by strangers from a network, and its burst, as a fraction of a caller's: 20 a second and 40 at
/// once by default. Strangers are people without a visit, and addresses that do not exist.
const STRANGERS_OF_RATE: u32 = 5;
/// The rate of link token exchanges for a network, valid or not, as a multiple of a caller's rate: 200 a second by
/// default.
///
/// The service counts an exchange before it reads the body, so the limit must allow all widgets behind one proxy.
/// Frame pages have the same limit: each widget loads one.
const EXCHANGES_BY_RATE: u32 = 2;

/// How many links that sign a member in a network may request at once. Afterwards, the rate is that of wrong credentials.
const LINKS_AT_ONCE: NonZeroU32 = NonZeroU32::MIN.saturating_add(9);

const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const STATE: HeaderName = HeaderName::from_static("ratelimit");

/// The slot into which an extractor writes the caller's remaining allowance, for the response headers.
#[derive(Debug, Clone, Default)]
pub struct LimitHeaders(Arc<OnceLock<RemainingAllowance>>);

impl LimitHeaders {
    /// Sets the remaining allowance, unless it is already set.
    pub fn set(&self, allowance: RemainingAllowance) {
        self.0.get_or_init(|| allowance);
    }

    /// Adds the rate limit headers to a response, if an allowance was set.
    pub fn write(&self, headers: &mut HeaderMap) {
        if let Some(allowance) = self.0.get() {
            headers.extend(allowance.headers());
        }
    }
}

/// The rate limits of this process: for each caller, for each tenant's environment, and for networks.
pub struct RateLimits {
    callers: Limiter,
    tenants: Limiter,
    strangers: Limiter,
    refusals: Limiter,
    exchanges: Limiter,
    frames: Limiter,
    device_logins: Limiter,
    sign_in_links: Limiter,
    keys: Keys,
    /// Networks that sent too many wrong credentials, and the end of the wait of each.
    refused_until: Mutex<HashMap<LimitKey, Instant>>,
}

/// A steady rate and a burst.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// Requests a second, over time.
    pub per_second: NonZeroU32,
    /// Requests at once, after an idle time.
    pub burst: NonZeroU32,
}

/// The kind of a tenant's traffic. Each kind has a separate limit, so end users never block the tenant's own servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Traffic {
    /// The tenant's servers, with API keys.
    Servers,
    /// The tenant's end users, with widget sessions or on hosted pages.
    People,
}

/// A limit for each key.
struct Limiter {
    limiter: RateLimiter<LimitKey, DashMapStateStore<LimitKey>, DefaultClock, StateInformationMiddleware>,
    clock: DefaultClock,
    allowance: Arc<Allowance>,
}

/// A rate, and its representation in headers.
#[derive(Debug)]
struct Allowance {
    /// The limit's name in the headers.
    name: &'static str,
    rate: Rate,
    limit: HeaderValue,
    policy: HeaderValue,
}

impl RateLimits {
    /// Creates limits with a rate for each caller, and one for all callers of a tenant's environment together. The
    /// rates of networks are derived from the first.
    pub fn new(caller: Rate, tenant: Rate) -> Self {
        let part = |it: NonZeroU32, of: u32| NonZeroU32::new(it.get() / of).unwrap_or(NonZeroU32::MIN);
        let strangers = Rate {
            per_second: part(caller.per_second, STRANGERS_OF_RATE),
            burst: part(caller.burst, STRANGERS_OF_RATE),
        };
        let refusals = Rate { per_second: part(caller.per_second, REFUSALS_OF_RATE), ..strangers };
        let by = NonZeroU32::MIN.saturating_add(EXCHANGES_BY_RATE - 1);
        let exchanges =
            Rate { per_second: caller.per_second.saturating_mul(by), burst: caller.burst.saturating_mul(by) };
        Self {
            callers: Limiter::new("caller", caller),
            tenants: Limiter::new("tenant", tenant),
            strangers: Limiter::new("caller", strangers),
            refusals: Limiter::new("refusals", refusals),
            exchanges: Limiter::new("exchanges", exchanges),
            frames: Limiter::new("frames", exchanges),
            device_logins: Limiter::new("device", refusals),
            sign_in_links: Limiter::new("links", Rate { burst: LINKS_AT_ONCE, ..refusals }),
            keys: Keys::default(),
            refused_until: Mutex::default(),
        }
    }

    /// Counts wrong credentials from a network.
    ///
    /// # Errors
    /// 429 with `Retry-After` if the network sent too many.
    pub fn count_refusal(&self, network: &LimitKey) -> Result<RemainingAllowance, Problem> {
        self.refusals.count_or_wait(network).map_err(|wait| {
            self.refused_until().insert(*network, Instant::now() + wait);
            self.refusals.limit_problem(wait)
        })
    }

    /// Checks that a network does not have to wait because of wrong credentials. Counts nothing.
    ///
    /// # Errors
    /// 429 with `Retry-After` while the network has to wait.
    pub fn check_refusals(&self, network: &LimitKey) -> Result<(), Problem> {
        let Some(until) = self.refused_until().get(network).copied() else { return Ok(()) };
        match until.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Ok(()),
            wait => Err(self.refusals.limit_problem(wait)),
        }
    }

    fn refused_until(&self) -> MutexGuard<'_, HashMap<LimitKey, Instant>> {
        self.refused_until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a load of the frame page by a network.
    ///
    /// # Errors
    /// 429 with `Retry-After` if the network loaded too many.
    pub fn count_frame(&self, network: &LimitKey) -> Result<RemainingAllowance, Problem> {
        self.frames.count(network)
    }

    /// Counts a login of a program by a code that a network begins. Each stores a row.
    ///
    /// # Errors
    /// 429 with `Retry-After` if the network began too many.
    pub fn count_device_login(&self, network: &LimitKey) -> Result<RemainingAllowance, Problem> {
        self.device_logins.count(network)
    }

    /// Counts a request for a link that signs a member in. Each stores a row, and may send a mail.
    ///
    /// # Errors
    /// 429 with `Retry-After` if the network requested too many.
    pub fn count_sign_in_link(&self, network: &LimitKey) -> Result<RemainingAllowance, Problem> {
        self.sign_in_links.count(network)
    }

    /// Counts an exchange of a link token from a network, valid or not.
    ///
    /// # Errors
    /// 429 with `Retry-After` if the network requested too many.
    pub fn count_exchange(&self, network: &LimitKey) -> Result<RemainingAllowance, Problem> {
        self.exchanges.count(network)
    }

    /// Counts one request of a network for a page of no tenant, or for a new visit.
    ///
    /// # Errors
    /// 429 with `Retry-After` if the network is over its limit.
    pub fn count_stranger(&self, network: &LimitKey) -> Result<RemainingAllowance, Problem> {
        self.strangers.count(network)
    }

    /// Counts one request of a caller and of its tenant. A request over the caller's own limit does not count for the
    /// tenant.
    ///
    /// # Errors
    /// 429 with `Retry-After` if the caller or the tenant is over its limit.
    pub fn count_of(
        &self,
        owner: &Owner,
        traffic: Traffic,
        caller: impl Hash,
    ) -> Result<RemainingAllowance, Problem> {
        let allowance = self.callers.count(&self.keys.key((traffic, caller)))?;
        self.tenants.count(&self.keys.key((traffic, owner.tenant.as_str(), owner.mode.as_str())))?;
        Ok(allowance)
    }

    /// Counts one request of a member of the developer portal. It does not count for the tenant's servers or end users.
    ///
    /// # Errors
    /// 429 with `Retry-After` if the session is over its limit.
    pub fn count_member(&self, session: &ConsoleSessionId) -> Result<RemainingAllowance, Problem> {
        self.callers.count(&self.keys.key(("member", session)))
    }

    /// Removes the entries of callers that have their full allowance again.
    pub fn forget_idle(&self) {
        for it in [
            &self.callers,
            &self.tenants,
            &self.strangers,
            &self.refusals,
            &self.exchanges,
            &self.frames,
            &self.device_logins,
            &self.sign_in_links,
        ] {
            it.limiter.retain_recent();
            it.limiter.shrink_to_fit();
        }
        let now = Instant::now();
        self.refused_until().retain(|_, until| *until > now);
    }
}

/// Hashes ids to keys of limits. The two secret keys are random for each process, so a caller cannot choose an
/// id that has the key of another caller.
#[derive(Default)]
struct Keys([RandomState; 2]);

impl Keys {
    fn key(&self, id: impl Hash) -> LimitKey {
        let [first, second] = self.0.each_ref().map(|state| u128::from(state.hash_one(&id)));
        (first << u64::BITS | second).to_be_bytes()
    }
}

impl Limiter {
    fn new(name: &'static str, rate: Rate) -> Self {
        let quota = Quota::per_second(rate.per_second).allow_burst(rate.burst);
        let limiter = RateLimiter::dashmap(quota).with_middleware::<StateInformationMiddleware>();
        Self { limiter, clock: DefaultClock::default(), allowance: Arc::new(Allowance::new(name, rate)) }
    }

    fn count(&self, key: &LimitKey) -> Result<RemainingAllowance, Problem> {
        self.count_or_wait(key).map_err(|wait| self.limit_problem(wait))
    }

    /// Counts a request like [`Limiter::count`]. Returns the time to wait as the error.
    fn count_or_wait(&self, key: &LimitKey) -> Result<RemainingAllowance, Duration> {
        match self.limiter.check_key(key) {
            Ok(snapshot) => Ok(self.remaining_allowance(snapshot.remaining_burst_capacity())),
            Err(refusal) => Err(refusal.wait_time_from(self.clock.now())),
        }
    }

    /// Returns the response to a caller that must wait.
    fn limit_problem(&self, wait: Duration) -> Problem {
        let mut problem =
            Problem::new(ProblemCode::RequestLimitExceeded, "`Retry-After` says how long to wait.")
                .with_header(header::RETRY_AFTER, HeaderValue::from(whole_seconds(wait)));
        for (name, value) in self.remaining_allowance(0).headers() {
            problem = problem.with_header(name, value);
        }
        problem
    }

    fn remaining_allowance(&self, remaining: u32) -> RemainingAllowance {
        RemainingAllowance { allowance: Arc::clone(&self.allowance), remaining }
    }
}

impl Allowance {
    fn new(name: &'static str, rate: Rate) -> Self {
        let Rate { per_second, burst } = rate;
        // The time in which an exhausted allowance refills at the steady rate.
        let window = burst.get().div_ceil(per_second.get());
        let policy = HeaderValue::from_str(&format!("\"{name}\";q={burst};w={window}"));
        let limit = HeaderValue::from(burst.get());
        Self { name, rate, limit, policy: policy.unwrap_or(HeaderValue::from_static("")) }
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
        let (Allowance { name, rate: Rate { per_second, burst }, limit, policy }, remaining) =
            (&*self.allowance, self.remaining);
        let reset = burst.get().saturating_sub(remaining).div_ceil(per_second.get());
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

/// Returns the name of the limit in the headers of a response.
pub fn name_of(headers: &HeaderMap) -> Option<&str> {
    headers.get(&POLICY)?.to_str().ok()?.strip_prefix('"')?.split('"').next()
}

fn whole_seconds(wait: Duration) -> u64 {
    if wait.is_zero() { 0 } else { wait.as_secs() + 1 }
}
