//! `Idempotency-Key`: a repeated POST runs once and gets the same response.

use std::sync::Arc;

use axum::http::Method;
use link_connectors::sandbox::records::SandboxRecords;
use link_domain::kernel::system::BoxFuture;
use link_domain::lookups::record_source::{
    Outcome, Queried, RecordQuery, RecordSource, SignalFindings, SignalQuery,
};
use link_server::http::problem;
use link_store::test_support::Backend;
use link_test_support::wait;
use link_types::record::SocialSecurityResult;
use link_types::signal::{SignalId, SignalKind};
use rstest::rstest;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::service::{As, TestResponse, TestService, text};

impl TestService {
    /// Sends a tenant's POST in the sandbox with an idempotency key.
    pub async fn post_once(&self, key: &str, path: &str, body: Option<&Value>) -> TestResponse {
        let headers = [("idempotency-key".to_owned(), key.to_owned())];
        self.send_with(Method::POST, path, As::Tenant(&self.sandbox), &headers, body).await
    }
}

fn is_replayed(response: &TestResponse) -> bool {
    response.headers.get("idempotency-replayed").is_some_and(|it| it == "true")
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn fifty_parallel_posts_with_one_key_create_one_user(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = Arc::new(TestService::start(backend).await);
    let mut posts = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let service = Arc::clone(&service);
        posts.spawn(async move {
            service.post_once("one key", "/users", Some(&json!({"reference": "ana"}))).await
        });
    }
    let responses = posts.join_all().await;
    assert!(responses.iter().all(|it| it.status == 201), "{responses:?}");
    assert!(responses.iter().all(|it| it.bytes == responses[0].bytes), "{responses:?}");
    assert_eq!(responses.iter().filter(|it| !is_replayed(it)).count(), 1);
    assert_eq!(service.get("/users").await.body["items"].as_array().unwrap().len(), 1);
    assert_eq!(service.event_types().await, ["USER_CREATED"]);
}

#[tokio::test]
async fn every_kind_of_response_is_replayed() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
    service.until_settled(&session, &progress).await;
    let (user, _) = service.user().await;
    let hook = json!({"url": "https://example.com/", "eventTypes": ["ALL_EVENTS"], "secret": "a secret of a tenant"});
    let template = json!({
        "name": "Loans", "companyName": "Shop", "consentTemplateId": service.sandbox.consent,
    });
    for (path, body, status) in [
        ("/users".to_owned(), Some(json!({"reference": "bo"})), 201),
        (format!("/tokens?userId={user}"), None, 201),
        ("/webhooks".to_owned(), Some(hook), 201),
        ("/linkTemplates".to_owned(), Some(template), 201),
        (format!("/accounts/{}/disableMonitor", text(&progress["accountId"])), None, 204),
    ] {
        let first = service.post_once(&path, &path, body.as_ref()).await;
        assert_eq!(first.status, status, "{path}: {:?}", first.body);
        assert!(!is_replayed(&first), "{path}");
        let again = service.post_once(&path, &path, body.as_ref()).await;
        assert!(is_replayed(&again), "{path}");
        assert_eq!((again.status, &again.bytes), (first.status, &first.bytes), "{path}");
        assert_eq!(again.headers.get("content-type"), first.headers.get("content-type"), "{path}");
    }
    assert_eq!(service.get("/webhooks").await.body["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn reused_key_with_another_request_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, _) = service.user().await;
    let made = service.post_once("k", "/users", Some(&json!({"reference": "ana"}))).await;
    assert_eq!(made.status, 201);
    for (path, body) in [
        ("/users".to_owned(), Some(json!({"reference": "bo"}))),
        ("/users?".to_owned(), Some(json!({"reference":  "ana", "externalMetadata": {}}))),
        (format!("/tokens?userId={user}"), None),
    ] {
        let refused = service.post_once("k", &path, body.as_ref()).await;
        assert_eq!(refused.status, 422, "{path}");
        assert_eq!(refused.body["code"], "IDEMPOTENCY_KEY_REUSED", "{path}");
    }
    assert_eq!(service.event_types().await.len(), 2);
}

#[tokio::test]
async fn idempotency_key_is_scoped_to_its_environment() {
    let service = TestService::start(Backend::Sqlite).await;
    let headers = [("idempotency-key".to_owned(), "k".to_owned())];
    let mut ids = Vec::new();
    for keys in [&service.sandbox, &service.production] {
        let made =
            service.send_with(Method::POST, "/users", As::Tenant(keys), &headers, Some(&json!({}))).await;
        assert_eq!(made.status, 201);
        assert!(!is_replayed(&made));
        ids.push(text(&made.body["id"]));
    }
    assert_ne!(ids[0], ids[1]);
    for _ in 0..2 {
        let made = service.post("/users", json!({})).await;
        assert!(!is_replayed(&made));
        assert!(!ids.contains(&text(&made.body["id"])));
        ids.push(text(&made.body["id"]));
    }
}

#[tokio::test]
async fn rejected_request_does_not_use_up_its_key() {
    let service = TestService::start(Backend::Sqlite).await;
    let missing = service.post_once("k", &format!("/tokens?userId=demo-{}", "0".repeat(32)), None).await;
    assert_eq!(missing.status, 404, "{:?}", missing.body);
    let invalid = service.post_once("k", "/users", Some(&json!({"reference": 1}))).await;
    assert_eq!(invalid.status, 422);
    let made = service.post_once("k", "/users", Some(&json!({"reference": "one"}))).await;
    assert_eq!(made.status, 201);
    assert!(!is_replayed(&made));
}

#[rstest]
#[case::empty("")]
#[case::beyond_ascii("cl\u{e9}")]
#[tokio::test]
async fn invalid_idempotency_key_is_rejected(#[case] key: &str) {
    let service = TestService::start(Backend::Sqlite).await;
    let refused = service.post_once(key, "/users", Some(&json!({}))).await;
    assert_eq!((refused.status.as_u16(), &refused.body["code"]), (422, &json!("INVALID_PARAMETERS")));
    assert_eq!(refused.body["errors"][0]["field"], "Idempotency-Key");
    let long = service.post_once(&"k".repeat(256), "/users", Some(&json!({}))).await;
    assert_eq!((long.status.as_u16(), &long.body["errors"][0]["field"]), (422, &json!("Idempotency-Key")));
    assert_eq!(service.get("/users").await.body["items"], json!([]));
}

#[tokio::test]
async fn stored_token_response_expires_with_the_token() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| live.token_minutes = 0.02)
    })
    .await;
    let (user, _) = service.user().await;
    let path = format!("/tokens?userId={user}");
    let first = service.post_once("k", &path, None).await;
    assert_eq!(service.post_once("k", &path, None).await.bytes, first.bytes);
    let again = wait::until_some("the stored response expires", async || {
        let again = service.post_once("k", &path, None).await;
        (!is_replayed(&again)).then_some(again)
    })
    .await;
    assert_ne!(again.body["accessToken"], first.body["accessToken"]);
}

#[tokio::test]
async fn stored_account_response_is_erased_with_the_account() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
    service.until_settled(&session, &progress).await;
    let id = text(&progress["accountId"]);
    let path = format!("/accounts/{id}/disableMonitor");
    assert_eq!(service.post_once("k", &path, None).await.status, 204);
    assert_eq!(service.delete(&format!("/accounts/{id}")).await.status, 204);
    let after = service.post_once("k", &path, None).await;
    assert!(!is_replayed(&after));
    assert_eq!(after.status, 409, "{:?}", after.body);
}

#[tokio::test]
async fn idempotency_keys_and_responses_are_encrypted_at_rest() {
    let service = TestService::start(Backend::Sqlite).await;
    let made = service.post_once("canary-key-5c1e", "/users", Some(&json!({}))).await;
    let token = text(&made.body["token"]["accessToken"]);
    for entry in std::fs::read_dir(service.database.files()).unwrap() {
        let path = entry.unwrap().path();
        let Ok(bytes) = std::fs::read(&path) else { continue };
        for needle in ["canary-key-5c1e", &token] {
            let found = bytes.windows(needle.len()).any(|it| it == needle.as_bytes());
            assert!(!found, "{} holds {needle}", path.display());
        }
    }
}

#[test]
fn every_tenant_post_documents_its_idempotency_key() {
    let document = serde_json::to_value(link_server::router::openapi_document()).unwrap();
    let posts = document["paths"].as_object().unwrap().iter().map(|(path, item)| (path, &item["post"]));
    let mut seen = 0;
    for (path, post) in posts.filter(|(_, post)| post["security"].to_string().contains("apiKey")) {
        let named = post["parameters"].as_array().into_iter().flatten().map(|it| text(&it["name"]));
        assert_eq!(named.filter(|it| it == "Idempotency-Key").count(), 1, "{path}");
        for status in ["409", "422"] {
            assert!(post["responses"].get(status).is_some(), "{path} {status}");
        }
        seen += 1;
    }
    assert!(seen >= 5, "{seen} POSTs");
}

/// The sandbox's signal source, which answers only if the test permits it.
struct HeldSource {
    asked: Arc<Semaphore>,
    permits: Arc<Semaphore>,
}

impl RecordSource for HeldSource {
    fn social_security<'a>(&'a self, query: RecordQuery<'a>) -> BoxFuture<'a, Queried<SocialSecurityResult>> {
        SandboxRecords.social_security(query)
    }

    fn signal<'a>(&'a self, query: SignalQuery<'a>) -> BoxFuture<'a, Queried<SignalFindings>> {
        Box::pin(async move {
            self.asked.add_permits(1);
            self.permits.acquire().await.unwrap().forget();
            SandboxRecords.signal(query).await
        })
    }
}

/// Returns a service with a held signal source, its two semaphores, and a blacklist request.
async fn start_held(backend: Backend) -> (Arc<TestService>, Arc<Semaphore>, Arc<Semaphore>, Value) {
    let (asked, permits) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let source = HeldSource { asked: Arc::clone(&asked), permits: Arc::clone(&permits) };
    let service =
        TestService::start_of(backend, |_| {}, |parts| parts.ports.sandbox_records = Arc::new(source)).await;
    let request = crate::signals::request(SignalKind::Blacklist, "525500000100", "");
    (Arc::new(service), asked, permits, request)
}

fn in_flight(
    service: &Arc<TestService>,
    path: &'static str,
    body: &Value,
) -> tokio::task::JoinHandle<TestResponse> {
    let (service, body) = (Arc::clone(service), body.clone());
    tokio::spawn(async move { service.post_once("k", path, Some(&body)).await })
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_duplicate_signal_gets_conflict(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (service, asked, permits, request) = start_held(backend).await;
    let path = SignalKind::Blacklist.path();
    let first = in_flight(&service, path, &request);
    asked.acquire().await.unwrap().forget();
    let duplicate = in_flight(&service, path, &request).await.unwrap();
    assert_eq!((duplicate.status.as_u16(), &duplicate.body["code"]), (409, &json!("CONFLICT")));
    assert_eq!(duplicate.headers["retry-after"], "1");
    permits.add_permits(1);
    let first = first.await.unwrap();
    assert_eq!((first.status.as_u16(), &first.body["status"]), (201, &json!("COMPLETED")));
    assert!(!is_replayed(&first));
    let again = in_flight(&service, path, &request).await.unwrap();
    assert!(is_replayed(&again));
    assert_eq!((again.status, &again.bytes), (first.status, &first.bytes));
    assert_eq!(service.get(path).await.body["items"].as_array().unwrap().len(), 1);
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn aborted_signal_request_replays_result_once_completed(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (service, asked, _, request) = start_held(backend).await;
    let path = SignalKind::Blacklist.path();
    let first = in_flight(&service, path, &request);
    asked.acquire().await.unwrap().forget();
    first.abort();
    // The completing job does this later.
    let (owner, now) = (service.owner(), service.app.context(Default::default()));
    let id: SignalId = text(&service.get(path).await.body["items"][0]["id"]).parse().unwrap();
    let completed = service.app.store.write(move |tx| -> problem::ApiResult<_> {
        let mut context = now.clone();
        let signal = tx.signals().get(&owner, &id)?.unwrap();
        let (_, change) = signal.complete(Outcome::ServiceUnavailable {}, &mut context).unwrap();
        Ok(tx.apply(&change, context.now())?)
    });
    completed.await.unwrap();
    let response = in_flight(&service, path, &request).await.unwrap();
    assert_eq!((response.status.as_u16(), &response.body["status"]), (201, &json!("ERROR")));
    assert!(!is_replayed(&response), "no caller received it before");
    let again = in_flight(&service, path, &request).await.unwrap();
    assert!(is_replayed(&again));
    assert_eq!(again.bytes, response.bytes);
}
