//! Multi-factor challenges that a provider issues after the login (`widget.md`: MFA).

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::{format::FieldFormat, id::ChallengeId, provider::Choice, sealing::SealedBox};

words! {
    /// Channel used to send a one-time code.
    CodeChannel {
        /// Text message.
        Sms = "SMS",
        /// Email.
        Email = "EMAIL",
        /// Phone call.
        Voice = "VOICE",
        /// Authenticator app, or the app that asks for approval.
        App = "APP",
        /// Another picture, for a challenge with an image.
        Picture = "PICTURE",
    }
}

/// Kind of challenge, with what the widget must ask for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum ChallengeKind {
    /// A one-time code.
    #[serde(rename_all = "camelCase")]
    OneTimeCode {
        /// Channel the code was sent through.
        channel: CodeChannel,
        /// Masked destination of the code, like `•••• 5678`.
        destination: Option<String>,
        /// Format of the code.
        format: FieldFormat,
    },
    /// A choice between several answers.
    #[serde(rename_all = "camelCase")]
    Choice {
        /// Question, as worded by the provider.
        question: String,
        /// Possible answers.
        choices: Vec<Choice>,
    },
    /// Text shown in an image.
    #[serde(rename_all = "camelCase")]
    Image {
        /// Image as a `data:` URL, re-encoded by the service.
        image: String,
        /// Recording of the same text as a `data:` URL: WAV or MP3, checked by the service. Null if the provider has
        /// none.
        recording: Option<String>,
        /// Format of the text.
        format: FieldFormat,
    },
    /// A security question.
    #[serde(rename_all = "camelCase")]
    Question {
        /// Question, as worded by the provider.
        question: String,
        /// Format of the answer.
        format: FieldFormat,
    },
    /// Approval in the provider's app.
    #[serde(rename_all = "camelCase")]
    Approve {
        /// Name of the device, if the provider reports it.
        device: Option<String>,
    },
    /// A link in an email.
    #[serde(rename_all = "camelCase")]
    EmailLink {
        /// Masked destination of the email.
        destination: Option<String>,
    },
    /// A login on the provider's own page.
    #[serde(rename_all = "camelCase")]
    Redirect {
        /// Address of the service that leads to the provider's page. It works until the challenge ends. On the service's
        /// own pages it has no secret, and the page leads on in the same tab.
        address: RedirectAddress,
    },
}

/// Start of the path of an address that leads on in the same tab. The account's id follows.
pub const SAME_TAB_PATH: &str = "/visit/sign-in/";

/// Address that leads to the login page of a provider. It contains a secret, so `Debug` prints only a placeholder.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RedirectAddress(String);

impl RedirectAddress {
    /// Wraps the address.
    pub const fn new(address: String) -> Self {
        Self(address)
    }

    /// Returns the address.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns whether the page that contains the widget leads on in the same tab. A page of the service does.
    pub fn is_same_tab(&self) -> bool {
        self.0.contains(SAME_TAB_PATH)
    }
}

impl fmt::Debug for RedirectAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RedirectAddress(…)")
    }
}

#[cfg(feature = "schema")]
string_schema!(
    RedirectAddress,
    "Address of the service that leads to the provider's page. It contains a secret: open it only for the person. On the \
     service's own pages, it is `/visit/sign-in/{accountId}`, and the page leads on in the same tab.",
    Some("^https?://"),
    "https://hosted.example/sign-in/start/demo.s.a-0192f0c1a2b37c4d8e5f60718293a4b5.…"
);

/// When and how a code can be resent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ResendRule {
    /// Milliseconds until a resend is allowed.
    pub available_in_ms: u32,
    /// Channels that the code can be resent through.
    pub channels: Vec<CodeChannel>,
}

/// A challenge that is waiting for an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Challenge {
    /// Identifier of the challenge. Send it with the answer: an answer to an older challenge is ignored.
    pub id: ChallengeId,
    /// Kind of challenge.
    pub kind: ChallengeKind,
    /// Milliseconds until the challenge expires. Null if it does not expire.
    pub expires_in_ms: Option<u32>,
    /// Whether the person can request more time.
    pub extendable: bool,
    /// When and how the code can be resent. Null if it cannot.
    pub resend: Option<ResendRule>,
    /// Remaining attempts, including this one. Null if the provider sets no limit.
    pub tries_left: Option<u8>,
    /// Whether the previous answer was wrong.
    pub wrong_answer: bool,
}

/// An answer to a challenge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum ChallengeAnswer {
    /// A code, the text in an image, or the answer to a security question.
    #[serde(rename_all = "camelCase")]
    Text {
        /// Text that the person typed, encrypted to the session.
        sealed: SealedBox,
    },
    /// The selected choice.
    #[serde(rename_all = "camelCase")]
    Choice {
        /// Value of the choice.
        value: String,
    },
}

/// Body of `POST …/link/accounts/{id}/answer`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnswerChallenge {
    /// Challenge that is being answered.
    pub challenge_id: ChallengeId,
    /// Answer to the challenge.
    pub answer: ChallengeAnswer,
}

/// Body of `POST …/link/accounts/{id}/resend`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResendChallenge {
    /// Challenge whose code must be resent.
    pub challenge_id: ChallengeId,
    /// Channel to send the code through.
    pub channel: CodeChannel,
}

/// Body of `POST …/link/accounts/{id}/extend`: requests more time for a challenge that is `extendable`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExtendChallenge {
    /// Challenge that needs more time.
    pub challenge_id: ChallengeId,
}
