//! Social security records: created, completed, charged, erased.

use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use link_domain::lookups::record::RETENTION;
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use link_test_support::wait;
use rstest::rstest;
use serde_json::{Value, json};

use crate::archives::TestClock;
use crate::service::{As, Keys, TestResponse, TestService, text};

const PATH: &str = "/alpha/socialSecurities";
const CURP: &str = "HEGG560427MVZRRL04";
const NAME: &str = "Canaria Bracamonte Olmedal";

pub fn request(number: &str) -> Value {
    json!({
        "templateId": "tpl-sss003001",
        "consent": {"consentedAt": "2026-11-20T11:07:11.000Z", "consentedWith": "I agree."},
        "mobileNumber": number, "fullName": NAME, "curp": CURP, "emailAddress": "canaria@example.com",
    })
}

/// Returns the request as `requestMeta` echoes it: omitted consent fields are null.
fn echo(request: &Value) -> Value {
    let mut echo = request.clone();
    echo["userId"] = Value::Null;
    for name in ["consentTemplateId", "type", "version"] {
        if echo["consent"].get(name).is_none() {
            echo["consent"][name] = Value::Null;
        }
    }
    echo
}

impl TestService {
    /// Waits until the resource at this path is no longer PROCESSING and returns it.
    pub async fn until_completed(&self, path: &str, keys: &Keys) -> Value {
        wait::until_some(&format!("{path} is completed"), async || {
            let found = self.send(Method::GET, path, As::Tenant(keys), None).await;
            assert_eq!(found.status, 200, "{path} {:?}", found.body);
            (found.body["status"] != "PROCESSING").then_some(found.body)
        })
        .await
    }

    async fn record_of(&self, body: &Value) -> (TestResponse, Value) {
        let created = self.post(PATH, body.clone()).await;
        assert_eq!(created.status, 201, "{:?}", created.body);
        // The interface promises that sandbox records are final on the first read.
        let record = self.get(&format!("{PATH}/{}", text(&created.body["id"]))).await;
        (created, record.body)
    }

    /// Returns the types of all billing events, newest first.
    pub async fn billing_types(&self) -> Vec<String> {
        let events = self.get("/billing/events").await;
        assert_eq!(events.status, 200, "{:?}", events.body);
        events.body["items"].as_array().unwrap().iter().map(|it| text(&it["type"])).collect()
    }

    /// Returns the `data` of all events of a type.
    pub async fn events_of(&self, event_type: &str) -> Vec<Value> {
        let events = self.get(&format!("/events?type={event_type}")).await;
        events.body["items"].as_array().unwrap().iter().map(|it| it["data"].clone()).collect()
    }

    async fn everything_stored(&self) -> Vec<u8> {
        fn collect(folder: &std::path::Path, all: &mut Vec<u8>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    collect(&path, all);
                } else if let Ok(bytes) = std::fs::read(&path) {
                    all.extend(bytes);
                }
            }
        }
        let mut all = Vec::new();
        collect(self.database.folder(), &mut all);
        all
    }
}

#[tokio::test]
async fn sandbox_number_completes_record_with_its_result_code() {
    let service = TestService::start(Backend::Sqlite).await;
    for (number, status, code) in [
        ("525500000100", "COMPLETED", "SUCCESS"),
        ("c8a22be53e5e7d9d0f3a33ab6e04cd85", "COMPLETED", "SUCCESS"),
        ("525500000101", "COMPLETED", "NO_DATA"),
        ("525512345678", "COMPLETED", "NO_DATA"),
        ("525500000106", "COMPLETED", "NO_DATA"),
        ("525500000102", "COMPLETED", "INVALID_PARAMETERS"),
        ("525500000103", "ERROR", "SERVICE_UNAVAILABLE"),
        ("525500000104", "ERROR", "SYSTEM_ERROR"),
    ] {
        let body = request(number);
        let (created, record) = service.record_of(&body).await;
        assert_eq!(created.body["status"], "PROCESSING");
        for name in ["resultCode", "resultMessage", "result"] {
            assert_eq!(created.body[name], Value::Null, "{name}");
        }
        assert_eq!(created.body["requestMeta"], echo(&body));
        assert_eq!((&record["status"], &record["resultCode"]), (&json!(status), &json!(code)), "{number}");
        assert!(record["resultMessage"].is_string());
        assert_eq!(record["requestMeta"], echo(&body));
        assert_eq!(record["result"].is_object(), code == "SUCCESS");
        if code == "SUCCESS" {
            let fields = [
                "contributionBaseAmount",
                "contributionDays",
                "curp",
                "currency",
                "employerName",
                "employerRegistration",
                "fullName",
                "nss",
                "reportDate",
                "state",
            ];
            let found: Vec<_> = record["result"].as_object().unwrap().keys().cloned().collect();
            assert_eq!(found, fields);
            assert_eq!(
                (&record["result"]["curp"], &record["result"]["currency"]),
                (&json!(CURP), &json!("MXN"))
            );
        }
    }
    assert_eq!(service.billing_types().await, ["SOCIAL_SECURITY_RECORD"; 2]);
}

#[tokio::test]
async fn malformed_record_input_ends_as_invalid_parameters() {
    let service = TestService::start(Backend::Sqlite).await;
    for (field, value) in [
        ("templateId", "tpl-sss009999"),
        ("curp", "HEGG560427MVZRRL05"),
        ("mobileNumber", "0525500000100"),
        ("emailAddress", "canaria"),
    ] {
        let mut body = request("525500000100");
        body[field] = json!(value);
        let (_, record) = service.record_of(&body).await;
        assert_eq!(record["status"], "COMPLETED", "{field}");
        assert_eq!(record["resultCode"], "INVALID_PARAMETERS", "{field}");
    }
    assert!(service.billing_types().await.is_empty());
}

#[tokio::test]
async fn record_request_reports_all_invalid_fields_at_once() {
    let service = TestService::start(Backend::Sqlite).await;
    let body = json!({
        "templateId": 3, "consent": {"consentedAt": "yesterday", "odd": 1}, "fullName": "", "curp": CURP, "odd": 1,
    });
    let refused = service.post(PATH, body).await;
    assert_eq!(refused.status, 422);
    let mut named: Vec<_> =
        refused.body["errors"].as_array().unwrap().iter().map(|it| text(&it["field"])).collect();
    named.sort();
    let expected = [
        "consent.consentedAt",
        "consent.consentedWith",
        "consent.odd",
        "emailAddress",
        "fullName",
        "mobileNumber",
        "odd",
        "templateId",
    ];
    assert_eq!(named, expected);
    assert_eq!(service.get(PATH).await.body["items"], json!([]));
}

#[tokio::test]
async fn consent_template_of_other_environment_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let mut body = request("525500000100");
    body["consent"]["consentTemplateId"] = json!(service.sandbox.consent);
    assert_eq!(service.post(PATH, body.clone()).await.status, 201);
    body["consent"]["consentTemplateId"] = json!(service.production.consent);
    let refused = service.post(PATH, body).await;
    assert_eq!(
        (refused.status.as_u16(), &refused.body["errors"][0]["field"]),
        (422, &json!("consent.consentTemplateId"))
    );
}

#[tokio::test]
async fn production_record_without_source_is_service_unavailable() {
    let service = TestService::start(Backend::Sqlite).await;
    let keys = service.production.clone();
    let created = service.send(Method::POST, PATH, As::Tenant(&keys), Some(&request("525500000100"))).await;
    let path = format!("{PATH}/{}", text(&created.body["id"]));
    let record = service.until_completed(&path, &keys).await;
    assert_eq!((&record["status"], &record["resultCode"]), (&json!("ERROR"), &json!("SERVICE_UNAVAILABLE")));
    assert_eq!(service.get(&path).await.status, 404, "the sandbox cannot read a production record");
}

#[tokio::test]
async fn record_list_is_the_same_at_both_paths() {
    let service = TestService::start(Backend::Sqlite).await;
    let mut ids = Vec::new();
    for path in [PATH, "/socialSecurities", PATH] {
        let created = service.post(path, request("525500000101")).await;
        ids.insert(0, text(&created.body["id"]));
    }
    for path in [PATH, "/socialSecurities"] {
        let mut seen = Vec::new();
        let mut next = format!("{path}?size=2");
        loop {
            let page = service.get(&next).await;
            seen.extend(page.body["items"].as_array().unwrap().iter().map(|it| text(&it["id"])));
            let Some(cursor) = page.body["nextCursor"].as_str() else { break };
            next = format!("{path}?size=2&cursor={cursor}");
        }
        assert_eq!(seen, ids);
        assert_eq!(service.get(&format!("{path}/{}", ids[0])).await.body["id"], json!(ids[0]));
    }
    let none = service.get(&format!("{PATH}?endDate=2020-01-01")).await;
    assert_eq!(none.body["items"], json!([]));
}

#[tokio::test]
async fn record_webhooks_arrive_in_order_with_payload() {
    let service = TestService::start(Backend::Sqlite).await;
    let receiver = Receiver::start(&[]).await;
    let hook = json!({"url": receiver.url, "eventTypes": ["RECORD_CREATED", "RECORD_COMPLETED"], "secret": "a secret of a tenant"});
    assert_eq!(service.post("/webhooks", hook).await.status, 201);
    let (_, record) = service.record_of(&request("525500000100")).await;
    let received = receiver.until(2).await;
    assert_eq!(receiver.types(), ["RECORD_CREATED", "RECORD_COMPLETED"]);
    let about = json!({"recordId": record["id"], "recordType": "SOCIAL_SECURITY"});
    assert_eq!(received[0].event["data"], about);
    let mut whole = record.clone();
    whole["result"]["name"] = record["result"]["fullName"].clone();
    let mut completed = about;
    for name in ["status", "resultCode", "resultMessage"] {
        completed[name] = record[name].clone();
    }
    completed["payload"] = whole;
    assert_eq!(received[1].event["data"], completed);
}

#[tokio::test]
async fn record_request_repeated_with_same_key_creates_one_record() {
    let service = TestService::start(Backend::Sqlite).await;
    let body = request("525500000100");
    let first = service.post_once("one record", PATH, Some(&body)).await;
    service.until_completed(&format!("{PATH}/{}", text(&first.body["id"])), &service.sandbox.clone()).await;
    let again = service.post_once("one record", PATH, Some(&body)).await;
    assert_eq!(again.bytes, first.bytes, "the stored response is replayed");
    assert_eq!(service.get(PATH).await.body["items"].as_array().unwrap().len(), 1);
    assert_eq!(service.event_types().await, ["RECORD_CREATED", "RECORD_COMPLETED"]);
    assert_eq!(service.billing_types().await, ["SOCIAL_SECURITY_RECORD"]);
}

#[rstest]
#[tokio::test]
async fn deleted_record_leaves_no_personal_data(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let body = request("525500000100");
    let created = service.post_once("a record to erase", PATH, Some(&body)).await;
    let path = format!("{PATH}/{}", text(&created.body["id"]));
    let record = service.until_completed(&path, &service.sandbox.clone()).await;
    assert_eq!(service.delete(&path).await.status, 204);
    assert_eq!(service.get(&path).await.status, 404);
    assert_eq!(service.delete(&path).await.status, 404);
    assert_eq!(service.get(PATH).await.body["items"], json!([]));
    let data = json!({
        "recordId": record["id"], "recordType": "SOCIAL_SECURITY", "status": "COMPLETED",
        "resultCode": "SUCCESS", "resultMessage": record["resultMessage"],
    });
    assert_eq!(service.events_of("RECORD_COMPLETED").await, [data]);
    assert_eq!(service.billing_types().await, ["SOCIAL_SECURITY_RECORD"], "the charge remains");
    let stored = service.everything_stored().await;
    for personal in [CURP, NAME, "canaria@example.com", "525500000100"] {
        let found = stored.windows(personal.len()).any(|it| it == personal.as_bytes());
        assert!(!found, "{personal} is in a file of the database");
    }
    let again = service.post_once("a record to erase", PATH, Some(&body)).await;
    assert_ne!(again.body["id"], record["id"], "the stored response was erased with the record");
}

#[tokio::test]
async fn record_is_removed_after_60_days() {
    let clock = Arc::new(TestClock::default());
    let moved = Arc::clone(&clock);
    let service =
        TestService::start_of(Backend::Sqlite, |_| {}, move |parts| parts.ports.clock = moved).await;
    let (_, record) = service.record_of(&request("525500000100")).await;
    let path = format!("{PATH}/{}", text(&record["id"]));
    clock.advance(RETENTION - Duration::from_secs(3_600));
    assert_eq!(service.get(&path).await.status, 200, "one hour before the end");
    clock.advance(Duration::from_secs(3_601));
    wait::until("the record is removed", async || service.get(&path).await.status == 404).await;
    assert!(service.events_of("RECORD_COMPLETED").await[0].get("payload").is_none());
}

#[rstest]
#[tokio::test]
async fn record_of_a_user_is_listed_and_erased_with_the_user(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let user = service.user().await.0;
    let mut body = request("525500000100");
    service.record_of(&body).await;
    body["userId"] = json!(user);
    let (created, record) = service.record_of(&body).await;
    assert_eq!(created.body["requestMeta"]["userId"], user.as_str());
    assert_eq!(record["requestMeta"]["userId"], user.as_str());
    let events = service.get(&format!("/events?userId={user}&recordId={}", text(&record["id"]))).await.body;
    let events = events["items"].as_array().unwrap();
    assert_eq!(events.len(), 2, "{events:?}");
    assert!(events.iter().all(|it| it["data"]["userId"] == user.as_str()), "{events:?}");
    let of_user = service.get(&format!("{PATH}?userId={user}")).await.body;
    assert_eq!(of_user["items"], json!([record]));
    assert_eq!(service.delete(&format!("/users/{user}")).await.status, 204);
    assert_eq!(service.get(&format!("{PATH}/{}", text(&record["id"]))).await.status, 404);
    assert_eq!(service.get(PATH).await.body["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn record_of_an_unknown_user_is_rejected_by_field() {
    let service = TestService::start(Backend::Sqlite).await;
    let other = service.another_tenant().await;
    let theirs = service.send(Method::POST, "/users", As::Tenant(&other), Some(&json!({}))).await.body;
    let mut body = request("525500000100");
    for unknown in [text(&theirs["id"]), "demo-0192f0c1a2b37c4d8e5f60718293a4b5".to_owned()] {
        body["userId"] = json!(unknown);
        let refused = service.post(PATH, body.clone()).await;
        assert_eq!(refused.status, 422, "{:?}", refused.body);
        assert_eq!(refused.body["errors"][0]["field"], "userId");
    }
}

#[tokio::test]
async fn fired_record_events_have_the_fields_of_real_ones() {
    let service = TestService::start(Backend::Sqlite).await;
    let user = service.user().await.0;
    let mut body = request("525500000100");
    body["userId"] = json!(user);
    service.record_of(&body).await;
    for event_type in ["RECORD_CREATED", "RECORD_COMPLETED"] {
        let fire = json!({"type": event_type, "userId": user});
        assert_eq!(service.post("/events/fire", fire).await.status, 201);
        let events = service.events_of(event_type).await;
        let [fired, real] = events.as_slice() else { panic!("{events:?}") };
        assert_eq!(paths(fired), paths(real), "{event_type}");
    }
}

/// Returns the paths of all fields in a value.
fn paths(value: &Value) -> Vec<String> {
    let Some(fields) = value.as_object() else { return Vec::new() };
    let below = |(name, value): (&String, &Value)| {
        let inner: Vec<_> = paths(value).iter().map(|it| format!("{name}.{it}")).collect();
        if inner.is_empty() { vec![name.clone()] } else { inner }
    };
    fields.iter().flat_map(below).collect()
}
