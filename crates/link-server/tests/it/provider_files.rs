//! Files of documents that a provider issued: stored with the account, shown by `fileUrl`, erased with the account.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::http::header;
use link_connectors::sandbox::SandboxSource;
use link_domain::documents::provider_file::FileBytes;
use link_domain::kernel::future::BoxFuture;
use link_domain::linking::account_source::{
    AccountSource, FileRequest, FileUnavailableError, Read, ReadRequest, Step, StepRequest,
};
use link_store::test_support::Backend;
use link_test_support::wait;
use link_types::provider::Provider;
use rstest::rstest;
use serde_json::{Value, json};

use crate::archives::TestClock;
use crate::service::{TestService, text};
use crate::uploads::life::fetch;

const PROVIDER: &str = "mx_social_security";

async fn linked(service: &TestService) -> String {
    let session = service.session().await;
    let progress = service.submit(&session, PROVIDER, "good", "pass").await;
    service.settled(&session, &progress).await;
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
    let account = linked(&service).await;
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
    let account = linked(&service).await;
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
        parts.clock = moved;
        parts.sandbox = shared;
    };
    let service = TestService::start_of(Backend::Sqlite, |_| {}, exchange).await;
    let account = linked(&service).await;
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
