//! Webhooks: registration, signatures, retries, deletion.

use hmac::{Hmac, KeyInit, Mac};
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use rstest::rstest;
use serde_json::json;
use sha2::Sha512;

use crate::service::{TestService, text};
use crate::webhook_management::until_deliveries;

const SECRET: &str = "the receiver's secret";

#[tokio::test]
async fn retried_delivery_has_same_id_bytes_and_signature() {
    let service = TestService::start(Backend::Sqlite).await;
    let receiver = Receiver::start(&[500, 503]).await;
    let hook = json!({"url": receiver.url, "eventTypes": ["USER_CREATED"], "secret": SECRET});
    let made = service.post("/webhooks", hook).await;
    assert_eq!(made.status, 201);
    let (user, _) = service.user().await;
    let received = receiver.until(3).await;
    assert_eq!(received[0].event["data"]["userId"], user);
    for attempt in &received {
        assert_eq!(attempt.body, received[0].body, "byte for byte");
        assert_eq!(attempt.headers["webhook-id"], text(&received[0].event["id"]).as_str());
        let mut mac = Hmac::<Sha512>::new_from_slice(SECRET.as_bytes()).unwrap();
        mac.update(&attempt.body);
        let digest: String = mac.finalize().into_bytes().iter().map(|it| format!("{it:02x}")).collect();
        assert_eq!(attempt.headers["service-signature"], digest.as_str());
    }
    let hook = format!("/webhooks/{}", text(&made.body["id"]));
    let delivered = until_deliveries(&service, &hook, "DELIVERED", 1).await.remove(0);
    assert_eq!(delivered["nextAttemptAt"], json!(null), "an accepted delivery is not sent again");
    assert_eq!(delivered["attempts"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn failing_receiver_gets_three_attempts_then_the_next_event() {
    let service = TestService::start(Backend::Sqlite).await;
    let receiver = Receiver::start(&[500; 3]).await;
    let hook = json!({"url": receiver.url, "eventTypes": ["USER_CREATED"], "secret": SECRET});
    service.post("/webhooks", hook).await;
    service.user().await;
    let lost = receiver.until(3).await;
    assert!(lost.iter().all(|it| it.event["id"] == lost[0].event["id"]));
    service.user().await;
    let next = receiver.until(4).await.pop().unwrap();
    assert_ne!(next.event["id"], lost[0].event["id"]);
}

#[tokio::test]
async fn webhook_can_be_changed_disabled_and_deleted() {
    let service = TestService::start(Backend::Sqlite).await;
    let receiver = Receiver::start(&[]).await;
    let hook = json!({"name": "one", "url": receiver.url, "eventTypes": ["ALL_EVENTS"], "secret": SECRET});
    let made = service.post("/webhooks", hook).await;
    assert!(made.body.get("secret").is_none());
    let path = format!("/webhooks/{}", text(&made.body["id"]));
    let off = service.patch(&path, json!({"active": false})).await;
    assert_eq!((off.status.as_u16(), off.body["active"].as_bool()), (200, Some(false)));
    assert_eq!(off.body["name"], "one");
    service.user().await;
    service.patch(&path, json!({"active": true})).await;
    let (user, _) = service.user().await;
    let received = receiver.until(1).await;
    assert_eq!(received[0].event["data"]["userId"], user, "the disabled webhook received an event");
    assert_eq!(service.delete(&path).await.status, 204);
    assert_eq!(service.get(&path).await.status, 404);
    assert_eq!(service.get("/webhooks").await.body["items"], json!([]));
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn hanging_receiver_does_not_delay_other_webhooks(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let hanging = hanging_receiver().await;
    let healthy = Receiver::start(&[]).await;
    for url in [&hanging, &healthy.url] {
        let hook = json!({"url": url, "eventTypes": ["USER_CREATED"], "secret": SECRET});
        assert_eq!(service.post("/webhooks", hook).await.status, 201);
    }
    for _ in 0..40 {
        service.user().await;
    }
    // 40 attempts hang for 15 s each; the healthy receiver must not wait for any of them.
    healthy.until(40).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn delivery_starts_right_after_the_commit() {
    let service = TestService::start(Backend::Sqlite).await;
    let receiver = Receiver::start(&[]).await;
    let hook = json!({"url": receiver.url, "eventTypes": ["USER_CREATED"], "secret": SECRET});
    service.post("/webhooks", hook).await;
    let mut waits = Vec::new();
    for n in 1..=20 {
        service.user().await;
        let answered = tokio::time::Instant::now();
        receiver.until(n).await;
        waits.push(answered.elapsed());
    }
    waits.sort();
    // A polling worker would take a few hundred milliseconds.
    assert!(waits[10] < std::time::Duration::from_millis(150), "{waits:?}");
}

#[tokio::test]
async fn webhook_with_disallowed_private_address_is_rejected() {
    let service = TestService::start_with(Backend::Sqlite, |settings| settings.webhook_allow.clear()).await;
    for url in
        ["http://127.0.0.1:9/hook", "http://[::1]:9/", "http://169.254.169.254/latest", "http://10.0.0.1/"]
    {
        let hook = json!({"url": url, "eventTypes": ["USER_CREATED"], "secret": SECRET});
        let refused = service.post("/webhooks", hook).await;
        assert_eq!(refused.status, 422, "{url}");
        assert_eq!(refused.body["errors"][0]["field"], "url", "{url}");
    }
}

/// Starts a receiver that accepts requests and never answers; returns its URL.
async fn hanging_receiver() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let never = axum::routing::post(std::future::pending::<axum::http::StatusCode>);
    let router = axum::Router::new().route("/hook", never);
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}
