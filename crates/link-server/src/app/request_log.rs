//! The latest requests of each tenant's environment to this process, for the developer portal.
//!
//! In memory only, with a limited size. A request has the route instead of the path: neither ids, nor query, nor body.

use std::collections::VecDeque;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use axum::extract::MatchedPath;
use axum::http::{Method, StatusCode};
use link_domain::kernel::clock::Wall;
use link_domain::kernel::owner::Owner;
use link_types::Timestamp;
use link_types::console::LoggedRequest;
use link_types::problem::ProblemCode;

/// The number of rings. Environments share them, so that the memory has a limit: about 8 MB.
const RINGS: usize = 128;
/// The number of requests in a ring.
const KEPT: usize = 500;

/// The latest requests.
pub struct RequestLog {
    since: Wall,
    hasher: RandomState,
    rings: [Mutex<VecDeque<Entry>>; RINGS],
}

/// A tenant's environment in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogKey(u64);

/// The slot into which an extractor writes whose request it is, and when it was authenticated.
#[derive(Clone, Default)]
pub struct LoggedOwner(Arc<OnceLock<(LogKey, Wall)>>);

/// A completed request.
pub struct Completed {
    /// Identifier of the request.
    pub id: Arc<str>,
    /// Method.
    pub method: Method,
    /// Route.
    pub route: Option<MatchedPath>,
    /// Status of the response.
    pub status: StatusCode,
    /// Code of the problem document.
    pub code: Option<ProblemCode>,
    /// Time until the response.
    pub took: Duration,
}

struct Entry {
    key: LogKey,
    at: Wall,
    completed: Completed,
}

impl LoggedOwner {
    /// Sets whose request it is, unless that is already set.
    pub fn set(&self, key: LogKey, at: Wall) {
        self.0.get_or_init(|| (key, at));
    }
}

impl RequestLog {
    /// Creates an empty log.
    pub fn new(since: Wall) -> Self {
        Self { since, hasher: RandomState::new(), rings: std::array::from_fn(|_| Mutex::default()) }
    }

    /// Returns when the log began.
    pub fn since(&self) -> Timestamp {
        Timestamp::from_micros(self.since.micros())
    }

    /// Returns the key of an owner. It is a hash of 64 bits with a random key, so no two owners share one.
    pub fn key(&self, owner: &Owner) -> LogKey {
        LogKey(self.hasher.hash_one(owner))
    }

    /// Adds a request, if it was authenticated. The oldest one of the ring leaves.
    pub fn add(&self, owner: &LoggedOwner, completed: impl FnOnce() -> Completed) {
        let Some((key, at)) = owner.0.get().copied() else { return };
        let entry = Entry { key, at, completed: completed() };
        let mut ring = self.ring(key);
        if ring.len() == KEPT {
            ring.pop_front();
        }
        ring.push_back(entry);
    }

    /// Returns the latest requests of an owner, newest first.
    pub fn list(&self, owner: &Owner) -> Vec<LoggedRequest> {
        let key = self.key(owner);
        self.ring(key).iter().rev().filter(|it| it.key == key).map(Entry::view).collect()
    }

    fn ring(&self, key: LogKey) -> MutexGuard<'_, VecDeque<Entry>> {
        let place = usize::try_from(key.0 % RINGS as u64).unwrap_or_default();
        self.rings[place].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    fn view(&self) -> LoggedRequest {
        let Completed { id, method, route, status, code, took } = &self.completed;
        LoggedRequest {
            id: id.to_string(),
            at: Timestamp::from_micros(self.at.micros()),
            method: method.to_string(),
            route: route.as_ref().map_or("", MatchedPath::as_str).to_owned(),
            status: status.as_u16(),
            code: *code,
            micros: u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use link_types::Mode;

    use super::*;

    fn owner(tenant: &str) -> Owner {
        Owner { tenant: tenant.parse().unwrap(), mode: Mode::Sandbox }
    }

    fn add(log: &RequestLog, tenant: &str, number: usize) {
        let logged = LoggedOwner::default();
        logged.set(log.key(&owner(tenant)), Wall::from_micros(0));
        log.add(&logged, || Completed {
            id: format!("req-{number}").into(),
            method: Method::GET,
            route: None,
            status: StatusCode::OK,
            code: None,
            took: Duration::from_micros(7),
        });
    }

    #[test]
    fn log_keeps_the_newest_requests_of_an_owner() {
        let log = RequestLog::new(Wall::from_micros(0));
        for number in 0..=KEPT {
            add(&log, "one", number);
        }
        let kept = log.list(&owner("one"));
        assert_eq!(kept.len(), KEPT);
        assert_eq!((kept[0].id.as_str(), kept[KEPT - 1].id.as_str()), ("req-500", "req-1"));
        assert_eq!(kept[0].micros, 7);
    }

    #[test]
    fn owners_that_share_a_ring_see_only_their_own_requests() {
        let log = RequestLog::new(Wall::from_micros(0));
        // More owners than rings.
        for number in 0..300 {
            add(&log, &format!("tenant{number}"), number);
        }
        for number in 0..300 {
            let kept = log.list(&owner(&format!("tenant{number}")));
            assert_eq!(kept.iter().map(|it| it.id.clone()).collect::<Vec<_>>(), [format!("req-{number}")]);
        }
    }

    #[test]
    fn request_without_an_owner_is_not_added() {
        let log = RequestLog::new(Wall::from_micros(0));
        log.add(&LoggedOwner::default(), || panic!("must not be read"));
        assert!(log.list(&owner("one")).is_empty());
    }
}
