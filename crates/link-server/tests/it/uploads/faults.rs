//! Files that are rejected after their last byte, with their fault and without a trace.

use std::sync::Arc;

use axum::http::Method;
use link_documents::{ChildReader, Tesseract};
use link_domain::documents::archive::Segment;
use link_store::test_support::Backend;
use link_test_support::bad_files::{BadFile, bad_files};
use link_test_support::wait;
use link_types::archive::MAX_FILE_BYTES;
use serde_json::json;

use super::{Uploader, picture, sha256};
use crate::service::TestService;

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
        settings.upload_files = 1_000;
        settings.upload_megabytes = 1_000;
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
    let folder = Segment::folder(&archive.parse().unwrap());
    wait::until_ok("the objects of the rejected files are gone", async || {
        let objects = service.app.files().list(&folder).await.unwrap();
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
        let answer = match location {
            None => created,
            Some(location) => {
                widget.append(&location.replace("/sandbox/v1", ""), 0, file.bytes.clone()).await
            }
        };
        let expected = file.fault.as_str();
        if !answer.status.is_client_error() || answer.body["fileFault"] != expected {
            wrong.push(format!("{}: {} {} instead of {expected}", file.name, answer.status, answer.body));
        }
    }
    wrong
}
