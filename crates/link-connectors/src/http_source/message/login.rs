//! `POST /linchpin/v1/start` and `POST /linchpin/v1/step`: a login, step by step.

use std::collections::BTreeMap;
use std::time::Duration;

use link_domain::linking::account_source::{SourceInput, Step, StepRequest};
use link_types::LinkErrorCode;
use link_types::challenge::CodeChannel;
use link_types::id::ProviderId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::challenge::PosedMessage;
use super::reading::state_of;
use crate::http_source::fault::ExchangeError;

/// Body of `start`: the user submitted the login form.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StartMessage {
    /// The provider.
    pub provider_id: ProviderId,
    /// The chosen login option.
    pub login_option: String,
    /// The form's values by field name.
    pub credentials: BTreeMap<String, String>,
}

/// Body of `step`: the user's action, or the end of the wait.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepMessage {
    /// The provider.
    pub provider_id: ProviderId,
    /// The state of the previous response.
    pub state: String,
    /// The step's input.
    pub input: StepInput,
}

/// The input of a step.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
pub enum StepInput {
    /// The user typed an answer to the challenge.
    AnswerText {
        /// The typed text.
        text: String,
    },
    /// The user chose an answer to the challenge.
    AnswerChoice {
        /// The choice's value.
        value: String,
    },
    /// The user signed in on the provider's page, which sent them back with a code.
    AnswerRedirect {
        /// The provider's authorization code.
        code: String,
        /// The address that the provider sent the user back to.
        redirect_uri: String,
    },
    /// The user requested the code again.
    Resend {
        /// The channel.
        channel: CodeChannel,
    },
    /// The wait that the connector requested is over, or it is time to check whether the challenge was completed
    /// elsewhere.
    Continue {},
}

/// The outcome of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum StepOutcome {
    /// Logged in.
    Connected,
    /// The provider poses a challenge.
    Challenge,
    /// Nothing yet. The service calls `step` again later.
    Wait,
    /// The login failed.
    Failed,
    /// The user declined the request in the provider's app.
    Declined,
}

/// Response of `start` and `step`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepResponse {
    /// The outcome.
    pub outcome: StepOutcome,
    /// A value that the service sends with the next request. Required unless FAILED or DECLINED. At most 65,536 bytes.
    pub state: Option<String>,
    /// The challenge. Required with CHALLENGE.
    pub challenge: Option<PosedMessage>,
    /// Seconds until the service calls `step` again, 1 to 300. Required with WAIT.
    pub wait_seconds: Option<u32>,
    /// Why the login failed. Required with FAILED.
    pub error_code: Option<LinkErrorCode>,
}

/// The message for a step.
pub(crate) enum StepRequestMessage {
    /// `start`.
    Start(StartMessage),
    /// `step`.
    Step(StepMessage),
}

impl StepRequestMessage {
    /// Creates the message for a request. Returns `None` if the request has no login option.
    pub(crate) fn from_request(request: StepRequest<'_>) -> Option<Self> {
        let provider_id = request.provider_id.clone();
        let input = match request.input {
            SourceInput::LogIn { login_option, credentials } => {
                let values = credentials.0.iter();
                let credentials =
                    values.map(|(name, value)| (name.clone(), value.expose().to_owned())).collect();
                let login_option = login_option.clone()?;
                return Some(Self::Start(StartMessage { provider_id, login_option, credentials }));
            }
            SourceInput::AnswerText { text } => StepInput::AnswerText { text: text.expose().to_owned() },
            SourceInput::AnswerChoice { value } => StepInput::AnswerChoice { value: value.clone() },
            SourceInput::AnswerRedirect { code, redirect_uri } => StepInput::AnswerRedirect {
                code: code.expose().to_owned(),
                redirect_uri: redirect_uri.clone(),
            },
            SourceInput::Resend { channel } => StepInput::Resend { channel: *channel },
            SourceInput::Continue {} => StepInput::Continue {},
        };
        let state = request.state.as_str().to_owned();
        Some(Self::Step(StepMessage { provider_id, state, input }))
    }
}

impl StepResponse {
    /// Converts the response to the domain's step. The connector's name is for the log.
    pub(crate) fn step(self, connector: &str) -> Result<Step, ExchangeError> {
        let state = state_of(self.state);
        let required = || state.clone()?.ok_or_else(|| ExchangeError::at("state"));
        Ok(match self.outcome {
            StepOutcome::Connected => Step::Connected { state: required()? },
            StepOutcome::Challenge => {
                let posed = self
                    .challenge
                    .ok_or_else(|| ExchangeError::at("challenge"))?
                    .into_challenge(connector)?;
                match posed {
                    Some(challenge) => Step::Challenge { state: required()?, challenge },
                    None => Step::Failed { code: LinkErrorCode::UnsupportedMfaMethod },
                }
            }
            StepOutcome::Wait => {
                let seconds = self.wait_seconds.filter(|it| (1..=300).contains(it));
                let seconds = seconds.ok_or_else(|| ExchangeError::at("waitSeconds"))?;
                Step::Wait { state: required()?, for_at_least: Duration::from_secs(seconds.into()) }
            }
            StepOutcome::Failed => {
                Step::Failed { code: self.error_code.ok_or_else(|| ExchangeError::at("errorCode"))? }
            }
            StepOutcome::Declined => Step::Declined {},
        })
    }
}
