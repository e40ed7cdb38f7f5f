//! A signal: requested, completed immediately or (a verification) later, erased.

#[cfg(test)]
mod tests;

use std::time::Duration;

use link_types::event::{EventData, VerificationChanged};
use link_types::id::{ConsentTemplateId, SignalId};
use link_types::signal::{self, RequestMeta, SignalItem, SignalKind, SignalRequest};
use serde::{Deserialize, Serialize};

use crate::billing::{BillingKind, BillingRecord};
use crate::change::{Change, ErasureScope, Row};
use crate::clock::TenantTime;
use crate::context::Context;
use crate::event::{EventRecord, Subject};
use crate::job::{Job, JobKind};
use crate::owner::Owner;
use crate::ports::{Outcome, SignalFindings};
use crate::record::{AlreadyEnded, RETENTION, is_curp, is_email_address, is_mobile_number};

/// How long a source may take for a signal: 30 seconds. A Footprints request can specify less.
pub const PATIENCE: Duration = Duration::from_secs(30);
/// Default wait of a Footprints request: 10 seconds.
pub const FOOTPRINTS_PATIENCE: Duration = Duration::from_secs(10);

/// A signal. `request` and `state` are encrypted with the signal's own key; all other columns are stored unencrypted.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Identifier of the signal, and the name of its erasure scope.
    pub id: SignalId,
    /// Tenant and environment of the signal.
    pub owner: Owner,
    /// When the signal was requested.
    pub created_at: TenantTime,
    /// Version number that increases with every change.
    pub version: u32,
    /// Number of events emitted for this signal. It determines their order.
    pub event_count: u64,
    /// Request for the signal.
    pub request: SignalRequest,
    /// State of the signal.
    pub state: SignalState,
}

/// State of a signal. It is serialized only in encrypted form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SignalState {
    /// The source is being queried.
    Processing {},
    /// The query has ended.
    Ended {
        /// Outcome of the query.
        outcome: Outcome<SignalFindings>,
    },
}

impl Signal {
    /// Creates a signal and schedules the job that completes it, due immediately. For a verification, it also emits
    /// VERIFICATION_STARTED, and the job queries the source. For other kinds, the request itself queries the source and
    /// holds the job's lease meanwhile. If the request is interrupted, the job takes over.
    pub fn create(owner: Owner, request: SignalRequest, context: &mut Context) -> (Self, Change) {
        let kind = request.kind();
        let mut signal = Self {
            id: SignalId::from_bytes(kind.prefix(), context.uuid()),
            owner,
            created_at: context.now().tenant(),
            version: 1,
            event_count: 0,
            request,
            state: SignalState::Processing {},
        };
        let mut events = Vec::new();
        if kind == SignalKind::Verification {
            events.push(signal.emit(EventData::VerificationStarted(signal.changed()), context));
        }
        let expire = JobKind::ExpireScope { scope: signal.scope() };
        let jobs = vec![
            Job::now(&signal.owner, signal.completion(), context),
            Job::due(&signal.owner, expire, signal.data_ends_at(), context),
        ];
        let cited = signal.request.consent().consent_template_id.clone().map(Row::ConsentCited);
        let rows = std::iter::once(Row::Signal(Box::new(signal.clone()))).chain(cited).collect();
        (signal, Change { rows, events, jobs, ..Change::default() })
    }

    /// Returns the job that completes the signal.
    fn completion(&self) -> JobKind {
        JobKind::CompleteSignal { signal_id: self.id.clone() }
    }

    /// Returns the key of the job that completes the signal.
    pub fn completion_key(&self) -> String {
        self.completion().key()
    }

    /// Returns the kind of signal.
    pub const fn kind(&self) -> SignalKind {
        self.request.kind()
    }

    /// Returns the outcome of a request that no source is queried for, because a value is malformed.
    pub fn refusal(&self) -> Option<Outcome<SignalFindings>> {
        let request = &self.request;
        let curp = match request.meta() {
            RequestMeta::SocialSecuritySignals(it) => Some(it.curp.as_str()),
            RequestMeta::Mobile(_)
            | RequestMeta::Footprints(_)
            | RequestMeta::Verification(_)
            | RequestMeta::IncomeEstimator(_) => None,
        };
        let accepted = request.mobile_number().is_none_or(is_mobile_number)
            && request.email_address().is_none_or(is_email_address)
            && curp.is_none_or(is_curp);
        (!accepted).then_some(Outcome::InvalidParameters {})
    }

    /// Returns how long to wait for the source's items.
    pub fn patience(&self) -> Duration {
        match self.request.meta() {
            RequestMeta::Footprints(it) => {
                it.timeout.map_or(FOOTPRINTS_PATIENCE, |seconds| Duration::from_secs(seconds.into()))
            }
            RequestMeta::Mobile(_)
            | RequestMeta::Verification(_)
            | RequestMeta::SocialSecuritySignals(_)
            | RequestMeta::IncomeEstimator(_) => PATIENCE,
        }
    }

    /// Returns whether the source must still be queried.
    pub const fn is_processing(&self) -> bool {
        matches!(self.state, SignalState::Processing {})
    }

    /// Completes the signal: records the charge if there is one, and emits VERIFICATION_COMPLETED for a verification.
    ///
    /// # Errors
    ///
    /// [`AlreadyEnded`] if the signal is already completed.
    pub fn complete(
        mut self,
        outcome: Outcome<SignalFindings>,
        context: &mut Context,
    ) -> Result<(Self, Change), AlreadyEnded> {
        if !self.is_processing() {
            return Err(AlreadyEnded);
        }
        self.version = self.version.saturating_add(1);
        let (kind, code) = (self.kind(), outcome.code());
        self.state = SignalState::Ended { outcome: in_table_order(kind, outcome) };
        let mut events = Vec::new();
        if kind == SignalKind::Verification {
            let completed = VerificationChanged {
                status: Some(code.status()),
                result_code: Some(code),
                result_message: Some(code.message().to_owned()),
                ..self.changed()
            };
            events.push(self.emit(EventData::VerificationCompleted(completed), context));
        }
        let mut rows = vec![Row::Signal(Box::new(self.clone()))];
        if kind.is_billed(code) {
            let billing = billing_kind(kind);
            rows.push(Row::Billing(BillingRecord::now(
                &self.owner,
                billing,
                self.id.as_str(),
                None,
                context,
            )));
        }
        Ok((self, Change { rows, events, ..Change::default() }))
    }

    /// Erases the signal. Its events and its charge remain.
    pub fn erase(&self) -> Change {
        Change { erasures: vec![self.scope()], ..Change::default() }
    }

    /// Returns the signal's erasure scope.
    pub fn scope(&self) -> ErasureScope {
        ErasureScope::Signal(self.id.clone())
    }

    /// Returns the consent template that the request names.
    pub fn consent_template(&self) -> Option<&ConsentTemplateId> {
        self.request.consent().consent_template_id.as_ref()
    }

    /// Returns when the signal is erased. Its encryption key is wrapped for that day.
    pub fn data_ends_at(&self) -> TenantTime {
        self.created_at + RETENTION
    }

    /// Returns the signal as REST shows it.
    pub fn view(&self) -> signal::Signal<RequestMeta<'_>> {
        let outcome = match &self.state {
            SignalState::Processing {} => None,
            SignalState::Ended { outcome } => Some(outcome),
        };
        let code = outcome.map(Outcome::code);
        signal::Signal {
            id: self.id.clone(),
            created_at: self.created_at.into(),
            status: crate::record::status(code),
            result_code: code,
            result_message: code.map(|code| code.message().to_owned()),
            request_meta: self.request.meta(),
            items: outcome.and_then(Outcome::found).map(|found| found.0.clone()).unwrap_or_default(),
        }
    }

    fn changed(&self) -> VerificationChanged {
        VerificationChanged {
            verification_id: self.id.clone(),
            status: None,
            result_code: None,
            result_message: None,
        }
    }

    fn emit(&mut self, data: EventData, context: &mut Context) -> EventRecord {
        self.event_count = self.event_count.saturating_add(1);
        EventRecord::new(&self.owner, Subject::Signal(self.id.clone()), self.event_count, data, context)
    }
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

const fn billing_kind(kind: SignalKind) -> BillingKind {
    match kind {
        SignalKind::Blacklist => BillingKind::Blacklist,
        SignalKind::BorrowerBehavior => BillingKind::BorrowerBehavior,
        SignalKind::BorrowerScreening => BillingKind::BorrowerScreening,
        SignalKind::CreditLifecycle => BillingKind::CreditLifecycle,
        SignalKind::Footprints => BillingKind::Footprints,
        SignalKind::MultipleApplicationWarning => BillingKind::MultipleApplicationWarning,
        SignalKind::Verification => BillingKind::Verification,
        SignalKind::SocialSecuritySignals => BillingKind::SocialSecuritySignal,
        SignalKind::IncomeEstimator => BillingKind::IncomeEstimator,
    }
}
