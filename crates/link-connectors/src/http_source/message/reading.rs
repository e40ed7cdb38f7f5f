//! `POST /linchpin/v1/fetch` and `POST /linchpin/v1/refresh`: the data of a connected account.

use link_domain::data::batch::{Batch, ContributionRate};
use link_domain::linking::account_source::{Read, ReadCall, ReadOutcome, ReadRequest, SourceState};
use link_types::id::ProviderId;
use link_types::{LinkErrorCode, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http_source::fault::ExchangeError;
use crate::http_source::message::data::DataMessage;

/// Body of `fetch`: the first reading, or one after a login to a provider that does not support `refresh`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FetchMessage {
    /// The provider.
    pub provider_id: ProviderId,
    /// The state of the previous response. Null for a provider without a login.
    pub state: Option<String>,
    /// The time of the reading. A sandbox's clock may be ahead.
    pub at: Timestamp,
}

/// Body of `refresh`: the account was read before, and the provider supports being read again.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefreshMessage {
    /// The provider.
    pub provider_id: ProviderId,
    /// The state of the previous response. Null for a provider without a login.
    pub state: Option<String>,
    /// The time of the reading.
    pub at: Timestamp,
    /// The time of the last successful reading.
    pub last_read_at: Timestamp,
}

/// Whether a reading was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = ReadOutcome)]
pub enum ReadOutcomeWord {
    /// Everything was read.
    Complete,
    /// Some data could not be read.
    Partial,
    /// Nothing could be read.
    Failed,
}

/// Response of `fetch` and `refresh`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadResponse {
    /// Whether the reading was complete.
    pub outcome: ReadOutcomeWord,
    /// Why not. Required with PARTIAL and FAILED.
    pub error_code: Option<LinkErrorCode>,
    /// A value that the service sends with the next request. If null, the previous state stays.
    pub state: Option<String>,
    /// The data that was read. Required unless FAILED.
    pub data: Option<DataMessage>,
    /// The contributions' share of the salary, in hundredths of a percent. Incomes are estimated with it.
    pub contribution_basis_points: Option<u32>,
}

/// The message for a reading.
pub(crate) enum AskedReading {
    /// `fetch`.
    Fetch(FetchMessage),
    /// `refresh`.
    Refresh(RefreshMessage),
}

impl AskedReading {
    /// Creates the message for a request.
    pub(crate) fn from_request(request: ReadRequest<'_>, call: ReadCall) -> Self {
        let provider_id = request.provider_id.clone();
        let state = Some(request.state.as_str()).filter(|it| !it.is_empty()).map(str::to_owned);
        let at = request.at.into();
        match call {
            ReadCall::First => Self::Fetch(FetchMessage { provider_id, state, at }),
            ReadCall::Again(last) => {
                Self::Refresh(RefreshMessage { provider_id, state, at, last_read_at: last.into() })
            }
        }
    }
}

impl ReadResponse {
    /// Converts the response to the domain's reading. `before` is the state that was sent.
    pub(crate) fn read(self, before: &SourceState) -> Result<Read, ExchangeError> {
        let state = state_of(self.state)?.unwrap_or_else(|| before.clone());
        let code = || self.error_code.ok_or_else(|| ExchangeError::at("errorCode"));
        let outcome = match self.outcome {
            ReadOutcomeWord::Complete => ReadOutcome::Complete,
            ReadOutcomeWord::Partial => ReadOutcome::Partial { code: code()? },
            ReadOutcomeWord::Failed => ReadOutcome::Failed { code: code()? },
        };
        let (bodies, files) = match (self.outcome, self.data) {
            (ReadOutcomeWord::Failed, _) => (Vec::new(), Vec::new()),
            (ReadOutcomeWord::Complete | ReadOutcomeWord::Partial, Some(data)) => data.bodies()?,
            (ReadOutcomeWord::Complete | ReadOutcomeWord::Partial, None) => {
                return Err(ExchangeError::at("data"));
            }
        };
        let contribution_rate = self.contribution_basis_points.and_then(ContributionRate::from_basis_points);
        Ok(Read { state, batch: Batch { bodies, contribution_rate, files }, outcome })
    }
}

/// The maximum length of a state, in bytes.
const STATE_LIMIT: usize = 64 * 1024;

/// Returns a state, if it is within the limit.
pub(super) fn state_of(state: Option<String>) -> Result<Option<SourceState>, ExchangeError> {
    match state {
        Some(text) if text.len() > STATE_LIMIT => Err(ExchangeError::at("state")),
        Some(text) => Ok(Some(SourceState::new(text))),
        None => Ok(None),
    }
}
