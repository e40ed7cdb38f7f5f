//! An account as REST and the widget show it.

use link_types::LinkErrorCode;
use link_types::account;
use link_types::link::{AccountProgress, ConnectStep, LinkPhase};

use super::link::millis;
use super::{Account, AccountState, AccountSummary, Link, LinkStep};
use crate::clock::Wall;

impl Account {
    /// Returns the account as REST shows it.
    pub fn view(&self) -> account::Account {
        AccountSummary {
            id: self.id.clone(),
            user_id: self.user_id.clone(),
            provider_id: self.provider_id.clone(),
            created_at: self.created_at,
            updated_at: self.updated_at,
            monitor: self.monitor,
            standing: self.state.standing(),
        }
        .view()
    }

    /// Returns the account as the widget shows it: the link in progress, or its outcome.
    pub fn progress(&self, now: Wall) -> AccountProgress {
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
    fn phase(&self, now: Wall) -> LinkPhase {
        match &self.step {
            LinkStep::Working { answering: false, .. } => {
                LinkPhase::Connecting { step: ConnectStep::LoggingIn }
            }
            LinkStep::Working { answering: true, .. } => {
                LinkPhase::Connecting { step: ConnectStep::CheckingAnswer }
            }
            LinkStep::Challenged { challenge, .. } => LinkPhase::Challenge { challenge: challenge.view(now) },
            LinkStep::Failed(failure) => LinkPhase::Failed {
                error_code: failure.code.into(),
                retry_in_ms: millis(failure.retry_at.since(now)),
            },
        }
    }
}

/// Describes an error code in the words of the interface.
pub const fn error_message(code: LinkErrorCode) -> &'static str {
    match code {
        LinkErrorCode::AccountDisabled => "The account is disabled at the provider.",
        LinkErrorCode::AccountInaccessible => "The account is inaccessible at the provider.",
        LinkErrorCode::AccountIncomplete => "The provider marks the account as incomplete.",
        LinkErrorCode::AccountLocked => "The account is locked at the provider.",
        LinkErrorCode::AuthRequired => "The credentials were not sent to the provider.",
        LinkErrorCode::ExpiredCredentials => "The credentials have expired.",
        LinkErrorCode::InvalidAccountType => "The provider does not accept this type of account.",
        LinkErrorCode::InvalidAuth => "The authentication process failed. Please contact support.",
        LinkErrorCode::InvalidCredentials => "The credentials are incorrect.",
        LinkErrorCode::InvalidMfa => "The submitted multi-factor credential is invalid.",
        LinkErrorCode::MfaTimeout => "The multi-factor authentication timed out.",
        LinkErrorCode::ServiceUnavailable => "The provider is currently unavailable.",
        LinkErrorCode::SystemError => "A system error occurred in the service. Please contact support.",
        LinkErrorCode::TosRequired => "The person has not accepted the provider's terms of service.",
        LinkErrorCode::UnsupportedAuthType => "The authentication type is not supported.",
        LinkErrorCode::UnsupportedMfaMethod => "The multi-factor method is not supported.",
    }
}
