//! `POST /linchpin/v1/fetch` and `POST /linchpin/v1/refresh`: the data of a connected account.

use link_domain::ports::{Batch, ContributionRate, Read, ReadOutcome, ReadRequest, SourceState};
use link_types::id::ProviderId;
use link_types::{LinkErrorCode, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::fault::Fault;
use super::DataMessage;
use super::login::state_of;

/// Body of `fetch`: the account was just connected, and nothing was read yet.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FetchMessage {
    /// The provider.
    pub provider_id: ProviderId,
    /// The state of the answer before; null for a provider without a login.
    pub state: Option<String>,
    /// The moment of the reading; a sandbox's clock may be ahead.
    pub at: Timestamp,
}

/// Body of `refresh`: the account was read before.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefreshMessage {
    /// The provider.
    pub provider_id: ProviderId,
    /// The state of the answer before; null for a provider without a login.
    pub state: Option<String>,
    /// The moment of the reading.
    pub at: Timestamp,
    /// When it was last read with success.
    pub last_read_at: Timestamp,
}

/// Whether a reading got everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = ReadOutcome)]
pub enum ReadOutcomeWord {
    /// Everything was read.
    Complete,
    /// Some of it could not be read.
    Partial,
    /// Nothing could be read.
    Failed,
}

/// Answer of `fetch` and of `refresh`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadAnswer {
    /// Whether everything was read.
    pub outcome: ReadOutcomeWord,
    /// Why not; required with PARTIAL and FAILED.
    pub error_code: Option<LinkErrorCode>,
    /// What the connector wants back with the next request; the one that was sent stays, when null.
    pub state: Option<String>,
    /// What was read; required unless FAILED.
    pub data: Option<DataMessage>,
    /// What share of the salary the contributions are, in hundredths of a percent: incomes are estimated with it.
    pub contribution_basis_points: Option<u32>,
}

/// A reading as the message that asks for it.
pub(in super::super) enum AskedReading {
    /// `fetch`.
    Fetch(FetchMessage),
    /// `refresh`.
    Refresh(RefreshMessage),
}

impl AskedReading {
    /// The message for a request.
    pub(in super::super) fn of(request: ReadRequest<'_>) -> Self {
        let provider_id = request.provider_id.clone();
        let state = Some(request.state.as_str()).filter(|it| !it.is_empty()).map(str::to_owned);
        let at = request.at.into();
        match request.last_read_at {
            None => Self::Fetch(FetchMessage { provider_id, state, at }),
            Some(last) => Self::Refresh(RefreshMessage { provider_id, state, at, last_read_at: last.into() }),
        }
    }
}

impl ReadAnswer {
    /// The answer as the domain's reading; `before` is the state that was sent.
    pub(in super::super) fn read(self, before: &SourceState) -> Result<Read, Fault> {
        let state = state_of(self.state)?.unwrap_or_else(|| before.clone());
        let code = || self.error_code.ok_or_else(|| Fault::at("errorCode"));
        let outcome = match self.outcome {
            ReadOutcomeWord::Complete => ReadOutcome::Complete,
            ReadOutcomeWord::Partial => ReadOutcome::Partial { code: code()? },
            ReadOutcomeWord::Failed => ReadOutcome::Failed { code: code()? },
        };
        let bodies = match (self.outcome, self.data) {
            (ReadOutcomeWord::Failed, _) => Vec::new(),
            (ReadOutcomeWord::Complete | ReadOutcomeWord::Partial, Some(data)) => data.bodies()?,
            (ReadOutcomeWord::Complete | ReadOutcomeWord::Partial, None) => return Err(Fault::at("data")),
        };
        let contribution_rate = self.contribution_basis_points.and_then(ContributionRate::from_basis_points);
        Ok(Read { state, batch: Batch { bodies, contribution_rate }, outcome })
    }
}
