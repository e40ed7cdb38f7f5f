//! What the sandbox remembers of a login between two steps.

use link_domain::ports::SourceState;
use link_types::challenge::CodeChannel;
use serde::{Deserialize, Serialize};

/// How far a login has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Stage {
    /// Nothing was submitted; or the provider needs no login.
    Fresh {},
    /// The provider takes its time.
    #[serde(rename_all = "camelCase")]
    Slow {
        /// The login's word.
        login: String,
        /// Waits still to come.
        waits_left: u8,
    },
    /// A challenge waits for its answer.
    #[serde(rename_all = "camelCase")]
    Challenged {
        /// The login's word, like `mfa-otp`.
        login: String,
        /// How many of the login's questions were answered.
        answered: usize,
        /// Tries left, the next one included.
        tries_left: u8,
        /// How the code was sent.
        channel: CodeChannel,
    },
    /// Logged in.
    LoggedIn {
        /// The login's word.
        login: String,
    },
}

impl Stage {
    /// Reads a state; null when it is not one of the sandbox's.
    pub(super) fn of(state: &SourceState) -> Option<Self> {
        match state.as_str() {
            "" => Some(Self::Fresh {}),
            text => serde_json::from_str(text).ok(),
        }
    }

    /// Writes the state.
    pub(super) fn to_state(&self) -> SourceState {
        SourceState::new(serde_json::to_string(self).unwrap_or_default())
    }

    /// The login's word; `good` where there was no login.
    pub(super) fn login(&self) -> &str {
        match self {
            Self::Fresh {} => "good",
            Self::Slow { login, .. } | Self::Challenged { login, .. } | Self::LoggedIn { login } => login,
        }
    }
}
