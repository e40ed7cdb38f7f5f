//! Open long polls, and the task that wakes them.
//!
//! One task receives the commits of this process and wakes the polls that watch the changed resources, so the cost of a
//! commit does not depend on the number of polls. On PostgreSQL, where other nodes commit too, the task also reads the
//! versions of all watched resources twice a second, in one read. The task runs only while polls are open.
//!
//! The number of waiting polls is limited for each session, for the events of each owner and for the process. Above a
//! limit, the oldest poll ends: of the session, of the owner, or of the tenant with the most polls. It returns the current
//! state, so no request fails. Our own: a semaphore rejects the newest request, which would ask again at once (ADR 211).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use link_store::{CommitNotice, Store, StoreError, Watched};
use link_types::id::{LinkSessionId, TenantId};
use tokio::sync::Notify;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::time::MissedTickBehavior;

/// The number of polls that may wait for one session. A widget needs one; a reload of its page leaves one behind.
const MAX_PER_SESSION: usize = 4;
/// The number of requests that may wait for the events of one owner. Each program of a tenant needs one.
const MAX_PER_FEED: usize = 16;
/// How often the task looks for changes by other nodes.
const VERSION_CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// The caller of a poll.
#[derive(Clone, Debug)]
pub struct Poller {
    /// The tenant, or the tenant of the session.
    pub tenant: TenantId,
    /// The session; `None` for a tenant's server.
    pub session: Option<LinkSessionId>,
}

/// The open polls of this process. Cheap to clone.
#[derive(Clone)]
pub struct LongPolls {
    registry: Arc<Mutex<Registry>>,
}

/// An open poll. Dropping it closes it.
pub struct Poll {
    number: u64,
    registry: Arc<Mutex<Registry>>,
    wakeup: Arc<Wakeup>,
}

/// Signals to a poll.
#[derive(Default)]
struct Wakeup {
    wake: Notify,
    is_over: AtomicBool,
}

#[derive(Default)]
struct Registry {
    /// The number of polls that may wait.
    most: usize,
    last: u64,
    /// Polls by number, so the oldest is first.
    open: BTreeMap<u64, Open>,
    about: HashMap<Watched, BTreeSet<u64>>,
    /// The number of waiting polls. A poll that finds a change at its first look never waits.
    waiting: usize,
    of_session: HashMap<LinkSessionId, BTreeSet<u64>>,
    of_tenant: HashMap<TenantId, BTreeSet<u64>>,
    /// Whether the task that wakes polls is running.
    is_served: bool,
}

struct Open {
    whose: Poller,
    about: Watched,
    wakeup: Arc<Wakeup>,
    /// The version that the poll last saw; `None` until it waits.
    seen: Option<u32>,
}

impl LongPolls {
    /// Creates a registry in which at most `most` polls wait at once.
    pub fn new(most: usize) -> Self {
        Self { registry: Arc::new(Mutex::new(Registry { most, ..Registry::default() })) }
    }

    /// Changes how many polls may wait at once. If more wait, the next poll ends those above the limit.
    pub fn change(&self, most: usize) {
        lock(&self.registry).most = most;
    }

    /// Returns the number of waiting polls.
    pub fn waiting(&self) -> usize {
        lock(&self.registry).waiting
    }

    /// Opens a poll that is woken by every later commit to `about`.
    pub fn open(&self, store: &Store, whose: Poller, about: Watched) -> Poll {
        let (poll, serves) = self.enter(whose, about);
        if serves {
            tokio::spawn(serve(Arc::clone(&self.registry), store.clone(), store.subscribe()));
        }
        poll
    }

    /// Adds a poll, and returns whether the caller must start the task that wakes polls.
    fn enter(&self, whose: Poller, about: Watched) -> (Poll, bool) {
        let wakeup = Arc::new(Wakeup::default());
        let mut registry = lock(&self.registry);
        registry.last += 1;
        let number = registry.last;
        registry.about.entry(about.clone()).or_default().insert(number);
        registry.open.insert(number, Open { whose, about, wakeup: Arc::clone(&wakeup), seen: None });
        let serves = !std::mem::replace(&mut registry.is_served, true);
        (Poll { number, registry: Arc::clone(&self.registry), wakeup }, serves)
    }
}

fn lock(registry: &Mutex<Registry>) -> MutexGuard<'_, Registry> {
    registry.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Poll {
    /// Starts waiting for a version other than `seen`. Ends the oldest poll if too many wait.
    pub fn waits(&self, seen: u32) {
        lock(&self.registry).waits(self.number, seen);
    }

    /// Completes when there may be a change, or the poll has ended.
    pub async fn wait(&self) {
        self.wakeup.wake.notified().await;
    }

    /// Returns true if a newer poll replaced this one.
    pub fn is_over(&self) -> bool {
        self.wakeup.is_over.load(Ordering::Relaxed)
    }
}

impl Drop for Poll {
    fn drop(&mut self) {
        lock(&self.registry).leave(self.number);
    }
}

impl Registry {
    fn waits(&mut self, number: u64, seen: u32) {
        let Some(open) = self.open.get_mut(&number) else { return };
        if open.seen.replace(seen).is_some() {
            return;
        }
        let Poller { tenant, session } = open.whose.clone();
        let feed = match &open.about {
            about @ Watched::Events(_) => Some(about.clone()),
            Watched::Account(_) | Watched::Archive(_) | Watched::Record(_) => None,
        };
        self.waiting += 1;
        self.of_tenant.entry(tenant).or_default().insert(number);
        let of_session = session.map(|it| {
            let polls = self.of_session.entry(it).or_default();
            polls.insert(number);
            if polls.len() > MAX_PER_SESSION { polls.first().copied() } else { None }
        });
        if let Some(oldest) = of_session.flatten() {
            self.end(oldest);
        }
        let of_feed = feed.and_then(|it| self.about.get(&it)).filter(|polls| polls.len() > MAX_PER_FEED);
        if let Some(oldest) = of_feed.and_then(|polls| polls.first().copied()) {
            self.end(oldest);
        }
        while self.waiting > self.most {
            let largest = self.of_tenant.values().max_by_key(|polls| polls.len());
            let Some(oldest) = largest.and_then(|polls| polls.first().copied()) else { break };
            self.end(oldest);
        }
    }

    /// Ends a poll and stops counting it.
    fn end(&mut self, number: u64) {
        if let Some(open) = self.open.get(&number) {
            open.wakeup.is_over.store(true, Ordering::Relaxed);
            open.wakeup.wake.notify_one();
        }
        self.leave(number);
    }

    fn leave(&mut self, number: u64) {
        let Some(open) = self.open.remove(&number) else { return };
        remove_number(&mut self.about, &open.about, number);
        if open.seen.is_some() {
            self.waiting -= 1;
            remove_number(&mut self.of_tenant, &open.whose.tenant, number);
            if let Some(session) = &open.whose.session {
                remove_number(&mut self.of_session, session, number);
            }
        }
    }

    /// Wakes the polls on a resource.
    fn wake(&self, about: &Watched) {
        let numbers = self.about.get(about).into_iter().flatten();
        for open in numbers.filter_map(|number| self.open.get(number)) {
            open.wakeup.wake.notify_one();
        }
    }

    fn wake_all(&self) {
        for open in self.open.values() {
            open.wakeup.wake.notify_one();
        }
    }

    /// Wakes the polls on a resource that saw another version. The version of a deleted resource is `None`.
    fn compare(&self, about: &Watched, version: Option<u32>) {
        let numbers = self.about.get(about).into_iter().flatten();
        for open in numbers.filter_map(|number| self.open.get(number)) {
            if open.seen.is_some() && open.seen != version {
                open.wakeup.wake.notify_one();
            }
        }
    }

    /// Returns true if no poll is open, and marks the task as stopped.
    fn is_done(&mut self) -> bool {
        self.is_served = !self.open.is_empty();
        !self.is_served
    }
}

fn remove_number<K: Hash + Eq>(polls: &mut HashMap<K, BTreeSet<u64>>, key: &K, number: u64) {
    if let Some(numbers) = polls.get_mut(key) {
        numbers.remove(&number);
        if numbers.is_empty() {
            polls.remove(key);
        }
    }
}

/// Wakes polls until none is open.
async fn serve(registry: Arc<Mutex<Registry>>, store: Store, mut signals: broadcast::Receiver<CommitNotice>) {
    let mut ticks = tokio::time::interval(VERSION_CHECK_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let is_alone = store.hears_every_commit();
    loop {
        tokio::select! {
            signal = signals.recv() => match signal {
                Ok(signal) => signal.to_watched().iter().for_each(|about| lock(&registry).wake(about)),
                Err(RecvError::Lagged(_)) => lock(&registry).wake_all(),
                Err(RecvError::Closed) => return lock(&registry).wake_all(),
            },
            _ = ticks.tick(), if !is_alone => compare_all(&registry, &store).await,
        }
        if lock(&registry).is_done() {
            return;
        }
    }
}

/// Reads the versions of all watched resources in one read, and wakes the polls that saw another version.
async fn compare_all(registry: &Mutex<Registry>, store: &Store) {
    let wanted: Vec<Watched> = lock(registry).about.keys().cloned().collect();
    let asked = wanted.clone();
    let read = store.read(move |reader| -> Result<_, StoreError> { reader.versions(&asked) });
    match read.await {
        Ok(versions) => {
            let registry = lock(registry);
            for (about, version) in wanted.iter().zip(versions) {
                registry.compare(about, version);
            }
        }
        // The polls repeat the read themselves and report its error.
        Err(_) => lock(registry).wake_all(),
    }
}

#[cfg(test)]
mod tests {
    use link_domain::kernel::owner::Owner;
    use link_types::Mode;
    use link_types::id::AccountId;

    use super::*;

    fn account(number: u8) -> Watched {
        Watched::Account(AccountId::from_bytes([number; 16]))
    }

    fn poller(tenant: &str, session: u8) -> Poller {
        Poller { tenant: tenant.parse().unwrap(), session: Some(LinkSessionId::from_bytes([session; 16])) }
    }

    /// Opens polls in this order and lets them wait.
    fn waiting(polls: &LongPolls, whose: impl IntoIterator<Item = Poller>) -> Vec<Poll> {
        let open = |whose| {
            let (poll, _) = polls.enter(whose, account(1));
            poll.waits(1);
            poll
        };
        whose.into_iter().map(open).collect()
    }

    fn over(polls: &[Poll]) -> Vec<bool> {
        polls.iter().map(Poll::is_over).collect()
    }

    #[tokio::test]
    async fn fifth_poll_of_session_ends_its_oldest() {
        let polls = LongPolls::new(100);
        let kept =
            waiting(&polls, [poller("a", 1), poller("a", 2), poller("a", 1), poller("a", 1), poller("a", 1)]);
        assert_eq!(over(&kept), [false; 5]);
        let newest = waiting(&polls, [poller("a", 1)]);
        assert_eq!((over(&kept), over(&newest)), (vec![true, false, false, false, false], vec![false]));
        kept[0].wait().await;
    }

    #[test]
    fn polls_above_limit_end_those_of_busiest_tenant() {
        let polls = LongPolls::new(10);
        let honest = waiting(&polls, (0..3).map(|session| poller("honest", session)));
        let flood = waiting(&polls, (0..100).map(|session| poller("flood", session)));
        assert_eq!(over(&honest), [false; 3]);
        assert_eq!(over(&flood).iter().filter(|it| !**it).count(), 7);
        assert!(!over(&flood)[99], "the newest still waits");
    }

    #[test]
    fn lowered_limit_ends_polls_above_it_with_the_next_one() {
        let polls = LongPolls::new(10);
        let kept = waiting(&polls, (0..6).map(|session| poller("a", session)));
        polls.change(3);
        assert_eq!(over(&kept), [false; 6]);
        let newest = waiting(&polls, [poller("a", 6)]);
        assert_eq!(over(&kept), [true, true, true, true, false, false]);
        assert_eq!((over(&newest), polls.waiting()), (vec![false], 3));
    }

    #[test]
    fn seventeenth_request_for_an_owners_events_ends_the_oldest() {
        let polls = LongPolls::new(100);
        let tenant: TenantId = "a".parse().unwrap();
        let owner = |mode| Owner { tenant: tenant.clone(), mode };
        let open = |mode| {
            let whose = Poller { tenant: tenant.clone(), session: None };
            let (poll, _) = polls.enter(whose, Watched::Events(owner(mode)));
            poll.waits(1);
            poll
        };
        let production = open(Mode::Production);
        let kept: Vec<Poll> = (0..=MAX_PER_FEED).map(|_| open(Mode::Sandbox)).collect();
        assert!(over(&kept)[0] && !over(&kept)[1..].contains(&true) && !production.is_over());
    }

    #[test]
    fn poll_that_does_not_wait_ends_no_other() {
        let polls = LongPolls::new(4);
        let kept = waiting(&polls, [poller("a", 1), poller("a", 1), poller("a", 1), poller("a", 1)]);
        drop(polls.enter(poller("a", 1), account(1)));
        assert_eq!(over(&kept), [false; 4]);
    }

    #[tokio::test]
    async fn commit_wakes_only_polls_on_changed_resource() {
        let polls = LongPolls::new(100);
        let (about, _) = polls.enter(poller("a", 1), account(1));
        let (other, _) = polls.enter(poller("a", 1), account(2));
        lock(&polls.registry).wake(&account(1));
        about.wait().await;
        let woken = tokio::time::timeout(Duration::ZERO, other.wait()).await;
        assert!(woken.is_err());
    }

    #[tokio::test]
    async fn version_from_other_node_wakes_outdated_polls() {
        let polls = LongPolls::new(100);
        let [same, older, gone] = [1, 1, 2].map(|number| polls.enter(poller("a", 1), account(number)).0);
        same.waits(7);
        older.waits(6);
        gone.waits(7);
        {
            let registry = lock(&polls.registry);
            registry.compare(&account(1), Some(7));
            registry.compare(&account(2), None);
        }
        older.wait().await;
        gone.wait().await;
        assert!(tokio::time::timeout(Duration::ZERO, same.wait()).await.is_err());
    }

    #[test]
    fn ended_polls_leave_no_entries() {
        let polls = LongPolls::new(4);
        drop(waiting(&polls, (0..20).map(|session| poller("a", session % 3))));
        let mut registry = lock(&polls.registry);
        assert!(registry.open.is_empty() && registry.about.is_empty() && registry.of_session.is_empty());
        assert_eq!((registry.waiting, registry.of_tenant.len(), registry.is_done()), (0, 0, true));
    }
}
