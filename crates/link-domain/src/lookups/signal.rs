//! A signal: requested, completed immediately or (a verification) later, erased.

mod transition;

#[cfg(test)]
mod tests;

use std::time::Duration;

use link_types::id::ConsentTemplateId;
use link_types::signal::{self, RequestMeta, SignalId, SignalKind, SignalRequest};
use serde::{Deserialize, Serialize};

use crate::change::job::JobKind;
use crate::kernel::clock::TenantTime;
use crate::kernel::owner::Owner;
use crate::kernel::scope::ErasureScope;
use crate::lookups::record::{RETENTION, is_curp, is_email_address, is_mobile_number, rejection};
use crate::lookups::record_source::{Outcome, RejectedParameter, SignalFindings, SourceTask};

/// How long a source may take for a signal: 30 seconds. A Footprints request can specify less.
pub const TIMEOUT: Duration = Duration::from_secs(30);
/// Default wait of a Footprints request: 10 seconds.
pub const FOOTPRINTS_TIMEOUT: Duration = Duration::from_secs(10);

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
    Processing {
        /// The source's task, if the source has accepted the query and not finished it. Only a verification has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<SourceTask>,
    },
    /// The query has ended.
    Ended {
        /// Outcome of the query.
        outcome: Outcome<SignalFindings>,
    },
}

impl Signal {
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
        rejection([
            (request.mobile_number().is_none_or(is_mobile_number), RejectedParameter::MobileNumber),
            (request.email_address().is_none_or(is_email_address), RejectedParameter::EmailAddress),
            (curp.is_none_or(is_curp), RejectedParameter::Curp),
        ])
    }

    /// Returns how long to wait for the source's items.
    pub fn timeout(&self) -> Duration {
        match self.request.meta() {
            RequestMeta::Footprints(it) => {
                it.timeout.map_or(FOOTPRINTS_TIMEOUT, |seconds| Duration::from_secs(seconds.into()))
            }
            RequestMeta::Mobile(_)
            | RequestMeta::Verification(_)
            | RequestMeta::SocialSecuritySignals(_)
            | RequestMeta::IncomeEstimator(_) => TIMEOUT,
        }
    }

    /// Returns whether the source must still be queried.
    pub const fn is_processing(&self) -> bool {
        matches!(self.state, SignalState::Processing { .. })
    }

    /// Returns the source's task, if the source is working on the query.
    pub const fn task(&self) -> Option<&SourceTask> {
        match &self.state {
            SignalState::Processing { task } => task.as_ref(),
            SignalState::Ended { .. } => None,
        }
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
            SignalState::Processing { .. } => None,
            SignalState::Ended { outcome } => Some(outcome),
        };
        let code = outcome.map(Outcome::code);
        signal::Signal {
            id: self.id.clone(),
            created_at: self.created_at.into(),
            status: crate::lookups::record::status(code),
            result_code: code,
            result_message: outcome.map(Outcome::message),
            request_meta: self.request.meta(),
            items: outcome.and_then(Outcome::as_found).map(|found| found.0.clone()).unwrap_or_default(),
        }
    }
}
