//! Every published input has its documented outcome, and all drawn values are within their bounds.

use std::task::{Context, Poll, Waker};
use std::time::Duration;

use link_domain::kernel::clock::TenantTime;
use link_types::Date;
use link_types::id::RecordId;
use link_types::record::{RecordConsent, ResultCode, SOCIAL_SECURITY_TEMPLATE, SocialSecurityRequest};
use link_types::signal::IncomeEstimatorRequest;
use link_types::signal::{
    FootprintsRequest, ItemSpec, ItemValue, ItemValues, MobileSignalRequest, SignalConsent, SignalId,
    SignalItem, SignalRequest, SocialSecuritySignalsRequest,
};
use rstest::rstest;

use super::*;

const TIMEOUT: Duration = Duration::from_secs(30);

/// Returns the sandbox's response, which never waits.
fn now<T>(answer: BoxFuture<'_, T>) -> T {
    let mut answer = answer;
    match answer.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the sandbox waits"),
    }
}

fn at() -> TenantTime {
    TenantTime::from_micros("2026-11-20T11:07:11.000Z".parse::<Timestamp>().unwrap().as_micros())
}

fn today() -> Date {
    Timestamp::from(at()).date()
}

fn unwrap_outcome<T>(queried: Queried<T>) -> Outcome<T> {
    match queried {
        Queried::Ended(outcome) => outcome,
        Queried::Waiting { .. } => panic!("the sandbox works on a task"),
    }
}

fn signal(request: &SignalRequest, timeout: Duration) -> Outcome<SignalFindings> {
    let id = SignalId::from_bytes(request.kind(), [1; 16]);
    unwrap_outcome(now(SandboxRecords.signal(SignalQuery {
        id: &id,
        request,
        task: None,
        timeout,
        at: at(),
    })))
}

fn consent() -> SignalConsent {
    SignalConsent {
        consented_at: Timestamp::from_micros(0),
        consent_template_id: None,
        consent_type: Some("TERMS".to_owned()),
        version: Some("1".to_owned()),
        consented_with: Some("I agree".to_owned()),
    }
}

fn mobile(number: &str) -> MobileSignalRequest {
    MobileSignalRequest { mobile_number: number.to_owned(), consent: consent() }
}

fn items(request: &SignalRequest) -> Vec<SignalItem> {
    let outcome = signal(request, TIMEOUT);
    let Outcome::Success(found) = outcome else { panic!("{outcome:?}") };
    found.0
}

fn integer(items: &[SignalItem], name: &str) -> i64 {
    match items.iter().find(|item| item.name == name).and_then(|item| item.value.as_ref()) {
        Some(ItemValue::Integer(value)) => *value,
        other => panic!("{name}: {other:?}"),
    }
}

#[rstest]
#[case("525500000100", ResultCode::Success)]
#[case("525500000101", ResultCode::NoData)]
#[case("525500000102", ResultCode::InvalidParameters)]
#[case("525500000103", ResultCode::ServiceUnavailable)]
#[case("525500000104", ResultCode::SystemError)]
#[case("525512345678", ResultCode::NoData)]
fn number_and_its_md5_have_the_same_result_code(#[case] number: &str, #[case] code: ResultCode) {
    for form in [number.to_owned(), inputs::md5_of(number), inputs::md5_of(number).to_uppercase()] {
        let request = SignalRequest::Blacklist(mobile(&form));
        assert_eq!(signal(&request, TIMEOUT).code(), code, "{form}");
    }
}

/// The interface: "any mobile number other than the designated sandbox test number yields NO_DATA". The numbers for
/// other codes are published in addition. A number that only varies a signal finds no record.
#[test]
fn only_one_number_finds_a_record() {
    let found = TEST_INPUTS.iter().filter(|input| {
        let request = SocialSecurityRequest {
            template_id: SOCIAL_SECURITY_TEMPLATE.to_owned(),
            consent: RecordConsent {
                consented_at: Timestamp::from_micros(0),
                consent_template_id: None,
                consent_type: None,
                version: None,
                consented_with: "I agree".to_owned(),
            },
            mobile_number: input.mobile_number.to_owned(),
            full_name: "Valeria Montelongo Olmedal".to_owned(),
            curp: "HEGG560427MVZRRL04".to_owned(),
            email_address: "valeria@example.com".to_owned(),
            user_id: None,
        };
        let id = RecordId::from_bytes([1; 16]);
        let query = RecordQuery { id: &id, request: &request, task: None, at: at() };
        unwrap_outcome(now(SandboxRecords.social_security(query))).code() == ResultCode::Success
    });
    assert_eq!(found.map(|input| input.mobile_number).collect::<Vec<_>>(), ["525500000100"]);
}

#[test]
fn md5_of_the_test_number_is_as_published() {
    assert_eq!(inputs::md5_of("525500000100"), "c8a22be53e5e7d9d0f3a33ab6e04cd85");
}

#[test]
fn same_input_draws_the_same_items() {
    let kinds: [fn(MobileSignalRequest) -> SignalRequest; 5] = [
        SignalRequest::Blacklist,
        SignalRequest::BorrowerBehavior,
        SignalRequest::BorrowerScreening,
        SignalRequest::CreditLifecycle,
        SignalRequest::MultipleApplicationWarning,
    ];
    for kind in kinds {
        let once = items(&kind(mobile("525500000100")));
        assert_eq!(once, items(&kind(mobile(&inputs::md5_of("525500000100")))));
        assert_ne!(once, items(&kind(mobile("525500000106"))));
        check_bounds(&kind(mobile("525500000100")), &once);
    }
}

fn check_bounds(request: &SignalRequest, items: &[SignalItem]) {
    let kind = request.kind();
    let names: Vec<&str> = items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names, kind.items().iter().map(|spec| spec.name).collect::<Vec<_>>());
    for (spec, item) in kind.items().iter().zip(items) {
        assert_eq!(item.value_type, spec.values.value_type());
        assert!(item.value.as_ref().is_none_or(|value| within(spec, value)), "{kind} {}", spec.name);
    }
}

fn within(spec: &ItemSpec, value: &ItemValue) -> bool {
    match (spec.values, value) {
        (ItemValues::Boolean, ItemValue::Boolean(_)) => true,
        (ItemValues::Integer(low, high), ItemValue::Integer(value)) => (low..=high).contains(value),
        (ItemValues::Hundredths(low, high), ItemValue::Number(value)) => {
            (low as f64 / 100.0..=high as f64 / 100.0).contains(value)
        }
        (ItemValues::Word(words), ItemValue::Text(word)) => words.contains(&word.as_str()),
        (ItemValues::DaysAgo(_), ItemValue::Text(day)) => day.parse::<Date>().is_ok_and(|day| day < today()),
        (ItemValues::DayList(_), ItemValue::Dates(days)) => days.iter().all(|day| *day < today()),
        _ => false,
    }
}

#[test]
fn applications_add_up_and_grow_with_the_period() {
    let items = items(&SignalRequest::MultipleApplicationWarning(mobile("525500000100")));
    let of = |name: &str| integer(&items, name);
    for span in ["7Days", "30Days", "90Days"] {
        let kinds = ["bank", "online", "microfinance", "retail"];
        let sum: i64 = kinds.iter().map(|kind| of(&format!("{kind}Applications{span}"))).sum();
        assert_eq!(of(&format!("applications{span}")), sum);
    }
    assert!(of("applications7Days") <= of("applications30Days"));
    assert!(of("applications30Days") <= of("applications90Days"));
}

#[rstest]
#[case::patient(5, 0)]
#[case::impatient(4, 2)]
fn late_items_are_null_if_the_timeout_is_short(#[case] seconds: u64, #[case] missing: usize) {
    let request = SignalRequest::Footprints(FootprintsRequest {
        mobile_number: Some("525500000105".to_owned()),
        email_address: Some("ana@example.com".to_owned()),
        timeout: None,
        consent: consent(),
    });
    let answer = signal(&request, Duration::from_secs(seconds));
    let found = answer.as_found().unwrap();
    assert_eq!(found.0.iter().filter(|item| item.value.is_none()).count(), missing);
}

#[test]
fn estimate_is_between_its_bounds() {
    let email_address = "Success@example.com".to_owned();
    let request =
        SignalRequest::IncomeEstimator(IncomeEstimatorRequest { email_address, consent: consent() });
    let items = items(&request);
    check_bounds(&request, &items);
    let of = |name: &str| match items.iter().find(|item| item.name == name).unwrap().value {
        Some(ItemValue::Number(value)) => value,
        ref other => panic!("{other:?}"),
    };
    assert!(of("low") <= of("amount") && of("amount") <= of("high"));
}

#[test]
fn yearly_weeks_do_not_exceed_total_weeks() {
    let request = SignalRequest::SocialSecuritySignals(SocialSecuritySignalsRequest {
        mobile_number: "525500000100".to_owned(),
        curp: "HEGG560427MVZRRL04".to_owned(),
        consent: consent(),
    });
    let items = items(&request);
    check_bounds(&request, &items);
    assert!(integer(&items, "contributionWeeks12Months") <= integer(&items, "contributionWeeks"));
}
