//! Account fields that REST returns, decoded without the rest of the state. Most of an encrypted state is credentials,
//! consent and the source's session, which lists do not return.
//!
//! The connection status is also stored unencrypted, for the filter of lists. For most accounts it determines everything
//! that REST returns, so that their state stays encrypted.

use link_types::account::ConnectionStatus;
use link_types::id::{AccountId, LinkSiteSessionId, ProviderId, UserId};
use link_types::link::{AccountProgress, ConnectStep, LinkPhase};
use link_types::{LinkErrorCode, account};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::kernel::clock::{Now, TenantTime};
use crate::linking::account::error_code::error_message;
use crate::linking::account::link::{LinkStep, millis};
use crate::linking::account::monitor::Monitor;
use crate::linking::account::{Account, AccountState, DisconnectCause, Link};

/// An [`Account`](super::Account) reduced to what REST returns. The fields mirror the account's.
#[derive(Clone, Debug, PartialEq)]
pub struct AccountSummary {
    /// Identifier of the account.
    pub id: AccountId,
    /// User who owns the account.
    pub user_id: UserId,
    /// Provider of the account.
    pub provider_id: ProviderId,
    /// Visit of the hosted pages in which the account was created.
    pub visit_id: Option<LinkSiteSessionId>,
    /// When the person first submitted a login.
    pub created_at: TenantTime,
    /// When the connection last changed.
    pub updated_at: TenantTime,
    /// Continuous sync.
    pub monitor: Monitor,
    /// Summary of the state.
    pub connection: ConnectionSummary,
}

/// Summary of an [`AccountState`](super::AccountState), as far as it determines the connection status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionSummary {
    /// Not connected yet, with the progress of the link.
    Linking(Progress),
    /// Connected.
    Connected,
    /// A tombstone.
    Disconnected {
        /// Why the account was disconnected.
        cause: DisconnectCause,
    },
}

/// Summary of a [`LinkStep`], as far as it determines the connection status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Progress {
    /// The source has a step to take.
    Working {
        /// Whether the step checks an answer to a challenge.
        answering: bool,
    },
    /// The person has a challenge to answer.
    Challenged {},
    /// The last submission failed.
    Failed {
        /// Error code.
        code: LinkErrorCode,
    },
}

impl ConnectionSummary {
    /// Returns the summary of every state with this status, or `None` if REST returns more than the status.
    pub const fn of_status(status: ConnectionStatus) -> Option<Self> {
        match status {
            ConnectionStatus::Pending => Some(Self::Linking(Progress::Working { answering: false })),
            ConnectionStatus::AwaitingMfa => Some(Self::Linking(Progress::Challenged {})),
            ConnectionStatus::Connected => Some(Self::Connected),
            ConnectionStatus::Error | ConnectionStatus::Disconnected => None,
        }
    }

    /// Returns the connection status, as the interface defines it.
    pub const fn connection_status(self) -> ConnectionStatus {
        match self {
            Self::Linking(progress) => progress.connection_status(),
            Self::Connected => ConnectionStatus::Connected,
            Self::Disconnected { .. } => ConnectionStatus::Disconnected,
        }
    }
}

impl Progress {
    const fn connection_status(self) -> ConnectionStatus {
        match self {
            Self::Working { answering: false } => ConnectionStatus::Pending,
            Self::Working { answering: true } | Self::Challenged {} => ConnectionStatus::AwaitingMfa,
            Self::Failed { .. } => ConnectionStatus::Error,
        }
    }
}

impl LinkStep {
    /// Returns the summary of the step.
    pub(super) const fn progress(&self) -> Progress {
        match self {
            Self::Working { answering, .. } => Progress::Working { answering: *answering },
            Self::Challenged { .. } => Progress::Challenged {},
            Self::Failed(failure) => Progress::Failed { code: failure.code },
        }
    }
}

impl AccountSummary {
    /// Returns the account as REST shows it.
    pub fn view(self) -> account::Account {
        let status = self.connection.connection_status();
        let (error, end_reason) = match self.connection {
            ConnectionSummary::Linking(Progress::Failed { code }) => (Some(code), None),
            ConnectionSummary::Linking(_) | ConnectionSummary::Connected => (None, None),
            ConnectionSummary::Disconnected { cause } => (None, Some(cause.end_reason())),
        };
        account::Account {
            id: self.id,
            created_at: self.created_at.into(),
            provider_id: self.provider_id,
            user_id: self.user_id,
            connection_status: status,
            connection: account::Connection {
                status,
                error_code: error.map(|code| code.to_string()),
                error_message: error.map(|code| error_message(code).to_owned()),
                end_reason,
                updated_at: self.updated_at.into(),
            },
            monitor_status: self.monitor.status(),
            monitor: account::Monitor {
                status: self.monitor.status(),
                updated_at: self.monitor.updated_at.map(Into::into),
                last_synced_at: self.monitor.last_at.map(Into::into),
                next_sync_at: self.monitor.next_at().map(Into::into),
            },
            link_site_session_id: self.visit_id,
        }
    }
}

/// Deserializes from a serialized [`AccountState`](super::AccountState).
impl<'de> Deserialize<'de> for ConnectionSummary {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Written::deserialize(deserializer).map(|written| match written {
            Written::Linking { step } => Self::Linking(step),
            Written::Connected(IgnoredAny) => Self::Connected,
            Written::Disconnected { cause } => Self::Disconnected { cause },
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Written {
    Linking { step: Progress },
    Connected(IgnoredAny),
    Disconnected { cause: DisconnectCause },
}

impl Account {
    /// Returns the account as REST shows it.
    pub fn view(&self) -> account::Account {
        AccountSummary {
            id: self.id.clone(),
            user_id: self.user_id.clone(),
            provider_id: self.provider_id.clone(),
            visit_id: self.visit_id.clone(),
            created_at: self.created_at,
            updated_at: self.updated_at,
            monitor: self.monitor,
            connection: self.state.connection_summary(),
        }
        .view()
    }

    /// Returns the account as the widget shows it: the link in progress, or its outcome.
    pub fn progress(&self, now: Now) -> AccountProgress {
        let phase = match &self.state {
            AccountState::Linking(link) => link.phase(now),
            AccountState::Connected(connection) => {
                connection.relink.as_ref().map_or(LinkPhase::Connected {}, |link| link.phase(now))
            }
            AccountState::Disconnected(_) => LinkPhase::Disconnected {},
        };
        AccountProgress {
            account_id: self.id.clone(),
            provider_id: self.provider_id.clone(),
            version: self.version,
            phase,
        }
    }
}

impl Link {
    fn phase(&self, now: Now) -> LinkPhase {
        match &self.step {
            LinkStep::Working { answering: false, .. } => {
                LinkPhase::Connecting { step: ConnectStep::LoggingIn }
            }
            LinkStep::Working { answering: true, .. } => {
                LinkPhase::Connecting { step: ConnectStep::CheckingAnswer }
            }
            LinkStep::Challenged { challenge, .. } => {
                LinkPhase::Challenge { challenge: challenge.view(now.tenant()) }
            }
            LinkStep::Failed(failure) => LinkPhase::Failed {
                error_code: failure.code.into(),
                declined: failure.declined,
                retry_in_ms: millis(failure.retry_at.since(now.wall())),
            },
        }
    }
}
