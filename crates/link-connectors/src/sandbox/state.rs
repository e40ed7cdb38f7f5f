//! The state of a login between two steps.

use link_domain::linking::account_source::SourceState;
use link_types::Date;
use serde::{Deserialize, Serialize};

use super::ask::Sent;

/// The progress of a login.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Stage {
    /// Nothing was submitted, or the provider needs no login.
    Fresh {},
    /// The provider is slow.
    #[serde(rename_all = "camelCase")]
    Slow {
        /// The login word.
        login: String,
        /// The number of waits left.
        waits_left: u8,
    },
    /// A challenge waits for its answer.
    #[serde(rename_all = "camelCase")]
    Challenged {
        /// The login word, like `mfa-otp`.
        login: String,
        /// The number of the login's challenges that were answered.
        answered: usize,
        /// Tries left, including the next one.
        tries_left: u8,
        /// Message that was sent for it.
        sent: Sent,
    },
    /// The person signs in on the sandbox provider's page.
    #[serde(rename_all = "camelCase")]
    Redirected {
        /// The login word.
        login: String,
        /// The text behind the code challenge that the page was opened with (RFC 7636).
        verifier: String,
        /// The text that the provider repeats, so that its response belongs to this login.
        nonce: String,
    },
    /// Logged in.
    #[serde(rename_all = "camelCase")]
    LoggedIn {
        /// The login word.
        login: String,
        /// Whether all data was read since the login.
        read: bool,
        /// The date of the first reading since the login.
        #[serde(default)]
        first_read: Option<Date>,
    },
}

impl Stage {
    /// Parses a state. Returns `None` if it is not a sandbox state.
    pub(super) fn from_state(state: &SourceState) -> Option<Self> {
        match state.as_str() {
            "" => Some(Self::Fresh {}),
            text => serde_json::from_str(text).ok(),
        }
    }

    /// Serializes the state.
    pub(super) fn to_state(&self) -> SourceState {
        SourceState::new(serde_json::to_string(self).unwrap_or_default())
    }

    /// Returns whether all data was read since the login.
    pub(super) const fn was_read(&self) -> bool {
        matches!(self, Self::LoggedIn { read: true, .. })
    }

    /// Returns the state of a login that just succeeded.
    pub(super) const fn after_login(login: String) -> Self {
        Self::LoggedIn { login, read: false, first_read: None }
    }

    /// Returns the date of the first reading since the login, if there was one.
    pub(super) const fn first_read(&self) -> Option<Date> {
        match self {
            Self::LoggedIn { first_read, .. } => *first_read,
            Self::Fresh {} | Self::Slow { .. } | Self::Challenged { .. } | Self::Redirected { .. } => None,
        }
    }

    /// Returns the state after all data was read, if the account was first read on this date.
    pub(super) fn after_reading(self, first_read: Date) -> Self {
        match self {
            Self::LoggedIn { login, .. } => {
                Self::LoggedIn { login, read: true, first_read: Some(first_read) }
            }
            other @ (Self::Fresh {}
            | Self::Slow { .. }
            | Self::Challenged { .. }
            | Self::Redirected { .. }) => other,
        }
    }

    /// Returns the login word, or `good` if there was no login.
    pub(super) fn login(&self) -> &str {
        match self {
            Self::Fresh {} => "good",
            Self::Slow { login, .. }
            | Self::Challenged { login, .. }
            | Self::Redirected { login, .. }
            | Self::LoggedIn { login, .. } => login,
        }
    }
}
