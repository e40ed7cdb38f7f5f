//! Records and signals: tasks, faults, and what the service accepts as a result.

use std::time::Duration;

use link_domain::kernel::clock::TenantTime;
use link_domain::linking::account_source::AccountSource as _;
use link_domain::lookups::record_source::{
    Outcome, Queried, RecordQuery, RecordSource as _, SignalFindings, SignalQuery, SourceTask,
};
use link_types::record::{RecordConsent, ResultCode, SocialSecurityRequest, SocialSecurityResult};
use link_types::signal::{
    ItemValue, SignalConsent, SignalId, SignalKind, SignalRequest, SocialSecuritySignalsRequest,
};
use rstest::rstest;
use serde_json::{Value, json};

use super::super::exchange::read as parse;
use super::super::fault::ExchangeError;
use super::super::message::{RecordResponse, SignalResponse};
use super::stub::{Stub, StubResponse};
use super::{HttpSource, SECONDS, source};

const NO_DATA: &str = r#"{"outcome": "NO_DATA"}"#;

/// Queries the record of the guide's example.
pub(super) async fn record(source: &HttpSource, task: Option<&str>) -> Queried<SocialSecurityResult> {
    let request = SocialSecurityRequest {
        template_id: "tpl-sss003001".to_owned(),
        consent: RecordConsent {
            consented_at: "2025-11-20T11:07:02.000Z".parse().unwrap(),
            consent_template_id: None,
            consent_type: None,
            version: None,
            consented_with: "I agree that my social security record is looked up.".to_owned(),
        },
        mobile_number: "525500000142".to_owned(),
        full_name: "Lucía Méndez Aurora".to_owned(),
        curp: "MEAL900524MDFNRC04".to_owned(),
        email_address: "lucia@example.com".to_owned(),
        user_id: None,
    };
    let id = "ss-0192f0c1a2b37c4d8e5f60718293a4b5".parse().unwrap();
    let (task, at) = (task.and_then(SourceTask::new), TenantTime::from_micros(SECONDS * 1_000_000));
    source.social_security(RecordQuery { id: &id, request: &request, task: task.as_ref(), at }).await
}

/// Queries the signal of the guide's example.
pub(super) async fn signal(source: &HttpSource, task: Option<&str>) -> Queried<SignalFindings> {
    let request = SignalRequest::SocialSecuritySignals(SocialSecuritySignalsRequest {
        mobile_number: "525500000142".to_owned(),
        curp: "MEAL900524MDFNRC04".to_owned(),
        consent: SignalConsent {
            consented_at: "2025-11-20T11:07:02.000Z".parse().unwrap(),
            consent_template_id: None,
            consent_type: Some("TERMS".to_owned()),
            version: Some("1.0".to_owned()),
            consented_with: Some("I agree that Demo Company asks for my data.".to_owned()),
        },
    });
    let id: SignalId = "sss-0192f0c1a2b37c4d8e5f60718293a4b5".parse().unwrap();
    let (task, at) = (task.and_then(SourceTask::new), TenantTime::from_micros(SECONDS * 1_000_000));
    let (task, timeout) = (task.as_ref(), Duration::from_secs(30));
    source.signal(SignalQuery { id: &id, request: &request, task, timeout, at }).await
}

fn code<T>(queried: &Queried<T>) -> Option<ResultCode> {
    match queried {
        Queried::Ended(outcome) => Some(outcome.code()),
        Queried::Waiting { .. } => None,
    }
}

fn lines(stub: &Stub) -> Vec<String> {
    stub.requests().into_iter().map(|it| it.line.trim_end_matches(" HTTP/1.1").to_owned()).collect()
}

#[tokio::test]
async fn unknown_task_is_queried_again_with_the_same_id() {
    let stub = Stub::start([
        StubResponse::ok(r#"{"outcome": "UNKNOWN_TASK"}"#),
        StubResponse::ok(r#"{"outcome": "WAIT", "taskId": "second", "waitSeconds": 20}"#),
    ])
    .await;
    let queried = record(&source(&stub.url), Some("first")).await;
    let (task, after) = (SourceTask::new("second").unwrap(), Duration::from_secs(20));
    assert_eq!(queried, Queried::Waiting { task, after });
    assert_eq!(lines(&stub), ["GET /linchpin/v1/record/first", "POST /linchpin/v1/record"]);
    let body: Value = serde_json::from_slice(&stub.requests()[1].body).unwrap();
    assert_eq!(body["requestId"], "ss-0192f0c1a2b37c4d8e5f60718293a4b5");
}

#[tokio::test]
async fn accepted_task_survives_an_unreachable_connector() {
    let source = source("http://127.0.0.1:1");
    assert_eq!(code(&record(&source, None).await), Some(ResultCode::ServiceUnavailable));
    let (task, after) = (SourceTask::new("first").unwrap(), Duration::from_secs(10));
    assert_eq!(record(&source, Some("first")).await, Queried::Waiting { task, after });
}

#[rstest]
#[case::server_error(StubResponse::status(500))]
#[case::not_found(StubResponse::status(404))]
#[case::unsigned(StubResponse { secret: "another secret", ..StubResponse::ok(NO_DATA) })]
#[case::too_large(StubResponse::ok(format!("{}{NO_DATA}", " ".repeat(64 * 1024))))]
#[case::no_task(StubResponse::ok(r#"{"outcome": "WAIT", "waitSeconds": 5}"#))]
#[case::another_path(StubResponse::ok(r#"{"outcome": "WAIT", "taskId": "../fetch", "waitSeconds": 5}"#))]
#[case::no_wait(StubResponse::ok(r#"{"outcome": "WAIT", "taskId": "a", "waitSeconds": 0}"#))]
#[case::long_wait(StubResponse::ok(r#"{"outcome": "WAIT", "taskId": "a", "waitSeconds": 301}"#))]
#[case::no_result(StubResponse::ok(r#"{"outcome": "SUCCESS"}"#))]
#[case::unknown_outcome(StubResponse::ok(r#"{"outcome": "PERHAPS"}"#))]
#[tokio::test]
async fn wrong_response_ends_in_system_error(
    #[case] answer: StubResponse,
    #[values(None, Some("first"))] task: Option<&str>,
) {
    let stub = Stub::start([answer.clone(), answer]).await;
    assert_eq!(code(&record(&source(&stub.url), task).await), Some(ResultCode::SystemError));
    assert_eq!(stub.requests().len(), 1);
}

#[tokio::test]
async fn unknown_task_without_a_task_violates_the_protocol() {
    let stub = Stub::start([StubResponse::ok(r#"{"outcome": "UNKNOWN_TASK"}"#)]).await;
    assert_eq!(code(&signal(&source(&stub.url), None).await), Some(ResultCode::SystemError));
}

#[tokio::test]
async fn query_is_retried_after_a_gateway_error() {
    let stub = Stub::start([StubResponse::status(502), StubResponse::ok(NO_DATA)]).await;
    assert_eq!(code(&signal(&source(&stub.url), None).await), Some(ResultCode::NoData));
    assert_eq!(stub.requests().len(), 2);
}

#[tokio::test]
async fn withdrawn_signal_is_unavailable_without_a_request() {
    let offers = |signals: Value| StubResponse::ok(json!({"providers": [], "signals": signals}).to_string());
    let stub = Stub::start([
        offers(json!(["VERIFICATION", "A_KIND_ADDED_LATER"])),
        offers(json!(["SOCIAL_SECURITY_SIGNAL"])),
        StubResponse::ok(NO_DATA),
    ])
    .await;
    let source = source(&stub.url);
    source.renew_providers().await;
    assert_eq!(code(&signal(&source, None).await), Some(ResultCode::ServiceUnavailable));
    assert_eq!(code(&record(&source, None).await), Some(ResultCode::ServiceUnavailable));
    source.renew_providers().await;
    assert_eq!(code(&signal(&source, None).await), Some(ResultCode::NoData));
    assert_eq!(stub.requests().len(), 3);
}

fn result() -> Value {
    json!({
        "fullName": "LUCÍA MÉNDEZ AURORA", "curp": "MEAL900524MDFNRC04", "nss": "00000000142",
        "reportDate": "2025-11-20", "employerName": "Talleres Aurora", "employerRegistration": "Y0000014210",
        "state": "Jalisco", "contributionDays": 1751, "contributionBaseAmount": 395.4, "currency": "MXN",
    })
}

#[rstest]
#[case("nss", Value::Null, "result.nss")]
#[case("reportDate", json!("Canary"), "result.reportDate")]
#[case("contributionDays", json!(-1), "result.contributionDays")]
#[case("contributionBaseAmount", json!("Canary"), "result.contributionBaseAmount")]
#[case("currency", json!("USD"), "result.currency")]
#[case("state", json!("x".repeat(201)), "result.state")]
fn malformed_record_result_is_rejected(#[case] field: &str, #[case] value: Value, #[case] path: &str) {
    let queried = |result: Value| {
        let answer = json!({"outcome": "SUCCESS", "result": result});
        parse::<RecordResponse>(answer.to_string().as_bytes()).and_then(RecordResponse::into_domain)
    };
    assert!(queried(result()).is_ok());
    let mut changed = result();
    changed[field] = value;
    assert_eq!(queried(changed).unwrap_err(), ExchangeError::at(path));
}

fn items(kind: SignalKind, items: Value) -> Result<SignalFindings, ExchangeError> {
    let answer = json!({"outcome": "SUCCESS", "items": items});
    let queried = parse::<SignalResponse>(answer.to_string().as_bytes())?.into_domain(kind)?;
    match queried {
        Some(Queried::Ended(Outcome::Success(found))) => Ok(found),
        other => panic!("{other:?}"),
    }
}

#[test]
fn signal_items_are_taken_by_name_and_the_rest_is_null() {
    let given = json!({"amount": 48_000.5, "currency": "MXN", "high": null, "shoeSize": 38});
    let found = items(SignalKind::IncomeEstimator, given).unwrap();
    let values: Vec<_> = found.0.iter().map(|it| (it.name.as_str(), it.value.clone())).collect();
    let (amount, currency) = (ItemValue::Number(48_000.5), ItemValue::Text("MXN".to_owned()));
    let expected = [
        ("low", None),
        ("amount", Some(amount)),
        ("high", None),
        ("currency", Some(currency)),
        ("confidence", None),
    ];
    assert_eq!(values, expected, "an amount above the sandbox's bound");
}

#[test]
fn dates_of_an_item_become_latest_first() {
    let found = items(SignalKind::Blacklist, json!({"hit": true, "dates": ["2025-01-31", "2025-03-02"]}));
    let dates = ["2025-03-02", "2025-01-31"].map(|it| it.parse().unwrap()).to_vec();
    assert_eq!(found.unwrap().0[1].value, Some(ItemValue::Dates(dates)));
}

#[rstest]
#[case::no_item(SignalKind::Blacklist, json!({}), "items")]
#[case::only_unknown_items(SignalKind::Blacklist, json!({"shoeSize": 38, "hit": null}), "items")]
#[case::boolean(SignalKind::Blacklist, json!({"hit": "Canary"}), "items.hit")]
#[case::date(SignalKind::Blacklist, json!({"dates": ["Canary"]}), "items.dates")]
#[case::many_dates(SignalKind::Blacklist, json!({"dates": vec!["2025-01-31"; 1_001]}), "items.dates")]
#[case::integer(SignalKind::SocialSecuritySignals, json!({"monthsInJob": 1.5}), "items.monthsInJob")]
#[case::negative(SignalKind::SocialSecuritySignals, json!({"monthsInJob": -1}), "items.monthsInJob")]
#[case::huge(SignalKind::SocialSecuritySignals, json!({"monthsInJob": i64::MAX}), "items.monthsInJob")]
#[case::decimals(SignalKind::IncomeEstimator, json!({"amount": 1.005}), "items.amount")]
#[case::large_number(SignalKind::IncomeEstimator, json!({"amount": 1e300}), "items.amount")]
#[case::word(SignalKind::IncomeEstimator, json!({"currency": "Canary"}), "items.currency")]
#[case::no_object(SignalKind::IncomeEstimator, json!(["Canary"]), "items")]
fn malformed_signal_items_are_rejected(#[case] kind: SignalKind, #[case] given: Value, #[case] path: &str) {
    assert_eq!(items(kind, given), Err(ExchangeError::at(path)));
}
