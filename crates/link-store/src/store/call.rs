//! One caller's unit of work on its way through an engine.

use std::cell::RefCell;
use std::sync::Arc;

use tokio::sync::{broadcast, oneshot};

use crate::StoreError;
use crate::callers::Callers;
use crate::commit_notice::CommitNotice;
use crate::engine::{Unit, Verdict};
use crate::keys::{ErasedScope, Keys, OpenBucket};
use crate::sql::Session;
use crate::sql::session::Unusable;
use crate::tx::Tx;

/// A closure whose caller waits for its result. Only this part of a [`Call`] depends on the closure's types: the program has
/// hundreds of closures.
pub(super) trait Closure: Send {
    /// Runs the closure, and keeps its result. Returns whether it succeeded.
    fn run(&mut self, tx: &mut Tx<'_>) -> bool;

    /// Replaces the result by an error.
    fn fail(&mut self, error: StoreError);

    /// Sends the result, or this error, to the caller.
    fn send(self: Box<Self>, outcome: Result<(), StoreError>);
}

/// A closure, its result and its caller.
pub(super) struct PendingCall<F, T, E> {
    pub(super) closure: F,
    pub(super) result: Option<Result<T, E>>,
    pub(super) sender: oneshot::Sender<Result<T, E>>,
}

impl<F, T, E> Closure for PendingCall<F, T, E>
where
    F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send,
    T: Send,
    E: From<StoreError> + Send,
{
    fn run(&mut self, tx: &mut Tx<'_>) -> bool {
        self.result.insert((self.closure)(tx)).is_ok()
    }

    fn fail(&mut self, error: StoreError) {
        self.result = Some(Err(error.into()));
    }

    fn send(self: Box<Self>, outcome: Result<(), StoreError>) {
        let result = match (outcome, self.result) {
            (Ok(()), Some(result)) => result,
            (Err(error), _) => Err(error.into()),
            (Ok(()), None) => Err(StoreError::Panicked.into()),
        };
        // An error only means that the caller was dropped.
        drop(self.sender.send(result));
    }
}

/// A closure on its way through an engine.
pub(super) struct Call {
    closure: Box<dyn Closure>,
    keys: Arc<Keys>,
    callers: Arc<Callers>,
    signals: broadcast::Sender<CommitNotice>,
    news: Vec<CommitNotice>,
    erases: bool,
    /// The erased scopes that are not noted in the ledger yet.
    erased: RefCell<Vec<ErasedScope>>,
    changes_callers: bool,
    opened: Vec<OpenBucket>,
}

impl Call {
    /// Creates a call that has not run yet.
    pub(super) fn new(
        closure: Box<dyn Closure>,
        keys: Arc<Keys>,
        callers: Arc<Callers>,
        signals: broadcast::Sender<CommitNotice>,
    ) -> Self {
        Self {
            closure,
            keys,
            callers,
            signals,
            news: Vec::new(),
            erases: false,
            erased: RefCell::new(Vec::new()),
            changes_callers: false,
            opened: Vec::new(),
        }
    }
}

impl Unit for Call {
    fn attempt(&mut self, session: Session<'_>) -> Verdict {
        // Those of a run that the database refused at the commit.
        self.keys.buckets.give_back(std::mem::take(&mut self.opened), false);
        let mut tx = Tx::new(session, &self.keys);
        let mut is_ok = self.closure.run(&mut tx);
        let done = tx.finish();
        if done.fault.is_some() && is_ok {
            self.closure.fail(StoreError::Aborted);
            is_ok = false;
        }
        let verdict = match (is_ok, done.fault) {
            (_, Some(Unusable::Transient)) => Verdict::Again,
            (true, Some(Unusable::Final) | None) => Verdict::Keep,
            (false, Some(Unusable::Final) | None) => Verdict::Discard,
        };
        let kept = verdict == Verdict::Keep;
        self.news = if kept { done.news } else { Vec::new() };
        self.erases = kept && done.erases;
        self.erased = RefCell::new(if kept { done.erased } else { Vec::new() });
        self.changes_callers = kept && done.changes_callers;
        if kept {
            self.opened = done.opened;
        } else {
            self.keys.buckets.give_back(done.opened, false);
        }
        verdict
    }

    fn erases(&self) -> bool {
        self.erases
    }

    fn on_commit(&self) {
        let erased = self.erased.take();
        if !erased.is_empty() {
            self.keys.ledger.note(erased);
        }
        if self.changes_callers {
            self.callers.clear();
        }
    }

    fn settle(self: Box<Self>, outcome: Result<(), StoreError>) {
        if outcome.is_err() {
            // If the database committed, the next start finds the erasures there.
            self.erased.take();
        }
        // After a failed commit it is not always known whether the database committed.
        self.on_commit();
        // An erasure that a restored backup would undo is not acknowledged.
        let outcome = outcome.and_then(|()| if self.erases { self.keys.ledger.flush() } else { Ok(()) });
        self.keys.buckets.give_back(self.opened, outcome.is_ok());
        if outcome.is_ok() {
            for signal in self.news {
                // An error only means that there are no subscribers.
                drop(self.signals.send(signal));
            }
        }
        self.closure.send(outcome);
    }
}
