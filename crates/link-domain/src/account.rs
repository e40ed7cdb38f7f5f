//! An account: one person's login at one provider, from the first submit to the tombstone.

mod connecting;
mod connection;
mod input;
mod link;
mod linked;
mod linking;
mod monitor;
mod pending_input;
mod reading;
mod shown;
mod transition;
mod turn;
mod view;

#[cfg(test)]
mod tests;

pub use connection::{Connection, Reading};
pub use input::{AccountInput, Answer, IllegalTransition, NewAccount, Submission};
pub use link::{Consent, Failure, Link, LinkStep, PendingChallenge, Submitted};
pub use monitor::Monitor;
pub use pending_input::{Login, PendingInput};
pub use shown::{Progress, ShownAccount, Standing};
pub use view::error_message;

use link_types::account::ConnectionStatus;
use link_types::id::{AccountId, ProviderId, UserId};
use serde::{Deserialize, Serialize};
use std::time::Duration;

use crate::change::ErasureScope;
use crate::clock::TenantTime;
use crate::digest::Digest32;
use crate::owner::Owner;

/// How long a connected account's data is kept.
pub const RETENTION: Duration = Duration::from_secs(60 * 86_400);
/// How long an account that never connected waits for its person.
pub const PENDING_LIFE: Duration = Duration::from_secs(86_400);

/// An account. All but `state` and `consent` stands in the row in clear; those two are sealed with the account's
/// own key.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    /// The id; it is the name of the account's erasure scope too.
    pub id: AccountId,
    /// Whose account.
    pub owner: Owner,
    /// The person.
    pub user_id: UserId,
    /// The provider.
    pub provider_id: ProviderId,
    /// When the person first submitted a login.
    pub created_at: TenantTime,
    /// When the connection last changed.
    pub updated_at: TenantTime,
    /// Grows with every change: answers that come for an older version change nothing.
    pub version: u32,
    /// How many events there have been of this account: their order.
    pub event_count: u64,
    /// HMAC of provider and login name: the same login again finds this account. Gone with the data.
    pub login_hash: Option<Digest32>,
    /// Continuous sync.
    pub monitor: Monitor,
    /// What was consented to; gone with the data.
    pub consent: Option<Consent>,
    /// Where it stands.
    pub state: AccountState,
}

/// Where an account stands. Its one serialised form is a sealed body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AccountState {
    /// Not connected yet: a link is under way or has failed.
    Linking(Link),
    /// Connected; its data is read, or has been.
    Connected(Box<Connection>),
    /// A tombstone without data.
    Disconnected(Disconnection),
}

/// How an account ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Disconnection {
    /// When.
    pub at: TenantTime,
    /// Why.
    pub cause: DisconnectCause,
}

/// Why an account ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DisconnectCause {
    /// The person or the tenant revoked it.
    Revoked,
    /// Sixty days passed from its connection.
    Expired,
    /// It never connected and was left alone.
    Abandoned,
}

impl Account {
    /// The connection's state in the interface's words.
    pub const fn connection_status(&self) -> ConnectionStatus {
        self.state.standing().connection_status()
    }

    /// The scope that erasing the account erases.
    pub fn scope(&self) -> ErasureScope {
        ErasureScope::Account(self.id.clone())
    }

    /// The last moment at which the account may hold data: the day its key is wrapped for.
    pub fn data_ends_at(&self) -> TenantTime {
        match &self.state {
            AccountState::Linking(_) => self.updated_at + RETENTION,
            AccountState::Connected(connection) => connection.expires_at,
            AccountState::Disconnected(ended) => ended.at,
        }
    }

    /// Whether it is connected.
    pub const fn is_connected(&self) -> bool {
        matches!(self.state, AccountState::Connected(_))
    }

    /// The link under way: the first one, or one that re-authorizes a connected account.
    pub const fn link(&self) -> Option<&Link> {
        match &self.state {
            AccountState::Linking(link) => Some(link),
            AccountState::Connected(connection) => connection.relink.as_ref(),
            AccountState::Disconnected(_) => None,
        }
    }
}
