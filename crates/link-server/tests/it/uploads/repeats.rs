//! Requests that a client repeats because the first response was lost.

use axum::body::Bytes;
use axum::http::Method;
use link_store::test_support::Backend;
use serde_json::json;

use super::protocol::channel_body;
use super::{Uploader, offset_of, picture, sha256};
use crate::service::{As, TestService, secret, text};

#[tokio::test]
async fn repeated_upload_creation_makes_one_file() {
    let service = TestService::start_with(Backend::Sqlite, |settings| settings.upload_files = 3).await;
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
    let service = TestService::start_with(Backend::Sqlite, |settings| settings.upload_files = 4).await;
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
