//! Sessions that were let in lately. Their requests are served also while their network has to wait, because a stranger behind
//! the same address used up what it may send in vain.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use link_domain::digest::Digest32;

/// Sessions in each of the two halves: 4 MB in all.
const HALF: usize = 32 * 1024;

/// The bearers' digests, the newer and the older half of them.
#[derive(Debug, Default)]
pub struct KnownSessions(Mutex<[HashSet<Digest32>; 2]>);

impl KnownSessions {
    /// Whether the session was let in lately.
    pub fn contains(&self, session: &Digest32) -> bool {
        self.halves().iter().any(|half| half.contains(session))
    }

    /// Remembers a session that was let in. The oldest ones are forgotten.
    pub fn remember(&self, session: Digest32) {
        let mut halves = self.halves();
        let [newer, older] = &mut *halves;
        if newer.len() >= HALF {
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

    #[test]
    fn newest_sessions_are_remembered_and_the_oldest_forgotten() {
        let known = KnownSessions::default();
        let session = |number: usize| Digest32::of(&number.to_string());
        for number in 0..3 * HALF {
            known.remember(session(number));
            known.remember(session(0));
        }
        assert!(known.contains(&session(3 * HALF - 1)) && known.contains(&session(2 * HALF)));
        assert!(known.contains(&session(0)), "used all the time");
        assert!(!known.contains(&session(1)));
        assert!(known.halves().iter().map(HashSet::len).sum::<usize>() <= 2 * HALF);
    }
}
