//! An account as REST and the widget show it.

use link_types::account;
use link_types::link::{AccountProgress, ConnectStep, LinkPhase};

use super::link::millis;
use super::{Account, AccountState, AccountSummary, Link, LinkStep};
use crate::kernel::clock::Now;

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
