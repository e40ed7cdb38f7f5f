//! Field formats: errors show an example, and the service never adjusts a value to fit.

use axum::http::Method;
use link_store::test_support::Backend;
use link_types::signal::SignalKind;
use serde_json::{Value, json};

use crate::service::{As, TestResponse, TestService};
use crate::signals::request;

/// Returns the path of a signal and a valid request for it.
fn verification() -> (&'static str, Value) {
    let kind = SignalKind::Verification;
    (kind.path(), request(kind, "525500000100", "success@example.com"))
}

/// Returns the field, code and message of every error, sorted by field.
fn faults(response: &TestResponse) -> Vec<[String; 3]> {
    assert_eq!(response.status, 422, "{}", response.body);
    let errors = response.body["errors"].as_array().unwrap().iter();
    let word = |fault: &Value, key: &str| fault[key].as_str().unwrap().to_owned();
    let mut faults: Vec<_> =
        errors.map(|it| [word(it, "field"), word(it, "code"), word(it, "message")]).collect();
    faults.sort();
    faults
}

#[tokio::test]
async fn date_time_outside_years_1_to_9999_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let (path, mut asked) = verification();
    for beyond in ["0000-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"] {
        asked["consent"]["consentedAt"] = json!(beyond);
        let form = "a date-time of the years 0001 to 9999 in UTC";
        let refused = service.post(path, asked.clone()).await;
        assert_eq!(faults(&refused), [["consent.consentedAt", "INVALID", form]], "{beyond}");
        let record = json!({
            "mobileNumber": "525500000100",
            "consent": {"consentedAt": beyond, "consentedWith": "I agree."},
        });
        let refused = service.post("/alpha/socialSecurities", record).await;
        let named = faults(&refused).into_iter().find(|it| it[0] == "consent.consentedAt");
        assert_eq!(named.map(|[_, _, words]| words).as_deref(), Some(form), "{beyond}");
    }
    for edge in ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"] {
        let mut asked = request(SignalKind::IncomeEstimator, "", "success@example.com");
        asked["consent"]["consentedAt"] = json!(edge);
        let made = service.post(SignalKind::IncomeEstimator.path(), asked).await;
        assert_eq!(made.body["requestMeta"]["consent"]["consentedAt"], edge, "{}", made.body);
    }
}

#[tokio::test]
async fn invalid_date_error_shows_an_example() {
    let service = TestService::start(Backend::Sqlite).await;
    let moment = "a date-time with its time zone, like 2026-11-20T11:07:11.000Z";
    let wrong_days = ["2024-02-30", "2023-02-29", "2024-13-01", "24-02-03"];
    let wrong_moments =
        ["2026-11-20T11:07:11", "2024-02-30T00:00:00Z", "2026-11-20T24:00:00Z", "2026-13-20T11:07:11Z"];
    for (day, at) in wrong_days.into_iter().zip(wrong_moments) {
        let (path, mut asked) = verification();
        asked["dob"] = json!(day);
        asked["consent"]["consentedAt"] = json!(at);
        let refused = service.post(path, asked).await;
        let expected =
            [["consent.consentedAt", "INVALID", moment], ["dob", "INVALID", "a date, like 2026-11-20"]];
        assert_eq!(faults(&refused), expected, "{day} {at}");
    }
}

#[tokio::test]
async fn format_error_shows_the_example_of_its_schema() {
    let service = TestService::start(Backend::Sqlite).await;
    let template = json!({"locale": "English!", "title": "Terms", "text": "I agree."});
    let words = faults(&service.post("/consentTemplates", template).await);
    let locale = words.iter().find(|it| it[0] == "locale").unwrap();
    assert!(locale[2].starts_with("like en, of the form "), "{locale:?}");
    let upload = json!({"userId": "me", "type": "PAYSLIP", "files": [{"name": "a.pdf", "content": ""}]});
    let words = faults(&service.post("/archives", upload).await);
    let user = words.iter().find(|it| it[0] == "userId").unwrap();
    assert!(user[2].starts_with("like demo-0192f0c1a2b37c4d8e5f60718293a4b5, "), "{user:?}");
}

#[tokio::test]
async fn incomplete_consent_error_names_both_alternatives() {
    let service = TestService::start(Backend::Sqlite).await;
    let at = "2026-11-20T11:07:11.000Z";
    let in_full = "required unless you send consent.consentTemplateId";
    for (consent, [field, way]) in [
        (
            json!({"consentedAt": at}),
            ["consent.consentTemplateId", "consent.type, consent.version, consent.consentedWith"],
        ),
        (
            json!({"consentedAt": at, "type": "TERMS"}),
            ["consent.consentTemplateId", "consent.version, consent.consentedWith"],
        ),
        (
            json!({"consentedAt": at, "type": "TERMS", "version": "1"}),
            ["consent.consentedWith", "consent.consentTemplateId"],
        ),
    ] {
        let (path, mut asked) = verification();
        asked["consent"] = consent;
        let words = format!("required unless you send {way}");
        assert_eq!(faults(&service.post(path, asked).await), [[field, "MISSING", &words]]);
    }
    let (path, mut asked) = verification();
    asked["consent"] = json!({"type": "TERMS", "version": "1"});
    let lacks_both = faults(&service.post(path, asked).await);
    assert_eq!(lacks_both[0], ["consent.consentedAt", "MISSING", "required"], "both alternatives require it");
    assert_eq!(lacks_both[1], ["consent.consentedWith", "MISSING", in_full]);
}

#[tokio::test]
async fn encoded_request_body_is_rejected_with_415() {
    let service = TestService::start(Backend::Sqlite).await;
    for (encoding, status) in [("gzip", 415), ("identity, br", 415), ("identity", 201)] {
        let headers = [("content-encoding".to_owned(), encoding.to_owned())];
        let caller = As::Tenant(&service.sandbox);
        let response = service.send_with(Method::POST, "/users", caller, &headers, Some(&json!({}))).await;
        assert_eq!(response.status, status, "{encoding} {}", response.body);
        if status == 415 {
            assert_eq!(response.headers["accept-encoding"], "identity");
            assert_eq!(response.body["code"], "UNSUPPORTED_TYPE");
            assert!(
                response.body["detail"].as_str().unwrap().contains("Content-Encoding"),
                "{}",
                response.body
            );
        }
    }
}
