//! The attempt: where the person is. It outlives the session, so that a reload goes on where it was.

use link_types::id::{AccountId, AttemptId, LinkTemplateId, ProviderId, UserId};

use super::session::{LinkSession, SessionEnd};
use crate::account::{Account, AccountState};
use crate::change::{Change, Row};
use crate::clock::TenantTime;
use crate::owner::Owner;

/// An attempt of one user with one link template. At most one of them is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The id.
    pub id: AttemptId,
    /// Whose user.
    pub owner: Owner,
    /// The user.
    pub user_id: UserId,
    /// The link template.
    pub template_id: LinkTemplateId,
    /// The session that works on it.
    pub session_id: link_types::id::LinkSessionId,
    /// The account under way; null before the first submit.
    pub account_id: Option<AccountId>,
    /// When it began.
    pub created_at: TenantTime,
    /// When it ended; null while it is open.
    pub ended_at: Option<TenantTime>,
}

impl Attempt {
    /// A new session enters: it takes over the open attempt of its user and template together with the session
    /// that had it, which ends, or begins one. Gives the session with its attempt, and all that is to be written.
    pub fn enter(
        session: LinkSession,
        open: Option<(Self, Option<LinkSession>)>,
        now: TenantTime,
    ) -> (LinkSession, Self, Change) {
        let mut rows = Vec::new();
        let attempt = match open {
            Some((attempt, before)) => {
                let older = before.filter(|older| older.id != session.id);
                rows.extend(older.map(|older| Row::LinkSession(older.end(SessionEnd::TakenOver))));
                Self { session_id: session.id.clone(), ..attempt }
            }
            None => Self {
                id: session.attempt_id.clone(),
                owner: session.owner.clone(),
                user_id: session.user_id.clone(),
                template_id: session.template_id.clone(),
                session_id: session.id.clone(),
                account_id: None,
                created_at: now,
                ended_at: None,
            },
        };
        let session = LinkSession { attempt_id: attempt.id.clone(), ..session };
        rows.push(Row::LinkSession(session.clone()));
        rows.push(Row::Attempt(attempt.clone()));
        (session, attempt, Change { rows, ..Change::default() })
    }

    /// The attempt works on this account now.
    pub fn on(self, account_id: AccountId) -> Self {
        Self { account_id: Some(account_id), ..self }
    }

    /// The widget closed: the attempt ends when its account is linked or gone, or none was begun; otherwise the
    /// next session goes on with it.
    pub fn leave(self, account: Option<&Account>, now: TenantTime) -> Self {
        let over = match account.map(|account| &account.state) {
            None | Some(AccountState::Disconnected(_)) => true,
            Some(AccountState::Connected(connection)) => connection.relink.is_none(),
            Some(AccountState::Linking(_)) => false,
        };
        Self { ended_at: self.ended_at.or(over.then_some(now)), ..self }
    }
}

/// Which account a submit is for.
#[derive(Clone, Debug, PartialEq)]
pub enum Placement {
    /// The attempt's own account, tried again: it keeps its id.
    Retry(Box<Account>),
    /// An account the person linked before with this very login: it is connected once more.
    Relink(Box<Account>),
    /// A new account.
    New,
}

/// Decides which account a submit for `provider` is for: the attempt's when it is of that provider and has not
/// connected; else the user's live account of the same login, if there is one; else a new one.
pub fn place(provider: &ProviderId, of_attempt: Option<Account>, same_login: Option<Account>) -> Placement {
    if let Some(account) = same_login.filter(|account| matches!(account.state, AccountState::Connected(_))) {
        return Placement::Relink(Box::new(account));
    }
    match of_attempt.filter(|account| account.provider_id == *provider) {
        Some(account) => match &account.state {
            AccountState::Linking(_) => Placement::Retry(Box::new(account)),
            AccountState::Connected(connection) if connection.relink.is_some() => {
                Placement::Relink(Box::new(account))
            }
            AccountState::Connected(_) | AccountState::Disconnected(_) => Placement::New,
        },
        None => Placement::New,
    }
}
