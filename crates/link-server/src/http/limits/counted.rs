//! Counts concurrent activities by key, to limit them.
//!
//! Our own: tokio's `Semaphore` has one count. Here each key has one, and a key without activities uses no memory.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
        Some(self.counted(key))
    }

    /// Counts an activity of this key.
    pub fn count(&self, key: &K) -> Counted<K> {
        *self.lock().entry(key.clone()).or_default() += 1;
        self.counted(key)
    }

    fn counted(&self, key: &K) -> Counted<K> {
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
}
