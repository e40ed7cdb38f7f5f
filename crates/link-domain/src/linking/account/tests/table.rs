//! Which inputs are legal in which state, and which events they emit.

use link_types::account::ConnectionStatus;
use link_types::format::FormatError;
use rstest::rstest;

use super::*;
use crate::change::job::JobKind;

type Steps = &'static [fn(&Account) -> AccountInput<'static>];
type Input = fn(&Account) -> AccountInput<'static>;

const WORKING: Steps = &[];
const CHALLENGED: Steps = &[is_challenged];
const FAILED: Steps = &[has_failed];
const CONNECTED: Steps = &[is_connected];
const READ: Steps = &[is_connected, is_read];
const RELINKING: Steps = &[is_connected, is_read, submits];
const RECHALLENGED: Steps = &[is_connected, is_read, submits, is_challenged];
const OFF: Steps = &[is_connected, is_read, DISABLED];
const REVOKED: Steps = &[is_connected, is_revoked];

const EXPIRED: Input = |_| AccountInput::Expire;
const ABANDONED: Input = |_| AccountInput::Abandon;
const EXTENDS: Input = |account| AccountInput::Extend { challenge_id: challenge_id(account) };
const LAPSED: Input = |account| AccountInput::ChallengeLapsed { challenge_id: challenge_id(account) };
const DISABLED: Input = |_| disables();
const ENABLED: Input = |_| AccountInput::EnableMonitor;
const SYNCS: Input = |_| AccountInput::Sync;
const REFRESHES: Input = |_| AccountInput::Refresh;
const WAITS: Input = |account| {
    step_input(account, Step::Wait { state: SourceState::new("soon"), for_at_least: Duration::from_secs(2) })
};
const ANSWERS: Input = |account| answer(account);
const RESENDS: Input =
    |account| AccountInput::Resend { challenge_id: challenge_id(account), channel: CodeChannel::Sms };

#[rstest]
#[case::connects(WORKING, is_connected, ConnectionStatus::Connected, &["ACCOUNT_CONNECTED", "TASK_STARTED"])]
#[case::is_challenged(WORKING, is_challenged, ConnectionStatus::AwaitingMfa, &[])]
#[case::waits(WORKING, WAITS, ConnectionStatus::Pending, &[])]
#[case::fails(WORKING, has_failed, ConnectionStatus::Error, &["ACCOUNT_FAILED"])]
#[case::resubmits(WORKING, submits, ConnectionStatus::Pending, &[])]
#[case::revokes_while_linking(WORKING, is_revoked, ConnectionStatus::Disconnected, &["ACCOUNT_DISCONNECTED"])]
#[case::answers(CHALLENGED, ANSWERS, ConnectionStatus::AwaitingMfa, &[])]
#[case::extends(CHALLENGED, EXTENDS, ConnectionStatus::AwaitingMfa, &[])]
#[case::lapses(CHALLENGED, LAPSED, ConnectionStatus::Error, &["ACCOUNT_FAILED"])]
#[case::resubmits_when_challenged(CHALLENGED, submits, ConnectionStatus::Pending, &[])]
#[case::resubmits_after_failure(FAILED, submits, ConnectionStatus::Pending, &[])]
#[case::is_read(CONNECTED, is_read, ConnectionStatus::Connected,
    &["IDENTITY_ADDED", "CONTRIBUTIONS_ADDED", "LINK_ADDED", "INSIGHT_ADDED", "TASK_FINISHED"])]
#[case::revokes_while_read(CONNECTED, is_revoked, ConnectionStatus::Disconnected,
    &["TASK_FINISHED", "ACCOUNT_DISCONNECTED"])]
#[case::revokes(READ, is_revoked, ConnectionStatus::Disconnected, &["ACCOUNT_DISCONNECTED"])]
#[case::relinks(READ, submits, ConnectionStatus::Connected, &[])]
#[case::reconnects(RELINKING, is_connected, ConnectionStatus::Connected, &["ACCOUNT_CONNECTED", "TASK_STARTED"])]
#[case::starts_a_requested_sync(READ, REFRESHES, ConnectionStatus::Connected, &[])]
#[case::fails_to_relink(RELINKING, has_failed, ConnectionStatus::Connected, &["ACCOUNT_FAILED"])]
#[case::answers_while_relinking(RECHALLENGED, ANSWERS, ConnectionStatus::Connected, &[])]
#[case::lapses_while_relinking(RECHALLENGED, LAPSED, ConnectionStatus::Connected, &["ACCOUNT_FAILED"])]
#[case::disables_sync(READ, DISABLED, ConnectionStatus::Connected, &[])]
fn legal_input_changes_status_and_emits_events(
    #[case] before: Steps,
    #[case] input: Input,
    #[case] status: ConnectionStatus,
    #[case] events: &[&str],
) {
    let mut context = fixture::context();
    let account = account_after(before, &mut context);
    let input = input(&account);
    let version = account.version;
    let (account, change) = account.apply(input, &mut context).unwrap();
    assert_eq!(account.connection_status(), status);
    assert_eq!(types(&change.events), events);
    assert_eq!(account.version, version + 1);
    assert_eq!(change.rows.first(), Some(&Row::Account(Box::new(account))));
}

#[rstest]
#[case::answer_without_challenge(WORKING, ANSWERS, IllegalTransitionError::NoChallenge)]
#[case::resend_without_challenge(FAILED, RESENDS, IllegalTransitionError::NoChallenge)]
#[case::extend_without_challenge(WORKING, EXTENDS, IllegalTransitionError::NoChallenge)]
#[case::extend_after_disconnect(REVOKED, EXTENDS, IllegalTransitionError::AlreadyDisconnected)]
#[case::lapse_without_challenge(FAILED, LAPSED, IllegalTransitionError::NoChallenge)]
#[case::resend_too_early(CHALLENGED, RESENDS, IllegalTransitionError::ResendTooEarly { wait: RESEND_AFTER })]
#[case::read_before_connected(WORKING, is_read, IllegalTransitionError::NotConnected)]
#[case::expire_before_connected(WORKING, EXPIRED, IllegalTransitionError::NotConnected)]
#[case::sync_before_connected(CHALLENGED, ENABLED, IllegalTransitionError::NotConnected)]
#[case::abandon_too_early(WORKING, ABANDONED, not_due(PENDING_LIFE))]
#[case::step_when_challenged(CHALLENGED, is_connected, IllegalTransitionError::StaleStep)]
#[case::step_when_failed(FAILED, is_connected, IllegalTransitionError::StaleStep)]
#[case::step_when_connected(READ, is_connected, IllegalTransitionError::AlreadyConnected)]
#[case::answer_when_connected(READ, ANSWERS, IllegalTransitionError::AlreadyConnected)]
#[case::abandon_when_connected(READ, ABANDONED, IllegalTransitionError::AlreadyConnected)]
#[case::read_twice(READ, is_read, IllegalTransitionError::StaleReading)]
#[case::expire_too_early(READ, EXPIRED, not_due(RETENTION))]
#[case::submit_after_disconnect(REVOKED, submits, IllegalTransitionError::AlreadyDisconnected)]
#[case::step_after_disconnect(REVOKED, is_connected, IllegalTransitionError::AlreadyDisconnected)]
#[case::answer_after_disconnect(REVOKED, ANSWERS, IllegalTransitionError::AlreadyDisconnected)]
#[case::resend_after_disconnect(REVOKED, RESENDS, IllegalTransitionError::AlreadyDisconnected)]
#[case::lapse_after_disconnect(REVOKED, LAPSED, IllegalTransitionError::AlreadyDisconnected)]
#[case::read_after_disconnect(REVOKED, is_read, IllegalTransitionError::AlreadyDisconnected)]
#[case::revoke_twice(REVOKED, is_revoked, IllegalTransitionError::AlreadyDisconnected)]
#[case::expire_after_disconnect(REVOKED, EXPIRED, IllegalTransitionError::AlreadyDisconnected)]
#[case::abandon_after_disconnect(REVOKED, ABANDONED, IllegalTransitionError::AlreadyDisconnected)]
#[case::sync_too_early(READ, SYNCS, not_due(next_sync_after(READ)))]
#[case::sync_when_disabled(OFF, SYNCS, IllegalTransitionError::SyncInactive)]
#[case::sync_while_read(CONNECTED, SYNCS, IllegalTransitionError::StaleReading)]
#[case::refresh_when_disabled(OFF, REFRESHES, IllegalTransitionError::SyncInactive)]
#[case::refresh_before_connected(WORKING, REFRESHES, IllegalTransitionError::NotConnected)]
#[case::refresh_after_disconnect(REVOKED, REFRESHES, IllegalTransitionError::AlreadyDisconnected)]
#[case::sync_after_disconnect(REVOKED, DISABLED, IllegalTransitionError::AlreadyDisconnected)]
fn illegal_input_returns_its_error(
    #[case] before: Steps,
    #[case] input: Input,
    #[case] expected: IllegalTransitionError,
) {
    let mut context = fixture::context();
    let account = account_after(before, &mut context);
    let input = input(&account);
    assert_eq!(account.apply(input, &mut context).unwrap_err(), expected);
}

#[rstest]
#[case::not_a_choice(Some("b"), choice(), IllegalTransitionError::MalformedAnswer(FormatError::NotAChoice))]
#[case::choice_for_text(Some("a"), one_time_code(), IllegalTransitionError::WrongAnswerKind)]
#[case::text_for_choice(None, choice(), IllegalTransitionError::WrongAnswerKind)]
#[case::text_for_approval(None, ChallengeKind::Approve { device: None }, IllegalTransitionError::WrongAnswerKind)]
fn answer_of_the_wrong_kind_is_rejected(
    #[case] chosen: Option<&str>,
    #[case] kind: ChallengeKind,
    #[case] expected: IllegalTransitionError,
) {
    let mut context = fixture::context();
    let account = account_after(WORKING, &mut context);
    let asked = step_input(&account, asks_for(kind));
    let (account, _) = account.apply(asked, &mut context).unwrap();
    let input = match chosen {
        Some(value) => {
            let answer = Answer::Choice(value.to_owned());
            AccountInput::Answer { challenge_id: challenge_id(&account), answer, tries: None }
        }
        None => answer(&account),
    };
    assert_eq!(account.apply(input, &mut context).unwrap_err(), expected);
}

#[test]
fn answer_to_an_older_challenge_is_rejected() {
    let mut context = fixture::context();
    let account = account_after(CHALLENGED, &mut context);
    let old = answer(&account);
    let answered = ANSWERS(&account);
    let (account, _) = account.apply(answered, &mut context).unwrap();
    let asked_again = is_challenged(&account);
    let (account, _) = account.apply(asked_again, &mut context).unwrap();
    assert_eq!(account.apply(old, &mut context).unwrap_err(), IllegalTransitionError::StaleChallenge);
}

#[test]
fn answer_after_the_challenge_lapsed_is_a_timeout() {
    let account = account_after(CHALLENGED, &mut fixture::context());
    let input = answer(&account);
    let (account, change) = account.apply(input, &mut fixture::context_after(LASTS)).unwrap();
    assert_eq!(account.connection_status(), ConnectionStatus::Error);
    assert_eq!(data(&change.events[0], true)["errorCode"], "MFA_TIMEOUT");
}

#[test]
fn code_is_resent_only_through_an_offered_channel() {
    let account = account_after(CHALLENGED, &mut fixture::context());
    let by = |channel| AccountInput::Resend { challenge_id: challenge_id(&account), channel };
    let mut later = fixture::context_after(RESEND_AFTER);
    let error = account.clone().apply(by(CodeChannel::Email), &mut later).unwrap_err();
    assert_eq!(error, IllegalTransitionError::ResendRefused);
    assert!(account.clone().apply(by(CodeChannel::Sms), &mut later).is_ok());
}

#[test]
fn step_result_for_an_older_version_is_rejected() {
    let mut context = fixture::context();
    let account = account_after(WORKING, &mut context);
    let late = is_connected(&account);
    let (account, _) = account.apply(AccountInput::Submit(fixture::submission()), &mut context).unwrap();
    assert_eq!(account.apply(late, &mut context).unwrap_err(), IllegalTransitionError::StaleStep);
}

#[rstest]
#[case::reading(&[is_connected, submits, is_read])]
#[case::sync(&[is_connected, is_read, submits, DISABLED])]
fn relink_step_survives_other_account_changes(#[case] before: Steps) {
    let mut context = fixture::context();
    let account = account_after(before, &mut context);
    let input = is_connected(&account);
    let (account, _) = account.apply(input, &mut context).unwrap();
    assert_eq!(account.link(), None);
    assert_eq!(source(&account), SourceState::new("session"));
}

#[test]
fn reading_with_an_older_session_is_rejected() {
    let mut context = fixture::context();
    let account = account_after(&[is_connected], &mut context);
    let late = is_read(&account);
    let again = Step::Connected { state: SourceState::new("newer session") };
    let (account, _) = account.apply(AccountInput::Submit(fixture::submission()), &mut context).unwrap();
    let input = step_input(&account, again);
    let (account, change) = account.apply(input, &mut context).unwrap();
    let read_again = JobKind::ReadAccount { account_id: account.id.clone(), task_id: task_id(&account) };
    assert!(change.jobs.iter().any(|job| job.kind == read_again));
    assert_eq!(account.clone().apply(late, &mut context).unwrap_err(), IllegalTransitionError::StaleReading);
    let input = is_read(&account);
    assert!(account.apply(input, &mut context).is_ok());
}

#[test]
fn unsupported_sync_cannot_be_disabled_or_enabled() {
    assert_eq!(Monitor::UNSUPPORTED.disable(AT), Err(IllegalTransitionError::MonitorUnsupported));
    assert_eq!(Monitor::UNSUPPORTED.enable(AT), Err(IllegalTransitionError::MonitorUnsupported));
}

fn not_due(after: Duration) -> IllegalTransitionError {
    IllegalTransitionError::NotDue { due_at: fixture::context().now().tenant() + after }
}

/// Returns the time from the start until the next sync is due.
fn next_sync_after(steps: Steps) -> Duration {
    let mut context = fixture::context();
    let account = account_after(steps, &mut context);
    account.monitor.next_at().unwrap().since(context.now().tenant())
}

const AT: TenantTime = TenantTime::from_micros(1);
