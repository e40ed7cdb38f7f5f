//! Rows that store counted tries.

use super::Tries;
use crate::change::Row;

impl Tries {
    /// Returns the rows that store the counts.
    pub fn rows(&self) -> impl Iterator<Item = Row> {
        let own = std::iter::once(Row::LoginTries(self.own.clone()));
        own.chain(self.counts.iter().cloned().map(Row::GuessCount))
    }
}
