//! Compares the database with the ledger of erasures.

use link_domain::kernel::clock::{Now, Wall};

use super::Store;
use crate::StoreError;
use crate::keys::Day;

/// The number of scopes that one unit of work erases.
const SCOPES_A_UNIT: usize = 50;
/// How far the clocks of nodes may differ.
const SLACK_DAYS: i64 = 1;
const MICROSECONDS_A_DAY: i64 = 86_400_000_000;

impl Store {
    /// Erases again what was erased after the database was last used, according to the ledger in the key folder. There is
    /// something only if the database is older than the ledger, for example because a backup was restored. Returns how many
    /// scopes it erased.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the ledger or the database cannot be read or written.
    pub async fn replay_erasures(&self, now: Wall) -> Result<usize, StoreError> {
        let seen = self.read(|reader| reader.retention_clock().seen_at()).await?;
        let first = seen.map_or(Day(0), |at| Day(Day::from_micros(at.micros()).0 - SLACK_DAYS));
        let ledger = self.shared.keys.ledger.erased_since(first)?;
        let known = self
            .read(move |reader| reader.scopes().erased_since(first.0.saturating_mul(MICROSECONDS_A_DAY)))
            .await?;
        // A process was killed between the commit of an erasure and its line in the ledger.
        let unrecorded: Vec<_> = known.into_iter().filter(|it| !ledger.contains(&it.scope)).collect();
        self.shared.keys.ledger.note(unrecorded);
        self.shared.keys.ledger.flush()?;
        let ledger: Vec<String> = ledger.into_iter().collect();
        let mut erased = 0;
        for scopes in ledger.chunks(SCOPES_A_UNIT) {
            let scopes = scopes.to_vec();
            erased += self
                .write(move |tx| {
                    let mut count = 0;
                    for scope in &scopes {
                        if !tx.scopes().is_erased(scope)? {
                            tx.scopes().erase_again(scope, Now::new(now, Default::default()))?;
                            count += 1;
                        }
                    }
                    Ok::<usize, StoreError>(count)
                })
                .await?;
        }
        Ok(erased)
    }
}
