//! Turns at work that few may do at once: so many altogether, and fewer for each key, so that nobody keeps the others
//! from theirs. Whoever gets none in time is told so.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Who may do it.
pub struct Turns<K> {
    altogether: Arc<Semaphore>,
    each: usize,
    patience: Duration,
    keys: Mutex<BTreeMap<K, Arc<Semaphore>>>,
}

/// The right to do it, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    _own: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl<K: Ord> Turns<K> {
    /// So many altogether, so many of each key, and how long one waits.
    pub fn new(altogether: usize, each: usize, patience: Duration) -> Self {
        Self { altogether: Arc::new(Semaphore::new(altogether)), each, patience, keys: Mutex::default() }
    }

    /// A turn of this key; null when none was had in time.
    pub async fn take(&self, key: K) -> Option<Turn> {
        let own = self.of(key);
        let turn = async {
            // The own one first: who has had its share waits without a place that others could use.
            let own = own.acquire_owned().await.ok()?;
            let of_all = Arc::clone(&self.altogether).acquire_owned().await.ok()?;
            Some(Turn { _own: own, _of_all: of_all })
        };
        tokio::time::timeout(self.patience, turn).await.ok().flatten()
    }

    fn of(&self, key: K) -> Arc<Semaphore> {
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody else holds or awaits a turn of these.
        keys.retain(|_, turns| Arc::strong_count(turns) > 1);
        Arc::clone(keys.entry(key).or_insert_with(|| Arc::new(Semaphore::new(self.each))))
    }
}

impl<K> fmt::Debug for Turns<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turns").field("left", &self.altogether.available_permits()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn nobody_has_more_than_a_share_and_who_waits_too_long_goes_without() {
        let turns = Turns::new(3, 2, Duration::from_secs(10));
        let (first, _second) = (turns.take("a").await.unwrap(), turns.take("a").await.unwrap());
        assert!(turns.take("a").await.is_none(), "a has its share");
        let _third = turns.take("b").await.expect("b has none yet");
        assert!(turns.take("c").await.is_none(), "there are three altogether");
        drop(first);
        assert!(turns.take("c").await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_is_next_and_nothing_is_kept_of_those_that_are_done() {
        let turns = Arc::new(Turns::new(1, 1, Duration::from_secs(10)));
        let first = turns.take("a").await;
        let waiting = tokio::spawn({
            let turns = Arc::clone(&turns);
            async move { turns.take("a").await.is_some() }
        });
        tokio::task::yield_now().await;
        drop(first);
        assert!(waiting.await.unwrap());
        drop(turns.take("b").await);
        assert_eq!(turns.keys.lock().unwrap().keys().collect::<Vec<_>>(), [&"b"]);
    }
}
