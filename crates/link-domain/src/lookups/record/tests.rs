//! Tests of the record's life cycle.

use link_types::event::EventType;
use link_types::record::{RecordStatus, ResultCode};
use rstest::rstest;

use super::*;
use crate::change::Row;
use crate::change::job::JobKind;
use crate::fixture;
use crate::lookups::record_source::Queried;

fn request() -> SocialSecurityRequest {
    fixture::record().0
}

fn result() -> SocialSecurityResult {
    fixture::record().1
}

fn create_record() -> Record {
    Record::create(fixture::owner(), request(), &mut fixture::context()).0
}

#[test]
fn new_record_is_processing_and_schedules_its_jobs() {
    let (record, change) = Record::create(fixture::owner(), request(), &mut fixture::context());
    let view = record.view();
    assert_eq!((view.status, view.result_code), (RecordStatus::Processing, None));
    assert_eq!((view.result_message, view.result), (None, None));
    assert_eq!(view.request_meta, request());
    assert_eq!(change.events[0].event_type, EventType::RecordCreated);
    assert!(change.events[0].sealed.is_none(), "the event has no personal data");
    let due: Vec<_> = change.jobs.iter().map(|job| (job.kind.clone(), job.due_at)).collect();
    let complete = JobKind::CompleteRecord { record_id: record.id.clone() };
    let expire = JobKind::ExpireScope { scope: record.scope() };
    assert_eq!(due, [(complete, record.created_at), (expire, record.created_at + RETENTION)]);
}

#[rstest]
#[case(Outcome::Success(result()), RecordStatus::Completed, ResultCode::Success, 1)]
#[case(Outcome::NoData {}, RecordStatus::Completed, ResultCode::NoData, 0)]
#[case(Outcome::InvalidParameters { rejected: Vec::new() }, RecordStatus::Completed, ResultCode::InvalidParameters, 0)]
#[case(Outcome::ServiceUnavailable {}, RecordStatus::Error, ResultCode::ServiceUnavailable, 0)]
#[case(Outcome::SystemError {}, RecordStatus::Error, ResultCode::SystemError, 0)]
fn outcome_sets_status_and_only_success_is_charged(
    #[case] outcome: Outcome<SocialSecurityResult>,
    #[case] status: RecordStatus,
    #[case] code: ResultCode,
    #[case] charges: usize,
) {
    let has_result = outcome.as_found().is_some();
    let (record, change) = create_record().complete(outcome, &mut fixture::context()).unwrap();
    let view = record.view();
    assert_eq!((view.status, view.result_code), (status, Some(code)));
    assert_eq!(view.result_message.as_deref(), Some(code.message()));
    assert_eq!(view.result.is_some(), has_result);
    assert_eq!(change.events[0].event_type, EventType::RecordCompleted);
    assert_eq!(change.events[0].sequence, 2);
    let billed = change.rows.iter().filter(|row| matches!(row, Row::Billing(_))).count();
    assert_eq!(billed, charges);
}

#[test]
fn completed_event_has_the_record_only_in_encrypted_form() {
    let (record, change) =
        create_record().complete(Outcome::Success(result()), &mut fixture::context()).unwrap();
    let event: serde_json::Value = serde_json::from_slice(change.events[0].body(false)).unwrap();
    let payload = &event["data"]["payload"];
    assert_eq!(payload["result"]["name"], payload["result"]["fullName"]);
    let mut without_name = payload.clone();
    without_name["result"].as_object_mut().unwrap().remove("name");
    assert_eq!(without_name, serde_json::to_value(record.view()).unwrap(), "the complete record");
    let open: serde_json::Value = serde_json::from_slice(&change.events[0].open).unwrap();
    let mut expected = event["data"].clone();
    expected.as_object_mut().unwrap().remove("payload");
    assert_eq!(open["data"], expected);
}

#[test]
fn record_is_completed_only_once() {
    let (record, _) = create_record().complete(Outcome::NoData {}, &mut fixture::context()).unwrap();
    let again = record.complete(Outcome::Success(result()), &mut fixture::context());
    assert_eq!(again.map(|_| ()), Err(AlreadyEndedError));
}

fn waiting(seconds: u64) -> Queried<SocialSecurityResult> {
    Queried::Waiting { task: SourceTask::new("task-1").unwrap(), after: Duration::from_secs(seconds) }
}

#[test]
fn accepted_query_keeps_its_task_and_schedules_the_next() {
    let (record, change) = create_record().apply_response(waiting(20), &mut fixture::context()).unwrap();
    assert_eq!(record.task().map(SourceTask::as_str), Some("task-1"));
    assert_eq!(record.view().status, RecordStatus::Processing);
    assert!(change.events.is_empty());
    let due: Vec<_> = change.jobs.iter().map(|job| (job.kind.clone(), job.due_at)).collect();
    let complete = JobKind::CompleteRecord { record_id: record.id.clone() };
    assert_eq!(due, [(complete, record.created_at + Duration::from_secs(20))]);
    let (record, _) =
        record.apply_response(Queried::Ended(Outcome::NoData {}), &mut fixture::context()).unwrap();
    assert_eq!((record.task(), record.view().result_code), (None, Some(ResultCode::NoData)));
}

#[test]
fn task_that_takes_longer_than_an_hour_is_service_unavailable() {
    let (record, _) = create_record().apply_response(waiting(3_600), &mut fixture::context()).unwrap();
    let (record, change) = record.apply_response(waiting(3_601), &mut fixture::context()).unwrap();
    assert_eq!(record.view().result_code, Some(ResultCode::ServiceUnavailable));
    assert_eq!(change.events[0].event_type, EventType::RecordCompleted);
}

#[rstest]
#[case("")]
#[case("../providers")]
#[case("task 1")]
#[case("task\r\n1")]
#[case("über")]
fn task_name_that_does_not_fit_in_a_path_is_rejected(#[case] name: &str) {
    assert_eq!(SourceTask::new(name), None);
    assert_eq!(SourceTask::new("t".repeat(129)), None);
    assert!(SourceTask::new("t".repeat(128)).is_some());
}

#[rstest]
#[case::template("templateId", |it: &mut SocialSecurityRequest| it.template_id = "tpl-sss003002".to_owned())]
#[case::curp("curp", |it: &mut SocialSecurityRequest| it.curp = "HEGG560427MVZRRL05".to_owned())]
#[case::leading_zero("mobileNumber", |it: &mut SocialSecurityRequest| it.mobile_number = "0525500000100".to_owned())]
#[case::plus("mobileNumber", |it: &mut SocialSecurityRequest| it.mobile_number = "+525500000100".to_owned())]
#[case::too_short_md5("mobileNumber", |it: &mut SocialSecurityRequest| it.mobile_number = "c8a22be53e5e7d9d".to_owned())]
#[case::email("emailAddress", |it: &mut SocialSecurityRequest| it.email_address = "valeria".to_owned())]
fn malformed_request_is_rejected_with_the_fields_name(
    #[case] name: &str,
    #[case] corrupt: fn(&mut SocialSecurityRequest),
) {
    let mut record = create_record();
    assert_eq!(record.refusal(), None);
    corrupt(&mut record.request);
    let refusal = record.refusal().unwrap();
    assert_eq!(refusal.code(), ResultCode::InvalidParameters);
    let (record, _) = record.complete(refusal, &mut fixture::context()).unwrap();
    let message = record.view().result_message.unwrap();
    assert!(message.contains(&format!("`{name}`")) && message.matches('`').count() == 2, "{message}");
}

#[test]
fn md5_of_a_mobile_number_is_accepted() {
    let mut record = create_record();
    record.request.mobile_number = "c8a22be53e5e7d9d0f3a33ab6e04cd85".to_owned();
    assert_eq!(record.refusal(), None);
}
