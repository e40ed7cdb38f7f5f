//! Who waits for news, and who wakes them.
//!
//! One task hears of the commits of this process and wakes the polls that they are about, so that a commit costs the same
//! however many wait. Where other nodes commit too (PostgreSQL) the same task reads the versions of everything that is
//! waited for, twice a second, in one read. It lives while somebody waits.
//!
//! Of a session few polls wait, of the process a number. With one more, the oldest ends: of the session, or of the tenant
//! that has the most. Its answer is the present state, so that nobody is refused.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use link_store::{Signal, Store, StoreError, Watched};
use link_types::id::{LinkSessionId, TenantId};
use tokio::sync::Notify;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::time::MissedTickBehavior;

/// Polls of one session: the widget needs one, a page that is loaded again leaves one behind.
const OF_A_SESSION: usize = 4;
/// How soon a change made by another node is seen.
const OTHER_NODES: Duration = Duration::from_millis(500);

/// Who polls.
#[derive(Clone, Debug)]
pub struct Poller {
    /// The tenant, or that of the session.
    pub tenant: TenantId,
    /// The session; null for a tenant's server.
    pub session: Option<LinkSessionId>,
}

/// The polls of this process. Cheap to clone.
#[derive(Clone)]
pub struct LongPolls {
    most: usize,
    desk: Arc<Mutex<Desk>>,
}

/// A poll, until it is dropped.
pub struct Poll {
    number: u64,
    most: usize,
    desk: Arc<Mutex<Desk>>,
    bell: Arc<Bell>,
}

/// What wakes a poll.
#[derive(Default)]
struct Bell {
    rung: Notify,
    is_over: AtomicBool,
}

#[derive(Default)]
struct Desk {
    last: u64,
    /// By their numbers: the oldest first.
    open: BTreeMap<u64, Open>,
    about: HashMap<Watched, BTreeSet<u64>>,
    /// Those that wait; a poll that finds news at its first look is never among them.
    waiting: usize,
    of_session: HashMap<LinkSessionId, BTreeSet<u64>>,
    of_tenant: HashMap<TenantId, BTreeSet<u64>>,
    /// Whether a task wakes them.
    is_served: bool,
}

struct Open {
    whose: Poller,
    about: Watched,
    bell: Arc<Bell>,
    /// The version that it saw last; null until it waits.
    seen: Option<u32>,
}

impl LongPolls {
    /// At most so many that wait at once.
    pub fn new(most: usize) -> Self {
        Self { most, desk: Arc::default() }
    }

    /// How many wait now.
    pub fn waiting(&self) -> usize {
        locked(&self.desk).waiting
    }

    /// A poll that hears of every commit about something from now on.
    pub fn open(&self, store: &Store, whose: Poller, about: Watched) -> Poll {
        let (poll, serves) = self.enter(whose, about);
        if serves {
            tokio::spawn(serve(Arc::clone(&self.desk), store.clone(), store.subscribe()));
        }
        poll
    }

    /// A new poll, and whether a task is to be started for it.
    fn enter(&self, whose: Poller, about: Watched) -> (Poll, bool) {
        let bell = Arc::new(Bell::default());
        let mut desk = locked(&self.desk);
        desk.last += 1;
        let number = desk.last;
        desk.about.entry(about.clone()).or_default().insert(number);
        desk.open.insert(number, Open { whose, about, bell: Arc::clone(&bell), seen: None });
        let serves = !std::mem::replace(&mut desk.is_served, true);
        (Poll { number, most: self.most, desk: Arc::clone(&self.desk), bell }, serves)
    }
}

fn locked(desk: &Mutex<Desk>) -> MutexGuard<'_, Desk> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Poll {
    /// It saw this version and waits for another: the oldest ends where too many do.
    pub fn waits(&self, seen: u32) {
        locked(&self.desk).waits(self.number, seen, self.most);
    }

    /// Ends when there may be news, or it is over.
    pub async fn woken(&self) {
        self.bell.rung.notified().await;
    }

    /// Whether a newer one took its place.
    pub fn is_over(&self) -> bool {
        self.bell.is_over.load(Ordering::Relaxed)
    }
}

impl Drop for Poll {
    fn drop(&mut self) {
        locked(&self.desk).leave(self.number);
    }
}

impl Desk {
    fn waits(&mut self, number: u64, seen: u32, most: usize) {
        let Some(open) = self.open.get_mut(&number) else { return };
        if open.seen.replace(seen).is_some() {
            return;
        }
        let Poller { tenant, session } = open.whose.clone();
        self.waiting += 1;
        self.of_tenant.entry(tenant).or_default().insert(number);
        let of_session = session.map(|it| {
            let polls = self.of_session.entry(it).or_default();
            polls.insert(number);
            if polls.len() > OF_A_SESSION { polls.first().copied() } else { None }
        });
        if let Some(oldest) = of_session.flatten() {
            self.end(oldest);
        }
        if self.waiting > most {
            let largest = self.of_tenant.values().max_by_key(|polls| polls.len());
            if let Some(oldest) = largest.and_then(|polls| polls.first().copied()) {
                self.end(oldest);
            }
        }
    }

    /// Ends a poll: it is not counted from now on.
    fn end(&mut self, number: u64) {
        if let Some(open) = self.open.get(&number) {
            open.bell.is_over.store(true, Ordering::Relaxed);
            open.bell.rung.notify_one();
        }
        self.leave(number);
    }

    fn leave(&mut self, number: u64) {
        let Some(open) = self.open.remove(&number) else { return };
        take_out(&mut self.about, &open.about, number);
        if open.seen.is_some() {
            self.waiting -= 1;
            take_out(&mut self.of_tenant, &open.whose.tenant, number);
            if let Some(session) = &open.whose.session {
                take_out(&mut self.of_session, session, number);
            }
        }
    }

    /// Wakes those who wait for something.
    fn wake(&self, about: &Watched) {
        let numbers = self.about.get(about).into_iter().flatten();
        for open in numbers.filter_map(|number| self.open.get(number)) {
            open.bell.rung.notify_one();
        }
    }

    fn wake_all(&self) {
        for open in self.open.values() {
            open.bell.rung.notify_one();
        }
    }

    /// Wakes those who saw another version than the present one; null of what is gone.
    fn compare(&self, about: &Watched, version: Option<u32>) {
        let numbers = self.about.get(about).into_iter().flatten();
        for open in numbers.filter_map(|number| self.open.get(number)) {
            if open.seen.is_some() && open.seen != version {
                open.bell.rung.notify_one();
            }
        }
    }

    /// Whether nobody is left to be woken: the task ends then.
    fn is_done(&mut self) -> bool {
        self.is_served = !self.open.is_empty();
        !self.is_served
    }
}

fn take_out<K: Hash + Eq>(polls: &mut HashMap<K, BTreeSet<u64>>, key: &K, number: u64) {
    if let Some(numbers) = polls.get_mut(key) {
        numbers.remove(&number);
        if numbers.is_empty() {
            polls.remove(key);
        }
    }
}

/// Wakes polls for as long as there are any.
async fn serve(desk: Arc<Mutex<Desk>>, store: Store, mut signals: broadcast::Receiver<Signal>) {
    let mut ticks = tokio::time::interval(OTHER_NODES);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let is_alone = store.hears_every_commit();
    loop {
        tokio::select! {
            signal = signals.recv() => match signal {
                Ok(signal) => signal.watched().iter().for_each(|about| locked(&desk).wake(about)),
                Err(RecvError::Lagged(_)) => locked(&desk).wake_all(),
                Err(RecvError::Closed) => return locked(&desk).wake_all(),
            },
            _ = ticks.tick(), if !is_alone => look_at_all(&desk, &store).await,
        }
        if locked(&desk).is_done() {
            return;
        }
    }
}

/// One read for everything that is waited for.
async fn look_at_all(desk: &Mutex<Desk>, store: &Store) {
    let wanted: Vec<Watched> = locked(desk).about.keys().cloned().collect();
    let asked = wanted.clone();
    let read = store.read(move |reader| -> Result<_, StoreError> { reader.versions(&asked) });
    match read.await {
        Ok(versions) => {
            let desk = locked(desk);
            for (about, version) in wanted.iter().zip(versions) {
                desk.compare(about, version);
            }
        }
        // Each look says for itself what is wrong.
        Err(_) => locked(desk).wake_all(),
    }
}

#[cfg(test)]
mod tests {
    use link_types::id::AccountId;

    use super::*;

    fn account(number: u8) -> Watched {
        Watched::Account(AccountId::from_bytes([number; 16]))
    }

    fn of(tenant: &str, session: u8) -> Poller {
        Poller { tenant: tenant.parse().unwrap(), session: Some(LinkSessionId::from_bytes([session; 16])) }
    }

    /// Polls that wait, in the order they came.
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
    async fn fifth_poll_of_a_session_ends_its_oldest() {
        let polls = LongPolls::new(100);
        let kept = waiting(&polls, [of("a", 1), of("a", 2), of("a", 1), of("a", 1), of("a", 1)]);
        assert_eq!(over(&kept), [false; 5]);
        let newest = waiting(&polls, [of("a", 1)]);
        assert_eq!((over(&kept), over(&newest)), (vec![true, false, false, false, false], vec![false]));
        kept[0].woken().await;
    }

    #[test]
    fn flood_of_one_tenant_ends_its_own_polls() {
        let polls = LongPolls::new(10);
        let honest = waiting(&polls, (0..3).map(|session| of("honest", session)));
        let flood = waiting(&polls, (0..100).map(|session| of("flood", session)));
        assert_eq!(over(&honest), [false; 3]);
        assert_eq!(over(&flood).iter().filter(|it| !**it).count(), 7);
        assert!(!over(&flood)[99], "the newest waits");
    }

    #[test]
    fn poll_that_never_waits_ends_no_other() {
        let polls = LongPolls::new(4);
        let kept = waiting(&polls, [of("a", 1), of("a", 1), of("a", 1), of("a", 1)]);
        drop(polls.enter(of("a", 1), account(1)));
        assert_eq!(over(&kept), [false; 4]);
    }

    #[tokio::test]
    async fn commit_wakes_only_polls_about_it() {
        let polls = LongPolls::new(100);
        let (about, _) = polls.enter(of("a", 1), account(1));
        let (other, _) = polls.enter(of("a", 1), account(2));
        locked(&polls.desk).wake(&account(1));
        about.woken().await;
        let woken = tokio::time::timeout(Duration::ZERO, other.woken()).await;
        assert!(woken.is_err());
    }

    #[tokio::test]
    async fn another_nodes_version_wakes_polls_that_saw_an_older_one() {
        let polls = LongPolls::new(100);
        let [same, older, gone] = [1, 1, 2].map(|number| polls.enter(of("a", 1), account(number)).0);
        same.waits(7);
        older.waits(6);
        gone.waits(7);
        {
            let desk = locked(&polls.desk);
            desk.compare(&account(1), Some(7));
            desk.compare(&account(2), None);
        }
        older.woken().await;
        gone.woken().await;
        assert!(tokio::time::timeout(Duration::ZERO, same.woken()).await.is_err());
    }

    #[test]
    fn nothing_is_kept_of_polls_that_ended() {
        let polls = LongPolls::new(4);
        drop(waiting(&polls, (0..20).map(|session| of("a", session % 3))));
        let mut desk = locked(&polls.desk);
        assert!(desk.open.is_empty() && desk.about.is_empty() && desk.of_session.is_empty());
        assert_eq!((desk.waiting, desk.of_tenant.len(), desk.is_done()), (0, 0, true));
    }
}
