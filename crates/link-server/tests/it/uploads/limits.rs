//! Size limits and quotas, which apply before any byte is sent.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::http::Method;
use futures_util::{poll, stream};
use link_documents::{ChildReader, Tesseract};
use link_domain::documents::archive::Segment;
use link_store::test_support::Backend;
use link_test_support::bad_files::{BadFile, bad_files};
use link_test_support::wait;
use link_types::archive::MAX_FILE_BYTES;
use link_types::id::ArchiveId;
use rstest::rstest;
use serde_json::json;

use super::{Uploader, picture, sha256};
use crate::service::{As, HOST_ORIGIN, TestService};

#[tokio::test]
async fn file_over_15_mb_or_empty_is_rejected_before_upload() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    for (length, status, fault) in [(15_000_001, 413, "TOO_LARGE"), (0, 422, "EMPTY")] {
        let refused = widget.announce(&archive, "PAGE", length, None).await;
        assert_eq!((refused.status.as_u16(), &refused.body["fileFault"]), (status, &json!(fault)));
        assert_eq!(refused.headers["content-type"], "application/problem+json");
        assert_eq!(refused.headers["tus-resumable"], "1.0.0");
    }
    assert_eq!(widget.announce(&archive, "PAGE", 15_000_000, None).await.status, 201);
}

#[tokio::test]
async fn session_may_append_to_ten_files_concurrently() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let mut uploads = Vec::new();
    for page in 0..10 {
        uploads.push(widget.begin(&archive, "PAGE", 1_000 + page).await);
    }
    let endless = || Body::from_stream(stream::pending::<Result<&str, std::io::Error>>());
    let mut sending: Vec<_> =
        uploads.iter().map(|upload| Box::pin(widget.append(upload, 0, endless()))).collect();
    wait::until("each request holds the lock of its upload", async || {
        for sent in &mut sending {
            assert!(poll!(sent.as_mut()).is_pending());
        }
        let is_working = |upload: &String| {
            service.app.limits.upload_locks.is_wanted(&upload.rsplit('/').next().unwrap().parse().unwrap())
        };
        uploads.iter().all(is_working)
    })
    .await;
    let eleventh = widget.append(&uploads[0], 0, endless()).await;
    assert_eq!((eleventh.status.as_u16(), &eleventh.headers["retry-after"]), (429, &"1".parse().unwrap()));
    drop(sending);
    let bytes = picture(1_000);
    let sent = widget.append(&uploads[0], 0, bytes[..1_000].to_vec()).await;
    assert_ne!(sent.status, 429, "the dropped requests no longer count");
}

#[tokio::test]
async fn archive_is_limited_to_ten_files_and_one_front() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("IDENTIFICATION").await;
    assert_eq!(widget.announce(&archive, "FRONT", 10, None).await.status, 201);
    let second_front = widget.announce(&archive, "FRONT", 11, None).await;
    assert_eq!(second_front.body["fileFault"], "TOO_MANY_FILES", "{}", second_front.body);
    for page in 1..10 {
        assert_eq!(widget.announce(&archive, "PAGE", page, None).await.status, 201);
    }
    let eleventh = widget.announce(&archive, "PAGE", 10, None).await;
    assert_eq!((eleventh.status.as_u16(), &eleventh.body["fileFault"]), (422, &json!("TOO_MANY_FILES")));
}

#[rstest]
#[tokio::test]
async fn daily_upload_quota_limits_bytes_and_files_per_user(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start_with(backend, |settings| {
        settings.live.edit(|live| {
            live.upload_megabytes = 1;
            live.upload_files = 3;
        });
    })
    .await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    assert_eq!(widget.announce(&archive, "PAGE", 600_000, None).await.status, 201);
    let over = widget.announce(&archive, "PAGE", 600_001, None).await;
    assert_eq!((over.status.as_u16(), &over.body["fileFault"]), (413, &json!("QUOTA_EXCEEDED")));
    for (size, kind) in [(10, "CLEARANCE"), (20, "CERTIFICATE")] {
        assert_eq!(widget.announce(&archive, "PAGE", size, None).await.status, 201);
        widget.archive(kind).await;
    }
    assert_eq!(widget.announce(&archive, "PAGE", 30, None).await.body["fileFault"], "QUOTA_EXCEEDED");
    assert_eq!(widget.try_archive("PAYSLIP").await.body["fileFault"], "QUOTA_EXCEEDED");
    let other = Uploader::new(&service).await;
    let archive = other.archive("PAYSLIP").await;
    let sent = other.upload(&archive, "PAGE", &picture(1_000)).await;
    assert_eq!(sent.status, 204, "quotas are per user");
}

#[tokio::test]
async fn archive_type_not_offered_by_template_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let path = format!("/linkTemplates/{}", service.sandbox.template);
    let narrowed = service.patch(&path, json!({"fileTypes": ["PAYSLIP"]})).await;
    assert_eq!(narrowed.status, 200, "{:?}", narrowed.body);
    let widget = Uploader::new(&service).await;
    assert_eq!(widget.try_archive("PAYSLIP").await.status, 201);
    assert_eq!(widget.try_archive("CLEARANCE").await.body["errors"][0]["field"], "type");
    assert_eq!(service.patch(&path, json!({"uploadsEnabled": false})).await.status, 200);
    assert_eq!(widget.try_archive("PAYSLIP").await.status, 422);
}

/// The memory that a child may use to inspect a file; its hard limit is about ten times as high.
const CHILD_KIB: u64 = 120 * 1024;

#[tokio::test]
async fn file_with_wrong_sha256_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let file = picture(300_000);
    let created = widget.announce(&archive, "PAGE", file.len(), Some(&sha256(b"another"))).await;
    let upload = created.headers["location"].to_str().unwrap().replace("/sandbox/v1", "");
    let refused = widget.append(&upload, 0, file).await;
    assert_eq!((refused.status.as_u16(), &refused.body["fileFault"]), (460, &json!("HASH_MISMATCH")));
    let progress = widget.send(Method::GET, &format!("/link/archives/{archive}"), None).await.body;
    assert_eq!(progress["files"], json!([]));
}

/// Bypasses the widget, with a reader that starts the real binary as its child.
#[tokio::test]
async fn bad_files_are_rejected_over_http_and_leave_no_objects() {
    let tesseract = Tesseract::default();
    let reader = Arc::new(ChildReader::new(env!("CARGO_BIN_EXE_linchpin"), &["extract"], tesseract));
    let service = TestService::start_reading(Backend::Sqlite, Arc::clone(&reader) as _, |settings| {
        settings.live.edit(|live| {
            live.upload_files = 1_000;
            live.upload_megabytes = 1_000;
        });
    })
    .await;
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let files = bad_files();
    let (one, other) = files.split_at(files.len() / 2);
    let (one, other) =
        tokio::join!(wrong_responses(&widget, &archive, one), wrong_responses(&widget, &archive, other));
    let wrong = [one, other].concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let progress = widget.send(Method::GET, &format!("/link/archives/{archive}"), None).await.body;
    assert_eq!(progress["files"], json!([]));
    let folder = Segment::folder(&archive.parse::<ArchiveId>().unwrap());
    wait::until_ok("the objects of the rejected files are gone", async || {
        let objects = service.app.ports.files.list(&folder).await.unwrap();
        if objects.is_empty() { Ok(()) } else { Err(format!("{objects:?}")) }
    })
    .await;
    let child = reader.peak_kib();
    eprintln!("{} bad files: peak memory of a child {child} KiB", files.len());
    assert!(child > 0 && child < CHILD_KIB, "{child} KiB");

    // The same reader still accepts a good file.
    let good = widget.upload(&archive, "PAGE", &picture(20_000)).await;
    assert_eq!(good.status, 204, "{:?}", good.body);
}

/// Uploads bad files and returns those that were not rejected with their fault.
async fn wrong_responses(widget: &Uploader<'_>, archive: &str, files: &[BadFile]) -> Vec<String> {
    let mut wrong = Vec::new();
    for file in files {
        let created = widget.announce(archive, "PAGE", file.bytes.len(), None).await;
        let location = created.headers.get("location").map(|it| it.to_str().unwrap().to_owned());
        let fits = (1..=MAX_FILE_BYTES as usize).contains(&file.bytes.len());
        assert_eq!(location.is_some(), fits, "{}: the announced length is checked first", file.name);
        let response = match location {
            None => created,
            Some(location) => {
                widget.append(&location.replace("/sandbox/v1", ""), 0, file.bytes.clone()).await
            }
        };
        let expected = file.fault.as_str();
        if !response.status.is_client_error() || response.body["fileFault"] != expected {
            wrong.push(format!("{}: {} {} instead of {expected}", file.name, response.status, response.body));
        }
    }
    wrong
}

/// A child that takes 0.2 s to recognize an image.
const SLOW_CHILD: &str = "sleep 0.2; \
    printf '{\"outcome\":{\"inspected\":{\"format\":\"PNG\",\"pages\":1,\"pixels\":1}},\"peakKib\":1}'";
/// The number of users of the flooding tenant.
const FLOOD: usize = 40;

#[tokio::test(flavor = "multi_thread")]
async fn flood_of_inspections_does_not_delay_another_tenant() {
    let reader = ChildReader::new("/bin/sh", &["-c", SLOW_CHILD], Tesseract::default());
    let mut service = TestService::start_reading(Backend::Sqlite, Arc::new(reader), |_| {}).await;
    let honest = {
        let widget = Uploader::new(&service).await;
        let archive = widget.archive("PAYSLIP").await;
        (widget.begin(&archive, "PAGE", picture(500).len()).await, widget.session)
    };
    let other_tenant = service.another_tenant().await;
    let demo = std::mem::replace(&mut service.sandbox, other_tenant);
    let path = format!("/linkTemplates/{}", service.sandbox.template);
    let body = json!({"allowedOrigins": [HOST_ORIGIN], "uploadsEnabled": true});
    let allowed = service.send(Method::PATCH, &path, As::Tenant(&service.sandbox), Some(&body)).await;
    assert_eq!(allowed.status, 200, "{:?}", allowed.body);
    let mut flood = Vec::new();
    for _ in 0..FLOOD {
        let widget = Uploader::new(&service).await;
        let archive = widget.archive("PAYSLIP").await;
        flood.push((widget.begin(&archive, "PAGE", picture(500).len()).await, widget.session));
    }
    service.sandbox = demo;
    let service = Arc::new(service);
    let send = |(upload, session): (String, String)| {
        let service = Arc::clone(&service);
        tokio::spawn(async move {
            let began = Instant::now();
            let widget = Uploader { service: &service, session };
            (widget.append(&upload, 0, picture(500)).await, began.elapsed())
        })
    };
    let flood: Vec<_> = flood.into_iter().map(send).collect();
    // The flood comes first and fills its queue.
    let unfinished = || flood.iter().filter(|it| !it.is_finished()).count();
    wait::until("6 requests of the flood are finished", async || unfinished() <= FLOOD - 6).await;
    let (sent, took) = send(honest).await.unwrap();
    assert_eq!(sent.status, 204, "{:?}", sent.body);
    let behind = unfinished();
    let (mut accepted, mut refused) = (0, 0);
    for it in flood {
        let (response, _) = it.await.unwrap();
        match response.status.as_u16() {
            204 => accepted += 1,
            503 => {
                assert_eq!(response.headers["retry-after"], "5");
                refused += 1;
            }
            _ => panic!("{response:?}"),
        }
    }
    eprintln!(
        "{took:?}, {behind} of {FLOOD} files of another tenant unfinished; {accepted} accepted, {refused} rejected"
    );
    assert!(behind >= 10, "{took:?}: the upload waited for all except {behind} files of another tenant");
    assert!(accepted > 2, "the flood is served too: {refused} rejected");
}
