//! Turns at work that few may do at once. Whoever has turns already gets another only while more are free than it has,
//! and who waits with the fewest is next: so somebody new finds one where others have theirs, and nobody keeps the others
//! from theirs. Whoever gets none in time is told so.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

/// Who may do it.
pub struct Turns<K: Ord> {
    patience: Duration,
    desk: Arc<Mutex<Desk<K>>>,
}

/// The right to do it, until it is dropped.
pub struct Turn {
    /// Gives it back.
    release: Option<Box<dyn FnOnce() + Send + Sync>>,
}

/// Who has turns, and who waits.
struct Desk<K> {
    free: usize,
    each: usize,
    held: BTreeMap<K, usize>,
    /// In the order in which they came.
    waiting: Vec<(K, oneshot::Sender<Turn>)>,
}

impl<K: Ord + Clone + Send + Sync + 'static> Turns<K> {
    /// So many altogether, so many of each key at most, and how long one waits.
    pub fn new(altogether: usize, each: usize, patience: Duration) -> Self {
        let desk = Desk { free: altogether, each, held: BTreeMap::new(), waiting: Vec::new() };
        Self { patience, desk: Arc::new(Mutex::new(desk)) }
    }

    /// A turn of this key; null when none was had in time.
    pub async fn take(&self, key: K) -> Option<Turn> {
        let (sender, turn) = oneshot::channel();
        self.desk.lock().unwrap_or_else(PoisonError::into_inner).waiting.push((key, sender));
        serve(&self.desk);
        tokio::time::timeout(self.patience, turn).await.ok()?.ok()
    }
}

/// Gives out what may be had.
fn serve<K: Ord + Clone + Send + Sync + 'static>(desk: &Arc<Mutex<Desk<K>>>) {
    loop {
        let next = desk.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some((key, sender)) = next else { return };
        let place = Arc::clone(desk);
        let release = move || {
            place.lock().unwrap_or_else(PoisonError::into_inner).give_back(&key);
            serve(&place);
        };
        // Whoever went away meanwhile drops it, and that gives it back.
        drop(sender.send(Turn { release: Some(Box::new(release)) }));
    }
}

impl<K: Ord + Clone> Desk<K> {
    fn held(&self, key: &K) -> usize {
        self.held.get(key).copied().unwrap_or(0)
    }

    /// Takes a turn for who is next.
    fn next(&mut self) -> Option<(K, oneshot::Sender<Turn>)> {
        self.waiting.retain(|(_, sender)| !sender.is_closed());
        let may = |held: usize| held < self.free && held < self.each;
        let in_order = self.waiting.iter().enumerate().map(|(index, (key, _))| (self.held(key), index));
        let (held, index) = in_order.filter(|(held, _)| may(*held)).min()?;
        let (key, sender) = self.waiting.remove(index);
        self.free -= 1;
        self.held.insert(key.clone(), held + 1);
        Some((key, sender))
    }

    fn give_back(&mut self, key: &K) {
        self.free += 1;
        let _before = match self.held(key) {
            0 | 1 => self.held.remove(key),
            more => self.held.insert(key.clone(), more - 1),
        };
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(release) = self.release.take() {
            release();
        }
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Turn")
    }
}

impl<K: Ord> fmt::Debug for Turns<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let free = self.desk.lock().unwrap_or_else(PoisonError::into_inner).free;
        f.debug_struct("Turns").field("free", &free).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(10);

    #[tokio::test(start_paused = true)]
    async fn nobody_has_more_than_a_share_and_who_waits_too_long_goes_without() {
        let turns = Turns::new(3, 2, PATIENCE);
        let (first, _second) = (turns.take("a").await.unwrap(), turns.take("a").await.unwrap());
        assert!(turns.take("a").await.is_none(), "a has its share");
        let _third = turns.take("b").await.expect("b has none yet");
        assert!(turns.take("c").await.is_none(), "there are three altogether");
        drop(first);
        assert!(turns.take("c").await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn two_that_take_all_they_can_leave_one_for_a_third() {
        let turns = Turns::new(4, 2, PATIENCE);
        let mut kept = Vec::new();
        for key in ["a", "a", "b", "b", "a", "b"] {
            kept.extend(turns.take(key).await);
        }
        assert_eq!(kept.len(), 3, "the last is for who has none");
        assert!(turns.take("c").await.is_some());
        drop(kept.pop());
        kept.extend([turns.take("c").await.unwrap(), turns.take("d").await.unwrap()]);
        assert!(turns.take("e").await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_none_is_next_before_whoever_waits_for_another() {
        let turns = Arc::new(Turns::new(2, 2, PATIENCE));
        let (a, b) = (turns.take("a").await.unwrap(), turns.take("b").await.unwrap());
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut waiting = Vec::new();
        for key in ["a", "a", "c"] {
            let (turns, order) = (Arc::clone(&turns), Arc::clone(&order));
            waiting.push(tokio::spawn(async move {
                let turn = turns.take(key).await;
                order.lock().unwrap().push(key);
                drop(turn);
            }));
            tokio::task::yield_now().await;
        }
        drop(b);
        for it in waiting.drain(2..) {
            it.await.unwrap();
        }
        assert_eq!(order.lock().unwrap().first(), Some(&"c"));
        drop(a);
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_is_next_and_nothing_is_kept_of_those_that_are_done() {
        let turns = Arc::new(Turns::new(1, 1, PATIENCE));
        let first = turns.take("a").await;
        let waiting = |key| {
            let turns = Arc::clone(&turns);
            tokio::spawn(async move { turns.take(key).await.is_some() })
        };
        let (gone, next) = (waiting("c"), waiting("a"));
        tokio::task::yield_now().await;
        gone.abort();
        assert!(gone.await.unwrap_err().is_cancelled());
        drop(first);
        assert!(next.await.unwrap());
        drop(turns.take("b").await);
        let desk = turns.desk.lock().unwrap();
        assert_eq!((desk.free, desk.held.len(), desk.waiting.len()), (1, 0, 0));
    }
}
