//! Pseudorandom numbers that are always the same for the same names.

use sha2::{Digest, Sha256};

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
