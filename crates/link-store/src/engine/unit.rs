//! A unit of work, as the engines see it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::StoreError;
use crate::sql::Session;

/// Outcome of a unit's run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Commit what was written.
    Keep,
    /// Roll back. The unit's own result says why.
    Discard,
    /// Roll back and run the unit again, because the database requires it.
    Again,
    /// Roll back. The closure panicked.
    Panicked,
}

/// A closure whose caller is waiting. It may run several times before it is settled once.
pub(crate) trait Unit: Send {
    /// Runs the closure. The result stays inside until the unit is settled.
    fn attempt(&mut self, session: Session<'_>) -> Verdict;

    /// Returns whether the last attempt erased something, so that the files must be cleaned after the commit.
    fn erases(&self) -> bool;

    /// Updates caches right after the commit of this unit, before anything waits.
    fn on_commit(&self);

    /// Passes the result to the caller after the commit or the failure.
    fn settle(self: Box<Self>, outcome: Result<(), StoreError>);
}

/// Runs a unit's closure. A panic fails only this unit.
pub(crate) fn attempt_guarded(unit: &mut dyn Unit, session: Session<'_>) -> Verdict {
    // Anything that the closure left half-done is in the database, where it is rolled back, or in the unit, which is settled
    // with `Panicked` and dropped.
    catch_unwind(AssertUnwindSafe(|| unit.attempt(session))).unwrap_or(Verdict::Panicked)
}
