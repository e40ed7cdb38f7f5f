//! Compares the database with the ledger of erasures.

use link_domain::kernel::context::Context;

use super::Store;
use crate::StoreError;
use crate::keys::Day;
use crate::keys::ledger::KEPT_DAYS;

/// The number of scopes that one unit of work erases. A scope can have thousands of rows, and a unit has seconds.
const SCOPES_A_UNIT: usize = 5;
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
    pub async fn replay_erasures(&self, mut context: Context) -> Result<usize, StoreError> {
        let ledger = &self.shared.keys.ledger;
        let seen = self.read(|reader| reader.retention_clock().last_reading()).await?;
        let first = seen.map_or(Day(0), |at| Day(Day::from_micros(at.micros()).0 - SLACK_DAYS));
        let recent = ledger.list_erased_since(first)?;
        let today = Day::from_micros(context.now().wall().micros());
        let kept = today.0.saturating_sub(KEPT_DAYS).saturating_mul(MICROSECONDS_A_DAY);
        let known = self.read(move |reader| reader.scopes().list_erased_since(kept)).await?;
        // A process was killed between the commit of an erasure and its line in the ledger, or an older program had no ledger.
        let lines = ledger.list_erased_since(Day(0))?;
        ledger.note(known.into_iter().filter(|it| !lines.contains(&it.scope)).collect());
        ledger.flush()?;
        let recent: Vec<String> = recent.into_iter().collect();
        let mut erased = 0;
        for scopes in recent.chunks(SCOPES_A_UNIT) {
            let (scopes, before) = (scopes.to_vec(), context.clone());
            let unit = self.write(move |tx| {
                let (mut count, mut context) = (0, before.clone());
                for scope in &scopes {
                    if !tx.scopes().is_erased(scope)? {
                        tx.scopes().erase_again(scope, &mut context)?;
                        count += 1;
                    }
                }
                Ok::<_, StoreError>((count, context))
            });
            let (count, after) = unit.await?;
            erased += count;
            context = after;
        }
        Ok(erased)
    }

    /// Writes the lines of committed erasures to the ledger that an earlier attempt could not write.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the key folder cannot be written.
    pub fn flush_erasures(&self) -> Result<(), StoreError> {
        self.shared.keys.ledger.flush()
    }
}
