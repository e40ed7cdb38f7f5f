//! A fair semaphore for work that only a few may do at once.
//!
//! Our own: tokio's semaphore is first come, first served. All 40 files of one tenant went before another's (ADR 138).
//!
//! A key gets another permit only while more permits are free than it already holds, and the waiter holding the fewest
//! permits goes next. So a new key gets a permit even if others hold several. Waiting is limited in time.
//!
//! Keys belong to groups, for example the users of a tenant. Fairness applies first between groups, then between the
//! keys of a group.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use link_types::id::{TenantId, UserId};
use tokio::sync::oneshot;

/// A holder of permits.
pub trait Key: Ord + Clone + Send + Sync + 'static {
    /// The group whose permits the key shares.
    type Group: Ord + Clone + Send + Sync + 'static;

    /// Returns the key's group.
    fn group(&self) -> &Self::Group;
}

impl Key for TenantId {
    type Group = Self;

    fn group(&self) -> &Self {
        self
    }
}

impl Key for (TenantId, UserId) {
    type Group = TenantId;

    fn group(&self) -> &TenantId {
        &self.0
    }
}

/// Maximum numbers in total, for one group and for one key.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// Maximum for all keys together.
    pub altogether: usize,
    /// Maximum for the keys of one group together.
    pub of_group: usize,
    /// Maximum for one key.
    pub of_key: usize,
}

impl Most {
    /// No limit.
    const UNLIMITED: Self = Self { altogether: usize::MAX, of_group: usize::MAX, of_key: usize::MAX };
}

/// A fair semaphore.
pub struct FairSemaphore<K: Key> {
    patience: Duration,
    queue_state: Arc<Mutex<Queue<K>>>,
}

/// A permit. Dropping it releases it.
pub struct Permit {
    release: Option<Box<dyn FnOnce() + Send + Sync>>,
}

/// The held permits, and the queue of waiters.
struct Queue<K: Key> {
    free: usize,
    most: Most,
    most_waiting: Most,
    held: BTreeMap<K, usize>,
    held_by_group: BTreeMap<K::Group, usize>,
    /// Waiters in order of arrival.
    waiting: Vec<(K, oneshot::Sender<Permit>)>,
}

impl<K: Key> FairSemaphore<K> {
    /// Creates a semaphore with `altogether` permits, at most `each` per key. A caller waits up to `patience`.
    pub fn new(altogether: usize, each: usize, patience: Duration) -> Self {
        let most = Most { altogether, of_group: each, of_key: each };
        Self::with_queue(most, Most::UNLIMITED, patience)
    }

    /// Creates a semaphore with a limited queue. If the queue is full, [`FairSemaphore::take`] returns at once.
    pub fn with_queue(most: Most, most_waiting: Most, patience: Duration) -> Self {
        let queue_state = Queue {
            free: most.altogether,
            most,
            most_waiting,
            held: BTreeMap::new(),
            held_by_group: BTreeMap::new(),
            waiting: Vec::new(),
        };
        Self { patience, queue_state: Arc::new(Mutex::new(queue_state)) }
    }

    /// Takes a permit for this key. Returns `None` if no permit becomes free in time, or the queue is full.
    pub async fn take(&self, key: K) -> Option<Permit> {
        let (sender, permit) = oneshot::channel();
        self.queue_state.lock().unwrap_or_else(PoisonError::into_inner).queue(key, sender)?;
        serve(&self.queue_state);
        tokio::time::timeout(self.patience, permit).await.ok()?.ok()
    }
}

/// Hands out free permits to waiters.
fn serve<K: Key>(queue_state: &Arc<Mutex<Queue<K>>>) {
    loop {
        let next = queue_state.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some((key, sender)) = next else { return };
        let place = Arc::clone(queue_state);
        let release = move || {
            place.lock().unwrap_or_else(PoisonError::into_inner).release(&key);
            serve(&place);
        };
        // If the waiter is gone, `send` returns the permit, and dropping it releases it.
        drop(sender.send(Permit { release: Some(Box::new(release)) }));
    }
}

impl<K: Key> Queue<K> {
    fn held(&self, key: &K) -> usize {
        self.held.get(key).copied().unwrap_or(0)
    }

    fn held_by_group(&self, group: &K::Group) -> usize {
        self.held_by_group.get(group).copied().unwrap_or(0)
    }

    /// Adds a waiter, if the queue has room or a permit is free for it at once.
    fn queue(&mut self, key: K, sender: oneshot::Sender<Permit>) -> Option<()> {
        self.waiting.retain(|(_, sender)| !sender.is_closed());
        let waiting = |is_one: &dyn Fn(&K) -> bool| self.waiting.iter().filter(|(it, _)| is_one(it)).count();
        let has_room = self.waiting.len() < self.most_waiting.altogether
            && waiting(&|it| it.group() == key.group()) < self.most_waiting.of_group
            && waiting(&|it| *it == key) < self.most_waiting.of_key;
        if !has_room && !self.can_take(&key) {
            return None;
        }
        self.waiting.push((key, sender));
        Some(())
    }

    fn can_take(&self, key: &K) -> bool {
        let of_group = self.held_by_group(key.group());
        of_group < self.free && of_group < self.most.of_group && self.held(key) < self.most.of_key
    }

    /// Takes a permit for the next waiter: the one whose group, and then key, holds the fewest permits.
    fn next(&mut self) -> Option<(K, oneshot::Sender<Permit>)> {
        self.waiting.retain(|(_, sender)| !sender.is_closed());
        let in_order = self.waiting.iter().enumerate().filter(|(_, (key, _))| self.can_take(key));
        let shares =
            in_order.map(|(index, (key, _))| (self.held_by_group(key.group()), self.held(key), index));
        let (_, _, index) = shares.min()?;
        let (key, sender) = self.waiting.remove(index);
        self.free -= 1;
        *self.held_by_group.entry(key.group().clone()).or_default() += 1;
        *self.held.entry(key.clone()).or_default() += 1;
        Some((key, sender))
    }

    fn release(&mut self, key: &K) {
        self.free += 1;
        one_less(&mut self.held, key);
        one_less(&mut self.held_by_group, key.group());
    }
}

fn one_less<K: Ord>(counts: &mut BTreeMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(release) = self.release.take() {
            release();
        }
    }
}

impl fmt::Debug for Permit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Permit")
    }
}

impl<K: Key> fmt::Debug for FairSemaphore<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let free = self.queue_state.lock().unwrap_or_else(PoisonError::into_inner).free;
        f.debug_struct("FairSemaphore").field("free", &free).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(10);

    impl Key for char {
        type Group = Self;

        fn group(&self) -> &Self {
            self
        }
    }

    #[tokio::test(start_paused = true)]
    async fn key_over_its_share_gets_no_permit() {
        let permits = FairSemaphore::new(3, 2, PATIENCE);
        let (first, _second) = (permits.take('a').await.unwrap(), permits.take('a').await.unwrap());
        assert!(permits.take('a').await.is_none(), "a holds its maximum");
        let _third = permits.take('b').await.expect("b holds none yet");
        assert!(permits.take('c').await.is_none(), "all three permits are taken");
        drop(first);
        assert!(permits.take('c').await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn last_permit_is_reserved_for_a_new_key() {
        let permits = FairSemaphore::new(4, 2, PATIENCE);
        let mut kept = Vec::new();
        for key in ['a', 'a', 'b', 'b', 'a', 'b'] {
            kept.extend(permits.take(key).await);
        }
        assert_eq!(kept.len(), 3, "the last permit is for a new key");
        assert!(permits.take('c').await.is_some());
        drop(kept.pop());
        kept.extend([permits.take('c').await.unwrap(), permits.take('d').await.unwrap()]);
        assert!(permits.take('e').await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn key_without_permits_precedes_key_with_permits() {
        let permits = Arc::new(FairSemaphore::new(2, 2, PATIENCE));
        let (a, b) = (permits.take('a').await.unwrap(), permits.take('b').await.unwrap());
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut waiting = Vec::new();
        for key in ['a', 'a', 'c'] {
            let (permits, order) = (Arc::clone(&permits), Arc::clone(&order));
            waiting.push(tokio::spawn(async move {
                let permit = permits.take(key).await;
                order.lock().unwrap().push(key);
                drop(permit);
            }));
            tokio::task::yield_now().await;
        }
        drop(b);
        for it in waiting.drain(2..) {
            it.await.unwrap();
        }
        assert_eq!(order.lock().unwrap().first(), Some(&'c'));
        drop(a);
    }

    #[tokio::test(start_paused = true)]
    async fn released_permit_is_passed_on_and_leaves_no_entry() {
        let permits = Arc::new(FairSemaphore::new(1, 1, PATIENCE));
        let first = permits.take('a').await;
        let waiting = |key| {
            let permits = Arc::clone(&permits);
            tokio::spawn(async move { permits.take(key).await.is_some() })
        };
        let (gone, next) = (waiting('c'), waiting('a'));
        tokio::task::yield_now().await;
        gone.abort();
        assert!(gone.await.unwrap_err().is_cancelled());
        drop(first);
        assert!(next.await.unwrap());
        drop(permits.take('b').await);
        let queue_state = permits.queue_state.lock().unwrap();
        assert_eq!((queue_state.free, queue_state.held.len(), queue_state.waiting.len()), (1, 0, 0));
        assert!(queue_state.held_by_group.is_empty());
    }

    fn person(tenant: &str, user: u8) -> (TenantId, UserId) {
        let tenant: TenantId = tenant.parse().unwrap();
        let user = UserId::from_bytes(&tenant, [user; 16]);
        (tenant, user)
    }

    fn user_permits() -> FairSemaphore<(TenantId, UserId)> {
        let most = Most { altogether: 4, of_group: 3, of_key: 1 };
        let most_waiting = Most { altogether: 6, of_group: 4, of_key: 2 };
        FairSemaphore::with_queue(most, most_waiting, PATIENCE)
    }

    #[tokio::test(start_paused = true)]
    async fn users_of_tenant_share_one_tenant_limit() {
        let permits = user_permits();
        let mut held = Vec::new();
        for user in 0..4 {
            held.extend(permits.take(person("flood", user)).await);
        }
        assert_eq!(held.len(), 2, "as many permits as are left free");
        assert!(permits.take(person("honest", 9)).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn user_with_permits_waits_behind_user_without() {
        let permits = Arc::new(user_permits());
        let first = (permits.take(person("a", 1)).await, permits.take(person("a", 2)).await);
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut waiting = Vec::new();
        for user in [1, 1, 3] {
            let (permits, order) = (Arc::clone(&permits), Arc::clone(&order));
            waiting.push(tokio::spawn(async move {
                let permit = permits.take(person("a", user)).await;
                order.lock().unwrap().push(user);
                drop(permit);
            }));
            tokio::task::yield_now().await;
        }
        drop(first.1);
        waiting.remove(2).await.unwrap();
        assert_eq!(order.lock().unwrap().first(), Some(&3));
    }

    #[tokio::test(start_paused = true)]
    async fn full_tenant_queue_rejects_only_that_tenant() {
        let permits = Arc::new(user_permits());
        let _held = (permits.take(person("a", 1)).await, permits.take(person("a", 2)).await);
        let began = tokio::time::Instant::now();
        let mut waiting = Vec::new();
        for user in [1, 1, 2, 2] {
            let permits = Arc::clone(&permits);
            waiting.push(tokio::spawn(async move { permits.take(person("a", user)).await.is_some() }));
            tokio::task::yield_now().await;
        }
        assert!(permits.take(person("a", 3)).await.is_none(), "the tenant's queue is full");
        assert_eq!(began.elapsed(), Duration::ZERO, "rejected without waiting");
        assert!(permits.take(person("b", 1)).await.is_some(), "another tenant still gets a permit");
        for it in waiting {
            assert!(!it.await.unwrap());
        }
    }
}
