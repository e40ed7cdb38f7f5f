//! `POST /linchpin/v1/record` and `POST /linchpin/v1/signal`: a query about a person without a login.

use std::collections::BTreeMap;
use std::time::Duration;

use link_domain::lookups::record_source::{
    Outcome, Queried, RecordQuery, SignalFindings, SignalQuery, SourceTask,
};
use link_types::Timestamp;
use link_types::id::RecordId;
use link_types::record::{RecordType, SocialSecurityRequest, SocialSecurityResult};
use link_types::signal::{
    FootprintsRequest, IncomeEstimatorRequest, ItemValue, MobileSignalRequest, RequestMeta, SignalId,
    SignalKind, SocialSecuritySignalsRequest, VerificationRequest,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::items::findings;
use crate::http_source::fault::ExchangeError;

/// The maximum length of a text in the result of a record, in characters.
const MAX_TEXT: usize = 200;
/// The number of seconds that a connector can have the service wait.
const WAIT_SECONDS: std::ops::RangeInclusive<u32> = 1..=300;

/// Body of `record`: a tenant requested a record.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordMessage {
    /// Identifies the query. Every repetition has the same id and must not be charged again.
    pub request_id: RecordId,
    /// The type of record.
    pub record_type: RecordType,
    /// The time of the query.
    pub at: Timestamp,
    /// Values that the tenant sent, including the person's consent.
    pub request: SocialSecurityRequest,
}

/// Body of `signal`: a tenant requested a signal.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignalMessage {
    /// Identifies the query. Every repetition has the same id and must not be charged again.
    pub request_id: SignalId,
    /// The kind of signal.
    pub signal: SignalKind,
    /// The time of the query.
    pub at: Timestamp,
    /// How long the service waits for the result, in seconds.
    pub timeout_seconds: u64,
    /// Values that the tenant sent, including the person's consent.
    pub request: AskedSignal,
}

/// The request of a signal. Its fields depend on the kind of signal.
#[derive(Clone, Serialize, ToSchema)]
#[serde(untagged)]
pub enum AskedSignal {
    /// The signals that need only a mobile number.
    Mobile(MobileSignalRequest),
    /// FOOTPRINTS.
    Footprints(FootprintsRequest),
    /// VERIFICATION.
    Verification(Box<VerificationRequest>),
    /// SOCIAL_SECURITY_SIGNAL.
    SocialSecuritySignals(SocialSecuritySignalsRequest),
    /// INCOME_ESTIMATOR.
    IncomeEstimator(IncomeEstimatorRequest),
}

/// The outcome of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum InquiryOutcome {
    /// Data was found.
    Success,
    /// The source has no data about this person.
    NoData,
    /// The source rejects the values.
    InvalidParameters,
    /// The source is down.
    ServiceUnavailable,
    /// The connector works on the query. The service asks for the task later.
    Wait,
    /// The connector does not know the task. The service sends the query again.
    UnknownTask,
}

/// Response of `record` and of `record/{taskId}`.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordResponse {
    /// The outcome.
    pub outcome: InquiryOutcome,
    /// The data. Required with SUCCESS.
    pub result: Option<SocialSecurityResult>,
    /// The connector's name for the query, 1 to 128 letters, digits, `-` and `_`. Required with WAIT.
    pub task_id: Option<String>,
    /// Seconds until the service asks for the task, 1 to 300. Required with WAIT.
    pub wait_seconds: Option<u32>,
}

/// Response of `signal` and of `signal/{taskId}`.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignalResponse {
    /// The outcome.
    pub outcome: InquiryOutcome,
    /// The values by the names of the signal's items. Required with SUCCESS. A missing item is null.
    #[schema(value_type = Option<BTreeMap<String, ItemValue>>)]
    pub items: Option<BTreeMap<String, Value>>,
    /// The connector's name for the query, 1 to 128 letters, digits, `-` and `_`. Required with WAIT.
    pub task_id: Option<String>,
    /// Seconds until the service asks for the task, 1 to 300. Required with WAIT.
    pub wait_seconds: Option<u32>,
}

/// Response of a connector, or `None` if it does not know the task.
pub(crate) type InquiryReply<T> = Option<Queried<T>>;

impl RecordMessage {
    /// Creates the message for a query.
    pub(crate) fn from_query(query: RecordQuery<'_>) -> Self {
        Self {
            request_id: query.id.clone(),
            record_type: RecordType::SocialSecurity,
            at: query.at.into(),
            // A source has no use for the tenant's id of the user.
            request: SocialSecurityRequest { user_id: None, ..query.request.clone() },
        }
    }
}

impl SignalMessage {
    /// Creates the message for a query.
    pub(crate) fn from_query(query: SignalQuery<'_>) -> Self {
        Self {
            request_id: query.id.clone(),
            signal: query.request.kind(),
            at: query.at.into(),
            timeout_seconds: query.timeout.as_secs(),
            request: match query.request.meta() {
                RequestMeta::Mobile(it) => AskedSignal::Mobile(it.clone()),
                RequestMeta::Footprints(it) => AskedSignal::Footprints(it.clone()),
                RequestMeta::Verification(it) => AskedSignal::Verification(Box::new(it.clone())),
                RequestMeta::SocialSecuritySignals(it) => AskedSignal::SocialSecuritySignals(it.clone()),
                RequestMeta::IncomeEstimator(it) => AskedSignal::IncomeEstimator(it.clone()),
            },
        }
    }
}

impl RecordResponse {
    /// Converts the response to the domain's form.
    pub(crate) fn into_domain(self) -> Result<InquiryReply<SocialSecurityResult>, ExchangeError> {
        let found = || check(self.result.ok_or_else(|| ExchangeError::at("result"))?);
        convert(self.outcome, self.task_id, self.wait_seconds, found)
    }
}

impl SignalResponse {
    /// Converts the response to the domain's form.
    pub(crate) fn into_domain(self, kind: SignalKind) -> Result<InquiryReply<SignalFindings>, ExchangeError> {
        let found = || findings(kind, self.items.ok_or_else(|| ExchangeError::at("items"))?);
        convert(self.outcome, self.task_id, self.wait_seconds, found)
    }
}

fn convert<T>(
    outcome: InquiryOutcome,
    task_id: Option<String>,
    wait_seconds: Option<u32>,
    found: impl FnOnce() -> Result<T, ExchangeError>,
) -> Result<InquiryReply<T>, ExchangeError> {
    let outcome = match outcome {
        InquiryOutcome::Success => Outcome::Success(found()?),
        InquiryOutcome::NoData => Outcome::NoData {},
        InquiryOutcome::InvalidParameters => Outcome::InvalidParameters { rejected: Vec::new() },
        InquiryOutcome::ServiceUnavailable => Outcome::ServiceUnavailable {},
        InquiryOutcome::Wait => {
            let task = task_id.and_then(SourceTask::new).ok_or_else(|| ExchangeError::at("taskId"))?;
            let seconds = wait_seconds.filter(|it| WAIT_SECONDS.contains(it));
            let seconds = seconds.ok_or_else(|| ExchangeError::at("waitSeconds"))?;
            return Ok(Some(Queried::Waiting { task, after: Duration::from_secs(seconds.into()) }));
        }
        InquiryOutcome::UnknownTask => return Ok(None),
    };
    Ok(Some(Queried::Ended(outcome)))
}

/// Returns the result if its texts are within the limit and its currency is the interface's.
fn check(result: SocialSecurityResult) -> Result<SocialSecurityResult, ExchangeError> {
    let texts = [
        ("fullName", &result.full_name),
        ("curp", &result.curp),
        ("nss", &result.nss),
        ("employerName", &result.employer_name),
        ("employerRegistration", &result.employer_registration),
        ("state", &result.state),
    ];
    let too_long = texts.iter().find(|(_, text)| text.chars().count() > MAX_TEXT);
    match too_long {
        Some((field, _)) => Err(ExchangeError::at(format!("result.{field}"))),
        None if result.currency != "MXN" => Err(ExchangeError::at("result.currency")),
        None => Ok(result),
    }
}
