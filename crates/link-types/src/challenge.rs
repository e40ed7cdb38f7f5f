//! What a provider asks after the login: multi-factor challenges of every kind (`widget.md`: MFA).

use serde::{Deserialize, Serialize};

use crate::{format::FieldFormat, id::ChallengeId, provider::Choice, sealing::SealedBox};

words! {
    /// Where a one-time code was sent.
    CodeChannel {
        /// A text message.
        Sms = "SMS",
        /// An e-mail.
        Email = "EMAIL",
        /// A phone call.
        Voice = "VOICE",
        /// An authenticator app.
        App = "APP",
    }
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum ChallengeKind {
    /// A one-time code.
    #[serde(rename_all = "camelCase")]
    OneTimeCode {
        /// How it was sent.
        channel: CodeChannel,
        /// Where it was sent, masked, like `•••• 5678`.
        destination: Option<String>,
        /// What the code looks like.
        format: FieldFormat,
    },
    /// One of several answers.
    #[serde(rename_all = "camelCase")]
    Choice {
        /// The question, in the provider's words.
        question: String,
        /// The answers.
        choices: Vec<Choice>,
    },
    /// The text seen in an image.
    #[serde(rename_all = "camelCase")]
    Image {
        /// The image as a `data:` address, re-encoded by the service.
        image: String,
        /// What the text looks like.
        format: FieldFormat,
    },
    /// A security question.
    #[serde(rename_all = "camelCase")]
    Question {
        /// The question, in the provider's words.
        question: String,
        /// What the answer looks like.
        format: FieldFormat,
    },
    /// Approval in the provider's app.
    #[serde(rename_all = "camelCase")]
    Approve {
        /// The device's name, when the provider tells it.
        device: Option<String>,
    },
    /// A link in an e-mail.
    #[serde(rename_all = "camelCase")]
    EmailLink {
        /// Where it was sent, masked.
        destination: Option<String>,
    },
}

/// How a code may be sent again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ResendRule {
    /// Milliseconds until it may be asked for.
    pub available_in_ms: u32,
    /// The channels it may be sent by.
    pub channels: Vec<CodeChannel>,
}

/// A challenge that waits for an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Challenge {
    /// Sent back with the answer, so that an answer to an older challenge changes nothing.
    pub id: ChallengeId,
    /// What is asked.
    pub kind: ChallengeKind,
    /// Milliseconds until it times out; null when it does not.
    pub expires_in_ms: Option<u32>,
    /// Whether the person may ask for more time.
    pub extendable: bool,
    /// How to have it sent again; null when it cannot be.
    pub resend: Option<ResendRule>,
    /// Tries left, this one included; null when the provider sets no limit.
    pub tries_left: Option<u8>,
    /// True when the answer before this was wrong.
    pub wrong_answer: bool,
}

/// An answer to a challenge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum ChallengeAnswer {
    /// A code, or the text of an image or of an answer.
    #[serde(rename_all = "camelCase")]
    Text {
        /// What the person typed, sealed.
        sealed: SealedBox,
    },
    /// The chosen answer.
    #[serde(rename_all = "camelCase")]
    Choice {
        /// The choice's value.
        value: String,
    },
}

/// Body of `POST …/link/accounts/{id}/answer`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnswerChallenge {
    /// The challenge that is answered.
    pub challenge_id: ChallengeId,
    /// The answer.
    pub answer: ChallengeAnswer,
}

/// Body of `POST …/link/accounts/{id}/resend`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResendChallenge {
    /// The challenge whose code is sent again.
    pub challenge_id: ChallengeId,
    /// The channel to use.
    pub channel: CodeChannel,
}

/// Body of `POST …/link/accounts/{id}/extend`: more time for a challenge that is `extendable`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExtendChallenge {
    /// The challenge whose time is extended.
    pub challenge_id: ChallengeId,
}
