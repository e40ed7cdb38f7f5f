//! How long an account stays connected, and when it is read until then.

use link_types::Timestamp;
use link_types::account::MonitorStatus;
use link_types::template::{Retention, SyncInterval};
use rstest::rstest;
use serde_json::json;

use super::sync::{Stored, UNAVAILABLE};
use super::*;
use crate::change::job::JobKind;
use crate::kernel::clock::TenantTime;

const DAY: Duration = Duration::from_secs(86_400);
/// From the time of [`fixture::context`] to 31 January 2027.
const TO_THE_31ST: Duration = Duration::from_secs(72 * 86_400);

fn monthly(retention: Retention) -> Submission {
    Submission { sync: Some(SyncInterval::Monthly), retention, ..fixture::submission() }
}

/// Links an account after this time, and reads its data.
fn link_after(elapsed: Duration, submission: Submission) -> Stored {
    let mut context = fixture::context_after(elapsed);
    let (account, _) = Account::begin(fixture::new_account(), submission, &mut context).unwrap();
    let mut stored = Stored { account, points: Vec::new(), elapsed };
    let input = is_connected(&stored.account);
    drop(stored.apply(input));
    drop(is_read(&mut stored));
    stored
}

fn is_read(stored: &mut Stored) -> Change {
    stored.is_read(ReadOutcome::Complete, vec![contribution(1)])
}

/// Fails every try of the reading in progress.
fn fails(stored: &mut Stored) {
    while stored.account.run().is_some() {
        drop(stored.is_read(UNAVAILABLE, Vec::new()));
    }
}

fn day(at: TenantTime) -> String {
    Timestamp::from(at).date().to_string()
}

fn now(stored: &Stored) -> TenantTime {
    fixture::context_after(stored.elapsed).now().tenant()
}

/// Checks that the account expires then, and not before.
fn expires_at(stored: &Stored, end: TenantTime) {
    assert_eq!(stored.account.data_ends_at(), end);
    let until = end.since(fixture::context().now().tenant());
    let early = fixture::context_after(until - Duration::from_secs(1));
    let refused = stored.account.clone().apply(AccountInput::Expire, &mut { early });
    assert_eq!(refused.unwrap_err(), IllegalTransitionError::NotDue { due_at: end });
    let mut due = fixture::context_after(until);
    let (ended, change) = stored.account.clone().apply(AccountInput::Expire, &mut due).unwrap();
    assert_eq!(data(change.events.last().unwrap(), true)["reason"], "EXPIRED");
    assert!(change.erasures == [ended.scope()] && !ended.is_connected());
}

#[test]
fn account_is_read_for_a_year_on_the_31st() {
    let mut stored = link_after(TO_THE_31ST, monthly(Retention::FromLastSync));
    let mut days = Vec::new();
    for _ in 0..12 {
        drop(stored.syncs());
        days.push(day(now(&stored)));
        let change = is_read(&mut stored);
        let end = now(&stored) + RETENTION;
        let expiry = JobKind::ExpireAccount { account_id: stored.account.id.clone() };
        let due = change.jobs.iter().find(|job| job.kind == expiry).map(|job| job.due_at);
        assert_eq!((due, stored.account.data_ends_at()), (Some(end), end), "each reading extends it");
    }
    assert_eq!(
        days.join(" "),
        "2027-02-28 2027-03-31 2027-04-30 2027-05-31 2027-06-30 2027-07-31 2027-08-31 2027-09-30 2027-10-31 \
         2027-11-30 2027-12-31 2028-01-31"
    );
    assert_eq!(stored.status(), MonitorStatus::Active);
}

#[test]
fn account_from_its_connection_is_read_until_day_60() {
    let mut stored = link_after(Duration::ZERO, monthly(Retention::FromConnection));
    let connected_at = stored.account.updated_at;
    drop(stored.syncs());
    drop(is_read(&mut stored));
    assert_eq!(stored.account.monitor.next_at(), None, "the next month begins after its end");
    expires_at(&stored, connected_at + RETENTION);
}

#[test]
fn sync_stops_before_the_account_expires() {
    let submission = Submission { retention: Retention::FromConnection, ..fixture::submission() };
    let mut stored = link_after(Duration::ZERO, submission);
    let mut syncs = 0;
    while stored.account.monitor.next_at().is_some() {
        drop(stored.syncs());
        drop(is_read(&mut stored));
        syncs += 1;
    }
    assert!((8..=9).contains(&syncs), "{syncs} weekly syncs in 60 days");
    assert!(stored.elapsed < RETENTION);
    assert_eq!(stored.status(), MonitorStatus::Active);
}

#[test]
fn unreadable_account_expires_60_days_after_its_last_reading() {
    let mut stored = link_after(Duration::ZERO, monthly(Retention::FromLastSync));
    drop(stored.syncs());
    drop(is_read(&mut stored));
    let end = now(&stored) + RETENTION;
    let mut tries = Vec::new();
    while stored.account.monitor.next_at().is_some() {
        drop(stored.syncs());
        tries.push(end.since(now(&stored)).as_secs() / 3_600);
        fails(&mut stored);
    }
    assert_eq!(tries.last().map(|left| *left < 24), Some(true), "tried on the day before its end: {tries:?}");
    assert!(tries.len() >= 3, "{tries:?}");
    expires_at(&stored, end);
}

#[rstest]
#[case::waiting_for_the_person(|stored: &mut Stored| {
    drop(stored.syncs());
    let code = LinkErrorCode::ExpiredCredentials;
    drop(stored.is_read(ReadOutcome::Failed { code }, Vec::new()));
}, MonitorStatus::UserActionRequired)]
#[case::disabled_by_the_tenant(|stored: &mut Stored| drop(stored.disables()), MonitorStatus::CustomerDisabled)]
fn account_that_is_not_read_expires_60_days_after(
    #[case] stops: fn(&mut Stored),
    #[case] status: MonitorStatus,
) {
    let mut stored = link_after(Duration::ZERO, monthly(Retention::FromLastSync));
    drop(stored.syncs());
    drop(is_read(&mut stored));
    let end = now(&stored) + RETENTION;
    stops(&mut stored);
    assert_eq!((stored.status(), stored.account.monitor.next_at()), (status, None));
    expires_at(&stored, end);
}

#[test]
fn login_keeps_the_day_of_the_month() {
    let mut stored = link_after(TO_THE_31ST, monthly(Retention::FromLastSync));
    stored.elapsed += DAY * 20;
    drop(stored.signs_in_with(monthly(Retention::FromLastSync)));
    assert_eq!(day(now(&stored)), "2027-02-20");
    drop(is_read(&mut stored));
    expires_at(&stored, now(&stored) + RETENTION);
    assert_eq!(stored.account.monitor.next_at().map(day).as_deref(), Some("2027-02-28"));
    drop(stored.syncs());
    drop(is_read(&mut stored));
    assert_eq!(stored.account.monitor.next_at().map(day).as_deref(), Some("2027-03-31"));
}

#[rstest]
#[case::early(DAY * 10, DAY * 60)]
#[case::shortly_before_the_end(DAY * 59 + DAY / 2, DAY * 60 + DAY / 2)]
fn login_without_a_reading_does_not_extend_the_data(#[case] after: Duration, #[case] end: Duration) {
    let mut stored = link_after(Duration::ZERO, monthly(Retention::FromLastSync));
    let read_at = now(&stored);
    stored.elapsed += after;
    drop(stored.signs_in_with(monthly(Retention::FromLastSync)));
    let ends_at = stored.account.data_ends_at();
    assert!(ends_at >= read_at + end && ends_at < read_at + end + Duration::from_secs(1));
    fails(&mut stored);
    expires_at(&stored, ends_at);
}

#[test]
fn account_keeps_its_retention_until_the_next_login() {
    let mut stored = link_after(Duration::ZERO, monthly(Retention::FromConnection));
    let end = stored.account.data_ends_at();
    drop(stored.syncs());
    drop(is_read(&mut stored));
    assert_eq!(stored.account.data_ends_at(), end);
    drop(stored.signs_in_with(monthly(Retention::FromLastSync)));
    drop(is_read(&mut stored));
    drop(stored.syncs());
    drop(is_read(&mut stored));
    expires_at(&stored, now(&stored) + RETENTION);
    drop(stored.signs_in_with(monthly(Retention::FromConnection)));
    let end = stored.account.updated_at + RETENTION;
    drop(is_read(&mut stored));
    expires_at(&stored, end);
}

#[rstest]
#[case::user(RevokedBy::User, "USER")]
#[case::tenant(RevokedBy::Tenant, "TENANT")]
fn disconnection_says_who_ended_the_access(#[case] by: RevokedBy, #[case] reason: &str) {
    let mut context = fixture::context();
    for account in
        [account_after(&[], &mut context), account_after(&[is_connected, super::is_read], &mut context)]
    {
        let (account, change) = account.apply(AccountInput::Revoke { by }, &mut context).unwrap();
        let expected = json!({
            "userId": account.user_id, "accountId": account.id, "reason": reason, "providers": ["mx_social_security"],
        });
        assert_eq!(data(change.events.last().unwrap(), true), expected);
    }
}
