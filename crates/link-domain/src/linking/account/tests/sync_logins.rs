//! New logins of accounts in sync: where they help, and how they are read.

use link_types::account::MonitorStatus;
use link_types::template::SyncInterval;
use link_types::uploading::LinkedStatus;

use super::sync::{Stored, UNAVAILABLE, next_try};
use super::*;

/// Returns an account that was just connected through a template with this interval of sync.
fn connect_with_sync(sync: Option<SyncInterval>) -> Stored {
    let mut context = fixture::context();
    let submission = Submission { sync, ..fixture::submission() };
    let (account, _) = Account::begin(fixture::new_account(), submission, &mut context).unwrap();
    let input = is_connected(&account);
    let (account, _) = account.apply(input, &mut context).unwrap();
    Stored { account, points: Vec::new(), elapsed: Duration::ZERO }
}

#[test]
fn sign_in_is_offered_only_where_it_helps() {
    for (sync, code, expected) in [
        (None, LinkErrorCode::SystemError, LinkedStatus::ActionRequired),
        (Some(SyncInterval::Daily), LinkErrorCode::SystemError, LinkedStatus::Connected),
        (None, LinkErrorCode::AccountLocked, LinkedStatus::Connected),
        (None, LinkErrorCode::ExpiredCredentials, LinkedStatus::ActionRequired),
    ] {
        let mut stored = connect_with_sync(sync);
        while stored.account.run().is_some() {
            drop(stored.is_read(ReadOutcome::Failed { code }, Vec::new()));
        }
        assert_eq!(stored.linked_status(), expected, "{code} {sync:?}");
    }
}

#[test]
fn sign_in_is_offered_for_missing_data_that_no_sync_reads() {
    let partial = ReadOutcome::Partial { code: LinkErrorCode::ServiceUnavailable };
    for (sync, expected) in
        [(None, LinkedStatus::ActionRequired), (Some(SyncInterval::Daily), LinkedStatus::Connected)]
    {
        let mut stored = connect_with_sync(sync);
        while stored.account.run().is_some() {
            drop(stored.is_read(partial, vec![identity()]));
        }
        assert_eq!(stored.linked_status(), expected, "{sync:?}");
    }
}

#[test]
fn complete_kept_data_offers_no_sign_in() {
    let (mut stored, _) = Stored::link(vec![contribution(1)]);
    drop(stored.syncs());
    drop(stored.is_read(UNAVAILABLE, Vec::new()));
    drop(stored.disables());
    assert_eq!(stored.linked_status(), LinkedStatus::Connected);
}

#[test]
fn login_during_a_sync_is_read_like_any_login() {
    let (mut stored, _) = Stored::link(vec![contribution(1)]);
    drop(stored.syncs());
    drop(stored.is_read(UNAVAILABLE, Vec::new()));
    drop(stored.apply(AccountInput::Submit(Submission { sync: None, ..fixture::submission() })));
    let input = is_connected(&stored.account);
    let change = stored.apply(input);
    assert_ne!(stored.status(), MonitorStatus::Active);
    assert_eq!(types(&change.events), ["ACCOUNT_CONNECTED", "TASK_STARTED"]);
    let change = stored.is_read(UNAVAILABLE, Vec::new());
    assert!(next_try(&stored, &change).is_some(), "an account that is not in sync is tried again, too");
    let change = stored.is_read(ReadOutcome::Complete, vec![contribution(1), employment()]);
    assert_eq!(types(&change.events).last(), Some(&"TASK_FINISHED"));
}

#[test]
fn login_through_a_template_with_sync_enrols_the_account() {
    let mut stored = connect_with_sync(None);
    drop(stored.is_read(ReadOutcome::Complete, vec![contribution(1)]));
    assert_eq!(stored.status(), MonitorStatus::Unsupported);
    let refused = stored.account.clone().apply(AccountInput::Refresh, &mut fixture::context()).unwrap_err();
    assert_eq!(refused, IllegalTransitionError::MonitorUnsupported);
    drop(stored.signs_in());
    assert_eq!(stored.status(), MonitorStatus::Active);
    drop(stored.is_read(ReadOutcome::Complete, vec![contribution(1)]));
    assert!(stored.account.monitor.next_at().is_some());
    drop(stored.apply(AccountInput::Submit(Submission { sync: None, ..fixture::submission() })));
    let input = is_connected(&stored.account);
    drop(stored.apply(input));
    assert_eq!(stored.status(), MonitorStatus::Unsupported, "the new consent does not cover sync");
}
