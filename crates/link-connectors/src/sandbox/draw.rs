//! Pseudorandom numbers that are always the same for the same names.

use link_types::{Date, Timestamp};
use sha2::{Digest, Sha256};

/// Returns the day relative to which people are drawn, so that they stay the same as time passes: 2026-01-01.
pub(super) fn epoch() -> Date {
    Timestamp::from_micros(0).date().plus_days(20_454)
}

/// A source of numbers.
pub(super) struct Draw {
    seed: [u8; 32],
    drawn: u64,
}

impl Draw {
    /// Creates the numbers for these names.
    pub(super) fn new(names: &[&str]) -> Self {
        let mut hash = Sha256::new();
        for name in names {
            hash.update(name.as_bytes());
            hash.update([0]);
        }
        Self { seed: hash.finalize().into(), drawn: 0 }
    }

    /// Returns a number from `low` to `high`, inclusive.
    pub(super) fn number(&mut self, low: i64, high: i64) -> i64 {
        self.drawn += 1;
        let hash = Sha256::new().chain_update(self.seed).chain_update(self.drawn.to_be_bytes()).finalize();
        let [a, b, c, d, ..] = <[u8; 32]>::from(hash);
        let span = high.saturating_sub(low).saturating_add(1).max(1);
        low + i64::from(u32::from_be_bytes([a, b, c, d])) % span
    }

    /// Returns one of the items.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        let last = i64::try_from(items.len()).unwrap_or(0) - 1;
        items.get(usize::try_from(self.number(0, last)).unwrap_or(0)).copied()
    }

    /// Returns one of the names.
    pub(super) fn name(&mut self, names: &[&'static str]) -> &'static str {
        self.pick(names).unwrap_or("")
    }
}
