//! The developers' pages of the portal: webhooks, events, the sandbox and the latest requests.

use axum::http::Method;
use link_store::test_support::Backend;
use link_types::console::Role;
use serde_json::{Value, json};

use super::Browser;
use crate::service::{As, TestService, text};

fn registration(url: &str) -> Value {
    json!({"url": url, "eventTypes": ["ALL_EVENTS"], "secret": "a secret of the portal"})
}

/// Registers a webhook in the sandbox, and returns its path.
async fn register(service: &TestService, by: &Browser) -> String {
    let body = registration("https://1.1.1.1/hook");
    let created = service.portal(Method::POST, "/sandbox/webhooks", &by.cookie, Some(body)).await;
    assert_eq!(created.status, 201, "{:?}", created.body);
    format!("/sandbox/webhooks/{}", text(&created.body["id"]))
}

#[tokio::test]
async fn portal_reports_the_same_faults_of_a_webhook_as_rest() {
    let service = TestService::start(Backend::Sqlite).await;
    let owner = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let body = json!({"url": "ftp://x", "eventTypes": ["NO_EVENT"], "secret": "short"});
    let of_portal =
        service.portal(Method::POST, "/sandbox/webhooks", &owner.cookie, Some(body.clone())).await;
    let of_rest = service.send(Method::POST, "/webhooks", As::Tenant(&service.sandbox), Some(&body)).await;
    assert_eq!((of_portal.status.as_u16(), of_rest.status.as_u16()), (422, 422));
    assert_eq!(of_portal.body["errors"], of_rest.body["errors"]);
}

#[tokio::test]
async fn webhook_of_the_portal_belongs_to_its_environment() {
    let service = TestService::start(Backend::Sqlite).await;
    let owner = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let path = register(&service, &owner).await;
    let rest = service
        .send(Method::GET, path.trim_start_matches("/sandbox"), As::Tenant(&service.sandbox), None)
        .await;
    assert_eq!((rest.status.as_u16(), &rest.body["secretHint"]), (200, &json!("rtal")));
    let live = path.replace("sandbox", "production");
    assert_eq!(service.portal(Method::GET, &live, &owner.cookie, None).await.status, 404);
    let paused = service.portal(Method::PATCH, &path, &owner.cookie, Some(json!({"active": false}))).await;
    assert_eq!(paused.body["active"], false);
    assert_eq!(service.portal(Method::DELETE, &path, &owner.cookie, None).await.status, 204);
    assert_eq!(service.portal(Method::GET, &path, &owner.cookie, None).await.status, 404);
}

#[tokio::test]
async fn member_of_another_tenant_does_not_reach_a_webhook() {
    let service = TestService::start(Backend::Sqlite).await;
    service.another_tenant().await;
    let owner = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let code = service.invite_member("other", "bo@other.example", Role::Owner).await;
    let stranger = service.sign_in(&code).await;
    let path = register(&service, &owner).await;
    for (method, path, body) in [
        (Method::GET, path.clone(), None),
        (Method::GET, format!("{path}/deliveries"), None),
        (Method::PATCH, path.clone(), Some(json!({"active": false}))),
        (Method::POST, format!("{path}/ping"), None),
        (Method::DELETE, path.clone(), None),
    ] {
        let response = service.portal(method.clone(), &path, &stranger.cookie, body).await;
        assert_eq!(response.status, 404, "{method} {path}");
    }
    let health = service.portal(Method::GET, "/sandbox/webhookHealth", &stranger.cookie, None).await;
    assert_eq!(health.body["items"], json!([]));
}

#[tokio::test]
async fn fired_event_has_a_delivery_that_support_can_send_again() {
    let service = TestService::start(Backend::Sqlite).await;
    let owner = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let support = service.sign_in_as("cy@shop.example", Role::Support).await;
    let path = register(&service, &owner).await;
    let fire = Some(json!({"type": "ACCOUNT_CONNECTED"}));
    let fired = service.portal(Method::POST, "/sandbox/events/fire", &owner.cookie, fire).await;
    assert_eq!(fired.status, 201, "{:?}", fired.body);
    let found = format!("{path}/deliveries?status=PENDING&eventType=ACCOUNT_CONNECTED");
    let listed = service.portal(Method::GET, &found, &support.cookie, None).await;
    let delivery = &listed.body["items"][0];
    assert_eq!(delivery["eventId"], fired.body["id"]);
    let resend = format!("{path}/deliveries/{}/resend", text(&delivery["id"]));
    assert_eq!(service.portal(Method::POST, &resend, &support.cookie, None).await.status, 200);
    let health = service.portal(Method::GET, "/sandbox/webhookHealth", &support.cookie, None).await;
    assert_eq!(health.body["items"][0]["recent"], json!(["WAITING"]));
}

#[tokio::test]
async fn example_of_an_event_is_neither_stored_nor_sent() {
    let service = TestService::start(Backend::Sqlite).await;
    let viewer = service.sign_in_as("vi@shop.example", Role::Viewer).await;
    let path = "/sandbox/examples/INCOMES_ADDED";
    let example = service.portal(Method::GET, path, &viewer.cookie, None).await;
    assert_eq!((example.status.as_u16(), &example.body["type"]), (200, &json!("INCOMES_ADDED")));
    let events = service.send(Method::GET, "/events", As::Tenant(&service.sandbox), None).await;
    assert_eq!(events.body["items"], json!([]));
    let unknown = service.portal(Method::GET, "/sandbox/examples/NO_EVENT", &viewer.cookie, None).await;
    assert_eq!(unknown.status, 404);
}

#[tokio::test]
async fn latest_requests_have_routes_and_codes_but_no_ids() {
    let service = TestService::start(Backend::Sqlite).await;
    service.another_tenant().await;
    let owner = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let user = "demo-00000000000000000000000000000000";
    let path = format!("/users/{user}?x=secret");
    let asked = service.send(Method::GET, &path, As::Tenant(&service.sandbox), None).await;
    let log = service.portal(Method::GET, "/sandbox/requests", &owner.cookie, None).await;
    let (one, id) = (&log.body["items"][0], asked.headers["x-request-id"].to_str().unwrap());
    assert_eq!(one["id"], id);
    assert_eq!(one["status"], asked.status.as_u16());
    assert_eq!(one["code"], asked.body["code"]);
    let route = one["route"].as_str().unwrap();
    assert!(route.starts_with("/sandbox/v1/users/{") && one["method"] == "GET", "{one}");
    let bytes = String::from_utf8_lossy(&log.bytes);
    assert!(!bytes.contains(user) && !bytes.contains("secret"), "{bytes}");

    let code = service.invite_member("other", "bo@other.example", Role::Owner).await;
    let stranger = service.sign_in(&code).await;
    for (path, by) in [("/production/requests", &owner), ("/sandbox/requests", &stranger)] {
        let other = service.portal(Method::GET, path, &by.cookie, None).await;
        assert_eq!(other.status, 200);
        assert!(!String::from_utf8_lossy(&other.bytes).contains(id), "{path}");
    }
}
