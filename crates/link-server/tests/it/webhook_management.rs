//! Managing webhooks: pings, secret rotation, deliveries, resends and recovery.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::http::{Method, StatusCode};
use axum::routing::post;
use hmac::{Hmac, KeyInit, Mac};
use link_domain::kernel::clock::ClockOffset;
use link_domain::notifications::delivery::LISTED_ANSWER;
use link_domain::notifications::webhook::{ROTATION, WEBHOOKS_LIMIT};
use link_server::http::problem::ApiResult;
use link_store::test_support::Backend;
use link_test_support::receiver::{Received, Receiver};
use link_test_support::wait;
use rstest::rstest;
use serde_json::{Value, json};
use sha2::Sha512;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::service::{As, TestService, text};

const SECRET: &str = "the receiver's first secret";
const NEXT: &str = "the receiver's second secret";

fn is_signed(received: &Received, header: &str, secret: &str) -> bool {
    let mut mac = Hmac::<Sha512>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(&received.body);
    let digest: String = mac.finalize().into_bytes().iter().map(|it| format!("{it:02x}")).collect();
    received.headers.get(header).is_some_and(|it| *it == digest.as_str())
}

async fn hook(service: &TestService, receiver: &Receiver) -> String {
    let body = json!({"url": receiver.url, "eventTypes": ["USER_CREATED"], "secret": SECRET});
    let made = service.post("/webhooks", body).await;
    assert_eq!(made.status, 201, "{:?}", made.body);
    format!("/webhooks/{}", text(&made.body["id"]))
}

/// Waits until the webhook has exactly `count` deliveries of a status and returns them.
pub async fn until_deliveries(service: &TestService, hook: &str, status: &str, count: usize) -> Vec<Value> {
    wait::until_ok(&format!("{count} deliveries are {status}"), async || {
        let page = service.get(&format!("{hook}/deliveries?status={status}")).await;
        assert_eq!(page.status, 200, "{:?}", page.body);
        let items = page.body["items"].as_array().unwrap();
        if items.len() == count {
            return Ok(items.clone());
        }
        Err(service.get(&format!("{hook}/deliveries")).await.body)
    })
    .await
}

/// Sets the tenant's sandbox clock ahead.
async fn set_sandbox_offset(service: &TestService, by: std::time::Duration) {
    let (tenant, now) = ("demo".parse().unwrap(), service.app.now(ClockOffset::default()));
    let moved = service.app.store.write(move |tx| -> ApiResult<_> {
        let mut tenant = tx.tenants().get(&tenant)?.unwrap();
        tenant.sandbox_offset = ClockOffset::from_micros(by.as_micros() as i64);
        let change = link_domain::change::Change::row(link_domain::change::Row::Tenant(tenant));
        Ok(tx.apply(&change, now)?)
    });
    moved.await.unwrap();
}

#[tokio::test]
async fn deleting_webhook_removes_its_idempotent_responses() {
    let service = TestService::start(Backend::Sqlite).await;
    let receiver = Receiver::start(&[]).await;
    let hook = hook(&service, &receiver).await;
    let under = |key: &str| [("idempotency-key".to_owned(), key.to_owned())];
    let (rotated, pinged) = (under("rotation"), under("ping"));
    let (rotation, ping) = (format!("{hook}/rotateSecret"), format!("{hook}/ping"));
    let body = json!({"secret": NEXT});
    let sandbox = As::Tenant(&service.sandbox);
    let send = async || {
        let rotate = service.send_with(Method::POST, &rotation, sandbox.clone(), &rotated, Some(&body)).await;
        let ping = service.send_with(Method::POST, &ping, sandbox.clone(), &pinged, None).await;
        (rotate.status.as_u16(), ping.status.as_u16())
    };
    assert_eq!(send().await, (200, 200));
    assert_eq!(send().await, (200, 200), "the responses are replayed");
    assert_eq!(service.delete(&hook).await.status, 204);
    assert_eq!(send().await, (404, 404));
    assert_eq!(receiver.requests().len(), 1);
}

#[tokio::test]
async fn ping_is_signed_and_not_recorded_as_event() {
    let service = TestService::start(Backend::Sqlite).await;
    let receiver = Receiver::start(&[204, 503]).await;
    let hook = hook(&service, &receiver).await;
    service.patch(&hook, json!({"active": false})).await;
    let ping = service.send(Method::POST, &format!("{hook}/ping"), As::Tenant(&service.sandbox), None).await;
    assert_eq!((ping.status.as_u16(), &ping.body["accepted"]), (200, &json!(true)), "{:?}", ping.body);
    assert_eq!(ping.body["attempt"]["responseStatus"], 204);
    let received = receiver.until(1).await.remove(0);
    assert_eq!((&received.event["type"], &received.event["version"]), (&json!("PING"), &json!(1)));
    assert_eq!(received.event["id"], ping.body["eventId"]);
    assert!(hook.ends_with(received.event["data"]["webhookId"].as_str().unwrap()));
    assert!(is_signed(&received, "service-signature", SECRET));

    let refused =
        service.send(Method::POST, &format!("{hook}/ping"), As::Tenant(&service.sandbox), None).await;
    assert_eq!(
        (&refused.body["accepted"], refused.body["attempt"]["responseStatus"].as_u64()),
        (&json!(false), Some(503))
    );
    assert_eq!(service.get(&format!("{hook}/deliveries")).await.body["items"], json!([]));
    assert_eq!(service.get("/events?type=PING").await.status, 422);
    assert!(service.event_types().await.is_empty(), "a ping is not in the list of events");
}

#[tokio::test]
async fn next_secret_signs_alongside_old_until_rotation_ends() {
    for confirmed in [true, false] {
        let service = TestService::start(Backend::Sqlite).await;
        let receiver = Receiver::start(&[]).await;
        let hook = hook(&service, &receiver).await;
        let none = service
            .send(Method::POST, &format!("{hook}/confirmSecret"), As::Tenant(&service.sandbox), None)
            .await;
        assert_eq!(none.status, 409, "no rotation is in progress");
        let rotating = service.post(&format!("{hook}/rotateSecret"), json!({"secret": NEXT})).await;
        assert_eq!(rotating.status, 200, "{:?}", rotating.body);
        assert_eq!(rotating.body["nextSecretHint"], "cret");
        assert!(!String::from_utf8_lossy(&rotating.bytes).contains(NEXT), "the response contains the secret");
        let renamed = service.patch(&hook, json!({"name": "renamed"})).await;
        assert_eq!(renamed.body["rotationEndsAt"], rotating.body["rotationEndsAt"]);

        service.user().await;
        let during = receiver.until(1).await.remove(0);
        assert!(is_signed(&during, "service-signature", SECRET));
        assert!(is_signed(&during, "service-signature-next", NEXT));

        if confirmed {
            let done = service
                .send(Method::POST, &format!("{hook}/confirmSecret"), As::Tenant(&service.sandbox), None)
                .await;
            assert_eq!((done.status.as_u16(), &done.body["rotationEndsAt"]), (200, &Value::Null));
        } else {
            set_sandbox_offset(&service, ROTATION).await;
            let id: link_types::id::WebhookId = hook.trim_start_matches("/webhooks/").parse().unwrap();
            let owner = link_domain::kernel::owner::Owner {
                tenant: "demo".parse().unwrap(),
                mode: link_types::Mode::Sandbox,
            };
            let mut context = service.app.context(service.app.offset_of(&owner).await.unwrap());
            let kind = link_domain::change::job::JobKind::EndRotation { webhook_id: id };
            let jobs = vec![link_domain::change::job::Job::now(&owner, kind, &mut context)];
            let change = link_domain::change::Change { jobs, ..Default::default() };
            let now = context.now();
            service.app.store.write(move |tx| -> ApiResult<_> { Ok(tx.apply(&change, now)?) }).await.unwrap();
            wait::until("the rotation has ended", async || {
                service.get(&hook).await.body["rotationEndsAt"].is_null()
            })
            .await;
        }
        service.user().await;
        let after = receiver.until(2).await.remove(1);
        assert!(is_signed(&after, "service-signature", NEXT), "confirmed: {confirmed}");
        assert!(after.headers.get("service-signature-next").is_none());
    }
}

#[tokio::test]
async fn deliveries_list_attempts_and_can_be_resent() {
    let service = TestService::start(Backend::Sqlite).await;
    let receiver = Receiver::start(&[500, 500, 500]).await;
    let hook = hook(&service, &receiver).await;
    service.user().await;
    let lost = until_deliveries(&service, &hook, "EXHAUSTED", 1).await.remove(0);
    assert_eq!(lost["attempts"].as_array().unwrap().len(), 3);
    assert_eq!((&lost["attempts"][2]["responseStatus"], &lost["nextAttemptAt"]), (&json!(500), &Value::Null));
    service.user().await;
    until_deliveries(&service, &hook, "DELIVERED", 1).await;

    let today = text(&lost["attempts"][0]["at"])[..10].to_owned();
    for (filter, count) in [
        ("".to_owned(), 2),
        ("eventType=USER_CREATED".to_owned(), 2),
        ("eventType=TASK_FINISHED".to_owned(), 0),
        ("status=CANCELLED".to_owned(), 0),
        (format!("eventId={}", text(&lost["eventId"])), 1),
        ("endDate=2020-01-01".to_owned(), 0),
        (format!("startDate={today}&status=EXHAUSTED"), 1),
    ] {
        let page = service.get(&format!("{hook}/deliveries?{filter}")).await;
        assert_eq!(page.body["items"].as_array().unwrap().len(), count, "{filter}");
    }
    let first = service.get(&format!("{hook}/deliveries?size=1")).await.body;
    let rest = service.get(&format!("{hook}/deliveries?size=1&cursor={}", text(&first["nextCursor"]))).await;
    assert_eq!(rest.body["items"][0]["id"], lost["id"], "the older event comes second");

    let resend = format!("{hook}/deliveries/{}/resend", text(&lost["id"]));
    let resent = service.send(Method::POST, &resend, As::Tenant(&service.sandbox), None).await;
    assert_eq!((resent.status.as_u16(), &resent.body["status"]), (200, &json!("PENDING")));
    let again = receiver.until(5).await.remove(4);
    assert_eq!(again.event["id"], lost["eventId"]);
    assert_eq!(again.body, receiver.requests()[0].body, "byte for byte");
    until_deliveries(&service, &hook, "DELIVERED", 2).await;

    let elsewhere = service
        .post("/webhooks", json!({"url": receiver.url, "eventTypes": ["ALL_EVENTS"], "secret": SECRET}))
        .await;
    let stray = format!("/webhooks/{}/deliveries/{}/resend", text(&elsewhere.body["id"]), text(&lost["id"]));
    assert_eq!(service.send(Method::POST, &stray, As::Tenant(&service.sandbox), None).await.status, 404);
    service.patch(&hook, json!({"active": false})).await;
    assert_eq!(service.send(Method::POST, &resend, As::Tenant(&service.sandbox), None).await.status, 409);
}

#[tokio::test]
async fn recover_resends_only_undelivered_events() {
    let service = TestService::start(Backend::Sqlite).await;
    // The first event exhausts its attempts, the second is delivered.
    let receiver = Receiver::start(&[500, 500, 500]).await;
    let hook = hook(&service, &receiver).await;
    service.user().await;
    until_deliveries(&service, &hook, "EXHAUSTED", 1).await;
    service.user().await;
    until_deliveries(&service, &hook, "DELIVERED", 1).await;
    service.patch(&hook, json!({"active": false})).await;
    service.user().await;
    let off = service.post(&format!("{hook}/recover"), json!({"since": "2020-01-01T00:00:00Z"})).await;
    assert_eq!(off.status, 409, "the webhook is disabled");
    service.patch(&hook, json!({"active": true})).await;

    let ahead = service.post(&format!("{hook}/recover"), json!({"since": "2200-01-01T00:00:00Z"})).await;
    assert_eq!(ahead.status, 422);
    let begun = service.post(&format!("{hook}/recover"), json!({"since": "2020-01-01T00:00:00Z"})).await;
    assert_eq!(begun.status, 202, "{:?}", begun.body);
    let made = service.get(&hook).await.body["createdAt"].clone();
    assert_eq!(begun.body["since"], made, "recovery starts at the webhook's creation");
    let delivered = until_deliveries(&service, &hook, "DELIVERED", 3).await;
    let attempts: Vec<usize> = delivered.iter().map(|it| it["attempts"].as_array().unwrap().len()).collect();
    assert_eq!(attempts, [1, 1, 4], "newest first: never sent, delivered before, refused before");
}

#[tokio::test]
async fn disabling_webhook_cancels_pending_deliveries() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| live.resend_seconds = 3_600.0)
    })
    .await;
    let receiver = Receiver::start(&[500]).await;
    let hook = hook(&service, &receiver).await;
    service.user().await;
    receiver.until(1).await;
    until_deliveries(&service, &hook, "PENDING", 1).await;
    service.patch(&hook, json!({"active": false})).await;
    until_deliveries(&service, &hook, "CANCELLED", 1).await;
}

#[tokio::test]
async fn extended_retry_profile_continues_after_third_attempt() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| live.resend_seconds = 0.01)
    })
    .await;
    let receiver = Receiver::start(&[500; 5]).await;
    let body = json!({"url": receiver.url, "eventTypes": ["USER_CREATED"], "secret": SECRET, "retryProfile": "EXTENDED"});
    let made = service.post("/webhooks", body).await;
    assert_eq!(made.body["retryProfile"], "EXTENDED");
    service.user().await;
    // Scaled from 30 s to 10 ms, the fourth attempt comes 200 ms after the third.
    receiver.until(4).await;
}

/// Serves a router and returns its URL.
async fn listening(router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

async fn hook_at(service: &TestService, url: &str) -> String {
    let body = json!({"url": url, "eventTypes": ["USER_CREATED"], "secret": SECRET});
    let made = service.post("/webhooks", body).await;
    assert_eq!(made.status, 201, "{:?}", made.body);
    format!("/webhooks/{}", text(&made.body["id"]))
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_duplicate_pings_send_one_request(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = Arc::new(TestService::start(backend).await);
    let (count, arrived, permits) =
        (Arc::new(AtomicUsize::new(0)), Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let shared = (Arc::clone(&count), Arc::clone(&arrived), Arc::clone(&permits));
    let slow = move || {
        let (count, arrived, permits) = shared.clone();
        async move {
            count.fetch_add(1, Ordering::SeqCst);
            arrived.add_permits(1);
            permits.acquire().await.unwrap().forget();
            StatusCode::NO_CONTENT
        }
    };
    let url = listening(Router::new().route("/hook", post(slow))).await;
    let path = format!("{}/ping", hook_at(&service, &url).await);
    let ping = || {
        let (service, path) = (Arc::clone(&service), path.clone());
        tokio::spawn(async move { service.post_once("k", &path, None).await })
    };
    let first = ping();
    arrived.acquire().await.unwrap().forget();
    let duplicate = ping().await.unwrap();
    assert_eq!((duplicate.status.as_u16(), &duplicate.body["code"]), (409, &json!("CONFLICT")));
    assert_eq!(duplicate.headers["retry-after"], "1");
    // The first client disconnects and retries while the ping is in progress.
    first.abort();
    let again = ping();
    permits.add_permits(1);
    let again = again.await.unwrap();
    assert_eq!((again.status.as_u16(), &again.body["accepted"]), (200, &json!(true)));
    assert_eq!(again.headers["idempotency-replayed"], "true");
    assert_eq!(ping().await.unwrap().bytes, again.bytes);
    assert_eq!(count.load(Ordering::SeqCst), 1);
    let nowhere = format!("/webhooks/wh-{}/ping", "0".repeat(32));
    assert_eq!(service.post_once("other", &nowhere, None).await.status, 404);
}

#[rstest]
#[tokio::test]
async fn webhooks_are_limited_to_50_per_environment(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let url = listening(Router::new()).await;
    let body = json!({"url": url, "eventTypes": ["TASK_STARTED"], "secret": SECRET});
    for _ in 0..WEBHOOKS_LIMIT {
        assert_eq!(service.post("/webhooks", body.clone()).await.status, 201);
    }
    let refused = service.post("/webhooks", body.clone()).await;
    assert_eq!((refused.status.as_u16(), &refused.body["code"]), (409, &json!("CONFLICT")));
    let one = text(&service.get("/webhooks").await.body["items"][0]["id"]);
    assert_eq!(service.delete(&format!("/webhooks/{one}")).await.status, 204);
    assert_eq!(service.post("/webhooks", body).await.status, 201);
}

#[tokio::test]
async fn delivery_list_truncates_the_response_body() {
    let service = TestService::start(Backend::Sqlite).await;
    // Two-byte characters after a single byte: truncation must not split a character.
    let response = format!("x{}", "ñ".repeat(5_000));
    let sent = response.clone();
    let url = listening(Router::new().route("/hook", post(move || async move { sent }))).await;
    let hook = hook_at(&service, &url).await;
    for _ in 0..3 {
        service.user().await;
    }
    let listed = until_deliveries(&service, &hook, "DELIVERED", 3).await;
    for delivery in &listed {
        let shown = text(&delivery["attempts"][0]["responseBody"]);
        assert!(shown.len() <= LISTED_ANSWER && shown.len() + 2 > LISTED_ANSWER, "{}", shown.len());
        assert!(response.starts_with(&shown));
        let path = format!("{hook}/deliveries/{}", text(&delivery["id"]));
        let whole = service.get(&path).await;
        assert_eq!(whole.status, 200, "{:?}", whole.body);
        assert_eq!(text(&whole.body["attempts"][0]["responseBody"]), response);
        assert_eq!((&whole.body["id"], &whole.body["eventId"]), (&delivery["id"], &delivery["eventId"]));
    }
    let elsewhere = hook_at(&service, &url).await;
    let stray = format!("{elsewhere}/deliveries/{}", text(&listed[0]["id"]));
    assert_eq!(service.get(&stray).await.status, 404, "the delivery belongs to another webhook");
}
