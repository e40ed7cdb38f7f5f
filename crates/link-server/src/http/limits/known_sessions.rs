//! Recently authenticated sessions. The service accepts their requests even if another client behind the same address
//! has used up the network's limit of wrong credentials.
//!
//! Our own: a crate such as `lru` evicts the oldest entry exactly. Here a half at a time is enough, and takes few lines.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use link_domain::kernel::digest::Digest32;

/// The maximum number of sessions in each of the two halves. Both together use 4 MB.
const HALF: usize = 32 * 1024;

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
    fn recently_used_sessions_stay_known() {
        let known = KnownSessions::default();
        let session = |number: usize| Digest32::of(&number.to_string());
        for number in 0..3 * HALF {
            known.remember(session(number));
            known.remember(session(0));
        }
        assert!(known.contains(&session(3 * HALF - 1)) && known.contains(&session(2 * HALF)));
        assert!(known.contains(&session(0)), "used throughout");
        assert!(!known.contains(&session(1)));
        assert!(known.halves().iter().map(HashSet::len).sum::<usize>() <= 2 * HALF);
    }
}
