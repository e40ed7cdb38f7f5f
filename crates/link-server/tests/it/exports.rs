//! Account exports: formats, signed URLs and expiry.

use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::archives::TestClock;
use crate::service::{As, TestService, text};
use crate::uploads::life::{fetch, with_files_host};

async fn linked(service: &TestService) -> String {
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
    service.settled(&session, &progress).await;
    service.until_event("TASK_FINISHED").await;
    text(&progress["accountId"])
}

async fn export(service: &TestService, account: &str, format: &str) -> Value {
    let export = service.get(&format!("/accounts/{account}/exports/generate?format={format}")).await;
    assert_eq!(export.status, 200, "{}", export.body);
    export.body
}

fn address(export: &Value) -> String {
    text(&export["downloadUrl"])
}

#[tokio::test]
async fn export_is_served_only_from_the_files_host() {
    let service = with_files_host().await;
    let account = linked(&service).await;
    let address = address(&export(&service, &account, "JSON").await);
    assert!(address.starts_with("http://files.example/sandbox/v1/exports/"), "{address}");
    assert_eq!(fetch(&service, &address).await.status, 200);
    let elsewhere = address.replace("files.example", "localhost:8787");
    assert_eq!(fetch(&service, &elsewhere).await.status, 404, "other hosts do not serve it");
    assert_eq!(
        fetch(&service, "http://files.example/docs").await.status,
        404,
        "the files host serves nothing else"
    );
}

/// Returns a payload without the ends of its signed URLs, which depend on the second in which they were signed.
fn without_signatures(payload: &[u8]) -> String {
    let mut pieces = std::str::from_utf8(payload).unwrap().split("?expires=");
    let first = pieces.next().unwrap().to_owned();
    pieces.fold(first, |all, piece| all + &piece[piece.find('"').unwrap()..])
}

#[tokio::test]
async fn export_is_an_attachment_in_each_format() {
    let service = TestService::start(Backend::Sqlite).await;
    let account = linked(&service).await;
    for (format, media_type, ending) in [
        ("PDF", "application/pdf", "pdf"),
        ("CSV", "text/csv; charset=utf-8; header=present", "csv"),
        ("JSON", "application/json", "json"),
    ] {
        let export = export(&service, &account, format).await;
        let id = text(&export["id"]);
        assert!(id.starts_with("export-") && export["accountId"] == *account && export["format"] == *format);
        assert!(text(&export["expiresAt"]) > text(&export["createdAt"]));
        let file = fetch(&service, &address(&export)).await;
        assert_eq!(file.status, 200);
        let header = |name: &str| file.headers[name].to_str().unwrap();
        assert_eq!(header("content-type"), media_type);
        assert_eq!(header("content-disposition"), format!("attachment; filename=\"{id}.{ending}\""));
        assert_eq!(header("content-security-policy"), "sandbox; default-src 'none'");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("cache-control"), "private, no-store");
        let digest: String = Sha256::digest(&file.bytes).iter().map(|it| format!("{it:02x}")).collect();
        assert_eq!(export["sha256"], digest);
        let payload = service.get(&format!("/accounts/{account}/payload")).await;
        match format {
            "PDF" => assert!(file.bytes.starts_with(b"%PDF-1.")),
            "CSV" => {
                let name = text(&payload.body["identity"]["fullName"]);
                let mut rows = csv::Reader::from_reader(file.bytes.as_slice());
                let headings = rows.headers().unwrap().clone();
                let place = headings.iter().position(|it| it == "fullName").unwrap();
                let first = rows.records().next().unwrap().unwrap();
                assert_eq!((&first[0], &first[place]), ("IDENTITIES", name.as_str()));
            }
            _ => assert_eq!(without_signatures(&file.bytes), without_signatures(&payload.bytes)),
        }
    }
}

#[tokio::test]
async fn export_url_is_rejected_if_altered_or_account_revoked() {
    let service = TestService::start(Backend::Sqlite).await;
    let account = linked(&service).await;
    let export = export(&service, &account, "PDF").await;
    let good = address(&export);
    assert_eq!(fetch(&service, &good).await.status, 200);
    let last = good.chars().last().unwrap();
    let other = if last == 'A' { 'B' } else { 'A' };
    let forged = format!("{}{other}", good.strip_suffix(last).unwrap());
    let in_production = good.replace("/sandbox/v1/", "/v1/");
    let zeros = format!("export-{}", "0".repeat(32));
    let of_another = good.replace(&text(&export["id"]), &zeros);
    for wrong in [&forged, &in_production, &of_another] {
        assert_eq!(fetch(&service, wrong).await.status, 404, "{wrong}");
    }
    let production = As::Tenant(&service.production);
    let path = format!("/accounts/{account}/exports/generate");
    assert_eq!(service.send(Method::GET, &path, production, None).await.status, 404);
    assert_eq!(service.get(&format!("{path}?format=XLS")).await.status, 422);

    assert_eq!(service.delete(&format!("/accounts/{account}")).await.status, 204);
    assert_eq!(fetch(&service, &good).await.status, 404);
    assert_eq!(service.get(&path).await.status, 404);
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_export_requests_create_one_export(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = Arc::new(TestService::start(backend).await);
    let account = linked(&service).await;
    for format in ["PDF", "CSV"] {
        let mut asked = tokio::task::JoinSet::new();
        for _ in 0..10 {
            let (service, account) = (Arc::clone(&service), account.clone());
            asked.spawn(async move { export(&service, &account, format).await["id"].clone() });
        }
        let ids = asked.join_all().await;
        assert!(ids.iter().all(|id| *id == ids[0]), "{format}: {ids:?}");
    }
}

#[tokio::test]
async fn export_is_reused_for_30_minutes_and_expires_after_60() {
    let clock = Arc::new(TestClock::default());
    let moved = Arc::clone(&clock);
    let service = TestService::start_of(Backend::Sqlite, |_| {}, move |parts| parts.clock = moved).await;
    let account = linked(&service).await;
    let first = export(&service, &account, "CSV").await;
    assert_eq!(export(&service, &account, "CSV").await["id"], first["id"]);
    assert_ne!(export(&service, &account, "JSON").await["id"], first["id"]);
    clock.advance(Duration::from_secs(31 * 60));
    let second = export(&service, &account, "CSV").await;
    assert_ne!(second["id"], first["id"]);
    assert_eq!(fetch(&service, &address(&first)).await.status, 200, "the first URL is still valid");
    clock.advance(Duration::from_secs(30 * 60));
    assert_eq!(fetch(&service, &address(&first)).await.status, 404);
    assert_eq!(fetch(&service, &address(&second)).await.status, 200);
}
