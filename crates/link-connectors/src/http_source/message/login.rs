//! `POST /linchpin/v1/start` and `POST /linchpin/v1/step`: a login, step by step.

use std::collections::BTreeMap;
use std::time::Duration;

use link_domain::ports::{SourceInput, SourceState, Step, StepRequest};
use link_types::LinkErrorCode;
use link_types::challenge::CodeChannel;
use link_types::id::ProviderId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::fault::Fault;
use super::{PosedMessage, STATE_LIMIT};

/// Body of `start`: a person submitted the login form.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StartMessage {
    /// The provider.
    pub provider_id: ProviderId,
    /// Which of the provider's login options.
    pub login_option: String,
    /// The form's values by field name.
    pub credentials: BTreeMap<String, String>,
}

/// Body of `step`: what the person did, or that the wait is over.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepMessage {
    /// The provider.
    pub provider_id: ProviderId,
    /// The state of the answer before.
    pub state: String,
    /// What happened.
    pub input: StepInput,
}

/// What a step starts from.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
pub enum StepInput {
    /// The person typed an answer to the challenge.
    AnswerText {
        /// What was typed.
        text: String,
    },
    /// The person chose an answer to the challenge.
    AnswerChoice {
        /// The choice's value.
        value: String,
    },
    /// The person asked for the code once more.
    Resend {
        /// By which channel.
        channel: CodeChannel,
    },
    /// The wait that the connector asked for is over, or it is time to look whether the challenge was met elsewhere.
    Continue {},
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum StepOutcome {
    /// Logged in.
    Connected,
    /// The provider asks for something.
    Challenge,
    /// Nothing yet: come back.
    Wait,
    /// The login failed.
    Failed,
}

/// Answer of `start` and of `step`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepAnswer {
    /// How the step ended.
    pub outcome: StepOutcome,
    /// What the connector wants back with the next request; required unless FAILED. At most 65,536 bytes.
    pub state: Option<String>,
    /// What is asked; required with CHALLENGE.
    pub challenge: Option<PosedMessage>,
    /// Seconds until the service comes back, 1 to 300; required with WAIT.
    pub wait_seconds: Option<u32>,
    /// Why the login failed; required with FAILED.
    pub error_code: Option<LinkErrorCode>,
}

/// A step as the message that asks for it.
pub(in super::super) enum Asked {
    /// `start`.
    Start(StartMessage),
    /// `step`.
    Step(StepMessage),
}

impl Asked {
    /// The message for a request; null where the domain's request has none.
    pub(in super::super) fn of(request: StepRequest<'_>) -> Option<Self> {
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
            SourceInput::Resend { channel } => StepInput::Resend { channel: *channel },
            SourceInput::Continue {} => StepInput::Continue {},
        };
        let state = request.state.as_str().to_owned();
        Some(Self::Step(StepMessage { provider_id, state, input }))
    }
}

impl StepAnswer {
    /// The answer as the domain's step.
    pub(in super::super) fn step(self) -> Result<Step, Fault> {
        let state = state_of(self.state);
        let required = || state.clone()?.ok_or_else(|| Fault::at("state"));
        Ok(match self.outcome {
            StepOutcome::Connected => Step::Connected { state: required()? },
            StepOutcome::Challenge => {
                let posed = self.challenge.ok_or_else(|| Fault::at("challenge"))?.posed()?;
                match posed {
                    Some(challenge) => Step::Challenge { state: required()?, challenge },
                    None => Step::Failed { code: LinkErrorCode::UnsupportedMfaMethod },
                }
            }
            StepOutcome::Wait => {
                let seconds = self.wait_seconds.filter(|it| (1..=300).contains(it));
                let seconds = seconds.ok_or_else(|| Fault::at("waitSeconds"))?;
                Step::Wait { state: required()?, for_at_least: Duration::from_secs(seconds.into()) }
            }
            StepOutcome::Failed => {
                Step::Failed { code: self.error_code.ok_or_else(|| Fault::at("errorCode"))? }
            }
        })
    }
}

/// A state within its limit.
pub(super) fn state_of(state: Option<String>) -> Result<Option<SourceState>, Fault> {
    match state {
        Some(text) if text.len() > STATE_LIMIT => Err(Fault::at("state")),
        Some(text) => Ok(Some(SourceState::new(text))),
        None => Ok(None),
    }
}
