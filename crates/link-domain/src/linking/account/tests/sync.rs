//! Continuous sync: when it reads, what it emits, and what a failure means.

use link_types::account::MonitorStatus;
use link_types::data::DataPointKind;
use link_types::uploading::LinkedStatus;
use link_types::{Mode, Timestamp};
use rstest::rstest;
use serde_json::{Value, json};

use super::*;
use crate::change::job::{Job, JobKind};
use crate::data::data_point::DataPoint;
use crate::linking::terms::Terms;

/// An account and its stored data points, as the store keeps them.
pub(super) struct Stored {
    pub(super) account: Account,
    pub(super) points: Vec<DataPoint>,
    pub(super) elapsed: Duration,
}

impl Stored {
    /// Links an account and reads these data points.
    pub(super) fn link(bodies: Vec<DataPointBody>) -> (Self, Change) {
        let account = account_after(&[is_connected], &mut fixture::context());
        let mut stored = Self { account, points: Vec::new(), elapsed: Duration::ZERO };
        let change = stored.is_read(ReadOutcome::Complete, bodies);
        (stored, change)
    }

    pub(super) fn apply(&mut self, input: AccountInput<'_>) -> Change {
        self.elapsed += Duration::from_millis(1);
        let mut context = fixture::context_after(self.elapsed);
        let (account, change) = self.account.clone().apply(input, &mut context).unwrap();
        self.account = account;
        for row in &change.rows {
            if let Row::DataPoint(point) = row {
                match self.points.iter_mut().find(|it| it.id == point.id) {
                    Some(stored) => *stored = (**point).clone(),
                    None => self.points.push((**point).clone()),
                }
            }
        }
        for deletion in &change.deletions {
            if let Deletion::DataPoints { kinds, .. } = deletion {
                self.points.retain(|point| !kinds.contains(&point.kind));
            }
        }
        change
    }

    pub(super) fn is_read(&mut self, outcome: ReadOutcome, bodies: Vec<DataPointBody>) -> Change {
        let account = self.account.clone();
        let AccountInput::Read { task_id, from, read, history, links, .. } = read(&account, outcome, bodies)
        else {
            panic!("not a reading")
        };
        let known = Known::from_points(self.points.clone()).unwrap();
        let files = Vec::new();
        self.apply(AccountInput::Read { task_id, from, read, files, known, history, links })
    }

    pub(super) fn disables(&mut self) -> Change {
        let known = Known::from_points(self.points.clone()).unwrap();
        self.apply(AccountInput::DisableMonitor { known, links: &fixture::PlainLinks })
    }

    /// Waits until the next sync, and starts it.
    pub(super) fn syncs(&mut self) -> Change {
        let next_at = self.account.monitor.next_at().unwrap();
        self.elapsed = next_at.since(fixture::context().now().tenant());
        self.apply(AccountInput::Sync)
    }

    pub(super) fn signs_in(&mut self) -> Change {
        self.signs_in_with(fixture::submission())
    }

    pub(super) fn signs_in_with(&mut self, submission: Submission) -> Change {
        drop(self.apply(AccountInput::Submit(submission)));
        let input = is_connected(&self.account);
        self.apply(input)
    }

    pub(super) fn status(&self) -> MonitorStatus {
        self.account.monitor.status()
    }

    pub(super) fn linked_status(&self) -> LinkedStatus {
        let now = fixture::context_after(self.elapsed).now().tenant();
        let (link, consent) = fixture::templates();
        let terms = Terms { link: &link, consent: &consent };
        self.account.to_linked_account(Some(&fixture::provider()), &terms, now).unwrap().status
    }
}

#[test]
fn late_sync_keeps_its_place_in_the_queue() {
    let (mut stored, _) = Stored::link(vec![identity()]);
    let due_at = stored.account.monitor.next_at().unwrap();
    stored.elapsed = due_at.since(fixture::context().now().tenant()) + Duration::from_secs(7_200);
    let started = stored.apply(AccountInput::Sync);
    let [job] = started.jobs.as_slice() else { panic!("{started:?}") };
    assert_eq!(job.due_at, due_at, "accounts that are due later must not be started before this one is read");
}

fn sync_event_data(change: &Change) -> Value {
    let last = change.events.last().unwrap();
    assert_eq!(last.event_type.as_str(), "ACCOUNT_SYNC_TASK_FINISHED");
    data(last, true)
}

/// Returns the job that reads the account again, with the time until it is due.
pub(super) fn next_try(stored: &Stored, change: &Change) -> Option<Duration> {
    let is_try = |job: &&Job| matches!(job.kind, JobKind::SyncAccount { .. } | JobKind::ReadAccount { .. });
    let now = fixture::context_after(stored.elapsed).now().tenant();
    change.jobs.iter().find(is_try).map(|job| job.due_at.since(now))
}

pub(super) const UNAVAILABLE: ReadOutcome = ReadOutcome::Failed { code: LinkErrorCode::ServiceUnavailable };

#[test]
fn sync_without_changes_reports_none_and_writes_none() {
    let (mut stored, _) = Stored::link(vec![identity(), contribution(1), employment()]);
    let started = stored.syncs();
    assert_eq!(types(&started.events), [""; 0]);
    let task = stored.account.running_task().unwrap().clone();
    assert_eq!(task.task_type.as_str(), "UPDATE_ACCOUNT");
    let change = stored.is_read(ReadOutcome::Complete, vec![identity(), contribution(1), employment()]);
    assert_eq!(data_points(&change), 0);
    assert_eq!(types(&change.events), ["ACCOUNT_SYNC_TASK_FINISHED"]);
    let event = sync_event_data(&change);
    let payload = event["payload"].as_object().unwrap();
    assert!(payload.len() == DataPointKind::ALL.len() && payload.values().all(Value::is_null), "{event}");
    assert_eq!(
        without_payload(&event),
        json!({
            "userId": stored.account.user_id, "sourceId": stored.account.id, "sourceType": "ACCOUNT",
            "providers": ["mx_social_security"], "status": "SUCCEEDED", "monitorStatus": "ACTIVE", "dataPoints": [],
        })
    );
    let Some(Row::Task(finished)) = change.rows.last() else { panic!("{change:?}") };
    assert_eq!((&finished.id, finished.status().as_str()), (&task.id, "SUCCEEDED"));
}

fn without_payload(event: &Value) -> Value {
    let mut event = event.clone();
    event.as_object_mut().unwrap().remove("payload");
    event
}

#[test]
fn sync_emits_added_then_updated_then_finished() {
    let (mut stored, _) = Stored::link(vec![identity(), contribution(1), contribution(40)]);
    let before = stored.points.clone();
    drop(stored.syncs());
    let DataPointBody::Contribution(mut corrected) = contribution(40) else { panic!() };
    corrected.amount = Money::from_hundredths(1);
    let read = vec![
        identity(),
        contribution(1),
        DataPointBody::Contribution(corrected),
        contribution(70),
        employment(),
    ];
    let change = stored.is_read(ReadOutcome::Complete, read);
    assert_eq!(
        types(&change.events),
        ["EMPLOYMENTS_ADDED", "CONTRIBUTIONS_ADDED", "CONTRIBUTIONS_UPDATED", "ACCOUNT_SYNC_TASK_FINISHED"]
    );
    let updated = data(&change.events[2], true);
    assert_eq!((&updated["count"], &updated["updatedIds"]), (&json!(1), &json!(null)));
    assert_eq!(
        (&updated["updatedFrom"], &updated["updatedTo"]),
        (&json!("2024-02-10"), &json!("2024-02-10"))
    );
    let at = Timestamp::from(fixture::context_after(stored.elapsed).now().tenant());
    assert_eq!(updated["updatedAt"], json!(at));
    let event = sync_event_data(&change);
    assert_eq!(event["dataPoints"], json!(["EMPLOYMENTS", "CONTRIBUTIONS"]));
    let items = event["payload"]["contributions"]["items"].as_array().unwrap();
    let days: Vec<_> = items.iter().map(|it| it["date"].as_str().unwrap()).collect();
    assert_eq!(days, ["2024-03-11", "2024-02-10", "2024-01-02"], "the list as its endpoint shows it");
    assert_eq!(event["payload"]["identity"], json!(null), "unchanged kinds are left out");
    let kept = before.iter().all(|it| stored.points.iter().any(|now| now.id == it.id));
    assert!(kept && stored.points.len() == before.len() + 2, "an updated data point keeps its id");
    let created = |points: &[DataPoint]| points.iter().map(|it| it.created_at).min();
    assert_eq!(created(&before), created(&stored.points));
}

#[test]
fn unavailable_source_is_tried_four_times_in_all() {
    let (mut stored, _) = Stored::link(vec![contribution(1)]);
    drop(stored.syncs());
    for attempt in 0..3 {
        let change = stored.is_read(UNAVAILABLE, Vec::new());
        assert_eq!(types(&change.events), [""; 0], "try {attempt}");
        stored.elapsed += next_try(&stored, &change).unwrap();
    }
    let change = stored.is_read(UNAVAILABLE, Vec::new());
    let event = sync_event_data(&change);
    assert_eq!((&event["status"], &event["monitorStatus"]), (&json!("FAILED"), &json!("ACTIVE")));
    assert!(stored.account.monitor.next_at().is_some());
    assert_eq!(stored.linked_status(), LinkedStatus::Connected, "a login does not help");
}

#[rstest]
#[case::production(Mode::Production, [900.0, 3_600.0, 14_400.0])]
#[case::sandbox(Mode::Sandbox, [1.0, 2.0, 3.0])]
fn waits_between_tries_grow(#[case] mode: Mode, #[case] expected: [f64; 3]) {
    let (mut stored, _) = Stored::link(vec![contribution(1)]);
    stored.account.owner.mode = mode;
    drop(stored.syncs());
    for seconds in expected {
        let change = stored.is_read(UNAVAILABLE, Vec::new());
        let wait = next_try(&stored, &change).unwrap().as_secs_f64();
        assert!(wait >= seconds * 0.79 && wait <= seconds * 1.21, "{wait} is not about {seconds}");
    }
}

#[test]
fn source_that_recovers_reports_every_change_once() {
    let (mut stored, _) = Stored::link(vec![contribution(1)]);
    drop(stored.syncs());
    let partial = ReadOutcome::Partial { code: LinkErrorCode::SystemError };
    let change = stored.is_read(partial, vec![employment()]);
    assert_eq!(types(&change.events), ["EMPLOYMENTS_ADDED"]);
    let change = stored.is_read(ReadOutcome::Complete, vec![employment(), contribution(1), contribution(2)]);
    assert_eq!(types(&change.events), ["CONTRIBUTIONS_ADDED", "ACCOUNT_SYNC_TASK_FINISHED"]);
    let event = sync_event_data(&change);
    assert_eq!(event["dataPoints"], json!(["EMPLOYMENTS", "CONTRIBUTIONS"]));
    assert_eq!(event["status"], "SUCCEEDED");
}

#[test]
fn first_reading_is_tried_again_before_it_fails() {
    let account = account_after(&[is_connected], &mut fixture::context());
    let mut stored = Stored { account, points: Vec::new(), elapsed: Duration::ZERO };
    let partial = ReadOutcome::Partial { code: LinkErrorCode::ServiceUnavailable };
    let change = stored.is_read(partial, vec![identity()]);
    assert_eq!(types(&change.events), ["IDENTITY_ADDED", "LINK_ADDED"]);
    for _ in 0..2 {
        assert_eq!(types(&stored.is_read(UNAVAILABLE, Vec::new()).events), [""; 0]);
    }
    let change = stored.is_read(UNAVAILABLE, Vec::new());
    assert_eq!(types(&change.events), ["TASK_FINISHED"]);
    let event = data(&change.events[0], true);
    assert_eq!((&event["status"], &event["errorCode"]), (&json!("PARTIAL"), &json!("SERVICE_UNAVAILABLE")));
    assert_eq!(event["datapoints"], json!(["IDENTITIES", "LINKS"]));
    assert!(event["payload"]["identity"].is_object());
}

#[rstest]
#[case::expired(LinkErrorCode::ExpiredCredentials)]
#[case::changed_password(LinkErrorCode::InvalidCredentials)]
#[case::mfa(LinkErrorCode::AuthRequired)]
#[case::terms(LinkErrorCode::TosRequired)]
fn refused_login_waits_for_the_person(#[case] code: LinkErrorCode) {
    let (mut stored, _) = Stored::link(vec![contribution(1)]);
    drop(stored.syncs());
    let change = stored.is_read(ReadOutcome::Failed { code }, Vec::new());
    let event = sync_event_data(&change);
    assert_eq!(
        (&event["status"], &event["monitorStatus"]),
        (&json!("FAILED"), &json!("USER_ACTION_REQUIRED"))
    );
    assert_eq!((next_try(&stored, &change), stored.account.monitor.next_at()), (None, None));
    assert_eq!(stored.linked_status(), LinkedStatus::ActionRequired);
    let late = stored.account.clone().apply(AccountInput::Sync, &mut fixture::context_after(RETENTION));
    assert_eq!(late.unwrap_err(), IllegalTransitionError::SyncInactive);
    drop(stored.disables());
    assert_eq!(stored.status(), MonitorStatus::CustomerDisabled);
    drop(stored.apply(AccountInput::EnableMonitor));
    assert_eq!(stored.status(), MonitorStatus::UserActionRequired);
    let change = stored.signs_in();
    assert_eq!(types(&change.events), ["ACCOUNT_CONNECTED", "TASK_STARTED"]);
    assert_eq!(stored.status(), MonitorStatus::Active);
    let change = stored.is_read(ReadOutcome::Complete, vec![contribution(1), contribution(2)]);
    assert_eq!(types(&change.events), ["CONTRIBUTIONS_ADDED", "LINK_ADDED", "TASK_FINISHED"]);
    assert!(stored.account.monitor.next_at().is_some());
}

#[test]
fn other_errors_wait_for_the_next_interval() {
    let (mut stored, _) = Stored::link(vec![contribution(1)]);
    drop(stored.syncs());
    let code = LinkErrorCode::AccountLocked;
    let event = sync_event_data(&stored.is_read(ReadOutcome::Failed { code }, Vec::new()));
    assert_eq!((&event["status"], &event["monitorStatus"]), (&json!("FAILED"), &json!("ACTIVE")));
    assert!(stored.account.monitor.next_at().is_some());
}

#[test]
fn refresh_is_limited_to_one_an_hour() {
    let (mut stored, _) = Stored::link(vec![contribution(1)]);
    let change = stored.apply(AccountInput::Refresh);
    assert_eq!(next_try(&stored, &change), Some(Duration::ZERO));
    let task = stored.account.running_task().cloned();
    let again = stored.apply(AccountInput::Refresh);
    assert_eq!(again, Change::default(), "the reading in progress answers the request");
    assert_eq!(stored.account.running_task().cloned(), task);
    drop(stored.is_read(ReadOutcome::Complete, vec![contribution(1)]));
    let minute = Duration::from_secs(60);
    let mut soon = fixture::context_after(stored.elapsed + minute);
    let refused = stored.account.clone().apply(AccountInput::Refresh, &mut soon).unwrap_err();
    let IllegalTransitionError::RefreshedAlready { wait } = refused else { panic!("{refused:?}") };
    assert_eq!(wait.as_secs(), (REFRESH_INTERVAL - minute).as_secs() - u64::from(wait.subsec_nanos() > 0));
    stored.elapsed += REFRESH_INTERVAL;
    assert!(!stored.apply(AccountInput::Refresh).jobs.is_empty());
}

#[test]
fn disabling_ends_a_sync_that_waits_for_another_try() {
    let (mut stored, _) = Stored::link(vec![contribution(1)]);
    drop(stored.syncs());
    drop(stored.is_read(UNAVAILABLE, Vec::new()));
    let event = sync_event_data(&stored.disables());
    assert_eq!((&event["status"], &event["monitorStatus"]), (&json!("FAILED"), &json!("CUSTOMER_DISABLED")));
    assert_eq!(stored.account.running_task(), None);
    let change = stored.apply(AccountInput::EnableMonitor);
    assert!(next_try(&stored, &change).is_some() && stored.account.monitor.next_at().is_some());
}

#[test]
fn refresh_makes_a_waiting_try_due_now() {
    let (mut stored, _) = Stored::link(vec![contribution(1)]);
    drop(stored.syncs());
    let change = stored.is_read(UNAVAILABLE, Vec::new());
    assert!(next_try(&stored, &change) > Some(Duration::ZERO));
    let task = stored.account.running_task().cloned();
    let change = stored.apply(AccountInput::Refresh);
    assert_eq!(next_try(&stored, &change), Some(Duration::ZERO));
    assert_eq!(stored.account.running_task().cloned(), task, "no second task is started");
    let again = stored.apply(AccountInput::Refresh);
    assert_eq!(again, Change::default(), "the try may be under way");
    drop(stored.is_read(UNAVAILABLE, Vec::new()));
    let mut soon = fixture::context_after(stored.elapsed);
    let refused = stored.account.clone().apply(AccountInput::Refresh, &mut soon).unwrap_err();
    assert!(matches!(refused, IllegalTransitionError::RefreshedAlready { .. }), "{refused:?}");
}

#[test]
fn disabling_reports_the_data_of_an_earlier_try() {
    let (mut stored, _) = Stored::link(vec![contribution(1)]);
    drop(stored.syncs());
    let partial = ReadOutcome::Partial { code: LinkErrorCode::ServiceUnavailable };
    drop(stored.is_read(partial, vec![contribution(1), employment()]));
    let event = sync_event_data(&stored.disables());
    assert_eq!((&event["status"], &event["dataPoints"]), (&json!("PARTIAL"), &json!(["EMPLOYMENTS"])));
    assert_eq!(event["payload"].as_object().unwrap().len(), DataPointKind::ALL.len());
    assert_eq!(event["payload"]["employments"]["items"].as_array().unwrap().len(), 1);
}

#[test]
fn revoking_during_a_sync_finishes_its_task() {
    let (mut stored, _) = Stored::link(vec![contribution(1)]);
    drop(stored.syncs());
    let change = stored.apply(AccountInput::Revoke { by: RevokedBy::User });
    assert_eq!(types(&change.events), ["ACCOUNT_SYNC_TASK_FINISHED", "ACCOUNT_DISCONNECTED"]);
    let payload = data(&change.events[0], true)["payload"].as_object().unwrap().clone();
    assert!(payload.len() == DataPointKind::ALL.len() && payload.values().all(Value::is_null), "{payload:?}");
    let late = stored.account.clone().apply(AccountInput::Sync, &mut fixture::context_after(RETENTION));
    assert_eq!(late.unwrap_err(), IllegalTransitionError::AlreadyDisconnected);
}

#[test]
fn task_events_use_different_data_point_field_names() {
    use link_types::event::{AccountSyncTaskFinished, EventData, EventPayload};
    let sync = EventData::AccountSyncTaskFinished(AccountSyncTaskFinished {
        user_id: fixture::user_id(),
        source_id: "a-1".into(),
        source_type: link_types::data::SourceType::Account,
        providers: vec![fixture::provider_id()],
        status: link_types::task::TaskStatus::Succeeded,
        monitor_status: MonitorStatus::Active,
        data_points: vec![DataPointKind::Incomes],
        payload: EventPayload::default(),
    });
    assert_eq!(serde_json::to_value(&sync).unwrap()["dataPoints"], json!(["INCOMES"]));
    let mut context = fixture::context();
    let account = account_after(&[is_connected], &mut context);
    let input = is_read(&account);
    let (_, change) = account.apply(input, &mut context).unwrap();
    let finished = data(change.events.last().unwrap(), false);
    assert!(finished.get("datapoints").is_some() && finished.get("dataPoints").is_none());
}
