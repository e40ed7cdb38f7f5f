//! `create`, `apply_response`, `complete` and `erase`: the transitions of a record, and their effects.

use link_types::billing::BillingKind;
use link_types::event::{EventData, RecordChanged};
use link_types::id::RecordId;
use link_types::record::{RecordType, SocialSecurityRequest, SocialSecurityResult};

use super::NextQuery;
use super::{AlreadyEndedError, Record, RecordState};
use crate::change::job::JobKind;
use crate::change::transition::{Entity, Transition};
use crate::change::{Change, Row};
use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;
use crate::kernel::subject::Subject;
use crate::lookups::record_source::{Outcome, Queried};

impl Record {
    /// Creates a record, emits RECORD_CREATED, and schedules the jobs that complete and expire it.
    pub fn create(owner: Owner, request: SocialSecurityRequest, context: &mut Context) -> (Self, Change) {
        let record = Self {
            id: RecordId::from_bytes(context.uuid()),
            owner,
            created_at: context.now().tenant(),
            version: 0,
            event_count: 0,
            request,
            state: RecordState::Processing { task: None },
        };
        let mut transition = Transition::for_entity(record, context);
        let created = transition.entity.created_event();
        transition.emit(EventData::RecordCreated(created));
        let record = &transition.entity;
        let (id, scope, ends_at) = (record.id.clone(), record.scope(), record.data_ends_at());
        let cited = record.request.consent.consent_template_id.clone();
        transition.schedule(JobKind::CompleteRecord { record_id: id }, transition.at);
        transition.schedule(JobKind::ExpireScope { scope }, ends_at);
        transition.change.rows.extend(cited.map(Row::ConsentCited));
        transition.finish(row)
    }

    /// Applies the source's response: completes the record, or schedules the next query of the source's task. A task that
    /// takes longer than 1 hour ends with SERVICE_UNAVAILABLE.
    ///
    /// # Errors
    ///
    /// [`AlreadyEndedError`] if the record is already completed.
    pub fn apply_response(
        self,
        queried: Queried<SocialSecurityResult>,
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
        transition.entity.state = RecordState::Processing { task: Some(task) };
        let completion = JobKind::CompleteRecord { record_id: transition.entity.id.clone() };
        transition.schedule(completion, at);
        Ok(transition.finish(row))
    }

    /// Completes the record: emits RECORD_COMPLETED, and records the charge if there is one.
    ///
    /// # Errors
    ///
    /// [`AlreadyEndedError`] if the record is already completed.
    pub fn complete(
        self,
        outcome: Outcome<SocialSecurityResult>,
        context: &mut Context,
    ) -> Result<(Self, Change), AlreadyEndedError> {
        if !self.is_processing() {
            return Err(AlreadyEndedError);
        }
        let mut transition = Transition::for_entity(self, context);
        let billed = outcome.as_found().is_some();
        transition.entity.state = RecordState::Ended { outcome };
        let completed = transition.entity.completed_event();
        transition.emit(EventData::RecordCompleted(completed));
        if billed {
            let user_id = transition.entity.request.user_id.clone();
            transition.bill(BillingKind::SocialSecurityRecord, user_id);
        }
        Ok(transition.finish(row))
    }

    /// Erases the record. Its events, without their encrypted part, and its charge remain.
    pub fn erase(&self) -> Change {
        Change { erasures: vec![self.scope()], ..Change::default() }
    }

    /// Returns the `data` of RECORD_CREATED.
    pub(crate) fn created_event(&self) -> RecordChanged {
        RecordChanged {
            record_id: self.id.clone(),
            record_type: RecordType::SocialSecurity,
            user_id: self.request.user_id.clone(),
            status: None,
            result_code: None,
            result_message: None,
            payload: None,
        }
    }

    /// Returns the `data` of RECORD_COMPLETED, once the record has ended.
    pub(crate) fn completed_event(&self) -> RecordChanged {
        let view = self.view();
        RecordChanged {
            status: Some(view.status),
            result_code: view.result_code,
            result_message: view.result_message.clone(),
            payload: Some(Box::new(view.into())),
            ..self.created_event()
        }
    }
}

impl Entity for Record {
    fn owner(&self) -> &Owner {
        &self.owner
    }

    fn subject(&self) -> Subject {
        Subject::Record(self.id.clone())
    }

    fn event_count(&mut self) -> &mut u64 {
        &mut self.event_count
    }

    fn advance(&mut self, _: TenantTime) {
        self.version = self.version.saturating_add(1);
    }
}

fn row(record: &Record) -> Row {
    Row::Record(Box::new(record.clone()))
}
