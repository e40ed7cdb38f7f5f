//! The attempt: the person's progress. It outlives the session, so that the person can continue after a reload.

use std::time::Duration;

use link_types::id::{AccountId, AttemptId, LinkTemplateId, ProviderId, UserId};
use link_types::uploading::AttemptPlace;

use super::session::{LinkSession, SessionEnd};
use crate::account::{Account, AccountState};
use crate::change::{Change, Row};
use crate::clock::{Now, TenantTime};
use crate::owner::Owner;

/// How long the choices before the first submitted login are kept for the person to return to: 24 hours.
const PLACE_LIFE: Duration = Duration::from_secs(24 * 60 * 60);

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
    /// Choices made so far: consent, provider, kind of document.
    pub place: AttemptPlace,
    /// When the attempt started.
    pub created_at: TenantTime,
    /// When the attempt ended. `None` while it is open.
    pub ended_at: Option<TenantTime>,
}

/// Pending work of an attempt.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work<'a> {
    /// Account of the attempt, if any.
    pub account: Option<&'a Account>,
    /// Whether an archive of the attempt is being uploaded or read.
    pub has_files_on_their_way: bool,
}

/// An open attempt and the session that last worked on it.
pub type Open = (Attempt, Option<LinkSession>);

impl Attempt {
    /// Returns the open attempt if the next session should continue it. If the session expired without closing, the
    /// attempt may be finished. It is then ended now, so that the next session starts over instead of showing an old
    /// success.
    pub fn reopen(self, before: Option<LinkSession>, work: Work<'_>, now: Now) -> (Option<Open>, Change) {
        if before.as_ref().is_some_and(|session| session.used(now.wall()).is_ok()) {
            return (Some((self, before)), Change::default());
        }
        let left = self.leave(work, now.tenant());
        match left.ended_at {
            Some(_) => (None, Change::row(Row::Attempt(left))),
            None => (Some((left, before)), Change::default()),
        }
    }

    /// Starts a new session. It takes over the user's open attempt for the template and ends the session that worked on
    /// it, or creates an attempt. Returns the session with its attempt, and everything that must be written.
    pub fn enter(session: LinkSession, open: Option<Open>, now: TenantTime) -> (LinkSession, Self, Change) {
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
                place: AttemptPlace::default(),
                created_at: now,
                ended_at: None,
            },
        };
        let session = LinkSession { attempt_id: attempt.id.clone(), ..session };
        rows.push(Row::LinkSession(session.clone()));
        rows.push(Row::Attempt(attempt.clone()));
        (session, attempt, Change { rows, ..Change::default() })
    }

    /// Sets the account that the attempt works on.
    pub fn on(self, account_id: AccountId) -> Self {
        Self { account_id: Some(account_id), ..self }
    }

    /// Sets the choices made so far.
    pub fn at(self, place: AttemptPlace) -> Self {
        Self { place, ..self }
    }

    /// Leaves the attempt, because the widget closed, or its page was left or reloaded. The attempt ends if its account
    /// is linked or gone, or if nothing was started. Otherwise the next session continues it. Choices before the first
    /// submitted login are kept for a day. Files that are being uploaded or read keep the attempt open, but a finished
    /// account is detached from it.
    pub fn leave(self, work: Work<'_>, now: TenantTime) -> Self {
        let over = match work.account.map(|account| &account.state) {
            None => self.place == AttemptPlace::default() || now.since(self.created_at) > PLACE_LIFE,
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
    /// A connected account is re-authorized.
    Relink(Box<Account>),
    /// A new account.
    New,
}

/// Decides which account a login submitted for `provider` is for. The first choice is the user's live account with the
/// same login, so that a login never has two accounts. The second is the attempt's own account, if it has the same
/// provider and is not connected. Otherwise a new account is created. A provider without a login has one account per
/// attempt, so a repeated submission creates no second account.
pub fn place(provider: &ProviderId, of_attempt: Option<Account>, same_login: Option<Account>) -> Placement {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::{AccountInput, Submission};
    use crate::fixture;
    use crate::ports::{SourceState, Step};
    use rstest::rstest;

    fn linking() -> Account {
        fixture::begun(&mut fixture::context()).0
    }

    fn connected() -> Account {
        let step = Step::Connected { state: SourceState::default() };
        let input = AccountInput::Stepped { version: 1, step, tries: None };
        linking().apply(input, &mut fixture::context()).unwrap().0
    }

    fn without_login() -> Account {
        let submission = Submission { login: None, ..fixture::submission() };
        Account::begin(fixture::new_account(), submission, &mut fixture::context()).unwrap().0
    }

    fn revoked() -> Account {
        linking().apply(AccountInput::Revoke, &mut fixture::context()).unwrap().0
    }

    fn on(account: Option<&Account>) -> Work<'_> {
        Work { account, ..Work::default() }
    }

    #[rstest]
    #[case::first_submit(None, None, "new")]
    #[case::after_failure(Some(linking()), None, "retry")]
    #[case::different_login_after_linking(Some(connected()), None, "new")]
    #[case::repeated_submission(Some(without_login()), None, "relink")]
    #[case::linked_before(None, Some(connected()), "relink")]
    #[case::linked_before_and_failed_now(Some(linking()), Some(connected()), "relink")]
    #[case::linking_in_another_attempt(None, Some(linking()), "retry")]
    #[case::revoked(Some(revoked()), Some(revoked()), "new")]
    fn submission_is_placed_on_the_right_account(
        #[case] of_attempt: Option<Account>,
        #[case] same_login: Option<Account>,
        #[case] expected: &str,
    ) {
        let placed = match place(&fixture::provider_id(), of_attempt, same_login) {
            Placement::Retry(_) => "retry",
            Placement::Relink(_) => "relink",
            Placement::New => "new",
        };
        assert_eq!(placed, expected);
    }

    #[test]
    fn another_provider_in_the_attempt_gets_a_new_account() {
        let other = "ph_sahod_payroll".parse().unwrap();
        assert_eq!(place(&other, Some(linking()), None), Placement::New);
    }

    #[test]
    fn new_session_takes_over_attempt_and_ends_the_old_session() {
        let older = fixture::session();
        let now = fixture::context().now().tenant();
        let (older, attempt, _) = Attempt::enter(older, None, now);
        let mut newer = fixture::session();
        newer.id = link_types::id::LinkSessionId::from_bytes([8; 16]);
        let begun = attempt.clone().on(linking().id);
        let (newer, taken, change) = Attempt::enter(newer, Some((begun, Some(older.clone()))), now);
        assert_eq!((&taken.id, &taken.account_id), (&attempt.id, &Some(linking().id)));
        assert_eq!((&taken.session_id, &newer.attempt_id), (&newer.id, &attempt.id));
        assert_eq!(change.rows.first(), Some(&Row::LinkSession(older.end(SessionEnd::TakenOver))));
    }

    #[rstest]
    #[case::linked_and_closed(Some(connected()), true, false)]
    #[case::linked_and_still_open(Some(connected()), false, true)]
    #[case::nothing_started_and_closed(None, true, false)]
    #[case::linking_and_closed(Some(linking()), true, true)]
    fn session_continues_only_unfinished_attempts(
        #[case] account: Option<Account>,
        #[case] is_over: bool,
        #[case] goes_on: bool,
    ) {
        let now = fixture::context().now();
        let (older, attempt, _) = Attempt::enter(fixture::session(), None, now.tenant());
        let older = if is_over { older.end(SessionEnd::Closed) } else { older };
        let (open, change) = attempt.clone().reopen(Some(older.clone()), on(account.as_ref()), now);
        if goes_on {
            assert_eq!((open, change), (Some((attempt, Some(older))), Change::default()));
        } else {
            let ended = Attempt { ended_at: Some(now.tenant()), ..attempt };
            assert_eq!((open, change.rows), (None, vec![Row::Attempt(ended)]));
        }
    }

    #[rstest]
    #[case::nothing_started(None, true)]
    #[case::failed_or_linking(Some(linking()), false)]
    #[case::linked(Some(connected()), true)]
    #[case::revoked(Some(revoked()), true)]
    fn closing_ends_an_attempt_without_pending_work(#[case] account: Option<Account>, #[case] over: bool) {
        let now = fixture::context().now().tenant();
        let (_, attempt, _) = Attempt::enter(fixture::session(), None, now);
        assert_eq!(attempt.leave(on(account.as_ref()), now).ended_at.is_some(), over);
    }

    #[rstest]
    #[case::no_account(None, false)]
    #[case::with_a_linking_account(Some(linking()), true)]
    #[case::with_a_linked_account(Some(connected()), false)]
    #[case::with_a_revoked_account(Some(revoked()), false)]
    fn pending_files_keep_the_attempt_open(#[case] account: Option<Account>, #[case] keeps_account: bool) {
        let now = fixture::context().now();
        let (older, attempt, _) = Attempt::enter(fixture::session(), None, now.tenant());
        let attempt = Attempt { account_id: account.as_ref().map(|it| it.id.clone()), ..attempt };
        let work = Work { account: account.as_ref(), has_files_on_their_way: true };
        let days_later = now.tenant() + Duration::from_secs(3 * 86_400);
        let left = attempt.clone().leave(work, days_later);
        assert_eq!((left.ended_at, left.account_id.is_some()), (None, keeps_account));
        let older = older.end(SessionEnd::Closed);
        let (open, change) = attempt.reopen(Some(older.clone()), work, now);
        assert_eq!((open, change), (Some((left, Some(older))), Change::default()));
    }

    #[test]
    fn choices_before_the_first_submit_are_kept_for_a_day() {
        let now = fixture::context().now().tenant();
        let (_, attempt, _) = Attempt::enter(fixture::session(), None, now);
        let provider_id = Some(fixture::provider_id());
        let attempt = attempt.at(AttemptPlace { provider_id, ..AttemptPlace::default() });
        let day = Duration::from_secs(86_400);
        assert_eq!(attempt.clone().leave(Work::default(), now + day).ended_at, None);
        let late = now + day + Duration::from_secs(1);
        assert_eq!(attempt.leave(Work::default(), late).ended_at, Some(late));
    }
}
