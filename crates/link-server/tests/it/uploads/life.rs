//! The lifecycle of an archive, from its first byte to its revocation.

use axum::body::{Body, Bytes};
use axum::http::{Method, Request};
use link_store::test_support::Backend;
use serde_json::{Value, json};

use super::protocol::channel_body;
use super::{Uploader, offset_of, picture, sha256};
use crate::documents::EMPLOYER;
use crate::service::{As, TestResponse, TestService, secret, text};

/// Fetches an address as a browser would: without credentials.
pub async fn fetch(service: &TestService, address: &str) -> TestResponse {
    let (host, path) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let request = Request::get(format!("/{path}")).header("host", host).body(Body::empty()).unwrap();
    service.send_raw(request).await
}

/// Returns a service with a separate host for files.
pub async fn with_files_host() -> TestService {
    TestService::start_with(Backend::Sqlite, |settings| {
        settings.files_url = "http://files.example".to_owned();
        settings.allowed_hosts.push("files.example".to_owned());
    })
    .await
}

#[tokio::test]
async fn file_is_served_only_from_the_files_host() {
    let service = with_files_host().await;
    let widget = Uploader::new(&service).await;
    let archive = widget.submit("PAYSLIP", &picture(1_000)).await;
    service.until_event("TASK_FINISHED").await;
    let read = service.get(&format!("/archives/{archive}")).await.body;
    let address = text(&read["files"][0]["url"]);
    assert!(address.starts_with("http://files.example/sandbox/v1/files/"), "{address}");
    assert_eq!(fetch(&service, &address).await.status, 200);
    let elsewhere = address.replace("files.example", "localhost:8787");
    assert_eq!(fetch(&service, &elsewhere).await.status, 404, "other hosts do not serve it");
}

#[tokio::test]
async fn payslip_upload_is_analyzed_and_can_be_revoked() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let file = picture(700_000);
    let archive = widget.archive("PAYSLIP").await;
    let upload = {
        let created = widget.announce(&archive, "PAGE", file.len(), Some(&sha256(&file))).await;
        assert_eq!((created.status.as_u16(), offset_of(&created)), (201, 0));
        assert!(created.headers["upload-expires"].to_str().unwrap().ends_with("GMT"));
        text(&json!(created.headers["location"].to_str().unwrap())).replace("/sandbox/v1", "")
    };
    let mut offset = 0;
    for piece in file.chunks(300_000) {
        assert_eq!(widget.offset(&upload).await, offset);
        let sent = widget.append(&upload, offset, piece.to_vec()).await;
        assert_eq!(sent.status, 204, "{:?}", sent.body);
        offset = offset_of(&sent);
    }
    assert_eq!(offset, file.len());
    assert_eq!(
        service.get("/archives").await.body["items"],
        json!([]),
        "tenants see only submitted archives"
    );

    let path = format!("/link/archives/{archive}");
    let submitted = widget.send(Method::POST, &format!("{path}/submit"), Some(&json!({}))).await;
    assert_eq!(submitted.status, 200, "{:?}", submitted.body);
    assert!(submitted.body["phase"].get("analyzing").is_some(), "{}", submitted.body);
    service.until_event("TASK_FINISHED").await;
    let types = service.event_types().await;
    let expected = ["ARCHIVE_STARTED", "TASK_STARTED", "ARCHIVE_ANALYZED", "INCOMES_ADDED", "TASK_FINISHED"];
    assert!(expected.iter().all(|it| types.iter().any(|type_| type_ == it)), "{types:?}");

    let read = service.get(&format!("/archives/{archive}")).await.body;
    assert_eq!(
        (&read["state"]["status"], &read["providerId"]),
        (&json!("ANALYZED"), &json!("user-provided"))
    );
    assert_eq!(read["extraction"]["fields"][0]["value"], EMPLOYER);
    assert_eq!(read["files"][0]["sha256"], sha256(&file));
    assert_eq!(read["files"][0]["format"], "PNG", "the format follows the content, not the name");
    let payload = service.get(&format!("/archives/{archive}/payload")).await.body;
    assert_eq!(payload["incomes"]["items"][0]["employer"], EMPLOYER, "{payload}");
    assert_eq!(payload["metadata"]["id"], archive);
    let consent = service.get(&format!("/archives/{archive}/consent")).await.body;
    assert_eq!((&consent["sourceId"], &consent["sourceType"]), (&json!(archive), &json!("ARCHIVE")));

    let address = text(&read["files"][0]["url"]);
    let fetched = fetch(&service, &address).await;
    assert_eq!((fetched.status.as_u16(), fetched.bytes == file), (200, true), "{:?}", fetched.body);
    revoke(&widget, &archive).await;
    assert_eq!(fetch(&service, &address).await.status, 404, "the URL ends with its archive");
    let tombstone = service.get(&format!("/archives/{archive}")).await.body;
    assert_eq!((&tombstone["state"]["status"], &tombstone["files"]), (&json!("REVOKED"), &json!([])));
    assert_eq!(tombstone["extraction"], Value::Null);
    assert_eq!(tombstone["state"]["endReason"], "REVOKED");
    assert_eq!(service.get(&format!("/archives/{archive}/payload")).await.status, 404);
    let ended = service.get(&format!("/archives/{archive}/consent")).await.body;
    assert_eq!((&ended["consentedWith"], &ended["locale"]), (&Value::Null, &Value::Null));
    assert_eq!((&ended["endReason"], &ended["textSha256"]), (&json!("REVOKED"), &consent["textSha256"]));
    assert_eq!(service.get("/incomes").await.body["items"], json!([]));
    let ends = service.get("/events?type=ARCHIVE_REVOKED").await.body["items"].clone();
    assert_eq!((ends.as_array().unwrap().len(), &ends[0]["data"]["reason"]), (1, &json!("USER")));
}

async fn revoke(widget: &Uploader<'_>, archive: &str) {
    let path = format!("/link/archives/{archive}");
    let other = Uploader { service: widget.service, session: widget.service.session().await };
    assert_eq!(other.send(Method::POST, &format!("{path}/revocation"), None).await.status, 404);
    let made_up = json!({"confirmation": "made-up"});
    let refused = widget.send(Method::POST, &format!("{path}/revoke"), Some(&made_up)).await;
    assert_eq!(refused.status, 422, "{:?}", refused.body);
    let asked = widget.send(Method::POST, &format!("{path}/revocation"), None).await;
    assert_eq!(asked.status, 201, "{:?}", asked.body);
    for _ in 0..2 {
        let revoked = widget.send(Method::POST, &format!("{path}/revoke"), Some(&asked.body)).await;
        assert_eq!(revoked.status, 204, "revocation is idempotent: {:?}", revoked.body);
    }
    let progress = widget.send(Method::GET, &path, None).await;
    assert!(progress.body["phase"].get("revoked").is_some(), "{}", progress.body);
}

#[tokio::test]
async fn file_is_an_attachment_at_its_signed_url_only() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let archive = widget.submit("PAYSLIP", &picture(1_000)).await;
    let address = text(&service.get("/archives?size=1").await.body["items"][0]["files"][0]["url"]);
    let file = fetch(&service, &address).await;
    assert_eq!(file.status, 200);
    assert_eq!(file.headers["content-type"], "image/png");
    assert_eq!(file.headers["x-content-type-options"], "nosniff");
    assert_eq!(file.headers["content-security-policy"], "sandbox; default-src 'none'");
    assert!(file.headers["content-disposition"].to_str().unwrap().starts_with("attachment; "));
    assert!(!format!("{:?}", file.headers).contains("Recibo"), "a header contains the file's original name");

    let (path, _) = address.split_once('?').unwrap();
    let flipped = address.replace("signature=", "signature=A");
    let other = address.replace(&archive, "archive-00000000000000000000000000000000");
    for wrong in [flipped.as_str(), other.as_str(), &address.replace("/sandbox/v1", "/v1")] {
        assert_eq!(fetch(&service, wrong).await.status, 404, "{wrong}");
    }
    assert_eq!(fetch(&service, path).await.status, 422);
    assert_eq!(service.delete(&format!("/archives/{archive}")).await.status, 204);
    assert_eq!(fetch(&service, &address).await.status, 404);
}

#[tokio::test]
async fn unrecognized_archive_fails_with_its_error_code() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let archive = widget.submit("BANK_STATEMENT", &picture(1_000)).await;
    let state = service.get(&format!("/archives/{archive}")).await.body["state"].clone();
    assert_eq!(state["status"], "UNSUPPORTED", "{state}");
    assert_eq!(state["errorCode"], "FILE_UNABLE_TO_RECOGNIZE");
    let tasks = service.get(&format!("/tasks?sourceId={archive}")).await.body["items"].clone();
    assert_eq!(tasks.as_array().unwrap().len(), 1, "{tasks}");
    assert_eq!((&tasks[0]["status"], &tasks[0]["type"]), (&json!("FAILED"), &json!("ANALYZE_ARCHIVE")));
    assert_eq!(tasks[0]["errorCode"], "FILE_UNABLE_TO_RECOGNIZE");
    let task = service.get(&format!("/tasks/{}", text(&tasks[0]["id"]))).await.body;
    assert_eq!(task, tasks[0]);
    let events = service.get("/events?type=TASK_FINISHED").await.body["items"].clone();
    assert_eq!(events[0]["data"]["status"], "FAILED", "{events}");
    assert_eq!(events[0]["data"]["errorCode"], "FILE_UNABLE_TO_RECOGNIZE");
    assert!(service.event_types().await.contains(&"ARCHIVE_FAILED".to_owned()));
    let progress = widget.send(Method::GET, &format!("/link/archives/{archive}"), None).await;
    assert_eq!(progress.body["phase"]["failed"]["errorCode"], "FILE_UNABLE_TO_RECOGNIZE");
}

#[tokio::test]
async fn discarding_unsubmitted_archive_emits_no_event() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let path = format!("/link/archives/{archive}");
    assert_eq!(widget.send(Method::POST, &format!("{path}/submit"), Some(&json!({}))).await.status, 409);
    widget.upload(&archive, "PAGE", &picture(1_000)).await;
    let other = Uploader::new(&service).await;
    for method in [Method::GET, Method::DELETE] {
        assert_eq!(other.send(method, &path, None).await.status, 404, "another user's");
    }
    assert_eq!(service.get(&format!("/archives/{archive}")).await.status, 404);
    assert_eq!(widget.send(Method::DELETE, &path, None).await.status, 204);
    assert_eq!(widget.send(Method::GET, &path, None).await.status, 404);
    assert!(!service.event_types().await.iter().any(|it| it.starts_with("ARCHIVE")));
    let submitted = widget.submit("PAYSLIP", &picture(1_000)).await;
    let late = widget.send(Method::DELETE, &format!("/link/archives/{submitted}"), None).await;
    assert_eq!(late.status, 409, "a submitted archive can only be revoked");
}

#[tokio::test]
async fn archive_list_filters_by_user_and_date() {
    let service = TestService::start(Backend::Sqlite).await;
    let (mine, theirs) = (Uploader::new(&service).await, Uploader::new(&service).await);
    let (first, second) =
        (mine.submit("PAYSLIP", &picture(900)).await, theirs.submit("PAYSLIP", &picture(900)).await);
    let listed = service.get("/archives").await.body;
    assert_eq!((&listed["items"][0]["id"], &listed["items"][1]["id"]), (&json!(second), &json!(first)));
    let user = text(&listed["items"][1]["userId"]);
    let of_user = service.get(&format!("/archives?userId={user}")).await.body;
    assert_eq!((of_user["items"].as_array().unwrap().len(), &of_user["items"][0]["id"]), (1, &json!(first)));
    assert_eq!(service.get("/archives?startDate=2999-01-01").await.body["items"], json!([]));
    let page = service.get("/archives?size=1").await.body;
    let next = service.get(&format!("/archives?size=1&cursor={}", text(&page["nextCursor"]))).await.body;
    assert_eq!(next["items"][0]["id"], first);
    let production = service.send(Method::GET, "/archives", As::Tenant(&service.production), None).await;
    assert_eq!(production.body["items"], json!([]), "production has no archives");
}

#[tokio::test]
async fn repeated_submit_emits_no_further_events() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let archive = widget.submit("PAYSLIP", &picture(1_000)).await;
    service.until_event("TASK_FINISHED").await;
    let emitted = service.event_types().await;
    let path = format!("/link/archives/{archive}");
    let now = widget.send(Method::GET, &path, None).await.body;
    let again = widget.send(Method::POST, &format!("{path}/submit"), Some(&json!({}))).await;
    assert_eq!((again.status.as_u16(), &again.body), (200, &now));
    assert_eq!(service.event_types().await, emitted);
    assert_eq!(service.delete(&format!("/archives/{archive}")).await.status, 204);
    let revoked = widget.send(Method::POST, &format!("{path}/submit"), Some(&json!({}))).await;
    assert_eq!(revoked.status, 409, "{:?}", revoked.body);
}

#[tokio::test]
async fn unfinished_archive_resumes_and_analyzed_one_is_listed() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let session = async || widget.send(Method::GET, "/link/session", None).await.body;
    assert_eq!((&session().await["hasLinked"]), &json!(false));

    let begun = widget.archive("CERTIFICATE").await;
    let now = session().await;
    assert_eq!(
        (&now["attempt"]["archives"][0]["archiveId"], &now["hasLinked"]),
        (&json!(begun), &json!(false))
    );
    assert_eq!(now["attempt"]["archives"][0]["phase"], json!({"uploading": {}}));

    let read = widget.submit("PAYSLIP", &picture(9_000)).await;
    service.until_event("TASK_FINISHED").await;
    let linked = widget.send(Method::GET, "/link/linked", None).await.body;
    assert_eq!(
        linked["archives"][0]["archiveId"],
        json!(read),
        "only submitted archives are listed: {linked}"
    );
    assert_eq!(
        (&linked["archives"][0]["phase"], &linked["archives"][1]),
        (&json!({"analyzed": {}}), &json!(null))
    );
    let archives = |body: &serde_json::Value| body["attempt"]["archives"].as_array().unwrap().len();
    let after = session().await;
    assert_eq!(
        (archives(&after), &after["hasLinked"]),
        (1, &json!(true)),
        "the analyzed archive is no longer part of the attempt"
    );

    let place = json!({"consent": null, "providerId": null, "loginOption": null, "archiveType": "PAYSLIP"});
    assert_eq!(widget.send(Method::PUT, "/link/attempt", Some(&place)).await.status, 204);
    assert_eq!(archives(&session().await), 2, "the attempt's page still shows the analyzed archive");
}

#[tokio::test]
async fn closing_session_keeps_unfinished_upload_after_linking() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    let linked = service.submit(&session, "mx_social_security", "good", "pass").await;
    assert!(service.until_settled(&session, &linked).await["phase"].get("connected").is_some());
    let widget = Uploader { service: &service, session };
    let archive = widget.archive("PAYSLIP").await;
    let file = picture(3_000);
    let upload = widget.begin(&archive, "PAGE", file.len()).await;
    assert_eq!(widget.append(&upload, 0, file[..1_000].to_vec()).await.status, 204);
    assert_eq!(widget.send(Method::DELETE, "/link/session", None).await.status, 204);

    let path = format!("/tokens?userId={user}");
    let token = service.send(Method::POST, &path, As::Tenant(&service.sandbox), None).await;
    let session = secret();
    let opened = service.exchange(&text(&token.body["accessToken"]), &session).await;
    assert_eq!(opened.status, 201, "{:?}", opened.body);
    let attempt = &opened.body["attempt"];
    assert_eq!(attempt["archives"][0]["archiveId"], json!(archive), "{attempt}");
    assert_eq!(attempt["account"], json!(null), "the linked account is not shown again");
    let widget = Uploader { service: &service, session };
    assert_eq!(widget.append(&upload, 1_000, file[1_000..].to_vec()).await.status, 204);
}

#[tokio::test]
async fn repeated_upload_creation_makes_one_file() {
    let service =
        TestService::start_with(Backend::Sqlite, |settings| settings.live.edit(|live| live.upload_files = 3))
            .await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("IDENTIFICATION").await;
    let file = picture(3_000);
    let announce = async |slot| widget.announce(&archive, slot, file.len(), None).await;
    let first = announce("FRONT").await;
    for _ in 0..4 {
        let again = announce("FRONT").await;
        assert_eq!((again.status.as_u16(), offset_of(&again)), (201, 0));
        assert_eq!(again.headers["location"], first.headers["location"]);
    }
    let upload = first.headers["location"].to_str().unwrap().replace("/sandbox/v1", "");
    assert_eq!(widget.append(&upload, 0, file.clone()).await.status, 204);
    let taken = announce("FRONT").await;
    assert_eq!(taken.body["fileFault"], "TOO_MANY_FILES", "bytes were sent, so the client knew the URL");
    let path = format!("/link/archives/{archive}");
    assert_eq!(widget.send(Method::POST, &format!("{path}/submit"), Some(&json!({}))).await.status, 200);
}

#[tokio::test]
async fn different_or_active_upload_creation_makes_another_file() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let file = picture(3_000);
    let upload = widget.begin(&archive, "PAGE", file.len()).await;
    assert_ne!(widget.begin(&archive, "FRONT", file.len()).await, upload);
    assert_ne!(widget.begin(&archive, "PAGE", file.len() + 1).await, upload);
    let by_digest = widget.announce(&archive, "PAGE", file.len(), Some(&sha256(&file))).await;
    assert!(!by_digest.headers["location"].to_str().unwrap().ends_with(&upload));
    let (sender, body) = channel_body();
    let meanwhile = async {
        sender.send(Ok(Bytes::copy_from_slice(&file[..1_000]))).await.unwrap();
        sender.send(Ok(Bytes::new())).await.unwrap();
        let duplicate = widget.begin(&archive, "PAGE", file.len()).await;
        assert_ne!(duplicate, upload, "another file of the same name and size");
        sender.send(Ok(Bytes::copy_from_slice(&file[1_000..]))).await.unwrap();
        drop(sender);
    };
    let (sent, ()) = tokio::join!(widget.append(&upload, 0, body), meanwhile);
    assert_eq!(sent.status, 204, "{:?}", sent.body);
}

#[tokio::test]
async fn repeated_archive_creation_returns_the_same_archive() {
    let service =
        TestService::start_with(Backend::Sqlite, |settings| settings.live.edit(|live| live.upload_files = 4))
            .await;
    let (user, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    let widget = Uploader { service: &service, session };
    let first = widget.archive("PAYSLIP").await;
    for _ in 0..4 {
        assert_eq!(widget.archive("PAYSLIP").await, first);
    }
    let other_kind = widget.archive("CLEARANCE").await;
    assert_ne!(other_kind, first);
    widget.begin(&first, "PAGE", 10).await;
    let second = widget.archive("PAYSLIP").await;
    assert_ne!(second, first, "the archive has a file, so the client knew its id");

    let path = format!("/tokens?userId={user}");
    let token = service.send(Method::POST, &path, As::Tenant(&service.sandbox), None).await;
    let session = secret();
    assert_eq!(service.exchange(&text(&token.body["accessToken"]), &session).await.status, 201);
    let widget = Uploader { service: &service, session };
    assert_ne!(widget.archive("PAYSLIP").await, second, "another session has its own view of the attempt");
}
