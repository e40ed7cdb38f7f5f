//! A person submits a login to link an account.

use link_types::Sensitive;

use super::{AccountRefusedError, LinkedThrough, with_linked_origin};
use crate::change::{Change, Deletion, Row};
use crate::invitations::hosted_link::HostedLink;
use crate::invitations::invite::Invite;
use crate::invitations::mailbox::mailbox_of;
use crate::invitations::visit::{Visit, VisitRef};
use crate::kernel::context::Context;
use crate::linking::account::{Account, AccountInput, NewAccount, Submission};
use crate::linking::guesses::{OtherLogins, Tries};
use crate::linking::link::{Attempt, LinkSession};
use crate::person_page::given_data;
use crate::tenancy::quota::QuotaUse;

/// Account that a submitted login is for.
pub enum LinkTarget {
    /// An account of the user.
    Known(Box<Account>),
    /// A new account.
    New {
        /// The account.
        account: NewAccount,
        /// Accounts that the user created, as they are counted.
        accounts: QuotaUse,
    },
}

/// Stored state that a login is submitted against.
pub struct StoredLink<'a> {
    /// Session in which the login is submitted.
    pub session: &'a LinkSession,
    /// Attempt that the session works on.
    pub attempt: Attempt,
    /// Account that the login is for.
    pub target: LinkTarget,
    /// Logins that the user submitted, including this one.
    pub submits: QuotaUse,
    /// Invitation of the session.
    pub invite: Option<Invite>,
    /// Hosted link of the session.
    pub hosted_link: Option<HostedLink>,
    /// Visit of the session.
    pub visit: Option<Visit>,
}

/// Submits a login for an account of the user, or for a new one. Binds the attempt and the session's invitation to the
/// account. The invitation counts as linked, and the hosted link as completed, if the account connected at once. Returns the account, and everything that
/// must be written.
///
/// # Errors
///
/// [`AccountRefusedError`] if the submission is rejected. Nothing must be written then.
pub fn start_link(
    stored: StoredLink<'_>,
    submission: Submission,
    context: &mut Context,
) -> Result<(Account, Change), AccountRefusedError> {
    let StoredLink { session, attempt, target, submits, invite, hosted_link, visit } = stored;
    let mailbox = mailbox_of(invite.as_ref(), visit.as_ref());
    let consent = submission.consent.as_ref();
    let cited = consent.map(|it| Row::ConsentCited(it.receipt.consent_template_id.clone()));
    let (account, mut change) = match target {
        LinkTarget::Known(account) => {
            let taken = take_from_others(&account, mailbox);
            let (account, submitted) = account.apply(AccountInput::Submit(submission), context)?;
            (account, submitted.then(taken))
        }
        LinkTarget::New { account, accounts } => {
            let accounts = accounts.charge(1, context.now().wall())?;
            let (account, begun) = Account::begin(account, submission, context)?;
            let given = given_data::record_giver(account.scope(), &account.owner, mailbox);
            (account, begun.then(Change::row(Row::QuotaUse(accounts))).then(given))
        }
    };
    let attempt = attempt.on(account.id.clone());
    change.rows.extend([Row::Attempt(attempt), Row::QuotaUse(submits)].into_iter().chain(cited));
    if let Some(VisitRef { invite_id: Some(invite_id), .. }) = session.visit.clone() {
        change.rows.push(Row::InviteAccount { account_id: account.id.clone(), invite_id });
    }
    if let Some(link) = &hosted_link {
        let hosted_link_id = link.id.clone();
        change.rows.push(Row::HostedLinkAccount { account_id: account.id.clone(), hosted_link_id });
    }
    let through = || Ok::<_, AccountRefusedError>(LinkedThrough { invite, hosted_link });
    Ok((account, with_linked_origin(change, through, context)?))
}

/// Returns what changes if a login is submitted for a known account. One that never connected may connect with another
/// person's login, so it then belongs to this mailbox or to none. A connected account accepts only its own
/// login.
fn take_from_others(account: &Account, mailbox: Option<Sensitive>) -> Change {
    if account.is_connected() {
        return Change::default();
    }
    let deletion = Deletion::GivenToOthers { scope: account.scope(), except: mailbox };
    Change { deletions: vec![deletion], ..Change::default() }
}

/// Returns the tries of a login that is submitted. `counted` are the tries as they are counted, and `same_login` is the
/// user's account with this login: if it is connected, failures by others do not prevent the user from signing in.
pub fn tries_of_submission(counted: Tries, others: OtherLogins, same_login: Option<&Account>) -> Tries {
    Tries { others, is_known: same_login.is_some_and(Account::is_connected), ..counted }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::linking::account_source::{SourceState, Step};

    #[test]
    fn only_an_account_that_never_connected_can_lose_its_mailbox() {
        let mut context = fixture::context();
        let (account, _) = fixture::begin_account(&mut context);
        let mailbox = Some(Sensitive::new("ana@example.com"));
        for except in [mailbox, None] {
            let taken = take_from_others(&account, except.clone()).deletions;
            assert_eq!(taken, [Deletion::GivenToOthers { scope: account.scope(), except }]);
        }
        let step = Step::Connected { state: SourceState::default() };
        let input = AccountInput::Stepped { version: account.version, step, tries: None };
        let (connected, _) = account.apply(input, &mut context).unwrap();
        assert_eq!(take_from_others(&connected, None), Change::default());
    }
}
