//! GCRA rate limits, and the headers that report them to callers.
//!
//! Our own around `governor`: tower_governor's layer counts a request before its caller is authenticated.

mod limiter;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hash, RandomState};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use link_domain::kernel::owner::Owner;
use link_types::id::ConsoleSessionId;

pub use self::limiter::RemainingAllowance;
use self::limiter::{Limiter, POLICY};
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

/// How many links that sign a member in, and codes that prove an address, a network may request at once. Afterwards, the rate of
/// links is that of wrong credentials.
const MAILS_AT_ONCE: NonZeroU32 = NonZeroU32::MIN.saturating_add(9);

/// The time in which a network may request one more code that proves an address: one network must not use up the codes of an
/// environment within minutes.
const CODE_REFILL: Duration = Duration::from_secs(60);

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
    /// Locked for writing only while the rates change.
    limiters: RwLock<Limiters>,
    keys: Keys,
    /// Networks that sent too many wrong credentials, and the end of the wait of each.
    refused_until: Mutex<HashMap<LimitKey, Instant>>,
}

struct Limiters {
    /// The rate of a caller, and that of a tenant's environment.
    rates: [Rate; 2],
    callers: Limiter,
    tenants: Limiter,
    strangers: Limiter,
    refusals: Limiter,
    exchanges: Limiter,
    frames: Limiter,
    device_logins: Limiter,
    sign_in_links: Limiter,
    codes: Limiter,
}

/// A steady rate and a burst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl Limiters {
    fn new(caller: Rate, tenant: Rate) -> Self {
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
            rates: [caller, tenant],
            callers: Limiter::new("caller", caller),
            tenants: Limiter::new("tenant", tenant),
            strangers: Limiter::new("caller", strangers),
            refusals: Limiter::new("refusals", refusals),
            exchanges: Limiter::new("exchanges", exchanges),
            frames: Limiter::new("frames", exchanges),
            device_logins: Limiter::new("device", refusals),
            sign_in_links: Limiter::new("links", Rate { burst: MAILS_AT_ONCE, ..refusals }),
            codes: Limiter::refilling("codes", CODE_REFILL, MAILS_AT_ONCE),
        }
    }

    /// Changes the rates. Each key keeps what it used.
    fn change(&mut self, new: Self) {
        self.rates = new.rates;
        self.callers.change(new.callers);
        self.tenants.change(new.tenants);
        self.strangers.change(new.strangers);
        self.refusals.change(new.refusals);
        self.exchanges.change(new.exchanges);
        self.frames.change(new.frames);
        self.device_logins.change(new.device_logins);
        self.sign_in_links.change(new.sign_in_links);
        self.codes.change(new.codes);
    }

    fn each(&self) -> [&Limiter; 9] {
        let Self { callers, tenants, strangers, refusals, exchanges, frames, .. } = self;
        let Self { device_logins, sign_in_links, codes, .. } = self;
        [callers, tenants, strangers, refusals, exchanges, frames, device_logins, sign_in_links, codes]
    }
}

impl RateLimits {
    /// Creates limits with a rate for each caller, and one for all callers of a tenant's environment together. The
    /// rates of networks are derived from the first.
    pub fn new(caller: Rate, tenant: Rate) -> Self {
        Self {
            limiters: RwLock::new(Limiters::new(caller, tenant)),
            keys: Keys::default(),
            refused_until: Mutex::default(),
        }
    }

    /// Changes the rates. What callers and networks used stays counted. Does nothing if the rates are the same.
    pub fn change(&self, caller: Rate, tenant: Rate) {
        if self.limiters().rates == [caller, tenant] {
            return;
        }
        let mut limiters = self.limiters.write().unwrap_or_else(PoisonError::into_inner);
        limiters.change(Limiters::new(caller, tenant));
        drop(limiters);
        // The waits follow from the former rate. The next wrong credentials of a network are counted with what it used.
        self.lock_refused_until().clear();
    }

    fn limiters(&self) -> RwLockReadGuard<'_, Limiters> {
        self.limiters.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts wrong credentials from a network.
    ///
    /// # Errors
    /// 429 with `Retry-After` if the network sent too many.
    pub fn count_refusal(&self, network: &LimitKey) -> Result<RemainingAllowance, Problem> {
        let limiters = self.limiters();
        limiters.refusals.count_or_wait(network).map_err(|wait| {
            self.lock_refused_until().insert(*network, Instant::now() + wait);
            limiters.refusals.limit_problem(wait)
        })
    }

    /// Checks that a network does not have to wait because of wrong credentials. Counts nothing.
    ///
    /// # Errors
    /// 429 with `Retry-After` while the network has to wait.
    pub fn check_refusals(&self, network: &LimitKey) -> Result<(), Problem> {
        let Some(until) = self.lock_refused_until().get(network).copied() else { return Ok(()) };
        match until.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Ok(()),
            wait => Err(self.limiters().refusals.limit_problem(wait)),
        }
    }

    fn lock_refused_until(&self) -> MutexGuard<'_, HashMap<LimitKey, Instant>> {
        self.refused_until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a load of the frame page by a network.
    ///
    /// # Errors
    /// 429 with `Retry-After` if the network loaded too many.
    pub fn count_frame(&self, network: &LimitKey) -> Result<RemainingAllowance, Problem> {
        self.limiters().frames.count(network)
    }

    /// Counts a login of a program by a code that a network begins. Each stores a row.
    ///
    /// # Errors
    /// 429 with `Retry-After` if the network began too many.
    pub fn count_device_login(&self, network: &LimitKey) -> Result<RemainingAllowance, Problem> {
        self.limiters().device_logins.count(network)
    }

    /// Counts a request for a link that signs a member in. Each stores a row, and may send a mail.
    ///
    /// # Errors
    /// 429 with `Retry-After` if the network requested too many.
    pub fn count_sign_in_link(&self, network: &LimitKey) -> Result<RemainingAllowance, Problem> {
        self.limiters().sign_in_links.count(network)
    }

    /// Counts a request of a network for a code that proves an address.
    ///
    /// # Errors
    /// 429 with `Retry-After` if the network requested too many.
    pub fn count_code(&self, network: &LimitKey) -> Result<RemainingAllowance, Problem> {
        self.limiters().codes.count(network)
    }

    /// Counts an exchange of a link token from a network, valid or not.
    ///
    /// # Errors
    /// 429 with `Retry-After` if the network requested too many.
    pub fn count_exchange(&self, network: &LimitKey) -> Result<RemainingAllowance, Problem> {
        self.limiters().exchanges.count(network)
    }

    /// Counts one request of a network for a page of no tenant, or for a new visit.
    ///
    /// # Errors
    /// 429 with `Retry-After` if the network is over its limit.
    pub fn count_stranger(&self, network: &LimitKey) -> Result<RemainingAllowance, Problem> {
        self.limiters().strangers.count(network)
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
        let limiters = self.limiters();
        let allowance = limiters.callers.count(&self.keys.key((traffic, caller)))?;
        limiters.tenants.count(&self.keys.key((traffic, owner.tenant.as_str(), owner.mode.as_str())))?;
        Ok(allowance)
    }

    /// Counts one request of a member of the developer portal. It does not count for the tenant's servers or end users.
    ///
    /// # Errors
    /// 429 with `Retry-After` if the session is over its limit.
    pub fn count_member(&self, session: &ConsoleSessionId) -> Result<RemainingAllowance, Problem> {
        self.limiters().callers.count(&self.keys.key(("member", session)))
    }

    /// Removes the entries of callers that have their full allowance again.
    pub fn forget_idle(&self) {
        for it in self.limiters().each() {
            it.forget_idle();
        }
        let now = Instant::now();
        self.lock_refused_until().retain(|_, until| *until > now);
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

/// Returns the name of the limit in the headers of a response.
pub fn name_of(headers: &HeaderMap) -> Option<&str> {
    headers.get(&POLICY)?.to_str().ok()?.strip_prefix('"')?.split('"').next()
}
