//! `POST /archives`: uploads by a tenant on behalf of a user.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::{StreamExt as _, stream};
use link_server::http::limits::body::BodyTimeouts;
use link_server::http::limits::body::MinimumRate;
use link_server::http::limits::permits::BodyUploadPermits;
use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::service::{As, Keys, TestResponse, TestService, text};
use crate::uploads::{Uploader, picture};

const PAYSLIP: &[u8] = include_bytes!("../../../../docs/samples/payslip-mx.pdf");
const LOCKED: &[u8] = include_bytes!("../../../../docs/samples/locked.pdf");

fn file(bytes: &[u8]) -> Value {
    json!({"name": "Recibo de nómina.pdf", "content": STANDARD.encode(bytes)})
}

async fn upload(service: &TestService, user: &str, files: Value) -> TestResponse {
    service.post("/archives", json!({"userId": user, "type": "PAYSLIP", "files": files})).await
}

fn faults(response: &TestResponse) -> Vec<(String, String)> {
    let errors = response.body["errors"].as_array().unwrap_or_else(|| panic!("{}", response.body));
    errors.iter().map(|it| (text(&it["field"]), text(&it["message"]))).collect()
}

/// Returns the field and file fault of every error that has one.
fn file_faults(response: &TestResponse) -> Vec<(&str, &str)> {
    let errors = response.body["errors"].as_array().into_iter().flatten();
    errors.filter_map(|it| Some((it["field"].as_str()?, it["fileFault"].as_str()?))).collect()
}

#[tokio::test]
async fn tenant_upload_is_analyzed_with_source_type_upload() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, _) = service.user().await;
    let created = upload(&service, &user, json!([file(PAYSLIP)])).await;
    assert_eq!(created.status, 201, "{}", created.body);
    assert_eq!(created.body["providerId"], "tenant-provided");
    assert_eq!(created.body["state"]["status"], "STARTED");
    assert_eq!(created.body["files"][0]["slot"], "PAGE");
    let id = text(&created.body["id"]);

    service.until_event("TASK_FINISHED").await;
    let emitted = service.event_types().await;
    assert_eq!(emitted[..4], ["USER_CREATED", "ARCHIVE_STARTED", "TASK_STARTED", "ARCHIVE_ANALYZED"]);
    assert_eq!(emitted.last().unwrap(), "TASK_FINISHED");
    let events = service.get("/events?size=50").await.body["items"].clone();
    for event in events.as_array().unwrap() {
        let data = &event["data"];
        match event["type"].as_str().unwrap() {
            "TASK_STARTED" | "TASK_FINISHED" => {
                assert_eq!((&data["sourceType"], &data["sourceId"]), (&json!("UPLOAD"), &json!(id)));
            }
            other if other.ends_with("_ADDED") => {
                assert_eq!(
                    (&data["accountId"], &data["providers"]),
                    (&json!(id), &json!(["tenant-provided"]))
                );
            }
            _ => {}
        }
    }
    let income = service.get(&format!("/incomes?sourceId={id}")).await.body["items"][0].clone();
    // Events of archive data have the archive's id as `accountId`, so that filter must find them.
    let by_account = service.get(&format!("/incomes?accountId={id}")).await.body;
    assert_eq!(by_account["items"][0], income);
    let events = service.get(&format!("/events?accountId={id}&type=INCOMES_ADDED")).await.body;
    assert_eq!(events["items"][0]["data"]["accountId"], json!(id));
    assert_eq!(income["metadata"]["sourceType"], "UPLOAD", "{income}");
    assert_eq!(income["metadata"]["providerId"], "tenant-provided");
    assert_eq!(income["metadata"]["userId"], json!(user));
    assert_eq!(service.get(&format!("/archives/{id}")).await.body["state"]["status"], "ANALYZED");
    assert_eq!(service.get(&format!("/archives?userId={user}")).await.body["items"][0]["id"], json!(id));
    assert_eq!(
        service.get(&format!("/archives/{id}/consent")).await.status,
        404,
        "the tenant holds the consent itself"
    );
    assert_eq!(service.delete(&format!("/archives/{id}")).await.status, 204);
    assert_eq!(service.get(&format!("/archives/{id}/payload")).await.status, 404);
}

#[tokio::test]
async fn tenant_upload_reports_every_rejected_file() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, _) = service.user().await;
    let refused =
        upload(&service, &user, json!([file(b""), file(PAYSLIP), {"name": "x", "content": "%"}])).await;
    assert_eq!(refused.status, 422);
    assert_eq!(
        faults(&refused),
        [(
            "files[2].content".to_owned(),
            "base64 (RFC 4648): the character at byte 1 is not in its alphabet".to_owned()
        )]
    );
    assert_eq!(file_faults(&refused), [], "invalid base64 is not a file fault");
    let refused = upload(&service, &user, json!([file(b""), file(b"MZ"), file(PAYSLIP), file(b"")])).await;
    let empty = |index: usize| (format!("files[{index}].content"), "the file was rejected: EMPTY".to_owned());
    assert_eq!((refused.status.as_u16(), faults(&refused)), (422, vec![empty(0), empty(3)]));
    let looked_at = upload(&service, &user, json!([file(b"MZ"), file(PAYSLIP), file(b"PK\x03\x04")])).await;
    let unsupported = |index: usize| {
        (format!("files[{index}].content"), "the file was rejected: UNSUPPORTED_FORMAT".to_owned())
    };
    assert_eq!((looked_at.status.as_u16(), faults(&looked_at)), (422, vec![unsupported(0), unsupported(2)]));
    let each = upload(&service, &user, json!([file(b"MZ"), file(LOCKED), file(PAYSLIP)])).await;
    let expected = [("files[0].content", "UNSUPPORTED_FORMAT"), ("files[1].content", "ENCRYPTED")];
    assert_eq!(file_faults(&each), expected, "{}", each.body);
    let other = json!([{"name": "a", "content": STANDARD.encode(PAYSLIP), "sha256": "0".repeat(64)}]);
    let mismatched = upload(&service, &user, other).await;
    assert_eq!(faults(&mismatched)[0].1, "the file was rejected: HASH_MISMATCH");
    let slots = ["FRONT", "FRONT"].map(|slot| json!({"name": "a", "slot": slot, "content": "AAAA"}));
    assert_eq!(faults(&upload(&service, &user, json!(slots)).await).len(), 1);
    assert_eq!(service.event_types().await, ["USER_CREATED"], "only submitted archives emit events");
    assert_eq!(service.get("/archives").await.body["items"], json!([]));
}

#[tokio::test]
async fn tenant_upload_over_size_or_quota_is_rejected_with_413() {
    let service =
        TestService::start_with(Backend::Sqlite, |settings| settings.live.edit(|live| live.upload_files = 2))
            .await;
    let (user, _) = service.user().await;
    let large = upload(&service, &user, json!([file(&vec![7; 15_000_001])])).await;
    assert_eq!(large.status, 413, "{}", large.body);
    assert_eq!(faults(&large)[0].1, "the file was rejected: TOO_LARGE");
    assert_eq!(file_faults(&large), [("files[0].content", "TOO_LARGE")]);
    let over = upload(&service, &user, json!([file(PAYSLIP), file(PAYSLIP), file(PAYSLIP)])).await;
    assert_eq!((over.status.as_u16(), over.body["code"].as_str()), (413, Some("PAYLOAD_TOO_LARGE")));
    assert_eq!(
        faults(&over)[0],
        ("files[2].content".to_owned(), "the file was rejected: QUOTA_EXCEEDED".to_owned())
    );
    let body = upload(&service, &user, json!([{"name": "a", "content": "A".repeat(33 * 1024 * 1024)}])).await;
    assert_eq!(body.status, 413);
}

#[rstest]
#[tokio::test]
async fn rejected_and_repeated_uploads_do_not_use_the_quota(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service =
        TestService::start_with(backend, |settings| settings.live.edit(|live| live.upload_files = 1)).await;
    let (user, _) = service.user().await;
    for _ in 0..2 {
        assert_eq!(upload(&service, &user, json!([file(b"no document")])).await.status, 422);
    }
    let body = json!({"userId": user, "type": "PAYSLIP", "files": [file(&picture(500))]});
    let key = [("idempotency-key".to_owned(), "one".to_owned())];
    let send =
        || service.send_with(Method::POST, "/archives", As::Tenant(&service.sandbox), &key, Some(&body));
    let (a, b) = tokio::join!(send(), send());
    assert_eq!((a.status.as_u16(), b.status.as_u16()), (201, 201), "{} {}", a.body, b.body);
    assert_eq!(a.body["id"], b.body["id"]);
    assert_eq!(upload(&service, &user, json!([file(PAYSLIP)])).await.status, 413);
}

#[tokio::test]
async fn tenant_upload_is_invisible_to_widgets_and_environments() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, token) = service.user().await;
    let body = json!({"userId": user, "type": "PAYSLIP", "files": [file(PAYSLIP)]});
    let elsewhere =
        service.send(Method::POST, "/archives", As::Tenant(&service.production), Some(&body)).await;
    assert_eq!((elsewhere.status.as_u16(), faults(&elsewhere)[0].0.as_str()), (422, "userId"));
    let created = upload(&service, &user, json!([file(PAYSLIP)])).await;
    let session = crate::service::secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    let widget = Uploader { service: &service, session };
    let path = format!("/link/archives/{}", text(&created.body["id"]));
    assert_eq!(widget.send(Method::GET, &path, None).await.status, 404);
}

#[rstest]
#[tokio::test]
async fn concurrent_duplicate_uploads_create_one_archive(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let (user, _) = service.user().await;
    let body = json!({"userId": user, "type": "PAYSLIP", "files": [file(&picture(500))]});
    let key = [("idempotency-key".to_owned(), "one".to_owned())];
    let send =
        || service.send_with(Method::POST, "/archives", As::Tenant(&service.sandbox), &key, Some(&body));
    let (a, b, c) = tokio::join!(send(), send(), send());
    let again = send().await;
    for response in [&a, &b, &c, &again] {
        assert_eq!(response.status, 201, "{}", response.body);
        assert_eq!(response.body["id"], a.body["id"]);
    }
    assert_eq!(again.headers["idempotency-replayed"], "true");
    assert_eq!(service.get("/archives").await.body["items"].as_array().unwrap().len(), 1);
    let started = service.event_types().await.iter().filter(|it| *it == "ARCHIVE_STARTED").count();
    assert_eq!(started, 1);
}

/// Returns an upload whose body stalls after its first byte; `begun` gets a permit once the body is read.
fn endless(keys: &Keys, begun: &Arc<Semaphore>) -> Request<Body> {
    let begun = Arc::clone(begun);
    let first = stream::once(async move {
        begun.add_permits(1);
        Ok::<_, std::io::Error>("{")
    });
    Request::post(format!("{}/archives", keys.base))
        .header(header::HOST, "localhost:8787")
        .header(header::AUTHORIZATION, format!("Basic {}", keys.basic))
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from_stream(first.chain(stream::pending())))
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_uploads_of_one_tenant_do_not_delay_another() {
    let timeout = {
        let hour = Duration::from_secs(3_600);
        BodyTimeouts { silence: hour, whole: hour, minimum_rate: MinimumRate { bytes: 1, within: hour } }
    };
    let service = TestService::start_of(
        Backend::Sqlite,
        |_| {},
        |parts| parts.limits.body_uploads = BodyUploadPermits::new(Duration::from_millis(200), timeout),
    )
    .await;
    let service = Arc::new(service);
    let begun = Arc::new(Semaphore::new(0));
    let (refused, mut refusals) = tokio::sync::mpsc::unbounded_channel();
    for keys in [&service.sandbox, &service.production, &service.sandbox, &service.production] {
        let (service, request, refused) = (Arc::clone(&service), endless(keys, &begun), refused.clone());
        tokio::spawn(async move { refused.send(service.send_raw(request).await) });
    }
    // Two uploads hold both slots of the tenant, across environments; the other two are rejected.
    begun.acquire_many(2).await.unwrap().forget();
    for _ in 0..2 {
        let refused = refusals.recv().await.unwrap();
        assert_eq!((refused.status.as_u16(), &refused.body["code"]), (503, &json!("SERVICE_UNAVAILABLE")));
        assert_eq!(refused.headers["retry-after"], "5");
    }
    let other_tenant = service.another_tenant().await;
    let user = service.send(Method::POST, "/users", As::Tenant(&other_tenant), Some(&json!({}))).await;
    let body = json!({"userId": user.body["id"], "type": "PAYSLIP", "files": [file(PAYSLIP)]});
    let uploaded = service.send(Method::POST, "/archives", As::Tenant(&other_tenant), Some(&body)).await;
    assert_eq!(uploaded.status, 201, "{}", uploaded.body);
}

#[tokio::test]
async fn stalled_upload_body_times_out_and_frees_its_slot() {
    let timeout = BodyTimeouts { silence: Duration::from_millis(100), ..BodyTimeouts::default() };
    let service = TestService::start_of(
        Backend::Sqlite,
        |_| {},
        |parts| parts.limits.body_uploads = BodyUploadPermits::new(Duration::from_secs(60), timeout),
    )
    .await;
    let begun = Arc::new(Semaphore::new(0));
    for _ in 0..3 {
        let late = service.send_raw(endless(&service.sandbox, &begun)).await;
        assert_eq!((late.status.as_u16(), &late.body["code"]), (408, &json!("INVALID_PARAMETERS")));
    }
    let (user, _) = service.user().await;
    assert_eq!(upload(&service, &user, json!([file(PAYSLIP)])).await.status, 201);
}
