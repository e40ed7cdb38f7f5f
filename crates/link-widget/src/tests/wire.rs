//! Reading and writing wire types.

use js_sys::JSON;
use link_types::host::{AccountErrorSubject, Callback, CloseReason};
use link_types::link::{AccountProgress, ConnectStep, LinkPhase};
use link_types::problem::{Problem, ProblemCode};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::decode::{DecodeError, decode};
use crate::encode::encode;

const ACCOUNT: &str = "a-0123456789abcdef0123456789abcdef";

fn progress(version: &str, phase: &str) -> Result<AccountProgress, DecodeError> {
    let json = format!(
        r#"{{"phase":{phase},"newer":{{}},"version":{version},"providerId":"rideo","accountId":"{ACCOUNT}"}}"#
    );
    decode(JSON::parse(&json).unwrap())
}

fn json(value: &JsValue) -> String {
    JSON::stringify(value).unwrap().into()
}

#[wasm_bindgen_test]
fn reply_is_read_in_any_order_with_new_fields() {
    let read = progress("7", r#"{"connecting":{"step":"LOGGING_IN"}}"#).unwrap();
    assert_eq!((read.version, read.account_id.as_str()), (7, ACCOUNT));
    assert_eq!(read.phase, LinkPhase::Connecting { step: ConnectStep::LoggingIn });
}

#[wasm_bindgen_test]
fn malformed_reply_is_rejected() {
    for (version, phase) in [
        ("1.5", r#"{"connected":{}}"#),
        ("-1", r#"{"connected":{}}"#),
        ("\"1\"", r#"{"connected":{}}"#),
        ("1", r#"{"unheardOf":{}}"#),
        ("1", r#"{"connecting":{"step":"DANCING"}}"#),
        ("1", r#"{"connecting":{}}"#),
        ("1", "null"),
        ("1", "[]"),
    ] {
        assert_eq!(progress(version, phase), Err(DecodeError), "{version} {phase}");
    }
    assert_eq!(decode::<AccountProgress>(JsValue::NULL), Err(DecodeError));
}

#[wasm_bindgen_test]
fn absent_or_null_option_is_none() {
    for text in [r#"{"templateId":"lt-1"}"#, r#"{"templateId":"lt-1","locale":null}"#] {
        let options: link_types::host::WidgetOptions = decode(JSON::parse(text).unwrap()).unwrap();
        assert_eq!((options.template_id.as_str(), options.locale), ("lt-1", None));
    }
}

#[wasm_bindgen_test]
fn problem_is_read_without_optional_fields() {
    let text = r#"{"type":"about:blank","title":"Unauthorized","status":401,"code":"TOKEN_EXPIRED","detail":"Expired",
        "requestId":"req-1","errors":[{"field":"token","code":"INVALID","message":"Expired"}]}"#;
    let problem: Problem = decode(JSON::parse(text).unwrap()).unwrap();
    assert_eq!((problem.code, problem.truncated), (ProblemCode::TokenExpired, None));
    assert_eq!(problem.errors.len(), 1);
}

#[wasm_bindgen_test]
fn callbacks_are_written_for_host_page() {
    let subject = AccountErrorSubject {
        account_id: ACCOUNT.parse().unwrap(),
        user_id: "demo-0123456789abcdef0123456789abcdef".parse().unwrap(),
        provider_id: "rideo".parse().unwrap(),
        error_code: link_types::LinkErrorCode::AccountLocked.into(),
    };
    let expected = format!(
        r#"{{"onAccountError":{{"accountId":"{ACCOUNT}","userId":"demo-0123456789abcdef0123456789abcdef","providerId":"rideo","errorCode":"ACCOUNT_LOCKED"}}}}"#
    );
    assert_eq!(json(&encode(&Callback::AccountError(subject))), expected);
    assert_eq!(json(&encode(&Callback::TokenExpired {})), r#"{"onTokenExpired":{}}"#);
    assert_eq!(json(&encode(&CloseReason::Exit)), r#""exit""#);
}
