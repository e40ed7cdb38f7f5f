//! A social security record: requested, completed once, erased (interface: "Social security record status").

use std::time::Duration;

use link_types::format::FieldFormat;
use link_types::id::RecordId;
use link_types::record::{
    RecordStatus, ResultCode, SOCIAL_SECURITY_TEMPLATE, SocialSecurity, SocialSecurityRequest,
    SocialSecurityResult,
};
use serde::{Deserialize, Serialize};

use crate::kernel::clock::TenantTime;
use crate::kernel::owner::Owner;
use crate::kernel::scope::ErasureScope;
use crate::lookups::record_source::{Outcome, Queried, RejectedParameter, SourceTask};

#[cfg(test)]
mod tests;
mod transition;

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
    Processing {
        /// The source's task, if the source has accepted the query and not finished it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<SourceTask>,
    },
    /// The query has ended.
    Ended {
        /// Outcome of the query.
        outcome: Outcome<SocialSecurityResult>,
    },
}

/// Error for a record or signal that is already completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is already completed")]
pub struct AlreadyEndedError;

impl Record {
    /// Returns the outcome of a request that no source is queried for, because the template does not match or a value
    /// is malformed.
    pub fn refusal(&self) -> Option<Outcome<SocialSecurityResult>> {
        let request = &self.request;
        let rejected = [
            (request.template_id == SOCIAL_SECURITY_TEMPLATE, RejectedParameter::TemplateId),
            (is_curp(&request.curp), RejectedParameter::Curp),
            (is_mobile_number(&request.mobile_number), RejectedParameter::MobileNumber),
            (is_email_address(&request.email_address), RejectedParameter::EmailAddress),
        ];
        rejection(rejected)
    }

    /// Returns whether the source must still be queried.
    pub const fn is_processing(&self) -> bool {
        matches!(self.state, RecordState::Processing { .. })
    }

    /// Returns the source's task, if the source is working on the query.
    pub const fn task(&self) -> Option<&SourceTask> {
        match &self.state {
            RecordState::Processing { task } => task.as_ref(),
            RecordState::Ended { .. } => None,
        }
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
            RecordState::Processing { .. } => None,
            RecordState::Ended { outcome } => Some(outcome),
        };
        let code = outcome.map(Outcome::code);
        SocialSecurity {
            id: self.id.clone(),
            created_at: self.created_at.into(),
            status: status(code),
            result_code: code,
            result_message: outcome.map(Outcome::message),
            result: outcome.and_then(Outcome::as_found).cloned(),
            request_meta: self.request.clone(),
        }
    }
}

/// Returns whether a text is a mobile number as the interface defines it: country code and number, 8 to 15 digits
/// without leading zeros, or the MD5 of those digits as 32 hex digits.
pub fn is_mobile_number(text: &str) -> bool {
    let number = (8..=15).contains(&text.len())
        && !text.starts_with('0')
        && text.bytes().all(|byte| byte.is_ascii_digit());
    let md5 = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    number || md5
}

/// Returns whether a text is an email address.
pub fn is_email_address(text: &str) -> bool {
    FieldFormat::Email {}.check(text).is_ok()
}

/// Returns whether a text is a national population registry code (CURP) with a valid check digit.
pub fn is_curp(text: &str) -> bool {
    FieldFormat::Curp {}.check(text).is_ok()
}

/// Returns the outcome of a request with rejected parameters: those whose check is false.
pub(crate) fn rejection<T>(
    checks: impl IntoIterator<Item = (bool, RejectedParameter)>,
) -> Option<Outcome<T>> {
    let rejected: Vec<_> = checks.into_iter().filter_map(|(fits, it)| (!fits).then_some(it)).collect();
    (!rejected.is_empty()).then_some(Outcome::InvalidParameters { rejected })
}

/// Returns the status for a result code, or `PROCESSING` if there is none.
pub(crate) const fn status(code: Option<ResultCode>) -> RecordStatus {
    match code {
        Some(code) => code.status(),
        None => RecordStatus::Processing,
    }
}

/// How long a source may work on a task, from the creation of its record or verification: 1 hour.
const TIMEOUT: Duration = Duration::from_secs(3_600);

/// Next step of a query.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NextQuery<T> {
    /// The query has ended.
    Ended(Outcome<T>),
    /// The task is queried at this time.
    Poll {
        /// The source's task.
        task: SourceTask,
        /// The time on the tenant's clock.
        at: TenantTime,
    },
}

impl<T> NextQuery<T> {
    /// Decides after a response at `now`. A task that takes longer than 1 hour from `created_at` ends with
    /// SERVICE_UNAVAILABLE.
    pub(crate) fn after(queried: Queried<T>, created_at: TenantTime, now: TenantTime) -> Self {
        match queried {
            Queried::Ended(outcome) => Self::Ended(outcome),
            Queried::Waiting { after, .. } if now + after > created_at + TIMEOUT => {
                Self::Ended(Outcome::ServiceUnavailable {})
            }
            Queried::Waiting { task, after } => Self::Poll { task, at: now + after },
        }
    }
}
