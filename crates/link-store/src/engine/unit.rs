//! A unit of work as the engines see it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::StoreError;
use crate::sql::Session;

/// What a run of a unit asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Keep what was written.
    Keep,
    /// Undo it; the unit's own answer says why.
    Discard,
    /// Undo it and run the unit again: the database asked for that.
    Again,
    /// Undo it; the closure panicked.
    Panicked,
}

/// A closure with its caller waiting. It may run several times before it is settled once.
pub(crate) trait Unit: Send {
    /// Runs the closure; the answer is kept inside until it is settled.
    fn attempt(&mut self, session: Session<'_>) -> Verdict;

    /// Whether the last attempt erased something, so that the files must be cleaned after the commit.
    fn erases(&self) -> bool;

    /// At once after the commit of what was kept, before anything is waited for: forgets what is no longer so.
    fn committed(&self);

    /// After the commit (or the failure): tells the caller.
    fn settle(self: Box<Self>, outcome: Result<(), StoreError>);
}

/// Runs a unit's closure; a panic ends this unit alone.
pub(crate) fn attempt_guarded(unit: &mut dyn Unit, session: Session<'_>) -> Verdict {
    // Whatever the closure left half-done lives in the database, where it is undone, or in the unit, which is
    // settled with `Panicked` and dropped.
    catch_unwind(AssertUnwindSafe(|| unit.attempt(session))).unwrap_or(Verdict::Panicked)
}
