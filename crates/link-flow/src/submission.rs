//! Input that a person submits. It contains secrets in clear, so it is not a wire type: the shell seals them before it
//! sends them.

use std::collections::BTreeMap;

use link_types::Sensitive;
use link_types::id::{AccountId, ChallengeId, ProviderId};
use link_types::link::ConsentReceipt;

/// A login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginSubmission {
    /// The provider.
    pub provider_id: ProviderId,
    /// The login option's id; `None` if the provider needs no login.
    pub login_option: Option<String>,
    /// The text of the first field that is not secret. It is sent unsealed, so that the service recognizes a repeated
    /// login.
    pub login_name: Option<Sensitive>,
    /// The form's values by field name; sealed as `credentials`.
    pub credentials: BTreeMap<String, Sensitive>,
    /// The connected account to sign in to again.
    pub account_id: Option<AccountId>,
    /// The receipt of the consent; `None` if the consent of that account covers the terms.
    pub consent: Option<ConsentReceipt>,
}

/// An answer to a challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A code or text; sealed as `answer`.
    Text {
        /// The typed text.
        text: Sensitive,
    },
    /// A choice.
    Choice {
        /// The choice's value.
        value: String,
    },
}

/// An answer and the challenge that it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerSubmission {
    /// The challenge.
    pub challenge_id: ChallengeId,
    /// The answer.
    pub answer: Answer,
}

/// Passwords and codes by field id. The shell collects them when a form is submitted, and the flow moves them into the
/// effect. `Debug` shows only the ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Secrets(Vec<(String, Sensitive)>);

impl Secrets {
    /// Creates an empty set, for a form without secret inputs.
    pub fn none() -> Self {
        Self::default()
    }

    /// Adds the text of an input.
    pub fn insert(&mut self, field: impl Into<String>, text: impl Into<String>) {
        self.0.push((field.into(), Sensitive::new(text)));
    }

    /// Returns the text of an input.
    pub fn get(&self, field: &str) -> Option<&Sensitive> {
        self.0.iter().find(|(id, _)| id == field).map(|(_, text)| text)
    }

    /// Removes and returns the text of an input.
    pub fn take(&mut self, field: &str) -> Option<Sensitive> {
        let at = self.0.iter().position(|(id, _)| id == field)?;
        Some(self.0.swap_remove(at).1)
    }
}
