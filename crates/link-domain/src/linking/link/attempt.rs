//! The attempt: the person's progress. It outlives the session, so that the person can continue after a reload.

mod transition;

#[cfg(test)]
mod tests;

use std::time::Duration;

use link_types::id::{AccountId, AttemptId, LinkTemplateId, ProviderId, UserId};
use link_types::link::ConsentReceipt;
use link_types::uploading::ResumePoint;

use super::session::LinkSession;
use crate::documents::archive::Archive;
use crate::kernel::clock::TenantTime;
use crate::kernel::digest::Digest32;
use crate::kernel::owner::Owner;
use crate::linking::account::{Account, AccountState, Login};
use crate::linking::consent::Consent;
use crate::linking::terms::Terms;
use crate::tenancy::template::ConsentError;

/// How long the choices before the first submitted login are kept for the person to return to: 24 hours.
const RESUME_POINT_LIFE: Duration = Duration::from_secs(24 * 60 * 60);

/// An attempt of one user with one link template. At most one of them is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Identifier of the attempt.
    pub id: AttemptId,
    /// Tenant and environment of the user.
    pub owner: Owner,
    /// User who links.
    pub user_id: UserId,
    /// Link template that is used.
    pub template_id: LinkTemplateId,
    /// Session that works on the attempt.
    pub session_id: link_types::id::LinkSessionId,
    /// Account being linked. `None` before the first submitted login.
    pub account_id: Option<AccountId>,
    /// Choices made so far: consent, provider, kind of document. The consent was given in the session `session_id`.
    pub place: ResumePoint,
    /// When the attempt started.
    pub created_at: TenantTime,
    /// When the attempt ended. `None` while it is open.
    pub ended_at: Option<TenantTime>,
}

/// Error for a session whose attempt another session has taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("another session has taken over the attempt")]
pub struct TakenOverError;

/// Pending work of an attempt.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work<'a> {
    /// Account of the attempt, if any.
    pub account: Option<&'a Account>,
    /// Whether an archive of the attempt is being uploaded or read.
    pub has_files_on_their_way: bool,
}

impl<'a> Work<'a> {
    /// Returns the pending work of an attempt with this account and these archives.
    pub fn for_attempt(account: Option<&'a Account>, archives: &[Archive]) -> Self {
        Self { account, has_files_on_their_way: archives.iter().any(Archive::is_under_way) }
    }

    /// Returns whether the account is linked, and the person does not sign in to it again.
    fn has_linked(&self) -> bool {
        self.account.is_some_and(|account| match &account.state {
            AccountState::Connected(connection) => connection.relink.is_none(),
            AccountState::Linking(_) | AccountState::Disconnected(_) => false,
        })
    }

    /// Returns whether the person must sign in again to the account, which was linked before.
    fn needs_login(&self) -> bool {
        self.has_linked() && self.account.is_some_and(|it| it.monitor.waits_for_person())
    }
}

/// An open attempt and the session that last worked on it.
pub type Open = (Attempt, Option<LinkSession>);

impl Attempt {
    /// Sets the account that the attempt works on.
    pub fn on(self, account_id: AccountId) -> Self {
        Self { account_id: Some(account_id), ..self }
    }

    /// Sets the choices that were made so far in a session. If none are left, the person has seen the result of their
    /// login: the account is detached once it is linked, so that no later session shows or reports it again.
    ///
    /// # Errors
    ///
    /// [`TakenOverError`] if another session has taken over the attempt.
    pub fn at(
        self,
        place: ResumePoint,
        session: &LinkSession,
        work: Work<'_>,
    ) -> Result<Self, TakenOverError> {
        if self.session_id != session.id {
            return Err(TakenOverError);
        }
        let is_seen = place == ResumePoint::default() && work.has_linked();
        let account_id = self.account_id.filter(|_| !is_seen);
        Ok(Self { place, account_id, ..self })
    }

    /// Leaves the attempt, because the widget closed, or its page was left or reloaded. The attempt ends if its account
    /// is linked or gone, or if nothing was started. Otherwise the next session continues it. Choices before the first
    /// submitted login are kept for a day. Files that are being uploaded or read keep the attempt open, but a finished
    /// account is detached from it.
    pub fn leave(self, work: Work<'_>, now: TenantTime) -> Self {
        let over = match work.account.map(|account| &account.state) {
            None => self.place == ResumePoint::default() || now.since(self.created_at) > RESUME_POINT_LIFE,
            Some(AccountState::Disconnected(_)) => true,
            Some(AccountState::Connected(connection)) => connection.relink.is_none(),
            Some(AccountState::Linking(_)) => false,
        };
        match over {
            true if work.has_files_on_their_way => Self { account_id: None, ..self },
            true => Self { ended_at: self.ended_at.or(Some(now)), ..self },
            false => self,
        }
    }
}

/// Account that a submitted login is for.
#[derive(Clone, Debug, PartialEq)]
pub enum Placement {
    /// An account that has not connected is tried again. It keeps its id.
    Retry(Box<Account>),
    /// A connected account with the same login is re-authorized.
    Relink(Box<Account>),
    /// The person signs in again to this connected account.
    Relogin(Box<Account>),
    /// A new account.
    New,
}

impl Placement {
    /// Returns the consent of a submitted login, or `None` if the account has it already: the client repeats a
    /// submission whose response it lost, or the person signs in again to an account whose consent covers the terms.
    ///
    /// # Errors
    ///
    /// [`ConsentError`] if the person must be asked.
    pub fn consent(
        &self,
        login: Option<&Login>,
        receipt: Option<ConsentReceipt>,
        (terms, now): (&Terms<'_>, TenantTime),
    ) -> Result<Option<Consent>, ConsentError> {
        match self {
            Self::Retry(account) | Self::Relink(account) | Self::Relogin(account)
                if account.was_submitted_with(login) =>
            {
                Ok(None)
            }
            Self::Relogin(account) => terms.accept(receipt, account.consent.as_ref(), now),
            Self::Retry(_) | Self::Relink(_) | Self::New => terms.accept(receipt, None, now),
        }
    }
}

/// Decides which account a login submitted for `provider` is for. The first choice is the user's live account with the
/// same login, so that a login never has two accounts. The second is the attempt's own account, if it has the same
/// provider and is not connected. Otherwise a new account is created. A provider without a login has one account per
/// attempt, so a repeated submission creates no second account.
pub fn account_for_login(
    provider: &ProviderId,
    of_attempt: Option<Account>,
    same_login: Option<Account>,
) -> Placement {
    let live = |account: Account| match &account.state {
        AccountState::Linking(_) => Some(Placement::Retry(Box::new(account))),
        AccountState::Connected(_) => Some(Placement::Relink(Box::new(account))),
        AccountState::Disconnected(_) => None,
    };
    let own = of_attempt.filter(|account| {
        let connected_by_login =
            matches!(account.state, AccountState::Connected(_)) && account.login_hash.is_some();
        account.provider_id == *provider && !connected_by_login
    });
    same_login.and_then(live).or_else(|| own.and_then(live)).unwrap_or(Placement::New)
}

/// Reason why a login does not sign in to an account again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReloginError {
    /// The user has no such account.
    #[error("the user has no such account")]
    Missing,
    /// The account is not connected.
    #[error("the account is not connected")]
    NotConnected,
    /// The login is for another account.
    #[error("the login is for another account")]
    OtherLogin,
}

/// Returns the connected account that the person signs in to again. A login identifies its account, so it must be the one
/// that connected the account: `login` is its hash, or `None` if the provider needs no login. The worker checks that
/// the encrypted form has the same login name before the provider sees it.
///
/// # Errors
///
/// [`ReloginError`] if the login is for another account, or the account is not a connected account of the user.
pub fn account_for_relogin(
    account: Option<Account>,
    user: &UserId,
    provider: &ProviderId,
    login: Option<&Digest32>,
) -> Result<Placement, ReloginError> {
    let account = account.filter(|it| it.user_id == *user).ok_or(ReloginError::Missing)?;
    match &account.state {
        AccountState::Connected(_)
            if account.provider_id == *provider && account.login_hash.as_ref() == login =>
        {
            Ok(Placement::Relogin(Box::new(account)))
        }
        AccountState::Connected(_) => Err(ReloginError::OtherLogin),
        AccountState::Linking(_) => Err(ReloginError::NotConnected),
        AccountState::Disconnected(_) => Err(ReloginError::Missing),
    }
}
