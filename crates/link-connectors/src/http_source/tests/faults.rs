//! Errors of a connector and their consequences.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_domain::data::provider_file::{FileBytes, FileReference};
use link_domain::linking::account_source::{
    AccountSource as _, FileRequest, FileUnavailableError, ReadOutcome, SourceInput, SourceState, Step,
};
use link_types::LinkErrorCode::{self, ServiceUnavailable, SystemError};
use link_types::challenge::ChallengeKind;
use opentelemetry::Context;
use opentelemetry::trace::{
    FutureExt as _, SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceId, TraceState,
};
use rstest::rstest;
use serde_json::json;

use super::super::exchange::read as parse;
use super::super::fault::ExchangeError;
use super::super::message::{ReadResponse, StepResponse};
use super::messages::{picture, picture_with_recording};
use super::stub::{Stub, StubResponse};
use super::{PIXELS, PROVIDER, read, source, step};

const CONNECTED: &str = r#"{"outcome": "CONNECTED", "state": "s"}"#;

async fn outcome(answers: Vec<StubResponse>) -> (Step, usize) {
    let stub = Stub::start(answers).await;
    let step = step(&source(&stub.url), "s", SourceInput::Continue {}).await;
    (step, stub.requests().len())
}

#[rstest]
#[case::signature_refused(StubResponse::status(401), SystemError)]
#[case::unknown_operation(StubResponse::status(404), SystemError)]
#[case::redirect(StubResponse { headers: "location: http://127.0.0.1:1/\r\n", ..StubResponse::status(307) }, SystemError)]
#[case::failed(StubResponse::status(500), SystemError)]
#[case::gateway_may_have_passed_it_on(StubResponse::status(504), ServiceUnavailable)]
#[case::another_secret(StubResponse { secret: "another secret", ..StubResponse::ok(CONNECTED) }, SystemError)]
#[case::another_requests_answer(StubResponse { nonce: Some("00".repeat(16)), ..StubResponse::ok(CONNECTED) }, SystemError)]
#[case::no_json(StubResponse::ok("<html>"), SystemError)]
#[case::too_large(StubResponse::ok(" ".repeat(1024 * 1024 + 1)), SystemError)]
#[case::connected_without_a_state(StubResponse::ok(r#"{"outcome": "CONNECTED"}"#), SystemError)]
#[case::an_unknown_outcome(StubResponse::ok(r#"{"outcome": "MAYBE", "state": "s"}"#), SystemError)]
#[case::no_time_to_wait(
    StubResponse::ok(r#"{"outcome": "WAIT", "state": "s", "waitSeconds": 0}"#),
    SystemError
)]
#[tokio::test]
async fn failed_step_ends_the_link_without_a_retry(
    #[case] answer: StubResponse,
    #[case] code: LinkErrorCode,
) {
    assert_eq!(outcome(vec![answer, StubResponse::ok(CONNECTED)]).await, (Step::Failed { code }, 1));
}

#[tokio::test]
async fn picture_arrives_without_a_large_recording() {
    let challenge = picture_with_recording(&json!("A".repeat(600 * 1024)));
    let body = json!({"outcome": "CHALLENGE", "state": "s", "challenge": challenge}).to_string();
    let (step, _) = outcome(vec![StubResponse::ok(body)]).await;
    let Step::Challenge { challenge, .. } = step else { panic!("{step:?}") };
    assert!(matches!(challenge.kind, ChallengeKind::Image { recording: None, .. }));
}

#[tokio::test]
async fn picture_passes_only_as_pixels_of_the_encoder() {
    let posed = |file: &[u8]| {
        let challenge = picture(file, &json!(null));
        let body = json!({"outcome": "CHALLENGE", "state": "s", "challenge": challenge}).to_string();
        outcome(vec![StubResponse::ok(body)])
    };
    let (step, _) = posed(b"\x89PNG with a canary").await;
    let Step::Challenge { challenge, .. } = step else { panic!("{step:?}") };
    let ChallengeKind::Image { image, .. } = challenge.kind else { panic!("no image") };
    assert_eq!(image, format!("data:image/png;base64,{}", STANDARD.encode(PIXELS)));
    assert_eq!(posed(b"<svg onload=alert(1)>").await.0, Step::Failed { code: SystemError });
    assert_eq!(posed(b"later").await.0, Step::Failed { code: ServiceUnavailable });
}

#[tokio::test]
async fn busy_connector_is_retried() {
    let later = StubResponse { headers: "retry-after: 0\r\n", ..StubResponse::status(503) };
    let (step, tries) = outcome(vec![later.clone(), later.clone(), StubResponse::ok(CONNECTED)]).await;
    assert!(matches!(step, Step::Connected { .. }), "{step:?}");
    assert_eq!(tries, 3);
    let (step, tries) = outcome(vec![later.clone(), later.clone(), later, StubResponse::ok(CONNECTED)]).await;
    assert_eq!((step, tries), (Step::Failed { code: ServiceUnavailable }, 3));
}

#[tokio::test]
async fn reading_is_retried_after_a_gateway_error() {
    let complete = StubResponse::ok(r#"{"outcome": "COMPLETE", "data": {}}"#);
    let stub = Stub::start([StubResponse::status(502), complete]).await;
    let read = read(&source(&stub.url), "s", None).await;
    assert_eq!((read.outcome, stub.requests().len()), (ReadOutcome::Complete, 2));
}

#[tokio::test]
async fn hanging_step_times_out_without_a_retry() {
    let (stub, mut taken) = Stub::hanging().await;
    let source = source(&stub.url);
    let stepping = tokio::spawn(async move { step(&source, "s", SourceInput::Continue {}).await });
    taken.recv().await.unwrap();
    tokio::time::pause();
    let began = tokio::time::Instant::now();
    assert_eq!(stepping.await.unwrap(), Step::Failed { code: ServiceUnavailable });
    let waited = began.elapsed();
    assert!(waited > Duration::from_secs(50) && waited < Duration::from_secs(70), "{waited:?}");
    assert!(taken.try_recv().is_err(), "a step must not be retried, because a code may be used up");
}

#[tokio::test]
async fn unreachable_connector_is_service_unavailable() {
    let nobody = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let step = step(&source(&nobody), "s", SourceInput::Continue {}).await;
    assert_eq!(step, Step::Failed { code: ServiceUnavailable });
}

#[test]
fn possibly_processed_request_is_retried_only_if_repeatable() {
    let later =
        |seconds| ExchangeError::Busy { status: 503, retry_after: Some(Duration::from_secs(seconds)) };
    assert_eq!(ExchangeError::Unreachable.wait(1, false), Some(Duration::from_millis(250)));
    assert_eq!(ExchangeError::Unreachable.wait(2, false), Some(Duration::from_secs(1)));
    assert_eq!(ExchangeError::Unreachable.wait(3, false), None);
    assert_eq!(later(2).wait(1, false), Some(Duration::from_secs(2)));
    assert_eq!(later(60).wait(1, false), None);
    assert_eq!(ExchangeError::Broken.wait(1, false), None);
    assert_eq!(ExchangeError::Broken.wait(1, true), Some(Duration::from_millis(250)));
    assert_eq!(ExchangeError::Late.wait(1, true), None);
    assert_eq!(ExchangeError::Late.code(), ServiceUnavailable);
}

#[rstest]
#[case::a_wrong_type(r#"{"employments": "Canary"}"#, "data.employments")]
#[case::of_an_item(r#"{"employments": [{}, {"startDate": "Canary"}]}"#, "data.employments[1].startDate")]
#[case::an_amount(
    r#"{"incomes": [{"currency": "MXN", "frequency": "MONTHLY", "netAmount": "Canary"}]}"#,
    "data.incomes[0].netAmount"
)]
#[case::a_currency(r#"{"incomes": [{"currency": "Canary"}]}"#, "data.incomes[0].currency")]
#[case::an_address(r#"{"identity": {"photoUrl": "javascript:Canary()"}}"#, "data.identity.photoUrl")]
#[case::a_nested_address(
    r#"{"identity": {"socialProfiles": [{"socialUrl": "https://a.example/"}, {"socialUrl": "javascript:Canary()"}]}}"#,
    "data.identity.socialProfiles[1].socialUrl"
)]
#[case::an_address_with_a_line_break(
    r#"{"identity": {"profileUrl": "https://a.example/\nCanary"}}"#,
    "data.identity.profileUrl"
)]
#[case::broken_json(r#"{"identity": {"Canary": tru"#, "the JSON itself")]
fn fault_contains_the_location_but_not_the_value(#[case] data: &str, #[case] path: &str) {
    let answer = format!(r#"{{"outcome": "COMPLETE", "data": {data}}}"#);
    let read = parse::<ReadResponse>(answer.as_bytes()).and_then(|it| it.read(&SourceState::default()));
    assert_eq!(read.unwrap_err(), ExchangeError::at(path));
}

#[test]
fn oversized_state_is_rejected() {
    let state = "s".repeat(64 * 1024 + 1);
    let answer = format!(r#"{{"outcome": "CONNECTED", "state": "{state}"}}"#);
    assert_eq!(
        parse::<StepResponse>(answer.as_bytes()).unwrap().step("aurora"),
        Err(ExchangeError::at("state"))
    );
}

async fn fetch_file(answers: Vec<StubResponse>) -> (Result<Option<Vec<u8>>, FileUnavailableError>, usize) {
    let stub = Stub::start(answers).await;
    let (provider_id, state) = (PROVIDER.parse().unwrap(), SourceState::new("s"));
    let reference = FileReference::new("/constancia").unwrap();
    let request = FileRequest { provider_id: &provider_id, state: &state, reference: &reference };
    let file = source(&stub.url).file(request).await;
    (file.map(|it| it.map(FileBytes::into_bytes)), stub.requests().len())
}

#[rstest]
#[case::gone(r#"{"content": null}"#)]
#[case::not_base64(r#"{"content": "%PDF"}"#)]
#[case::other_format(r#"{"content": "PGh0bWw+"}"#)]
#[case::empty(r#"{"content": ""}"#)]
#[tokio::test]
async fn response_without_a_file_is_no_file(#[case] body: &str) {
    assert_eq!(fetch_file(vec![StubResponse::ok(body)]).await, (Ok(None), 1));
}

#[tokio::test]
async fn connector_that_does_not_answer_is_unavailable() {
    let busy = StubResponse { headers: "retry-after: 0\r\n", ..StubResponse::status(503) };
    assert_eq!(fetch_file(vec![busy.clone(), busy.clone(), busy]).await, (Err(FileUnavailableError), 3));
}

#[tokio::test]
async fn file_is_requested_again_after_a_gateway_error() {
    let file = StubResponse::ok(r#"{"content": "JVBERi0="}"#);
    assert_eq!(fetch_file(vec![StubResponse::status(502), file]).await, (Ok(Some(b"%PDF-".to_vec())), 2));
}

#[rstest]
#[case::both(r#""file": "/a", "fileUrl": "https://provider.example/a""#)]
#[case::empty(r#""file": """#)]
#[case::not_text(r#""file": 7"#)]
#[tokio::test]
async fn document_with_a_wrong_file_violates_the_protocol(#[case] fields: &str) {
    let document = format!(r#"{{"name": "Payslip", "docId": "7", "documentType": "PAYSLIP", {fields}}}"#);
    let answer = format!(r#"{{"outcome": "COMPLETE", "data": {{"documents": [{document}]}}}}"#);
    let stub = Stub::start([StubResponse::ok(answer)]).await;
    let read = read(&source(&stub.url), "s", None).await;
    assert_eq!(read.outcome, ReadOutcome::Failed { code: SystemError });
}

#[tokio::test]
async fn request_of_a_traced_job_has_its_trace() {
    let (trace, span) = (TraceId::from(0x4bf9_2f35), SpanId::from(0x00f0_67aa));
    let parent = SpanContext::new(trace, span, TraceFlags::SAMPLED, true, TraceState::default());
    let context = Context::new().with_remote_span_context(parent);
    let stub = Stub::start([StubResponse::ok(CONNECTED), StubResponse::ok(CONNECTED)]).await;
    let source = source(&stub.url);
    step(&source, "s", SourceInput::Continue {}).with_context(context).await;
    step(&source, "s", SourceInput::Continue {}).await;
    let requests = stub.requests();
    // Without an exporter, the span of the attempt is that of the job.
    let expected = format!("00-{trace}-{span}-01");
    assert_eq!(requests[0].header("traceparent"), Some(expected.as_str()));
    assert_eq!(requests[1].header("traceparent"), None);
}
