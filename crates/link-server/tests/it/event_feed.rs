//! `GET /events/feed`: events as they occur, with a cursor and a wait.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Method, Request};
use link_domain::kernel::clock::ClockOffset;
use link_server::app::App;
use link_server::{router, service};
use link_store::test_support::Backend;
use link_store::{PageRequest, StoreError};
use link_test_support::wait;
use rstest::rstest;
use serde_json::json;
use tokio::sync::watch;
use tower::ServiceExt as _;

use crate::service::{As, TestResponse, TestService, text};

async fn fire(service: &TestService) -> String {
    let fired = service.post("/events/fire", json!({"type": "TASK_FINISHED"})).await;
    assert_eq!(fired.status, 201, "{:?}", fired.body);
    text(&fired.body["id"])
}

/// Reads the feed; returns the ids and the next cursor.
async fn read(service: &TestService, query: &str) -> (Vec<String>, String) {
    let page = service.get(&format!("/events/feed?{query}")).await;
    assert_eq!(page.status, 200, "{:?}", page.body);
    (ids(&page), text(&page.body["nextCursor"]))
}

fn ids(page: &TestResponse) -> Vec<String> {
    page.body["items"].as_array().unwrap().iter().map(|it| text(&it["id"])).collect()
}

#[rstest]
#[tokio::test]
async fn feed_continues_after_its_cursor(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let service = TestService::start(backend).await;
    let before = fire(&service).await;
    let (none, now) = read(&service, "").await;
    assert!(none.is_empty(), "without a cursor, the feed starts now: {none:?}");
    let mut fired = Vec::new();
    for _ in 0..5 {
        fired.push(fire(&service).await);
    }
    let (first, cursor) = read(&service, &format!("cursor={now}&size=3")).await;
    assert_eq!(first, fired[..3]);
    let (second, cursor) = read(&service, &format!("cursor={cursor}&size=3")).await;
    assert_eq!(second, fired[3..]);
    assert_eq!(read(&service, &format!("cursor={cursor}")).await.0, Vec::<String>::new());
    assert_eq!(read(&service, &format!("cursor={now}")).await.0, fired, "a cursor can be used again");
    let all = read(&service, "since=2020-01-01T00:00:00Z").await.0;
    assert_eq!(all, [vec![before], fired].concat());
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn feed_waits_for_the_next_event(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let service = Arc::new(TestService::start(backend).await);
    let (_, cursor) = read(&service, "").await;
    let (polled, began) = (Arc::clone(&service), Instant::now());
    let waiting =
        tokio::spawn(async move { read(&polled, &format!("cursor={cursor}&waitSeconds=30")).await.0 });
    wait::until("the request waits", async || service.app.limits.long_polls.waiting() > 0).await;
    let fired = fire(&service).await;
    assert_eq!(waiting.await.unwrap(), [fired]);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn feed_on_postgres_hears_of_an_event_of_another_node() {
    let service = Arc::new(TestService::start(Backend::Postgres).await);
    let (_, stopping) = watch::channel(false);
    let parts = service::parts(service.app.settings.clone(), service.database.open().await, stopping);
    let other = router::router(App::new(parts.unwrap()));
    let (_, cursor) = read(&service, "").await;
    let (polled, began) = (Arc::clone(&service), Instant::now());
    let waiting =
        tokio::spawn(async move { read(&polled, &format!("cursor={cursor}&waitSeconds=30")).await.0 });
    wait::until("the request waits", async || service.app.limits.long_polls.waiting() > 0).await;
    let request = Request::post("/sandbox/v1/events/fire")
        .header("host", "localhost:8787")
        .header("authorization", format!("Basic {}", service.sandbox.basic))
        .header("content-type", "application/json");
    let fired =
        other.oneshot(request.body(Body::from("{\"type\": \"TASK_FINISHED\"}")).unwrap()).await.unwrap();
    assert_eq!(fired.status(), 201);
    assert_eq!(waiting.await.unwrap().len(), 1);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_service_ends_the_wait_with_a_cursor() {
    let service = Arc::new(TestService::start(Backend::Sqlite).await);
    let (_, cursor) = read(&service, "").await;
    let (polled, query) = (Arc::clone(&service), format!("cursor={cursor}&waitSeconds=30"));
    let waiting = tokio::spawn(async move { read(&polled, &query).await });
    wait::until("the request waits", async || service.app.limits.long_polls.waiting() > 0).await;
    service.begin_to_stop();
    let (none, cursor) = waiting.await.unwrap();
    assert!(none.is_empty());
    let fired = fire(&service).await;
    assert_eq!(read(&service, &format!("cursor={cursor}")).await.0, [fired]);
}

#[tokio::test]
async fn longest_signed_cursor_has_less_than_7000_characters() {
    let service = TestService::start(Backend::Sqlite).await;
    let owner = service.owner();
    let cursors = service.app.store.bind_cursors("event_feed", &owner, &[], &PageRequest::default());
    // The longest position, which a test of `FeedPosition` limits.
    let length = cursors.after(&"x".repeat(5_120)).to_string().len();
    assert!((5_120..7_000).contains(&length), "{length}");
}

#[tokio::test]
async fn wrong_queries_of_the_feed_name_their_faults() {
    let service = TestService::start(Backend::Sqlite).await;
    let (_, cursor) = read(&service, "").await;
    let list = service.get("/events?size=1").await;
    assert_eq!(list.status, 200);
    for (query, field) in [
        ("waitSeconds=31".to_owned(), "waitSeconds"),
        ("since=yesterday".to_owned(), "since"),
        (format!("cursor={cursor}&since=2026-01-01T00:00:00Z"), "since"),
        (format!("cursor={cursor}x"), "cursor"),
        ("cursor=bm90aGluZw".to_owned(), "cursor"),
        ("type=TASK_FINISHED".to_owned(), "type"),
    ] {
        let refused = service.get(&format!("/events/feed?{query}")).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.body["errors"][0]["field"]),
            (422, &json!(field)),
            "{query}"
        );
    }
}

#[tokio::test]
async fn feed_contains_only_events_of_its_environment() {
    let service = TestService::start(Backend::Sqlite).await;
    let other = service.another_tenant().await;
    let (_, cursor) = read(&service, "").await;
    let fire = json!({"type": "USER_CREATED"});
    let fired = service.send(Method::POST, "/events/fire", As::Tenant(&other), Some(&fire)).await;
    assert_eq!(fired.status, 201);
    assert_eq!(read(&service, &format!("cursor={cursor}")).await.0, Vec::<String>::new());
    let path = format!("/events/feed?cursor={cursor}");
    for keys in [&other, &service.production] {
        let refused = service.send(Method::GET, &path, As::Tenant(keys), None).await;
        assert_eq!(refused.status, 422, "another owner's cursor");
    }
    let anonymous = service.send(Method::GET, "/events/feed", As::Anonymous, None).await;
    assert_eq!(anonymous.status, 401);
}

#[tokio::test]
async fn feed_continues_after_the_clock_advanced() {
    let service = TestService::start(Backend::Sqlite).await;
    let (_, cursor) = read(&service, "").await;
    let first = fire(&service).await;
    let advanced = service.post("/clock/advance", json!({"seconds": 86_400})).await;
    assert_eq!(advanced.status, 202);
    wait::until("the clock has advanced", async || {
        service.get("/clock").await.body["advance"]["status"] == "FINISHED"
    })
    .await;
    let second = fire(&service).await;
    let (found, cursor) = read(&service, &format!("cursor={cursor}")).await;
    assert_eq!(found, [first, second]);
    let third = fire(&service).await;
    assert_eq!(read(&service, &format!("cursor={cursor}")).await.0, [third]);
}

#[tokio::test(flavor = "multi_thread")]
async fn key_revoked_during_the_wait_gets_no_event() {
    let service = Arc::new(TestService::start(Backend::Sqlite).await);
    let (_, cursor) = read(&service, "").await;
    let (polled, path) = (Arc::clone(&service), format!("/events/feed?cursor={cursor}&waitSeconds=2"));
    let waiting = tokio::spawn(async move { polled.get(&path).await });
    wait::until("the request waits", async || service.app.limits.long_polls.waiting() > 0).await;
    let (owner, now) = (service.owner(), service.app.now(ClockOffset::default()));
    let revoked = service.app.store.write(move |tx| -> Result<(), StoreError> {
        let all = tx.api_keys().list(&owner)?;
        let (_, change) = all[0].clone().revoke_of(&all, now.tenant());
        tx.apply(&change, now)
    });
    revoked.await.unwrap();
    assert_eq!(waiting.await.unwrap().status, 401);
}
