//! What REST shows of an account, read without the rest: most of a sealed state is credentials, consent and the source's
//! memory, and a list shows none of it.

use link_types::LinkErrorCode;
use link_types::account::{self, ConnectionStatus};
use link_types::id::{AccountId, ProviderId, UserId};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{AccountState, LinkStep, Monitor, error_message};
use crate::clock::TenantTime;

/// An [`Account`](super::Account) as far as REST shows it. The fields are the account's own.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownAccount {
    /// The id.
    pub id: AccountId,
    /// The person.
    pub user_id: UserId,
    /// The provider.
    pub provider_id: ProviderId,
    /// When the person first submitted a login.
    pub created_at: TenantTime,
    /// When the connection last changed.
    pub updated_at: TenantTime,
    /// Continuous sync.
    pub monitor: Monitor,
    /// Where it stands.
    pub standing: Standing,
}

/// Where an account stands: what an [`AccountState`] says of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Not connected yet; how far its link is.
    Linking(Progress),
    /// Connected.
    Connected,
    /// A tombstone.
    Disconnected,
}

/// How far a link is: what a [`LinkStep`] says of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Progress {
    /// The source has a step to take.
    Working {
        /// Whether it checks an answer to a challenge.
        answering: bool,
    },
    /// The person has a challenge to answer.
    Challenged {},
    /// The last submission failed.
    Failed {
        /// Why.
        code: LinkErrorCode,
    },
}

impl Standing {
    /// The connection's state in the interface's words.
    pub const fn connection_status(self) -> ConnectionStatus {
        match self {
            Self::Linking(progress) => progress.connection_status(),
            Self::Connected => ConnectionStatus::Connected,
            Self::Disconnected => ConnectionStatus::Disconnected,
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

impl AccountState {
    /// Where the account stands.
    pub const fn standing(&self) -> Standing {
        match self {
            Self::Linking(link) => Standing::Linking(link.step.progress()),
            Self::Connected(_) => Standing::Connected,
            Self::Disconnected(_) => Standing::Disconnected,
        }
    }
}

impl LinkStep {
    /// How far the link is.
    pub(super) const fn progress(&self) -> Progress {
        match self {
            Self::Working { answering, .. } => Progress::Working { answering: *answering },
            Self::Challenged { .. } => Progress::Challenged {},
            Self::Failed(failure) => Progress::Failed { code: failure.code },
        }
    }
}

impl ShownAccount {
    /// The account as REST shows it.
    pub fn view(self) -> account::Account {
        let status = self.standing.connection_status();
        let error = match self.standing {
            Standing::Linking(Progress::Failed { code }) => Some(code),
            Standing::Linking(_) | Standing::Connected | Standing::Disconnected => None,
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
                updated_at: self.updated_at.into(),
            },
            monitor_status: self.monitor.status,
            monitor: account::Monitor {
                status: self.monitor.status,
                updated_at: self.monitor.updated_at.map(Into::into),
            },
        }
    }
}

/// Read from what an [`AccountState`] was written as.
impl<'de> Deserialize<'de> for Standing {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Written::deserialize(deserializer).map(|written| match written {
            Written::Linking { step } => Self::Linking(step),
            Written::Connected(IgnoredAny) => Self::Connected,
            Written::Disconnected(IgnoredAny) => Self::Disconnected,
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Written {
    Linking { step: Progress },
    Connected(IgnoredAny),
    Disconnected(IgnoredAny),
}
