//! Rate limits, body limits, token limits and streaming.

use axum::body::Body;
use axum::http::{Method, Request, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::StreamExt as _;
use link_domain::linking::link::UNUSED_TOKENS_LIMIT;
use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::service::{As, TestService, secret, text};

#[tokio::test]
async fn tenant_over_rate_limit_gets_429_with_retry_after() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| {
            live.rate_per_second = 1.try_into().unwrap();
            live.rate_burst = 5.try_into().unwrap();
        });
    })
    .await;
    let mut last = service.get("/users").await;
    assert!(last.headers.contains_key("ratelimit-remaining"));
    for _ in 0..5 {
        last = service.get("/users").await;
    }
    assert_eq!(last.status, 429);
    assert_eq!(last.body["code"], "REQUEST_LIMIT_EXCEEDED");
    assert!(last.headers["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 1);
    let other = service.send(Method::GET, "/users", As::Tenant(&service.production), None).await;
    assert_eq!(other.status, 200);
}

#[tokio::test]
async fn oversized_body_gets_413() {
    let service = TestService::start(Backend::Sqlite).await;
    let big = service.post("/users", json!({"reference": "x".repeat(300_000)})).await;
    assert_eq!(big.status, 413);
    assert_eq!(big.body["code"], "PAYLOAD_TOO_LARGE");
}

#[tokio::test]
async fn problem_response_carries_the_request_id() {
    let service = TestService::start(Backend::Sqlite).await;
    let problem = service.get("/nothing-here").await;
    assert_eq!(problem.status, 404);
    assert_eq!(problem.headers["x-request-id"].to_str().unwrap(), problem.body["requestId"]);
    let request =
        Request::put("/sandbox/v1/users").header("host", "localhost:8787").body(Body::empty()).unwrap();
    let refused = service.send_raw(request).await;
    assert_eq!(refused.status, 405);
    assert!(refused.headers["allow"].to_str().unwrap().contains("POST"));
    assert_eq!(refused.body["code"], "METHOD_NOT_ALLOWED");
}

#[tokio::test]
async fn problem_responses_keep_cors_and_rate_limit_headers() {
    let service = TestService::start(Backend::Sqlite).await;
    let frame = service.app.settings.sdk_url.clone();
    let request = Request::get("/sandbox/v1/link/session")
        .header(header::HOST, "localhost:8787")
        .header(header::ORIGIN, &frame)
        .header(header::AUTHORIZATION, "Bearer nobody")
        .body(Body::empty())
        .unwrap();
    let refused = service.send_raw(request).await;
    assert_eq!(refused.status, 401);
    assert_eq!(refused.headers[header::ACCESS_CONTROL_ALLOW_ORIGIN], *frame);
    assert_eq!(refused.headers[header::CONTENT_TYPE], "application/problem+json");
    let missing = service.get(&format!("/accounts/ac-{}", "0".repeat(32))).await;
    assert_eq!(missing.status, 404, "{:?}", missing.body);
    assert!(missing.headers.contains_key("ratelimit-remaining"), "{:?}", missing.headers);
}

#[rstest]
#[tokio::test]
async fn oldest_unused_link_token_is_removed_beyond_100(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let others = service.user().await.1;
    let user = service.post("/users", json!({"reference": "ana"})).await;
    let (id, first) = (text(&user.body["id"]), text(&user.body["token"]["accessToken"]));
    let path = format!("/tokens?userId={id}");
    let mut tokens = vec![first];
    while tokens.len() < UNUSED_TOKENS_LIMIT {
        let made = service.send(Method::POST, &path, As::Tenant(&service.sandbox), None).await;
        assert_eq!(made.status, 201, "{:?}", made.body);
        tokens.push(text(&made.body["accessToken"]));
    }
    // Each way to issue another token succeeds.
    let got = service.get(&format!("/users/{id}")).await;
    let retrieved = service.post("/users", json!({"reference": "ana"})).await;
    let made = service.send(Method::POST, &path, As::Tenant(&service.sandbox), None).await;
    let statuses = [got.status, retrieved.status, made.status].map(|it| it.as_u16());
    assert_eq!(statuses, [200, 200, 201]);
    for oldest in &tokens[..3] {
        let refused = service.exchange(oldest, &secret()).await;
        assert_eq!((refused.status.as_u16(), &refused.body["code"]), (401, &json!("INVALID_TOKEN")));
    }
    let newest = [&got.body["token"], &retrieved.body["token"], &made.body].map(|it| &it["accessToken"]);
    for valid in [&tokens[3], &text(newest[0]), &text(newest[1]), &text(newest[2]), &others] {
        assert_eq!(service.exchange(valid, &secret()).await.status, 201);
    }
    // Four of the sandbox user's tokens are used now and do not count.
    for _ in 0..4 {
        let made = service.send(Method::POST, &path, As::Tenant(&service.sandbox), None).await;
        assert_eq!(made.status, 201);
    }
    assert_eq!(service.exchange(&tokens[4], &secret()).await.status, 201);
}

#[tokio::test]
async fn user_payload_is_streamed_in_parts() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    let progress = service.submit(&session, "mx_social_security", "many", "pass").await;
    service.until_settled(&session, &progress).await;
    service.until_event("TASK_FINISHED").await;
    let path = format!("/users/{user}/payload");
    let whole = service.get(&path).await;
    let contributions = whole.body["contributions"]["items"].as_array().unwrap();
    assert!(contributions.len() > 300, "{}", contributions.len());
    let ids: std::collections::BTreeSet<_> = contributions.iter().map(|it| text(&it["id"])).collect();
    assert_eq!(ids.len(), contributions.len(), "each contribution appears once");

    let request = Request::get(format!("/sandbox/v1{path}"))
        .header(header::HOST, "localhost:8787")
        .header(header::AUTHORIZATION, format!("Basic {}", service.sandbox.basic))
        .body(Body::empty())
        .unwrap();
    let mut pieces = service.router.clone().oneshot(request).await.unwrap().into_body().into_data_stream();
    let mut bytes = Vec::new();
    while let Some(piece) = pieces.next().await {
        let piece = piece.unwrap();
        let points = String::from_utf8_lossy(&piece).matches("\"sourceId\"").count();
        assert!(points <= 150, "{points} data points at once");
        bytes.extend_from_slice(&piece);
    }
    assert_eq!(without_file_urls(&bytes), without_file_urls(&whole.bytes));
}

/// Parses a payload. The signatures of its file URLs change every minute.
fn without_file_urls(payload: &[u8]) -> Value {
    let mut payload: Value = serde_json::from_slice(payload).unwrap();
    for document in payload["documents"]["items"].as_array_mut().unwrap() {
        assert!(document["fileUrl"].take().is_string(), "{document}");
    }
    payload
}

#[tokio::test]
async fn sessions_of_one_user_share_a_rate_limit() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| {
            live.rate_per_second = 1.try_into().unwrap();
            live.rate_burst = 20.try_into().unwrap();
        });
    })
    .await;
    let user = service.post("/users", json!({"reference": "ana"})).await;
    let tokens = format!("/tokens?userId={}", text(&user.body["id"]));
    let mut accepted = 0;
    for _ in 0..8 {
        let made = service.send(Method::POST, &tokens, As::Tenant(&service.sandbox), None).await;
        let session = secret();
        assert_eq!(service.exchange(&text(&made.body["accessToken"]), &session).await.status, 201);
        for _ in 0..10 {
            let response = service.send(Method::GET, "/link/session", As::Session(&session), None).await;
            accepted += usize::from(response.status == 200);
        }
    }
    eprintln!("80 requests with 8 sessions of a user: {accepted} accepted");
    assert!(accepted <= 40, "{accepted}");
}

#[tokio::test]
async fn keys_of_one_tenant_share_a_rate_limit() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| {
            live.rate_per_second = 1.try_into().unwrap();
            live.rate_burst = 5.try_into().unwrap();
            live.tenant_rate_per_second = 1.try_into().unwrap();
            live.tenant_rate_burst = 20.try_into().unwrap();
        });
    })
    .await;
    let mut accepted = 0;
    for _ in 0..30 {
        let mut context = service.app.context(link_domain::kernel::clock::ClockOffset::default());
        let (key, issued) = link_domain::tenancy::tenant::ApiKey::issue(service.owner(), &mut context);
        let now = context.now();
        let change = link_domain::change::Change::row(link_domain::change::Row::ApiKey(key));
        let written = service.app.store.write(move |tx| tx.apply(&change, now)).await;
        written.unwrap();
        let basic = STANDARD.encode(format!("{}:{}", issued.key, issued.secret.expose()));
        let keys = crate::service::Keys { basic, ..service.sandbox.clone() };
        for _ in 0..5 {
            let response = service.send(Method::GET, "/users", As::Tenant(&keys), None).await;
            accepted += usize::from(response.status == 200);
        }
    }
    eprintln!("150 requests with 30 keys of a tenant: {accepted} accepted");
    assert!(accepted <= 40, "{accepted}");
    let production = service.send(Method::GET, "/users", As::Tenant(&service.production), None).await;
    assert_eq!(production.status, 200, "another environment");
    let other_tenant = service.another_tenant().await;
    assert_eq!(service.send(Method::GET, "/users", As::Tenant(&other_tenant), None).await.status, 200);
}
