//! Rate limits and body limits.

use axum::body::Body;
use axum::http::{Method, Request, header};
use link_store::test_support::Backend;
use serde_json::json;

use crate::service::{As, TestService};

#[tokio::test]
async fn a_caller_over_its_limit_is_told_how_long_to_wait_and_others_go_on() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.rate_per_second = 1.try_into().unwrap();
        settings.rate_burst = 5.try_into().unwrap();
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
async fn a_body_over_its_limit_is_413() {
    let service = TestService::start(Backend::Sqlite).await;
    let big = service.post("/users", json!({"reference": "x".repeat(300_000)})).await;
    assert_eq!(big.status, 413);
    assert_eq!(big.body["code"], "PAYLOAD_TOO_LARGE");
}

#[tokio::test]
async fn every_answer_names_its_request() {
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
async fn a_refusal_keeps_what_cors_and_rate_limits_say_beside_it() {
    let service = TestService::start(Backend::Sqlite).await;
    let frame = service.app.settings().sdk_url.clone();
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
