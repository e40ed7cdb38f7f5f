//! A social security record: requested, completed once, erased (interface: "Social security record status").

mod inquiry;
#[cfg(test)]
mod tests;

pub(crate) use inquiry::status;
pub use inquiry::{is_curp, is_email_address, is_mobile_number};

use std::time::Duration;

use link_types::event::{EventData, RecordChanged};
use link_types::id::RecordId;
use link_types::record::{
    RecordType, SOCIAL_SECURITY_TEMPLATE, SocialSecurity, SocialSecurityRequest, SocialSecurityResult,
};
use serde::{Deserialize, Serialize};

use crate::billing::{BillingKind, BillingRecord};
use crate::change::{Change, ErasureScope, Row};
use crate::clock::TenantTime;
use crate::context::Context;
use crate::event::{EventRecord, Subject};
use crate::job::{Job, JobKind};
use crate::owner::Owner;
use crate::ports::Outcome;

/// How long records and signals are kept, from their creation: 60 days.
pub const RETENTION: Duration = Duration::from_secs(60 * 86_400);

/// A record. `request` and `state` are encrypted with the record's own key; all other columns are stored unencrypted.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Identifier of the record, and the name of its erasure scope.
    pub id: RecordId,
    /// Tenant and environment of the record.
    pub owner: Owner,
    /// When the record was requested.
    pub created_at: TenantTime,
    /// Version number that increases with every change.
    pub version: u32,
    /// Number of events emitted for this record. It determines their order.
    pub event_count: u64,
    /// Request for the record.
    pub request: SocialSecurityRequest,
    /// State of the record.
    pub state: RecordState,
}

/// State of a record. It is serialized only in encrypted form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RecordState {
    /// The source is being queried. A job is scheduled to complete the record.
    Processing {},
    /// The query has ended.
    Ended {
        /// Outcome of the query.
        outcome: Outcome<SocialSecurityResult>,
    },
}

/// Error for a record or signal that is already completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is already completed")]
pub struct AlreadyEnded;

impl Record {
    /// Creates a record, emits RECORD_CREATED, and schedules the jobs that complete and expire it.
    pub fn create(owner: Owner, request: SocialSecurityRequest, context: &mut Context) -> (Self, Change) {
        let mut record = Self {
            id: RecordId::from_bytes(context.uuid()),
            owner,
            created_at: context.now().tenant(),
            version: 1,
            event_count: 0,
            request,
            state: RecordState::Processing {},
        };
        let created = record.emit(EventData::RecordCreated(record.changed()), context);
        let complete = JobKind::CompleteRecord { record_id: record.id.clone() };
        let expire = JobKind::ExpireScope { scope: record.scope() };
        let jobs = vec![
            Job::now(&record.owner, complete, context),
            Job::due(&record.owner, expire, record.data_ends_at(), context),
        ];
        let cited = record.request.consent.consent_template_id.clone().map(Row::ConsentCited);
        let rows = std::iter::once(Row::Record(Box::new(record.clone()))).chain(cited).collect();
        (record, Change { rows, events: vec![created], jobs, ..Change::default() })
    }

    /// Returns the outcome of a request that no source is queried for, because the template does not match or a value
    /// is malformed.
    pub fn refusal(&self) -> Option<Outcome<SocialSecurityResult>> {
        let request = &self.request;
        let accepted = request.template_id == SOCIAL_SECURITY_TEMPLATE
            && is_curp(&request.curp)
            && is_mobile_number(&request.mobile_number)
            && is_email_address(&request.email_address);
        (!accepted).then_some(Outcome::InvalidParameters {})
    }

    /// Returns whether the source must still be queried.
    pub const fn is_processing(&self) -> bool {
        matches!(self.state, RecordState::Processing {})
    }

    /// Completes the record: emits RECORD_COMPLETED, and records the charge if there is one.
    ///
    /// # Errors
    ///
    /// [`AlreadyEnded`] if the record is already completed.
    pub fn complete(
        mut self,
        outcome: Outcome<SocialSecurityResult>,
        context: &mut Context,
    ) -> Result<(Self, Change), AlreadyEnded> {
        if !self.is_processing() {
            return Err(AlreadyEnded);
        }
        self.version = self.version.saturating_add(1);
        let billed = outcome.found().is_some();
        self.state = RecordState::Ended { outcome };
        let view = self.view();
        let completed = RecordChanged {
            status: Some(view.status),
            result_code: view.result_code,
            result_message: view.result_message.clone(),
            payload: Some(Box::new(view.into())),
            ..self.changed()
        };
        let events = vec![self.emit(EventData::RecordCompleted(completed), context)];
        let mut rows = vec![Row::Record(Box::new(self.clone()))];
        if billed {
            let kind = BillingKind::SocialSecurityRecord;
            rows.push(Row::Billing(BillingRecord::now(&self.owner, kind, self.id.as_str(), None, context)));
        }
        Ok((self, Change { rows, events, ..Change::default() }))
    }

    /// Erases the record. Its events, without their encrypted part, and its charge remain.
    pub fn erase(&self) -> Change {
        Change { erasures: vec![self.scope()], ..Change::default() }
    }

    /// Returns the record's erasure scope.
    pub fn scope(&self) -> ErasureScope {
        ErasureScope::Record(self.id.clone())
    }

    /// Returns when the record is erased. Its encryption key is wrapped for that day.
    pub fn data_ends_at(&self) -> TenantTime {
        self.created_at + RETENTION
    }

    /// Returns the record as REST shows it.
    pub fn view(&self) -> SocialSecurity {
        let outcome = match &self.state {
            RecordState::Processing {} => None,
            RecordState::Ended { outcome } => Some(outcome),
        };
        let code = outcome.map(Outcome::code);
        SocialSecurity {
            id: self.id.clone(),
            created_at: self.created_at.into(),
            status: status(code),
            result_code: code,
            result_message: code.map(|code| code.message().to_owned()),
            result: outcome.and_then(Outcome::found).cloned(),
            request_meta: self.request.clone(),
        }
    }

    fn changed(&self) -> RecordChanged {
        RecordChanged {
            record_id: self.id.clone(),
            record_type: RecordType::SocialSecurity,
            user_id: None,
            status: None,
            result_code: None,
            result_message: None,
            payload: None,
        }
    }

    fn emit(&mut self, data: EventData, context: &mut Context) -> EventRecord {
        self.event_count = self.event_count.saturating_add(1);
        EventRecord::new(&self.owner, Subject::Record(self.id.clone()), self.event_count, data, context)
    }
}
