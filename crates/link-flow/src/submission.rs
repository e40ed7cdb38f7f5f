//! What a person submits. It carries secrets in clear: the body seals them on their way out, so that none of this is
//! ever a wire type.

use std::collections::BTreeMap;

use link_types::Sensitive;
use link_types::id::{ChallengeId, ProviderId};
use link_types::link::ConsentReceipt;

/// A login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginSubmission {
    /// The provider.
    pub provider_id: ProviderId,
    /// Which of its login options; null when it needs no login.
    pub login_option: Option<String>,
    /// What was typed into the first field that is no secret: stands beside the box, so that the service knows the
    /// login again.
    pub login_name: Option<Sensitive>,
    /// The form's values by field name; sealed as `credentials`.
    pub credentials: BTreeMap<String, Sensitive>,
    /// What was consented to.
    pub consent: ConsentReceipt,
}

/// An answer to a challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A code, or the text of an image or of an answer; sealed as `answer`.
    Text {
        /// What the person typed.
        text: Sensitive,
    },
    /// The chosen answer.
    Choice {
        /// The choice's value.
        value: String,
    },
}

/// The answer with the challenge that it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerSubmission {
    /// The challenge that is answered.
    pub challenge_id: ChallengeId,
    /// The answer.
    pub answer: Answer,
}
