//! `create`, `apply_response`, `complete` and `erase`: the transitions of a signal, and their effects.

use link_types::event::{EventData, VerificationChanged};
use link_types::signal::{SignalId, SignalItem, SignalKind, SignalRequest};

use super::{Signal, SignalState};
use crate::change::job::JobKind;
use crate::change::transition::{Entity, Transition};
use crate::change::{Change, Row};
use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;
use crate::kernel::subject::Subject;
use crate::lookups::record::AlreadyEndedError;
use crate::lookups::record::NextQuery;
use crate::lookups::record_source::{Outcome, Queried, SignalFindings};

impl Signal {
    /// Creates a signal and schedules the job that completes it, due immediately. For a verification, it also emits
    /// VERIFICATION_STARTED, and the job queries the source. For other kinds, the request itself queries the source and
    /// holds the job's lease meanwhile. If the request is interrupted, the job takes over.
    pub fn create(owner: Owner, request: SignalRequest, context: &mut Context) -> (Self, Change) {
        let kind = request.kind();
        let signal = Self {
            id: SignalId::from_bytes(kind, context.uuid()),
            owner,
            created_at: context.now().tenant(),
            version: 0,
            event_count: 0,
            request,
            state: SignalState::Processing { task: None },
        };
        let mut transition = Transition::for_entity(signal, context);
        if kind == SignalKind::Verification {
            let started = transition.entity.to_event();
            transition.emit(EventData::VerificationStarted(started));
        }
        let signal = &transition.entity;
        let (completion, scope, ends_at) = (signal.completion(), signal.scope(), signal.data_ends_at());
        let cited = signal.consent_template().cloned();
        transition.schedule(completion, transition.at);
        transition.schedule(JobKind::ExpireScope { scope }, ends_at);
        transition.change.rows.extend(cited.map(Row::ConsentCited));
        transition.finish(row)
    }

    /// Applies the source's response: completes the signal, or schedules the next query of the source's task. A task that
    /// takes longer than 1 hour ends with SERVICE_UNAVAILABLE.
    ///
    /// # Errors
    ///
    /// [`AlreadyEndedError`] if the signal is already completed.
    pub fn apply_response(
        self,
        queried: Queried<SignalFindings>,
        context: &mut Context,
    ) -> Result<(Self, Change), AlreadyEndedError> {
        let (task, at) = match NextQuery::after(queried, self.created_at, context.now().tenant()) {
            NextQuery::Ended(outcome) => return self.complete(outcome, context),
            NextQuery::Poll { task, at } => (task, at),
        };
        if !self.is_processing() {
            return Err(AlreadyEndedError);
        }
        let mut transition = Transition::for_entity(self, context);
        transition.entity.state = SignalState::Processing { task: Some(task) };
        let completion = transition.entity.completion();
        transition.schedule(completion, at);
        Ok(transition.finish(row))
    }

    /// Completes the signal: records the charge if there is one, and emits VERIFICATION_COMPLETED for a verification.
    ///
    /// # Errors
    ///
    /// [`AlreadyEndedError`] if the signal is already completed.
    pub fn complete(
        self,
        outcome: Outcome<SignalFindings>,
        context: &mut Context,
    ) -> Result<(Self, Change), AlreadyEndedError> {
        if !self.is_processing() {
            return Err(AlreadyEndedError);
        }
        let mut transition = Transition::for_entity(self, context);
        let (kind, code, message) = (transition.entity.kind(), outcome.code(), outcome.message());
        transition.entity.state = SignalState::Ended { outcome: in_table_order(kind, outcome) };
        if kind == SignalKind::Verification {
            let completed = VerificationChanged {
                status: Some(code.status()),
                result_code: Some(code),
                result_message: Some(message),
                ..transition.entity.to_event()
            };
            transition.emit(EventData::VerificationCompleted(completed));
        }
        if kind.is_billed(code) {
            transition.bill(kind.billing_kind(), None);
        }
        Ok(transition.finish(row))
    }

    /// Erases the signal. Its events and its charge remain.
    pub fn erase(&self) -> Change {
        Change { erasures: vec![self.scope()], ..Change::default() }
    }

    fn to_event(&self) -> VerificationChanged {
        VerificationChanged {
            verification_id: self.id.clone(),
            status: None,
            result_code: None,
            result_message: None,
        }
    }
}

impl Entity for Signal {
    fn owner(&self) -> &Owner {
        &self.owner
    }

    fn subject(&self) -> Subject {
        Subject::Signal(self.id.clone())
    }

    fn event_count(&mut self) -> &mut u64 {
        &mut self.event_count
    }

    fn advance(&mut self, _: TenantTime) {
        self.version = self.version.saturating_add(1);
    }
}

fn row(signal: &Signal) -> Row {
    Row::Signal(Box::new(signal.clone()))
}

/// Sorts a result into its table's order. Items that the source did not return, or that have the wrong type, are null.
/// Items that are not in the table are dropped.
fn in_table_order(kind: SignalKind, outcome: Outcome<SignalFindings>) -> Outcome<SignalFindings> {
    let Outcome::Success(SignalFindings(found)) = outcome else { return outcome };
    let items = kind.items().iter().map(|spec| SignalItem {
        name: spec.name.to_owned(),
        value: found
            .iter()
            .find(|item| item.name == spec.name)
            .and_then(|item| item.value.clone().filter(|_| item.value_type == spec.values.value_type())),
        value_type: spec.values.value_type(),
    });
    Outcome::Success(SignalFindings(items.collect()))
}
