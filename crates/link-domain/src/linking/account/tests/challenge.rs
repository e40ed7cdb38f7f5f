//! Expiry and extension of challenges, and challenges that are approved elsewhere.

use link_types::link::LinkPhase;
use link_types::uploading::LinkedStatus;

use super::*;
use crate::change::job::JobKind;
use crate::linking::terms::Terms;

fn challenge(account: &Account, context: &Context) -> link_types::challenge::Challenge {
    let LinkPhase::Challenge { challenge } = account.progress(context.now()).phase else {
        panic!("no challenge is waiting");
    };
    challenge
}

fn after(seconds: u64) -> Context {
    fixture::context_after(Duration::from_secs(seconds))
}

fn extends(account: &Account) -> AccountInput<'static> {
    AccountInput::Extend { challenge_id: challenge_id(account) }
}

#[test]
fn extension_restarts_the_full_time_and_moves_the_lapse() {
    let account = account_after(&[is_challenged], &mut after(0));
    let id = challenge_id(&account);
    let mut later = after(200);
    let input = extends(&account);
    let (account, change) = account.apply(input, &mut later).unwrap();
    let shown = challenge(&account, &later);
    assert_eq!((shown.id.clone(), shown.expires_in_ms), (id.clone(), Some(300_000)));
    assert_eq!(shown.resend.unwrap().available_in_ms, 0, "the resend delay is not extended");
    let lapse = JobKind::LapseChallenge { account_id: account.id.clone(), challenge_id: id };
    let due = change.jobs.iter().find(|job| job.kind == lapse).unwrap().due_at;
    assert_eq!(due, later.now().tenant() + LASTS);
    let input = answer(&account);
    assert_eq!(account.apply(input, &mut after(499)).unwrap().0.connection_status().as_str(), "AWAITING_MFA");
}

#[test]
fn challenge_can_be_extended_ten_times_before_it_lapses() {
    let mut account = account_after(&[is_challenged], &mut after(0));
    for turn in 1..=10 {
        assert!(challenge(&account, &after(turn)).extendable);
        let input = extends(&account);
        account = account.apply(input, &mut after(turn)).unwrap().0;
    }
    assert!(!challenge(&account, &after(11)).extendable);
    let error = account.clone().apply(extends(&account), &mut after(11)).unwrap_err();
    assert_eq!(error, IllegalTransitionError::ExtensionRefused);
    let input = extends(&account);
    let (late, change) = account.apply(input, &mut after(311)).unwrap();
    assert_eq!(data(&change.events[0], true)["errorCode"], "MFA_TIMEOUT");
    assert_eq!(late.connection_status().as_str(), "ERROR");
}

#[test]
fn declined_request_fails_with_invalid_mfa_and_is_named() {
    let mut context = after(0);
    let account = account_after(&[is_challenged], &mut context);
    let answered = account.clone().apply(answer(&account), &mut context).unwrap().0;
    let input = AccountInput::Stepped { version: answered.version, step: Step::Declined {}, tries: None };
    let (failed, change) = answered.apply(input, &mut context).unwrap();
    assert_eq!(data(&change.events[0], true)["errorCode"], "INVALID_MFA");
    let phase = failed.progress(context.now()).phase;
    assert!(matches!(phase, LinkPhase::Failed { declined: true, .. }), "{phase:?}");
}

#[test]
fn source_is_polled_for_approval_elsewhere() {
    let mut context = after(0);
    let account = account_after(&[|account| step_input(account, asks_elsewhere())], &mut context);
    let scheduled_by = requested_at_version(&account);
    let (_, input) = account.link().unwrap().requested_step(scheduled_by).unwrap();
    assert_eq!(input, PendingInput::Continue {});
    let (id, shown) = (challenge_id(&account), challenge(&account, &context));
    let wait = Step::Wait { state: SourceState::new("still"), for_at_least: Duration::from_secs(3) };
    let input = step_input(&account, wait);
    let mut later = fixture::context_after(CHECK_AFTER);
    let (account, change) = account.apply(input, &mut later).unwrap();
    let step = JobKind::StepAccount { account_id: account.id.clone(), version: account.version };
    let due = change.jobs.iter().find(|job| job.kind == step).unwrap().due_at;
    assert_eq!(due, later.now().tenant() + Duration::from_secs(3));
    assert_eq!(challenge_id(&account), id, "the challenge is unchanged");
    assert_eq!(challenge(&account, &later).expires_in_ms, shown.expires_in_ms.map(|it| it - 4_000));
    let input = is_connected(&account);
    assert_eq!(account.apply(input, &mut later).unwrap().0.link(), None);
}

#[test]
fn approval_elsewhere_after_lapse_is_rejected() {
    let mut context = after(0);
    let account = account_after(&[|account| step_input(account, asks_elsewhere())], &mut context);
    let late = is_connected(&account);
    let lapsed = AccountInput::ChallengeLapsed { challenge_id: challenge_id(&account) };
    let (account, _) = account.apply(lapsed, &mut context).unwrap();
    assert_eq!(account.apply(late, &mut context).unwrap_err(), IllegalTransitionError::StaleStep);
}

#[test]
fn read_needing_a_login_pauses_sync_until_reauthorized() {
    let mut context = after(0);
    let account = account_after(&[is_connected], &mut context);
    let (link, consent) = fixture::templates();
    let terms = Terms { link: &link, consent: &consent };
    let linked = |account: &Account| {
        account.to_linked_account(Some(&fixture::provider()), &terms, after(86_400).now().tenant())
    };
    assert_eq!(
        linked(&account).map(|it| (it.status, it.last_sync_days_ago)),
        Some((LinkedStatus::Reading, None))
    );
    let outcome = ReadOutcome::Partial { code: LinkErrorCode::ExpiredCredentials };
    let input = read(&account, outcome, vec![identity()]);
    let (account, _) = account.apply(input, &mut context).unwrap();
    assert_eq!(account.monitor.status().as_str(), "USER_ACTION_REQUIRED");
    let shown = linked(&account).unwrap();
    assert_eq!((shown.status, shown.last_sync_days_ago), (LinkedStatus::ActionRequired, Some(1)));
    assert_eq!(shown.login_name.as_deref(), Some("g•••d"));
    let input = submits(&account);
    let (account, _) = account.apply(input, &mut context).unwrap();
    let input = is_connected(&account);
    let (account, _) = account.apply(input, &mut context).unwrap();
    assert_eq!(account.monitor.status().as_str(), "ACTIVE");
    assert_eq!(linked(&account).map(|it| it.status), Some(LinkedStatus::Reading));
    let input = is_read(&account);
    let (account, _) = account.apply(input, &mut context).unwrap();
    assert_eq!(linked(&account).map(|it| it.status), Some(LinkedStatus::Connected));
}
