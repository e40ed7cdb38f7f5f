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

/// A closure on its way through an engine.
pub(super) struct Call<F, T, E> {
    pub(super) closure: F,
    pub(super) keys: Arc<Keys>,
    pub(super) callers: Arc<Callers>,
    pub(super) signals: broadcast::Sender<CommitNotice>,
    pub(super) answer: Option<Result<T, E>>,
    pub(super) news: Vec<CommitNotice>,
    pub(super) erases: bool,
    /// The erased scopes that are not noted in the ledger yet.
    pub(super) erased: RefCell<Vec<ErasedScope>>,
    pub(super) changes_callers: bool,
    pub(super) opened: Vec<OpenBucket>,
    pub(super) sender: oneshot::Sender<Result<T, E>>,
}

impl<F, T, E> Unit for Call<F, T, E>
where
    F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send,
    T: Send,
    E: From<StoreError> + Send,
{
    fn attempt(&mut self, session: Session<'_>) -> Verdict {
        // Those of a run that the database refused at the commit.
        self.keys.buckets.give_back(std::mem::take(&mut self.opened), false);
        let mut tx = Tx::new(session, &self.keys);
        let mut answer = (self.closure)(&mut tx);
        let done = tx.finish();
        if done.fault.is_some() && answer.is_ok() {
            answer = Err(StoreError::Aborted.into());
        }
        let verdict = match (&answer, done.fault) {
            (_, Some(Unusable::Transient)) => Verdict::Again,
            (Ok(_), Some(Unusable::Final) | None) => Verdict::Keep,
            (Err(_), Some(Unusable::Final) | None) => Verdict::Discard,
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
        self.answer = Some(answer);
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
            self.callers.changed();
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
        let answer = match (outcome, self.answer) {
            (Ok(()), Some(answer)) => {
                for signal in self.news {
                    // An error only means that there are no subscribers.
                    drop(self.signals.send(signal));
                }
                answer
            }
            (Err(error), _) => Err(error.into()),
            (Ok(()), None) => Err(StoreError::Panicked.into()),
        };
        // An error only means that the caller was dropped.
        drop(self.sender.send(answer));
    }
}
