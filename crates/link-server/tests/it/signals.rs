//! The nine signals: inputs, results, consent, events, charges and expiry.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::http::Method;
use link_connectors::sandbox::records::SandboxRecords;
use link_domain::kernel::system::BoxFuture;
use link_domain::lookups::record::RETENTION;
use link_domain::lookups::record_source::{Queried, RecordQuery, RecordSource, SignalFindings, SignalQuery};
use link_store::LEASE;
use link_store::test_support::Backend;
use link_test_support::wait;
use link_types::record::SocialSecurityResult;
use link_types::signal::SignalKind;
use rstest::rstest;
use serde_json::{Value, json};

use crate::archives::TestClock;
use crate::service::{As, TestService, text};

fn consent() -> Value {
    json!({
        "consentedAt": "2026-11-20T11:07:11.000Z", "type": "TERMS", "version": "1", "consentedWith": "I agree.",
    })
}

/// Returns the smallest valid request of a kind.
pub fn request(kind: SignalKind, number: &str, email: &str) -> Value {
    let rest = match kind {
        SignalKind::Blacklist
        | SignalKind::BorrowerBehavior
        | SignalKind::BorrowerScreening
        | SignalKind::CreditLifecycle
        | SignalKind::MultipleApplicationWarning => json!({"mobileNumber": number}),
        SignalKind::Footprints => json!({"mobileNumber": number, "emailAddress": email}),
        SignalKind::Verification => json!({
            "firstName": "Valeria", "lastName": "Olmedal", "dob": "1990-05-24", "mobileNumber": number,
            "ids": [{"type": "CURP", "number": "HEGG560427MVZRRL04"}],
        }),
        SignalKind::SocialSecuritySignals => json!({"mobileNumber": number, "curp": "HEGG560427MVZRRL04"}),
        SignalKind::IncomeEstimator => json!({"emailAddress": email}),
    };
    let mut request = rest;
    request["consent"] = consent();
    request
}

impl TestService {
    /// Creates a signal and returns it once it is completed.
    async fn signal(&self, kind: SignalKind, request: &Value) -> Value {
        let created = self.post(kind.path(), request.clone()).await;
        assert_eq!(created.status, 201, "{kind} {:?}", created.body);
        let path = format!("{}/{}", kind.path(), text(&created.body["id"]));
        if kind.is_synchronous() {
            assert_eq!(created.body, self.get(&path).await.body, "{kind}: the response has the result");
        } else {
            assert_eq!(created.body.as_object().unwrap().len(), 1, "{kind}: the response has only the id");
        }
        self.until_completed(&path, &self.sandbox.clone()).await
    }
}

#[tokio::test]
async fn every_signal_reaches_each_result_code_and_is_charged_once() {
    let service = TestService::start(Backend::Sqlite).await;
    let mut charged = Vec::new();
    for kind in SignalKind::ALL {
        for (number, email, status, code) in [
            ("525500000100", "success@example.com", "COMPLETED", "SUCCESS"),
            ("525512345678", "somebody@example.com", "COMPLETED", "NO_DATA"),
            ("525500000102", "invalid-parameters@example.com", "COMPLETED", "INVALID_PARAMETERS"),
            ("525500000103", "service-unavailable@example.com", "ERROR", "SERVICE_UNAVAILABLE"),
            ("525500000104", "system-error@example.com", "ERROR", "SYSTEM_ERROR"),
        ] {
            let asked = request(*kind, number, email);
            let signal = service.signal(*kind, &asked).await;
            assert_eq!((&signal["status"], &signal["resultCode"]), (&json!(status), &json!(code)), "{kind}");
            assert!(signal["resultMessage"].is_string());
            let consent = signal["requestMeta"]["consent"].as_object().unwrap();
            assert_eq!(consent.len(), 5, "{kind} {consent:?}");
            for (name, value) in asked.as_object().unwrap().iter().filter(|(name, _)| *name != "consent") {
                assert_eq!(signal["requestMeta"][name], *value, "{kind} {name}");
            }
            let names: Vec<_> =
                signal["items"].as_array().unwrap().iter().map(|it| text(&it["name"])).collect();
            let expected: Vec<_> = kind.items().iter().map(|it| it.name).collect();
            assert_eq!(names, if code == "SUCCESS" { expected } else { Vec::new() }, "{kind}");
            if code == "SUCCESS" || (*kind == SignalKind::Verification && code == "NO_DATA") {
                charged.insert(0, kind.to_string());
            }
        }
    }
    assert_eq!(service.billing_types().await, charged);
    let emitted = service.event_types().await;
    assert_eq!(emitted, ["VERIFICATION_STARTED", "VERIFICATION_COMPLETED"].repeat(5));
}

#[tokio::test]
async fn verification_emits_started_and_completed_events() {
    let service = TestService::start(Backend::Sqlite).await;
    let asked = request(SignalKind::Verification, "525500000106", "");
    let signal = service.signal(SignalKind::Verification, &asked).await;
    let item = |name: &str| {
        let items = signal["items"].as_array().unwrap();
        items.iter().find(|it| it["name"] == name).unwrap()["value"].clone()
    };
    assert_eq!(item("finalMatch"), "PARTIAL_MATCH");
    assert_eq!((item("curp"), item("passport")), (json!("FULL_MATCH"), Value::Null));
    assert_eq!(service.events_of("VERIFICATION_STARTED").await, [json!({"verificationId": signal["id"]})]);
    let data = json!({
        "verificationId": signal["id"], "status": "COMPLETED", "resultCode": "SUCCESS",
        "resultMessage": signal["resultMessage"],
    });
    assert_eq!(service.events_of("VERIFICATION_COMPLETED").await, [data]);
}

/// The fields removed from a full consent, the fields added, and the fields that the error then names.
#[rstest]
#[case::complete(&[], json!({}), &[])]
#[case::template_only(&["type", "version", "consentedWith"], json!({"consentTemplateId": "mine"}), &[])]
#[case::template_and_some(&["version"], json!({"consentTemplateId": "mine"}), &[])]
#[case::template_and_nulls(&[], json!({"consentTemplateId": "mine", "type": null, "version": null}), &[])]
#[case::complete_with_null_template(&[], json!({"consentTemplateId": null}), &[])]
#[case::without_consented_at(&["consentedAt"], json!({"consentTemplateId": "mine"}), &["consent.consentedAt"])]
#[case::invalid_consented_at(&[], json!({"consentedAt": "yesterday"}), &["consent.consentedAt"])]
#[case::without_version(&["version"], json!({}), &["consent.version"])]
#[case::with_null_version(&[], json!({"version": null}), &["consent.version"])]
#[case::with_empty_text(&[], json!({"consentedWith": ""}), &["consent.consentedWith"])]
#[case::only_consented_at(&["type", "version", "consentedWith"], json!({}), &["consent.consentTemplateId"])]
#[case::other_environment(&[], json!({"consentTemplateId": "theirs"}), &["consent.consentTemplateId"])]
#[case::unknown_template(&[], json!({"consentTemplateId": "none"}), &["consent.consentTemplateId"])]
#[case::unknown_field(&[], json!({"ip": "127.0.0.1"}), &["consent.ip"])]
#[tokio::test]
async fn signal_consent_is_validated(#[case] without: &[&str], #[case] with: Value, #[case] wrong: &[&str]) {
    let service = TestService::start(Backend::Sqlite).await;
    let mut asked = request(SignalKind::Blacklist, "525500000100", "");
    let consent = asked["consent"].as_object_mut().unwrap();
    consent.retain(|name, _| !without.contains(&name.as_str()));
    for (name, value) in with.as_object().unwrap() {
        let value = match value.as_str() {
            Some("mine") => json!(service.sandbox.consent),
            Some("theirs") => json!(service.production.consent),
            Some("none") => json!(format!("ct-{}", "0".repeat(32))),
            _ => value.clone(),
        };
        consent.insert(name.clone(), value);
    }
    let response = service.post("/alpha/blacklists", asked).await;
    let named: Vec<_> =
        response.body["errors"].as_array().into_iter().flatten().map(|it| text(&it["field"])).collect();
    assert_eq!(named, wrong, "{}", response.body);
    assert_eq!(response.status, if wrong.is_empty() { 201 } else { 422 });
}

#[tokio::test]
async fn field_and_consent_errors_are_reported_together() {
    let service = TestService::start(Backend::Sqlite).await;
    let asked = json!({
        "mobileNumber": 525500000100_u64, "timeout": 31, "odd": 1,
        "consent": {"type": "TERMS", "version": "1", "consentedWith": 1},
    });
    let refused = service.post("/alpha/footprints", asked).await;
    let mut named: Vec<_> =
        refused.body["errors"].as_array().unwrap().iter().map(|it| text(&it["field"])).collect();
    named.sort();
    let expected = ["consent.consentedAt", "consent.consentedWith", "mobileNumber", "odd", "timeout"];
    assert_eq!(named, expected);
}

#[tokio::test]
async fn signal_items_not_ready_by_timeout_are_null() {
    let service = TestService::start(Backend::Sqlite).await;
    for (timeout, missing) in [(4, 2), (5, 0)] {
        let mut asked = request(SignalKind::Footprints, "525500000105", "ana@example.com");
        asked["timeout"] = json!(timeout);
        let signal = service.signal(SignalKind::Footprints, &asked).await;
        let nulls = signal["items"].as_array().unwrap().iter().filter(|it| it["value"].is_null()).count();
        assert_eq!(nulls, missing, "{timeout} s");
    }
}

#[tokio::test]
async fn malformed_signal_input_ends_as_invalid_parameters() {
    let service = TestService::start(Backend::Sqlite).await;
    for (kind, field, value) in [
        (SignalKind::Blacklist, "mobileNumber", "+525500000100"),
        (SignalKind::SocialSecuritySignals, "curp", "HEGG560427"),
        (SignalKind::IncomeEstimator, "emailAddress", "success"),
    ] {
        let mut asked = request(kind, "525500000100", "success@example.com");
        asked[field] = json!(value);
        let signal = service.signal(kind, &asked).await;
        assert_eq!(
            (&signal["status"], &signal["resultCode"]),
            (&json!("COMPLETED"), &json!("INVALID_PARAMETERS"))
        );
    }
}

#[tokio::test]
async fn production_signal_without_source_is_service_unavailable() {
    let service = TestService::start(Backend::Sqlite).await;
    let keys = service.production.clone();
    let asked = request(SignalKind::Blacklist, "525500000100", "");
    let response = service.send(Method::POST, "/alpha/blacklists", As::Tenant(&keys), Some(&asked)).await;
    assert_eq!(response.status, 201);
    assert_eq!(
        (&response.body["status"], &response.body["resultCode"]),
        (&json!("ERROR"), &json!("SERVICE_UNAVAILABLE"))
    );
}

#[tokio::test]
async fn signal_is_served_only_at_the_path_of_its_kind() {
    let service = TestService::start(Backend::Sqlite).await;
    let blacklist =
        service.signal(SignalKind::Blacklist, &request(SignalKind::Blacklist, "525500000100", "")).await;
    let lifecycle = service
        .signal(SignalKind::CreditLifecycle, &request(SignalKind::CreditLifecycle, "525500000100", ""))
        .await;
    assert_eq!(service.get("/alpha/blacklists").await.body["items"], json!([blacklist]));
    assert_eq!(service.get("/beta/creditLifecycles").await.body["items"], json!([lifecycle]));
    let elsewhere = format!("/beta/creditLifecycles/{}", text(&blacklist["id"]));
    assert_eq!(service.get(&elsewhere).await.status, 404);
    assert_eq!(service.delete(&elsewhere).await.status, 404);
    let here = format!("/alpha/blacklists/{}", text(&blacklist["id"]));
    assert_eq!(service.delete(&here).await.status, 204);
    assert_eq!(service.get(&here).await.status, 404);
    assert_eq!(service.get("/alpha/blacklists").await.body["items"], json!([]));
    assert_eq!(service.billing_types().await, ["CREDIT_LIFECYCLE", "BLACKLIST"], "the charge remains");
}

#[tokio::test]
async fn signal_repeated_with_same_key_runs_once() {
    let service = TestService::start(Backend::Sqlite).await;
    let asked = request(SignalKind::Blacklist, "525500000100", "");
    let first = service.post_once("one signal", "/alpha/blacklists", Some(&asked)).await;
    let again = service.post_once("one signal", "/alpha/blacklists", Some(&asked)).await;
    assert_eq!(again.bytes, first.bytes);
    assert_eq!(first.body["resultCode"], "SUCCESS");
    assert_eq!(service.get("/alpha/blacklists").await.body["items"].as_array().unwrap().len(), 1);
    assert_eq!(service.billing_types().await, ["BLACKLIST"]);
}

/// The sandbox source, whose first signal never returns.
#[derive(Default)]
struct SilentOnce(AtomicBool);

impl RecordSource for SilentOnce {
    fn social_security<'a>(&'a self, query: RecordQuery<'a>) -> BoxFuture<'a, Queried<SocialSecurityResult>> {
        SandboxRecords.social_security(query)
    }

    fn signal<'a>(&'a self, query: SignalQuery<'a>) -> BoxFuture<'a, Queried<SignalFindings>> {
        if self.0.swap(true, Ordering::SeqCst) {
            return SandboxRecords.signal(query);
        }
        Box::pin(pending())
    }
}

#[tokio::test]
async fn aborted_signal_request_is_completed_by_a_job() {
    let clock = Arc::new(TestClock::default());
    let (moved, source) = (Arc::clone(&clock), Arc::new(SilentOnce::default()));
    let silent = Arc::clone(&source);
    let exchange = move |parts: &mut link_server::app::Parts| {
        parts.ports.clock = moved;
        parts.ports.sandbox_records = silent;
    };
    let service = Arc::new(TestService::start_of(Backend::Sqlite, |_| {}, exchange).await);
    let asked = request(SignalKind::Blacklist, "525500000100", "");
    let sender = Arc::clone(&service);
    let body = asked.clone();
    let cut =
        tokio::spawn(async move { sender.post_once("cut off", "/alpha/blacklists", Some(&body)).await });
    wait::until("the source is asked", async || source.0.load(Ordering::SeqCst)).await;
    cut.abort();
    let open = service.get("/alpha/blacklists").await.body["items"][0].clone();
    assert_eq!(open["status"], "PROCESSING");
    clock.advance(LEASE);
    let path = format!("/alpha/blacklists/{}", text(&open["id"]));
    let done = service.until_completed(&path, &service.sandbox.clone()).await;
    assert_eq!(done["resultCode"], "SUCCESS");
    let again = service.post_once("cut off", "/alpha/blacklists", Some(&asked)).await;
    assert_eq!((again.status.as_u16(), again.body), (201, done), "the key replays the result");
    assert_eq!(service.billing_types().await, ["BLACKLIST"]);
}

#[tokio::test]
async fn signal_is_removed_after_60_days() {
    let clock = Arc::new(TestClock::default());
    let moved = Arc::clone(&clock);
    let service =
        TestService::start_of(Backend::Sqlite, |_| {}, move |parts| parts.ports.clock = moved).await;
    service.signal(SignalKind::Verification, &request(SignalKind::Verification, "525500000100", "")).await;
    clock.advance(RETENTION + Duration::from_secs(1));
    wait::until("the signal is removed", async || {
        service.get("/alpha/verifications").await.body["items"] == json!([])
    })
    .await;
}
