//! The life of a record.

use link_types::event::EventType;
use link_types::record::{RecordConsent, RecordStatus, ResultCode};
use link_types::{Money, Timestamp};
use rstest::rstest;

use super::*;
use crate::fixture;

fn request() -> SocialSecurityRequest {
    SocialSecurityRequest {
        template_id: SOCIAL_SECURITY_TEMPLATE.to_owned(),
        consent: RecordConsent {
            consented_at: Timestamp::from_micros(0),
            consent_template_id: None,
            consent_type: None,
            version: None,
            consented_with: "I agree".to_owned(),
        },
        mobile_number: "525500000100".to_owned(),
        full_name: "Valeria Montelongo".to_owned(),
        curp: "HEGG560427MVZRRL04".to_owned(),
        email_address: "valeria@example.com".to_owned(),
    }
}

fn result() -> SocialSecurityResult {
    SocialSecurityResult {
        full_name: "VALERIA MONTELONGO".to_owned(),
        curp: "HEGG560427MVZRRL04".to_owned(),
        nss: "00000000001".to_owned(),
        report_date: "2026-11-20".parse().unwrap(),
        employer_name: "Talleres Ejemplo".to_owned(),
        employer_registration: "Y0000000100".to_owned(),
        state: "Jalisco".to_owned(),
        contribution_days: 400,
        contribution_base_amount: Money::from_hundredths(45_050),
        currency: "MXN".to_owned(),
    }
}

fn created() -> Record {
    Record::create(fixture::owner(), request(), &mut fixture::context()).0
}

#[test]
fn a_record_begins_without_a_result_and_owes_its_answer_and_its_end() {
    let (record, change) = Record::create(fixture::owner(), request(), &mut fixture::context());
    let view = record.view();
    assert_eq!((view.status, view.result_code), (RecordStatus::Processing, None));
    assert_eq!((view.result_message, view.result), (None, None));
    assert_eq!(view.request_meta, request());
    assert_eq!(change.events[0].event_type, EventType::RecordCreated);
    assert!(change.events[0].sealed.is_none(), "it says nothing personal");
    let due: Vec<_> = change.jobs.iter().map(|job| (job.kind.clone(), job.due_at)).collect();
    let complete = JobKind::CompleteRecord { record_id: record.id.clone() };
    let expire = JobKind::ExpireScope { scope: record.scope() };
    assert_eq!(due, [(complete, record.created_at), (expire, record.created_at + RETENTION)]);
}

#[rstest]
#[case(Outcome::Success(result()), RecordStatus::Completed, ResultCode::Success, 1)]
#[case(Outcome::NoData {}, RecordStatus::Completed, ResultCode::NoData, 0)]
#[case(Outcome::InvalidParameters {}, RecordStatus::Completed, ResultCode::InvalidParameters, 0)]
#[case(Outcome::ServiceUnavailable {}, RecordStatus::Error, ResultCode::ServiceUnavailable, 0)]
#[case(Outcome::SystemError {}, RecordStatus::Error, ResultCode::SystemError, 0)]
fn every_outcome_has_its_status_its_event_and_success_its_charge(
    #[case] outcome: Outcome<SocialSecurityResult>,
    #[case] status: RecordStatus,
    #[case] code: ResultCode,
    #[case] charges: usize,
) {
    let has_result = outcome.found().is_some();
    let (record, change) = created().complete(outcome, &mut fixture::context()).unwrap();
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
fn the_event_carries_the_record_with_the_name_twice_and_is_stripped_of_it() {
    let (record, change) = created().complete(Outcome::Success(result()), &mut fixture::context()).unwrap();
    let event: serde_json::Value = serde_json::from_slice(change.events[0].body(false)).unwrap();
    let payload = &event["data"]["payload"];
    assert_eq!(payload["result"]["name"], payload["result"]["fullName"]);
    let mut without_name = payload.clone();
    without_name["result"].as_object_mut().unwrap().remove("name");
    assert_eq!(without_name, serde_json::to_value(record.view()).unwrap(), "the whole record");
    let open: serde_json::Value = serde_json::from_slice(&change.events[0].open).unwrap();
    let mut left = event["data"].clone();
    left.as_object_mut().unwrap().remove("payload");
    assert_eq!(open["data"], left);
}

#[test]
fn a_record_is_answered_once() {
    let (record, _) = created().complete(Outcome::NoData {}, &mut fixture::context()).unwrap();
    let again = record.complete(Outcome::Success(result()), &mut fixture::context());
    assert_eq!(again.map(|_| ()), Err(AlreadyEnded));
}

#[rstest]
#[case::template(|it: &mut SocialSecurityRequest| it.template_id = "tpl-sss003002".to_owned())]
#[case::curp(|it: &mut SocialSecurityRequest| it.curp = "HEGG560427MVZRRL05".to_owned())]
#[case::leading_zero(|it: &mut SocialSecurityRequest| it.mobile_number = "0525500000100".to_owned())]
#[case::plus(|it: &mut SocialSecurityRequest| it.mobile_number = "+525500000100".to_owned())]
#[case::half_an_md5(|it: &mut SocialSecurityRequest| it.mobile_number = "c8a22be53e5e7d9d".to_owned())]
#[case::email(|it: &mut SocialSecurityRequest| it.email_address = "valeria".to_owned())]
fn what_no_source_takes_is_refused_before_it_is_asked(#[case] spoil: fn(&mut SocialSecurityRequest)) {
    let mut record = created();
    assert_eq!(record.refusal(), None);
    spoil(&mut record.request);
    assert_eq!(record.refusal(), Some(Outcome::InvalidParameters {}));
}

#[test]
fn an_md5_is_a_number() {
    let mut record = created();
    record.request.mobile_number = "c8a22be53e5e7d9d0f3a33ab6e04cd85".to_owned();
    assert_eq!(record.refusal(), None);
}
