//! Tests of attempts.

use super::*;
use crate::change::{Change, Row};
use crate::fixture;
use crate::kernel::clock::Now;
use crate::kernel::source::RevokedBy;
use crate::linking::account::{AccountInput, Monitor, MonitorState, Submission};
use crate::linking::account_source::{SourceState, Step};
use crate::linking::link::SessionEnd;
use link_types::id::LinkSessionId;
use link_types::template::SyncInterval;
use rstest::rstest;

fn linking() -> Account {
    fixture::begin_account(&mut fixture::context()).0
}

fn connect_account() -> Account {
    let step = Step::Connected { state: SourceState::default() };
    let input = AccountInput::Stepped { version: 1, step, tries: None };
    linking().apply(input, &mut fixture::context()).unwrap().0
}

/// A connected account whose person must sign in again.
fn waiting() -> Account {
    let account = connect_account();
    let state = MonitorState::UserActionRequired { interval: SyncInterval::Weekly };
    Account { monitor: Monitor { state, ..account.monitor }, ..account }
}

fn without_login() -> Account {
    let submission = Submission { login: None, ..fixture::submission() };
    Account::begin(fixture::new_account(), submission, &mut fixture::context()).unwrap().0
}

fn revoke_account() -> Account {
    linking().apply(AccountInput::Revoke { by: RevokedBy::User }, &mut fixture::context()).unwrap().0
}

fn on(account: Option<&Account>) -> Work<'_> {
    Work { account, ..Work::default() }
}

#[rstest]
#[case::first_submit(None, None, "new")]
#[case::after_failure(Some(linking()), None, "retry")]
#[case::different_login_after_linking(Some(connect_account()), None, "new")]
#[case::repeated_submission(Some(without_login()), None, "relink")]
#[case::linked_before(None, Some(connect_account()), "relink")]
#[case::linked_before_and_failed_now(Some(linking()), Some(connect_account()), "relink")]
#[case::linking_in_another_attempt(None, Some(linking()), "retry")]
#[case::revoked(Some(revoke_account()), Some(revoke_account()), "new")]
fn submission_is_placed_on_the_right_account(
    #[case] of_attempt: Option<Account>,
    #[case] same_login: Option<Account>,
    #[case] expected: &str,
) {
    let placed = match account_for_login(&fixture::provider_id(), of_attempt, same_login) {
        Placement::Retry(_) => "retry",
        Placement::Relink(_) => "relink",
        Placement::Relogin(_) => "relogin",
        Placement::New => "new",
    };
    assert_eq!(placed, expected);
}

#[rstest]
#[case::same_login(connect_account(), true, fixture::provider_id(), Ok(()))]
#[case::other_login(connect_account(), false, fixture::provider_id(), Err(ReloginError::OtherLogin))]
#[case::other_provider(connect_account(), true, "ph_pension".parse().unwrap(), Err(ReloginError::OtherLogin))]
#[case::not_connected(linking(), true, fixture::provider_id(), Err(ReloginError::NotConnected))]
#[case::revoked(revoke_account(), true, fixture::provider_id(), Err(ReloginError::Missing))]
fn person_signs_in_again_with_the_login_of_the_account(
    #[case] account: Account,
    #[case] same: bool,
    #[case] provider: ProviderId,
    #[case] expected: Result<(), ReloginError>,
) {
    let own = account.login_hash.unwrap_or(crate::kernel::digest::Digest32::from_text("good"));
    let login = if same { own } else { crate::kernel::digest::Digest32::from_text("another") };
    let placed = account_for_relogin(Some(account.clone()), &account.user_id, &provider, Some(&login));
    let relinked = placed.map(|it| assert_eq!(it, Placement::Relogin(Box::new(account))));
    assert_eq!(relinked, expected);
}

#[test]
fn person_cannot_sign_in_to_an_account_of_another_user() {
    let (account, provider) = (connect_account(), fixture::provider_id());
    let other = link_types::id::UserId::from_bytes(&account.owner.tenant, [9; 16]);
    let login = account.login_hash;
    let refused = account_for_relogin(Some(account), &other, &provider, login.as_ref());
    assert_eq!(refused, Err(ReloginError::Missing));
    assert_eq!(account_for_relogin(None, &other, &provider, login.as_ref()), Err(ReloginError::Missing));
}

#[test]
fn account_without_a_login_is_read_again_without_one() {
    let account = without_login();
    let (user, provider) = (account.user_id.clone(), fixture::provider_id());
    let again = Placement::Relogin(Box::new(account.clone()));
    assert_eq!(account_for_relogin(Some(account.clone()), &user, &provider, None), Ok(again));
    let login = crate::kernel::digest::Digest32::from_text("another");
    assert_eq!(
        account_for_relogin(Some(account), &user, &provider, Some(&login)),
        Err(ReloginError::OtherLogin)
    );
}

#[test]
fn consent_is_omitted_only_by_a_chosen_account_or_a_repeat() {
    let (link, consent) = fixture::templates();
    let terms = (&Terms { link: &link, consent: &consent }, fixture::context().now().tenant());
    let submission = fixture::submission();
    let login = submission.login.clone();
    let (account, _) = Account::begin(fixture::new_account(), submission, &mut fixture::context()).unwrap();
    let account = || Box::new(account.clone());
    for (placement, is_covered) in [
        (Placement::Relogin(account()), true),
        (Placement::Relink(account()), false),
        (Placement::Retry(account()), false),
        (Placement::New, false),
    ] {
        assert_eq!(placement.consent(None, None, terms) == Ok(None), is_covered, "{placement:?}");
        let is_repeat_accepted = placement.consent(login.as_ref(), None, terms) == Ok(None);
        assert_eq!(is_repeat_accepted, placement != Placement::New, "{placement:?}");
    }
}

#[test]
fn another_provider_in_the_attempt_gets_a_new_account() {
    let other = "ph_sahod_payroll".parse().unwrap();
    assert_eq!(account_for_login(&other, Some(linking()), None), Placement::New);
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

#[test]
fn consent_of_one_session_does_not_count_in_the_next() {
    let now = fixture::context().now().tenant();
    let (older, attempt, _) = Attempt::enter(fixture::session(), None, now);
    let place = ResumePoint {
        consent: Some(fixture::receipt()),
        provider_id: Some(fixture::provider_id()),
        ..ResumePoint::default()
    };
    let attempt = attempt.at(place.clone(), &older, Work::default()).unwrap();
    let newer = LinkSession { id: LinkSessionId::from_bytes([8; 16]), ..fixture::session() };
    let (_, taken, change) = Attempt::enter(newer, Some((attempt, Some(older))), now);
    assert_eq!(taken.place, ResumePoint { consent: None, ..place });
    assert!(change.rows.contains(&Row::Attempt(taken)));
}

#[rstest]
#[case::linked_after_it_was_closed(Some(connect_account()), true, true)]
#[case::linked_and_still_open(Some(connect_account()), false, true)]
#[case::linked_and_to_be_signed_in_again(Some(waiting()), false, false)]
#[case::linked_after_it_was_closed_and_to_be_signed_in_again(Some(waiting()), true, false)]
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
    let attempt = Attempt { account_id: account.as_ref().map(|it| it.id.clone()), ..attempt };
    let (open, change) = attempt.clone().reopen(Some(older.clone()), on(account.as_ref()), now);
    if goes_on {
        assert_eq!((open, change), (Some((attempt, Some(older))), Change::default()));
    } else {
        let ended = Row::Attempt(Attempt { ended_at: Some(now.tenant()), ..attempt });
        let taken_over = Row::LinkSession(older.end(SessionEnd::TakenOver));
        let rows = if is_over { vec![ended] } else { vec![taken_over, ended] };
        assert_eq!((open, change.rows), (None, rows));
    }
}

#[rstest]
#[case::nothing_started(None, true)]
#[case::failed_or_linking(Some(linking()), false)]
#[case::linked(Some(connect_account()), true)]
#[case::revoked(Some(revoke_account()), true)]
fn closing_ends_an_attempt_without_pending_work(#[case] account: Option<Account>, #[case] over: bool) {
    let now = fixture::context().now().tenant();
    let (_, attempt, _) = Attempt::enter(fixture::session(), None, now);
    assert_eq!(attempt.leave(on(account.as_ref()), now).ended_at.is_some(), over);
}

#[rstest]
#[case::no_account(None, false)]
#[case::with_a_linking_account(Some(linking()), true)]
#[case::with_a_linked_account(Some(connect_account()), false)]
#[case::with_a_revoked_account(Some(revoke_account()), false)]
fn pending_files_keep_the_attempt_open(#[case] account: Option<Account>, #[case] keeps_account: bool) {
    let now = fixture::context().now();
    let (older, attempt, _) = Attempt::enter(fixture::session(), None, now.tenant());
    let attempt = Attempt { account_id: account.as_ref().map(|it| it.id.clone()), ..attempt };
    let work = Work { account: account.as_ref(), has_files_on_their_way: true };
    let days_later = now.tenant() + Duration::from_secs(3 * 86_400);
    let left = attempt.clone().leave(work, days_later);
    assert_eq!((left.ended_at, left.account_id.is_some()), (None, keeps_account));
    let older = older.end(SessionEnd::Closed);
    let (open, change) = left.clone().reopen(Some(older.clone()), work, now);
    assert_eq!((open, change), (Some((left, Some(older))), Change::default()));
}

#[test]
fn account_linked_after_closing_is_shown_for_a_day() {
    let now = fixture::context().now();
    let (session, attempt, _) = Attempt::enter(fixture::session(), None, now.tenant());
    let (session, account) = (session.end(SessionEnd::Closed), connect_account());
    let attempt = attempt.on(account.id.clone());
    for (seconds, is_shown) in [(86_400, true), (86_401, false)] {
        let later = Now::new(now.wall() + Duration::from_secs(seconds), now.offset());
        let (open, _) = attempt.clone().reopen(Some(session.clone()), on(Some(&account)), later);
        assert_eq!(open.is_some(), is_shown, "after {seconds} s");
    }
}

#[test]
fn choices_before_the_first_submit_are_kept_for_a_day() {
    let now = fixture::context().now().tenant();
    let (_, attempt, _) = Attempt::enter(fixture::session(), None, now);
    let provider_id = Some(fixture::provider_id());
    let place = ResumePoint { provider_id, ..ResumePoint::default() };
    let attempt = attempt.at(place, &fixture::session(), Work::default()).unwrap();
    let day = Duration::from_secs(86_400);
    assert_eq!(attempt.clone().leave(Work::default(), now + day).ended_at, None);
    let late = now + day + Duration::from_secs(1);
    assert_eq!(attempt.leave(Work::default(), late).ended_at, Some(late));
}

#[test]
fn session_cannot_save_choices_after_its_attempt_was_taken_over() {
    let first = fixture::session();
    let second = LinkSession { id: LinkSessionId::from_bytes([8; 16]), ..first.clone() };
    let now = fixture::context().now().tenant();
    let (_, attempt, _) = Attempt::enter(first.clone(), None, now);
    let (_, attempt, _) = Attempt::enter(second.clone(), Some((attempt, Some(first.clone()))), now);
    assert_eq!(attempt.clone().at(ResumePoint::default(), &first, Work::default()), Err(TakenOverError));
    assert!(attempt.at(ResumePoint::default(), &second, Work::default()).is_ok());
}

#[rstest]
#[case::linked(Some(connect_account()), ResumePoint::default(), true)]
#[case::linking(Some(linking()), ResumePoint::default(), false)]
#[case::linked_but_not_seen(Some(connect_account()), at_provider(), false)]
fn linked_account_is_detached_once_it_was_seen(
    #[case] account: Option<Account>,
    #[case] place: ResumePoint,
    #[case] is_detached: bool,
) {
    let now = fixture::context().now();
    let (session, attempt, _) = Attempt::enter(fixture::session(), None, now.tenant());
    let attempt = Attempt { account_id: account.as_ref().map(|it| it.id.clone()), ..attempt };
    let attempt = attempt.at(place, &session, on(account.as_ref())).unwrap();
    assert_eq!(attempt.account_id.is_none(), is_detached);
    // The person closes the tab, and opens the widget again.
    let work = if is_detached { Work::default() } else { on(account.as_ref()) };
    let (open, _) = attempt.reopen(Some(session), work, now);
    assert_eq!(open.is_none(), is_detached, "a seen success is not shown again");
}

fn at_provider() -> ResumePoint {
    ResumePoint { provider_id: Some(fixture::provider_id()), ..ResumePoint::default() }
}
