//! Account exports: formats, signed URLs and expiry.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::http::{Method, header};
use link_connectors::sandbox::SandboxSource;
use link_domain::data::provider_file::FileBytes;
use link_domain::kernel::system::BoxFuture;
use link_domain::linking::account_source::{
    AccountSource, FileRequest, FileUnavailableError, Read, ReadRequest, Step, StepRequest,
};
use link_domain::linking::withdrawal::{NotWithdrawnError, WithdrawRequest};
use link_store::test_support::Backend;
use link_test_support::wait;
use link_types::provider::Provider;
use rstest::rstest;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::archives::TestClock;
use crate::service::{As, TestService, text};
use crate::uploads::life::{fetch, with_files_host};

async fn link_account(service: &TestService) -> String {
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
    service.until_settled(&session, &progress).await;
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
    let account = link_account(&service).await;
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
    let account = link_account(&service).await;
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
    let account = link_account(&service).await;
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
    let account = link_account(&service).await;
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
    let service =
        TestService::start_of(Backend::Sqlite, |_| {}, move |parts| parts.ports.clock = moved).await;
    let account = link_account(&service).await;
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

const PROVIDER: &str = "mx_social_security";

async fn link_with_file(service: &TestService) -> String {
    let session = service.session().await;
    let progress = service.submit(&session, PROVIDER, "good", "pass").await;
    service.until_settled(&session, &progress).await;
    let id = text(&progress["accountId"]);
    until_read(service, &id).await;
    id
}

async fn until_read(service: &TestService, account: &str) {
    let path = format!("/tasks?sourceId={account}&status=STARTED");
    wait::until("the account is read", async || service.get(&path).await.body["items"] == json!([])).await;
}

async fn documents(service: &TestService) -> Vec<Value> {
    service.get("/documents?size=150").await.body["items"].as_array().unwrap().clone()
}

#[rstest]
#[tokio::test]
async fn sandbox_documents_have_files_until_revocation(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let account = link_with_file(&service).await;
    let documents = documents(&service).await;
    assert!(documents.len() >= 2, "{documents:?}");
    let mut urls = Vec::new();
    for document in &documents {
        let url = text(&document["fileUrl"]);
        let file = fetch(&service, &url).await;
        assert_eq!(file.status, 200, "{document}");
        assert_eq!(file.headers[header::CONTENT_TYPE], "application/pdf");
        assert_eq!(file.headers[header::CONTENT_SECURITY_POLICY], "sandbox; default-src 'none'");
        let shown = String::from_utf8_lossy(&file.bytes).into_owned();
        assert!(shown.starts_with("%PDF-") && shown.contains(&text(&document["docId"])), "{shown}");
        urls.push(url);
    }
    let payload = service.get(&format!("/accounts/{account}/payload")).await.body;
    assert_eq!(fetch(&service, &text(&payload["documents"]["items"][0]["fileUrl"])).await.status, 200);

    let tampered = urls[0].replace(&text(&documents[0]["id"]), &text(&documents[1]["id"]));
    assert_eq!(fetch(&service, &tampered).await.status, 404, "the signature is of another document");
    assert_eq!(service.delete(&format!("/accounts/{account}")).await.status, 204);
    for url in urls {
        assert_eq!(fetch(&service, &url).await.status, 404, "the URL ends with its account");
    }
}

#[tokio::test]
async fn document_in_an_event_of_an_account_has_a_url() {
    let service = TestService::start(Backend::Sqlite).await;
    let receiver = link_test_support::receiver::Receiver::start(&[]).await;
    let hook = json!({
        "url": receiver.url, "eventTypes": ["TASK_FINISHED"], "secret": "a secret of a tenant", "includePayload": true,
    });
    assert_eq!(service.post("/webhooks", hook).await.status, 201);
    let account = link_with_file(&service).await;
    let received = receiver.until(1).await;
    let documents = received[0].event["data"]["payload"]["documents"]["items"].as_array().unwrap();
    for document in documents {
        let file = fetch(&service, &text(&document["fileUrl"])).await;
        let shown = String::from_utf8_lossy(&file.bytes).into_owned();
        assert!(shown.starts_with("%PDF-") && shown.contains(&text(&document["docId"])), "{document}");
    }
    assert_eq!(service.delete(&format!("/accounts/{account}")).await.status, 204);
    assert_eq!(fetch(&service, &text(&documents[0]["fileUrl"])).await.status, 404);
}

/// The sandbox, which does not return files at first, and counts how often it was asked for one.
struct Counting {
    sandbox: SandboxSource,
    asked: AtomicUsize,
    unavailable: AtomicUsize,
}

impl AccountSource for Counting {
    fn providers(&self) -> Arc<[Provider]> {
        self.sandbox.providers()
    }

    fn step<'a>(&'a self, request: StepRequest<'a>) -> BoxFuture<'a, Step> {
        self.sandbox.step(request)
    }

    fn read<'a>(&'a self, request: ReadRequest<'a>) -> BoxFuture<'a, Read> {
        self.sandbox.read(request)
    }

    fn file<'a>(
        &'a self,
        request: FileRequest<'a>,
    ) -> BoxFuture<'a, Result<Option<FileBytes>, FileUnavailableError>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let refuse = |left: usize| left.checked_sub(1);
        match self.unavailable.fetch_update(Ordering::SeqCst, Ordering::SeqCst, refuse) {
            Ok(_) => Box::pin(std::future::ready(Ok(None))),
            Err(_) => self.sandbox.file(request),
        }
    }

    fn withdraw<'a>(&'a self, request: WithdrawRequest<'a>) -> BoxFuture<'a, Result<(), NotWithdrawnError>> {
        self.sandbox.withdraw(request)
    }
}

#[tokio::test]
async fn next_reading_fetches_only_missing_files() {
    let clock = Arc::new(TestClock::default());
    let source = Arc::new(Counting {
        sandbox: SandboxSource::new(),
        asked: AtomicUsize::new(0),
        unavailable: AtomicUsize::new(1),
    });
    let (moved, shared) = (Arc::clone(&clock), Arc::clone(&source));
    let exchange = move |parts: &mut link_server::app::Parts| {
        parts.ports.clock = moved;
        parts.ports.sandbox = shared;
    };
    let service = TestService::start_of(Backend::Sqlite, |_| {}, exchange).await;
    let account = link_with_file(&service).await;
    let without = |documents: &[Value]| documents.iter().filter(|it| it["fileUrl"].is_null()).count();
    let first = documents(&service).await;
    assert_eq!((without(&first), source.asked.load(Ordering::SeqCst)), (1, first.len()));

    clock.advance(Duration::from_secs(3_600));
    let refreshed = service.post(&format!("/accounts/{account}/refresh"), json!({})).await;
    assert_eq!(refreshed.status, 202, "{}", refreshed.body);
    until_read(&service, &account).await;
    let second = documents(&service).await;
    assert_eq!((without(&second), second.len()), (0, first.len()));
    assert_eq!(source.asked.load(Ordering::SeqCst), first.len() + 1, "only the missing file is fetched");
}
