//! Conversion of challenges and data points to the domain's types.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_domain::linking::account_source::{SourceState, Step};
use link_types::LinkErrorCode;
use link_types::challenge::ChallengeKind;
use link_types::data::{DataPointBody, DataPointKind};
use rstest::rstest;
use serde_json::{Value, json};

use super::super::exchange::read as parse;
use super::super::fault::ExchangeError;
use super::super::message::{ReadResponse, StepResponse};
use crate::mfa_recording::{MAX_BYTES, pcm};

fn parse_challenge(challenge: Value) -> Result<Step, ExchangeError> {
    let answer = json!({"outcome": "CHALLENGE", "state": "s", "challenge": challenge});
    parse::<StepResponse>(answer.to_string().as_bytes()).and_then(|it| it.step("aurora"))
}

#[test]
fn unknown_challenge_kind_is_an_unsupported_method() {
    let step = parse_challenge(json!({"kind": {"palmPrint": {"hand": "left"}}}));
    assert_eq!(step, Ok(Step::Failed { code: LinkErrorCode::UnsupportedMfaMethod }));
}

#[test]
fn declined_outcome_needs_no_further_field() {
    let step = parse::<StepResponse>(br#"{"outcome": "DECLINED"}"#).and_then(|it| it.step("aurora"));
    assert_eq!(step, Ok(Step::Declined {}));
}

/// Returns a challenge with a picture and this recording.
pub(super) fn picture_with_recording(recording: &Value) -> Value {
    picture(b"\x89PNG with a canary", recording)
}

/// Returns a challenge with this file as its picture.
pub(super) fn picture(file: &[u8], recording: &Value) -> Value {
    json!({"kind": {"image": {
        "image": STANDARD.encode(file),
        "recording": recording,
        "format": {"alphanumeric": {"min": 4, "max": 4}},
    }}})
}

/// Returns the recording that a person hears, for one that a connector sends.
fn recording(sent: &Value) -> Option<String> {
    let step = parse_challenge(picture_with_recording(sent));
    let Ok(Step::Challenge { challenge, .. }) = step else { panic!("{step:?}") };
    let ChallengeKind::Image { recording, .. } = challenge.kind else { panic!("no image") };
    recording
}

#[test]
fn playable_recording_reaches_the_person() {
    let file = STANDARD.encode(pcm(&[128; 800], 8_000));
    assert_eq!(recording(&json!(file)), Some(format!("data:audio/wav;base64,{file}")));
}

#[test]
fn picture_stays_without_an_unplayable_recording() {
    let large = STANDARD.encode(pcm(&vec![128; MAX_BYTES], 8_000));
    for sent in [json!(null), json!("T2dnUw=="), json!("no base64"), json!(large)] {
        assert_eq!(recording(&sent), None);
    }
}

#[rstest]
#[case(json!({"kind": {"choice": {"question": "Which?", "choices": []}}}), "kind.choice.choices")]
#[case(json!({"kind": {"question": {"question": "", "format": {"email": {}}}}}), "kind.question.question")]
#[case(json!({"kind": {"approve": {}}}), "checkAfterSeconds")]
#[case(json!({"kind": {"approve": {}}, "checkAfterSeconds": 0}), "checkAfterSeconds")]
#[case(json!({"kind": {"approve": {}}, "checkAfterSeconds": 3, "lastsSeconds": 90_000}), "lastsSeconds")]
#[case(
    json!({"kind": {"approve": {}}, "checkAfterSeconds": 3, "resend": {"afterSeconds": 9, "channels": []}}),
    "resend.channels"
)]
fn invalid_challenge_is_rejected(#[case] challenge: Value, #[case] path: &str) {
    assert_eq!(parse_challenge(challenge), Err(ExchangeError::at(format!("challenge.{path}"))));
}

#[test]
fn approve_challenge_needs_only_kind_and_check_time() {
    let step = parse_challenge(json!({"kind": {"approve": {}}, "checkAfterSeconds": 3, "addedLater": true}));
    assert!(matches!(step, Ok(Step::Challenge { .. })), "{step:?}");
}

#[test]
fn every_data_point_kind_is_read_with_required_fields_only() {
    let data = json!({
        "identity": {"fullName": "Lucía Aurora", "addedLater": 1},
        "rating": {},
        "documents": [{"name": "Constancia", "docId": "C-1", "documentType": "CERTIFICATE"}],
        "employments": [{}],
        "incomes": [{"currency": "MXN", "frequency": "MONTHLY"}],
        "transactions": [{"currency": "MXN", "amount": -3.5}],
        "contributions": [{"currency": "MXN", "amount": 812.4}],
        "liabilities": [{"currency": "MXN", "id": "ignored"}],
    });
    let answer = json!({"outcome": "COMPLETE", "data": data, "contributionBasisPoints": 1_000});
    let answer: ReadResponse = parse(answer.to_string().as_bytes()).unwrap();
    let read = answer.read(&SourceState::new("before")).unwrap();
    let kinds: Vec<_> = read.batch.bodies.iter().map(DataPointBody::kind).collect();
    use DataPointKind::*;
    let expected =
        [Identities, Documents, Employments, Incomes, Transactions, Contributions, Liabilities, Ratings];
    assert_eq!(kinds, expected);
    assert_eq!(read.state, SourceState::new("before"), "a missing state keeps the previous one");
    assert_eq!(read.batch.contribution_rate.map(|it| it.basis_points()), Some(1_000));
}
