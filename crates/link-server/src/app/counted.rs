//! Counts concurrent activities by key, to limit them.
//!
//! Our own: tokio's `Semaphore` has one count. Here each key has one, and a key without activities uses no memory.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use link_domain::kernel::digest::Digest32;

/// The number of current activities of each key.
#[derive(Debug)]
pub struct Counts<K>(Arc<Mutex<HashMap<K, usize>>>);

/// A counted activity. Dropping it ends the count.
#[derive(Debug)]
pub struct Counted<K: Hash + Eq> {
    key: K,
    counts: Counts<K>,
}

impl<K> Default for Counts<K> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K: Hash + Eq + Clone> Counts<K> {
    /// Counts an activity of this key. Returns `None` if the key already has `maximum` activities.
    pub fn admit(&self, key: &K, maximum: usize) -> Option<Counted<K>> {
        let mut counts = self.lock();
        let count = counts.entry(key.clone()).or_default();
        if *count >= maximum {
            return None;
        }
        *count += 1;
        Some(self.guard(key))
    }

    /// Counts an activity of this key.
    pub fn count(&self, key: &K) -> Counted<K> {
        *self.lock().entry(key.clone()).or_default() += 1;
        self.guard(key)
    }

    fn guard(&self, key: &K) -> Counted<K> {
        Counted { key: key.clone(), counts: Self(Arc::clone(&self.0)) }
    }

    /// Returns the current number of activities of each key.
    pub fn current<C: FromIterator<(K, usize)>>(&self) -> C {
        self.lock().iter().map(|(key, count)| (key.clone(), *count)).collect()
    }
}

impl<K> Counts<K> {
    fn lock(&self) -> MutexGuard<'_, HashMap<K, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Hash + Eq> Drop for Counted<K> {
    fn drop(&mut self) {
        let mut counts = self.counts.lock();
        if let Some(count) = counts.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.key);
            }
        }
    }
}

// Recently authenticated sessions. The service accepts their requests even if another client behind the same address
// has used up the network's limit of wrong credentials.
//
// Our own: a crate such as `lru` evicts the oldest entry exactly. Here a half at a time is enough, and takes few lines.

/// The maximum number of sessions in each of the two halves. Both together use 4 MB.
const MAX_SESSIONS_OF_HALF: usize = 32 * 1024;

/// The digests of the sessions' bearer tokens, in a newer and an older half.
#[derive(Debug, Default)]
pub struct KnownSessions(Mutex<[HashSet<Digest32>; 2]>);

impl KnownSessions {
    /// Returns whether the session was authenticated recently.
    pub fn contains(&self, session: &Digest32) -> bool {
        self.halves().iter().any(|half| half.contains(session))
    }

    /// Adds an authenticated session. Drops the older half if the newer one is full.
    pub fn remember(&self, session: Digest32) {
        let mut halves = self.halves();
        let [newer, older] = &mut *halves;
        if newer.len() >= MAX_SESSIONS_OF_HALF {
            *older = std::mem::take(newer);
        }
        newer.insert(session);
    }

    fn halves(&self) -> MutexGuard<'_, [HashSet<Digest32>; 2]> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn count_ends_if_its_task_panics() {
        let counts = Counts::default();
        let (one, _other) = (counts.count(&"one"), counts.count(&"one"));
        let panicked = tokio::spawn(async move {
            let _one = one;
            panic!("the server failed");
        });
        assert!(panicked.await.is_err());
        assert_eq!(counts.current::<Vec<_>>(), [("one", 1)]);
    }

    #[test]
    fn keys_are_counted_separately_and_freed_on_drop() {
        let counts = Counts::default();
        let kept = [(); 3].map(|()| counts.admit(&"one", 3));
        assert!(kept.iter().all(Option::is_some));
        assert!(counts.admit(&"one", 3).is_none());
        assert!(counts.admit(&"other", 3).is_some());
        drop(kept);
        assert!(counts.admit(&"one", 3).is_some());
        assert!(counts.lock().is_empty(), "keys without activities are removed");
    }

    #[test]
    fn recently_used_sessions_stay_known() {
        let known = KnownSessions::default();
        let session = |number: usize| Digest32::from_text(&number.to_string());
        for number in 0..3 * MAX_SESSIONS_OF_HALF {
            known.remember(session(number));
            known.remember(session(0));
        }
        assert!(
            known.contains(&session(3 * MAX_SESSIONS_OF_HALF - 1))
                && known.contains(&session(2 * MAX_SESSIONS_OF_HALF))
        );
        assert!(known.contains(&session(0)), "used throughout");
        assert!(!known.contains(&session(1)));
        assert!(known.halves().iter().map(HashSet::len).sum::<usize>() <= 2 * MAX_SESSIONS_OF_HALF);
    }
}
