//! The attempt: where the person is. It outlives the session, so that a reload goes on where it was.

use std::time::Duration;

use link_types::id::{AccountId, AttemptId, LinkTemplateId, ProviderId, UserId};
use link_types::uploading::AttemptPlace;

use super::session::{LinkSession, SessionEnd};
use crate::account::{Account, AccountState};
use crate::change::{Change, Row};
use crate::clock::{Now, TenantTime};
use crate::owner::Owner;

/// How long the steps before the first submit are kept for the person to come back to.
const PLACE_LASTS: Duration = Duration::from_secs(24 * 60 * 60);

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
    /// Where else the person is: consent, provider, kind of document.
    pub place: AttemptPlace,
    /// When it began.
    pub created_at: TenantTime,
    /// When it ended; null while it is open.
    pub ended_at: Option<TenantTime>,
}

/// What an attempt works on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work<'a> {
    /// Its account, when there is one.
    pub account: Option<&'a Account>,
    /// Whether one of its archives is being uploaded or read.
    pub has_files_on_their_way: bool,
}

/// An open attempt and the session that had it.
pub type Open = (Attempt, Option<LinkSession>);

impl Attempt {
    /// What there is to take over of an open attempt. One whose session is over, but never said that it closed, may
    /// have nothing left to do: it ends late, and the next session begins anew instead of meeting an old success.
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

    /// A new session enters: it takes over the open attempt of its user and template together with the session
    /// that had it, which ends, or begins one. Gives the session with its attempt, and all that is to be written.
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

    /// The attempt works on this account now.
    pub fn on(self, account_id: AccountId) -> Self {
        Self { account_id: Some(account_id), ..self }
    }

    /// The person is at this place now.
    pub fn at(self, place: AttemptPlace) -> Self {
        Self { place, ..self }
    }

    /// The widget closed, or its page was left or loaded again: the attempt ends when its account is linked or gone,
    /// or nothing was begun; otherwise the next session goes on with it. Steps before the first submit are kept for a
    /// day, and files on their way for as long as they are there: what is done beside them is left behind.
    pub fn leave(self, work: Work<'_>, now: TenantTime) -> Self {
        let over = match work.account.map(|account| &account.state) {
            None => self.place == AttemptPlace::default() || now.since(self.created_at) > PLACE_LASTS,
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

/// Which account a submit is for.
#[derive(Clone, Debug, PartialEq)]
pub enum Placement {
    /// An account that has not connected, tried again: it keeps its id.
    Retry(Box<Account>),
    /// An account that is connected, connected once more.
    Relink(Box<Account>),
    /// A new account.
    New,
}

/// Decides which account a submit for `provider` is for: the user's live account of this very login, if there is
/// one, so that no login is ever two accounts; else the attempt's own, when it is of that provider and has not
/// connected; else a new one. A provider without a login has one account an attempt: a submit whose answer was lost
/// makes no second one.
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
    #[case::after_a_failure(Some(linking()), None, "retry")]
    #[case::another_login_after_linking_one(Some(connected()), None, "new")]
    #[case::answer_was_lost(Some(without_login()), None, "relink")]
    #[case::linked_before(None, Some(connected()), "relink")]
    #[case::linked_before_and_mistyped_now(Some(linking()), Some(connected()), "relink")]
    #[case::under_way_elsewhere(None, Some(linking()), "retry")]
    #[case::revoked(Some(revoked()), Some(revoked()), "new")]
    fn a_submit_finds_its_account(
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
    fn an_attempt_that_went_on_to_another_provider_makes_another_account() {
        let other = "ph_sahod_payroll".parse().unwrap();
        assert_eq!(place(&other, Some(linking()), None), Placement::New);
    }

    #[test]
    fn a_new_session_takes_the_attempt_over_and_ends_the_older_one() {
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
    #[case::linked_and_still_shown(Some(connected()), false, true)]
    #[case::nothing_begun_and_closed(None, true, false)]
    #[case::under_way_and_closed(Some(linking()), true, true)]
    fn a_session_goes_on_with_what_is_not_done(
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
    #[case::nothing_begun(None, true)]
    #[case::failed_or_under_way(Some(linking()), false)]
    #[case::linked(Some(connected()), true)]
    #[case::revoked(Some(revoked()), true)]
    fn closing_ends_an_attempt_that_has_nothing_left_to_do(
        #[case] account: Option<Account>,
        #[case] over: bool,
    ) {
        let now = fixture::context().now().tenant();
        let (_, attempt, _) = Attempt::enter(fixture::session(), None, now);
        assert_eq!(attempt.leave(on(account.as_ref()), now).ended_at.is_some(), over);
    }

    #[rstest]
    #[case::nothing_else_begun(None, false)]
    #[case::beside_a_link_under_way(Some(linking()), true)]
    #[case::beside_one_that_is_linked(Some(connected()), false)]
    #[case::beside_one_that_is_gone(Some(revoked()), false)]
    fn files_on_their_way_keep_an_attempt_open_and_leave_behind_what_is_done(
        #[case] account: Option<Account>,
        #[case] keeps_account: bool,
    ) {
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
    fn steps_before_the_first_submit_are_kept_for_a_day() {
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
