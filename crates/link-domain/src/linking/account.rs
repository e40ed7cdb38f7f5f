//! An account: a person's login at a provider, from the first submitted login to the tombstone.

mod connection;
mod error_code;
mod input;
mod link;
mod linked;
mod monitor;
mod pending_input;
mod redirect;
mod schedule;
mod shown;
mod transition;

#[cfg(test)]
mod tests;

pub use connection::{Connection, Reading, Run};
pub use error_code::error_message;
pub use input::{AccountInput, Answer, IllegalTransitionError, NewAccount, Submission};
pub use link::{Failure, Link, LinkStep, PendingChallenge, Submitted};
pub use monitor::{Monitor, MonitorState};
pub use pending_input::{Login, PendingInput};
pub use redirect::{
    CALLBACK_PATH, Departure, MAX_TICKET, ProviderResponse, REDIRECT_LIFE, REDIRECT_PATH, RedirectError,
    RedirectState, RedirectTicket, Returned,
};
pub use shown::{AccountSummary, ConnectionSummary, Progress};

use link_types::EndReason;
use link_types::account::ConnectionStatus;
use link_types::data::DataPointKind;
use link_types::id::{AccountId, LinkSiteSessionId, ProviderId, UserId};
use serde::{Deserialize, Serialize};
use std::time::Duration;

use crate::data::declined_data::DeclinedData;
use crate::data::task::Task;
use crate::kernel::clock::TenantTime;
use crate::kernel::digest::Digest32;
use crate::kernel::owner::Owner;
use crate::kernel::scope::ErasureScope;
use crate::linking::consent::{Consent, ConsentStub, KeptConsent};

/// How long a connected account's data is kept, after what its retention counts from: 60 days.
pub const RETENTION: Duration = Duration::from_secs(60 * 86_400);
/// How long an account stays connected at least after a login, so that its data can be read: 1 day.
pub const READING_TIME: Duration = Duration::from_secs(86_400);
/// How long after a requested reading another one is refused: 1 hour.
pub const REFRESH_INTERVAL: Duration = Duration::from_secs(3_600);
/// How long an account that has not connected may stay inactive before it is removed: 1 day.
pub const PENDING_LIFE: Duration = Duration::from_secs(86_400);

/// An account. Every column except `state` and `consent` is stored unencrypted. Those two are encrypted with the
/// account's own key.
///
/// `S` is the state. While a transition decides the next state, the account has none: `Account<()>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Account<S = AccountState> {
    /// Identifier of the account, and the name of its erasure scope.
    pub id: AccountId,
    /// Tenant and environment of the account.
    pub owner: Owner,
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
    /// Version number that increases with every change. Results for an older version are ignored.
    pub version: u32,
    /// Number of events emitted for this account. It determines their order.
    pub event_count: u64,
    /// HMAC of the provider and the login name, which finds this account by its login. Erased with the data.
    pub login_hash: Option<Digest32>,
    /// Continuous sync.
    pub monitor: Monitor,
    /// Consent that the person gave. Erased with the data.
    pub consent: Option<Consent>,
    /// State of the account.
    pub state: S,
}

/// State of an account. It is serialized only in encrypted form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::large_enum_variant, reason = "units hold few accounts, most of them connected")]
pub enum AccountState {
    /// Not connected yet: a link is in progress or has failed.
    Linking(Link),
    /// Connected. The data is being read, or has been read.
    Connected(Box<Connection>),
    /// A tombstone without data.
    Disconnected(Disconnection),
}

/// Time and reason of an account's disconnection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Disconnection {
    /// When the account was disconnected.
    pub at: TenantTime,
    /// Why the account was disconnected.
    pub cause: DisconnectCause,
    /// Minimal receipt of the consent.
    pub consent: Option<ConsentStub>,
}

/// Reason why an account was disconnected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DisconnectCause {
    /// The person or the tenant revoked the account.
    Revoked,
    /// The account's 60 days have passed.
    Expired,
    /// The account never connected and was inactive.
    Abandoned,
}

impl DisconnectCause {
    /// Returns the reason as REST shows it. An abandoned account is deleted, so its reason is never shown.
    pub const fn end_reason(self) -> EndReason {
        match self {
            Self::Revoked => EndReason::Revoked,
            Self::Expired | Self::Abandoned => EndReason::Expired,
        }
    }
}

impl Account {
    /// Returns the consent that the person gave, as far as it is kept. `None` if there is none.
    pub fn kept_consent(self) -> Option<KeptConsent> {
        match self.state {
            AccountState::Linking(_) | AccountState::Connected(_) => self.consent.map(KeptConsent::Whole),
            AccountState::Disconnected(Disconnection { at, cause, consent }) => {
                Some(KeptConsent::Ended { stub: consent?, at, reason: cause.end_reason() })
            }
        }
    }

    /// Returns the connection status, as the interface defines it.
    pub const fn connection_status(&self) -> ConnectionStatus {
        self.state.connection_summary().connection_status()
    }

    /// Returns the latest time at which the account may hold data. Its encryption key is wrapped for that day.
    pub fn data_ends_at(&self) -> TenantTime {
        match &self.state {
            AccountState::Linking(_) => self.updated_at + RETENTION,
            AccountState::Connected(connection) => connection.expires_at,
            AccountState::Disconnected(ended) => ended.at,
        }
    }

    /// Returns whether the account is connected.
    pub const fn is_connected(&self) -> bool {
        matches!(self.state, AccountState::Connected(_))
    }

    /// Returns until when the account's data is kept if nothing more happens.
    pub fn kept_until(&self) -> TenantTime {
        match &self.state {
            AccountState::Linking(_) => self.updated_at + PENDING_LIFE,
            AccountState::Connected(_) | AccountState::Disconnected(_) => self.data_ends_at(),
        }
    }

    /// Returns the reading in progress.
    pub fn run(&self) -> Option<&Run> {
        match &self.state {
            AccountState::Connected(connection) => connection.run(),
            AccountState::Linking(_) | AccountState::Disconnected(_) => None,
        }
    }

    /// Returns the task of the reading in progress.
    pub fn running_task(&self) -> Option<&Task> {
        self.run().map(|run| &run.task)
    }

    /// Returns the digest of the encrypted form of the last submitted login. It identifies the login. `None` for a
    /// provider without a login, and after the end.
    pub fn login_form(&self) -> Option<Digest32> {
        match (self.link(), &self.state) {
            (Some(link), _) => link.form(),
            (None, AccountState::Connected(connection)) => connection.submitted,
            (None, AccountState::Linking(_) | AccountState::Disconnected(_)) => None,
        }
    }

    /// Returns the link in progress: the first one, or one that re-authorizes a connected account.
    pub const fn link(&self) -> Option<&Link> {
        match &self.state {
            AccountState::Linking(link) => Some(link),
            AccountState::Connected(connection) => connection.relink.as_ref(),
            AccountState::Disconnected(_) => None,
        }
    }
}

impl<S> Account<S> {
    /// Returns the kinds of data that the consent does not cover.
    pub fn declined_data(&self) -> DeclinedData {
        self.consent.as_ref().map(Consent::declined_data).unwrap_or_default()
    }

    /// Returns what the person chose to share with the last consent. Empty without a choice.
    pub fn chosen_data(&self) -> Vec<DataPointKind> {
        self.consent.as_ref().map(Consent::chosen_data).unwrap_or_default()
    }

    /// Returns the account's erasure scope.
    pub fn scope(&self) -> ErasureScope {
        ErasureScope::Account(self.id.clone())
    }

    fn replace_state<T>(self, state: T) -> (Account<T>, S) {
        let account = Account {
            id: self.id,
            owner: self.owner,
            user_id: self.user_id,
            provider_id: self.provider_id,
            visit_id: self.visit_id,
            created_at: self.created_at,
            updated_at: self.updated_at,
            version: self.version,
            event_count: self.event_count,
            login_hash: self.login_hash,
            monitor: self.monitor,
            consent: self.consent,
            state,
        };
        (account, self.state)
    }
}

impl Account {
    /// Takes the state out of the account.
    fn take_state(self) -> (Account<()>, AccountState) {
        self.replace_state(())
    }
}

impl Account<()> {
    /// Puts a state into the account.
    fn with_state(self, state: AccountState) -> Account {
        self.replace_state(state).0
    }
}

impl AccountState {
    /// Returns the summary of the state.
    pub const fn connection_summary(&self) -> ConnectionSummary {
        match self {
            Self::Linking(link) => ConnectionSummary::Linking(link.step.progress()),
            Self::Connected(_) => ConnectionSummary::Connected,
            Self::Disconnected(ended) => ConnectionSummary::Disconnected { cause: ended.cause },
        }
    }
}
