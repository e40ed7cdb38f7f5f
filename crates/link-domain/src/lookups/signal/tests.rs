//! Tests of the signal's life cycle.

use link_types::Timestamp;
use link_types::event::EventType;
use link_types::record::{RecordStatus, ResultCode};
use link_types::signal::{
    FootprintsRequest, IdType, IncomeEstimatorRequest, ItemValue, MobileSignalRequest, PersonId,
    SignalConsent, SignalItem, SocialSecuritySignalsRequest, ValueType, VerificationRequest,
};
use rstest::rstest;

use super::*;
use crate::change::{Change, Row};
use crate::fixture;
use crate::lookups::record::AlreadyEndedError;
use crate::lookups::record_source::Queried;
use crate::tenancy::billing::BillingKind;

fn consent() -> SignalConsent {
    SignalConsent {
        consented_at: Timestamp::from_micros(0),
        consent_template_id: Some(ConsentTemplateId::from_bytes([2; 16])),
        consent_type: None,
        version: None,
        consented_with: None,
    }
}

fn mobile() -> MobileSignalRequest {
    MobileSignalRequest { mobile_number: "525500000100".to_owned(), consent: consent() }
}

fn footprints(timeout: Option<u8>) -> SignalRequest {
    let (mobile_number, email_address) =
        (Some("525500000100".to_owned()), Some("ana@example.com".to_owned()));
    SignalRequest::Footprints(FootprintsRequest { mobile_number, email_address, timeout, consent: consent() })
}

fn verification() -> SignalRequest {
    SignalRequest::Verification(Box::new(VerificationRequest {
        first_name: "Ana".to_owned(),
        middle_name: None,
        last_name: "Olmedal".to_owned(),
        dob: "1990-05-24".parse().unwrap(),
        ids: vec![PersonId { id_type: IdType::Passport, number: "X1".to_owned() }],
        mobile_number: Some("525500000100".to_owned()),
        email_address: None,
        employer_name: None,
        consent: consent(),
    }))
}

fn social_security(curp: &str) -> SignalRequest {
    let (mobile_number, curp) = ("525500000100".to_owned(), curp.to_owned());
    SignalRequest::SocialSecuritySignals(SocialSecuritySignalsRequest {
        mobile_number,
        curp,
        consent: consent(),
    })
}

fn income(email_address: &str) -> SignalRequest {
    let email_address = email_address.to_owned();
    SignalRequest::IncomeEstimator(IncomeEstimatorRequest { email_address, consent: consent() })
}

fn create_signal(request: SignalRequest) -> (Signal, Change) {
    Signal::create(fixture::owner(), request, &mut fixture::context())
}

fn sample_findings() -> SignalFindings {
    let item = |name: &str, value, value_type| SignalItem { name: name.to_owned(), value, value_type };
    SignalFindings(vec![
        item("dates", Some(ItemValue::Dates(Vec::new())), ValueType::DateList),
        item("hit", Some(ItemValue::Boolean(false)), ValueType::Boolean),
        item("shoeSize", Some(ItemValue::Integer(38)), ValueType::Integer),
    ])
}

#[test]
fn synchronous_signal_emits_no_event_and_is_due_now() {
    let (signal, change) = create_signal(SignalRequest::Blacklist(mobile()));
    assert!(signal.id.as_str().starts_with("bl-"));
    assert!(change.events.is_empty());
    assert_eq!((change.jobs[0].due_at, &change.jobs[0].key), (signal.created_at, &signal.completion_key()));
    assert_eq!(change.jobs[1].due_at, signal.created_at + RETENTION);
    assert_eq!(signal.view().status, RecordStatus::Processing);
    assert!(signal.view().items.is_empty());
}

#[test]
fn verification_events_have_no_personal_data() {
    let (signal, change) = create_signal(verification());
    assert_eq!(change.events[0].event_type, EventType::VerificationStarted);
    assert_eq!(change.jobs[0].due_at, signal.created_at);
    let (signal, change) = signal.complete(Outcome::NoData {}, &mut fixture::context()).unwrap();
    let event = &change.events[0];
    assert_eq!((event.event_type, event.sequence), (EventType::VerificationCompleted, 2));
    assert!(event.sealed.is_none());
    let body: serde_json::Value = serde_json::from_slice(&event.open).unwrap();
    let data = serde_json::json!({
        "verificationId": signal.id, "status": "COMPLETED", "resultCode": "NO_DATA",
        "resultMessage": ResultCode::NoData.message(),
    });
    assert_eq!(body["data"], data);
}

#[test]
fn signal_result_follows_its_table_order() {
    let (signal, _) = create_signal(SignalRequest::Blacklist(mobile()));
    let (signal, _) = signal.complete(Outcome::Success(sample_findings()), &mut fixture::context()).unwrap();
    let names: Vec<_> = signal.view().items.into_iter().map(|item| item.name).collect();
    assert_eq!(names, ["hit", "dates"]);
}

#[test]
fn item_value_of_the_wrong_type_becomes_null() {
    let (signal, _) = create_signal(SignalRequest::Blacklist(mobile()));
    let mut found = sample_findings();
    found.0[1].value_type = ValueType::Integer;
    let (signal, _) = signal.complete(Outcome::Success(found), &mut fixture::context()).unwrap();
    let view = signal.view();
    assert_eq!((view.items[0].value.as_ref(), view.items[0].value_type), (None, ValueType::Boolean));
}

#[rstest]
#[case::hit(
    SignalRequest::Blacklist(mobile()),
    Outcome::Success(sample_findings()),
    Some(BillingKind::Blacklist)
)]
#[case::no_hit(SignalRequest::Blacklist(mobile()), Outcome::NoData {}, None)]
#[case::unavailable(SignalRequest::Blacklist(mobile()), Outcome::ServiceUnavailable {}, None)]
#[case::verified(verification(), Outcome::Success(sample_findings()), Some(BillingKind::Verification))]
#[case::unknown_person(verification(), Outcome::NoData {}, Some(BillingKind::Verification))]
#[case::rejected(verification(), Outcome::InvalidParameters { rejected: Vec::new() }, None)]
fn only_billable_outcomes_are_charged(
    #[case] request: SignalRequest,
    #[case] outcome: Outcome<SignalFindings>,
    #[case] charged: Option<BillingKind>,
) {
    let (_, change) = create_signal(request).0.complete(outcome, &mut fixture::context()).unwrap();
    let billed: Vec<_> = change
        .rows
        .iter()
        .filter_map(|row| if let Row::Billing(record) = row { Some(record.kind) } else { None })
        .collect();
    assert_eq!(billed, Vec::from_iter(charged));
}

#[test]
fn signal_is_completed_only_once() {
    let (signal, _) = create_signal(income("success@example.com"));
    let (signal, _) = signal.complete(Outcome::NoData {}, &mut fixture::context()).unwrap();
    assert_eq!(
        signal.complete(Outcome::NoData {}, &mut fixture::context()).map(|_| ()),
        Err(AlreadyEndedError)
    );
}

#[test]
fn accepted_verification_keeps_its_task_for_an_hour() {
    let waiting = |seconds| Queried::Waiting {
        task: SourceTask::new("task-1").unwrap(),
        after: Duration::from_secs(seconds),
    };
    let (signal, change) =
        create_signal(verification()).0.apply_response(waiting(60), &mut fixture::context()).unwrap();
    assert_eq!(signal.task().map(SourceTask::as_str), Some("task-1"));
    assert_eq!(change.jobs.len(), 1);
    assert_eq!(
        (change.jobs[0].due_at, change.events.len()),
        (signal.created_at + Duration::from_secs(60), 0)
    );
    let (signal, _) = signal.apply_response(waiting(3_601), &mut fixture::context()).unwrap();
    assert_eq!(signal.view().result_code, Some(ResultCode::ServiceUnavailable));
}

#[rstest]
#[case::requested_timeout(footprints(Some(3)), 3)]
#[case::default_timeout(footprints(None), 10)]
#[case::other_kind(SignalRequest::Blacklist(mobile()), 30)]
fn footprints_timeout_limits_the_wait(#[case] request: SignalRequest, #[case] seconds: u64) {
    assert_eq!(create_signal(request).0.timeout(), Duration::from_secs(seconds));
}

fn reject(parameter: RejectedParameter) -> Outcome<SignalFindings> {
    Outcome::InvalidParameters { rejected: vec![parameter] }
}

#[rstest]
#[case::valid(social_security("HEGG560427MVZRRL04"), None)]
#[case::curp(social_security("HEGG560427"), Some(reject(RejectedParameter::Curp)))]
#[case::email(income("success"), Some(reject(RejectedParameter::EmailAddress)))]
fn malformed_request_is_rejected_without_a_query(
    #[case] request: SignalRequest,
    #[case] expected: Option<Outcome<SignalFindings>>,
) {
    assert_eq!(create_signal(request).0.refusal(), expected);
}
