//! Size limits and quotas, which apply before any byte is sent.

use axum::body::Body;
use futures_util::{poll, stream};
use link_store::test_support::Backend;
use link_test_support::wait;
use rstest::rstest;
use serde_json::json;

use super::{Uploader, picture};
use crate::service::TestService;

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
            service.app.upload_locks().is_wanted(&upload.rsplit('/').next().unwrap().parse().unwrap())
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
        settings.upload_megabytes = 1;
        settings.upload_files = 3;
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
