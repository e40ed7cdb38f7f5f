//! Webhooks of one tenant that hang, fail or never resolve do not delay the webhooks of another.

use std::sync::Arc;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use link_connectors::webhook::{AllowedNetworks, DnsResolver, HttpSender, TcpConnector, system_roots};
use link_domain::change::{Change, Row};
use link_domain::kernel::clock::{ClockOffset, Now};
use link_domain::notifications::delivery::{AttemptEnd, DISABLED_REASON, FAILURES_TO_OPEN};
use link_store::StoreError;
use link_store::test_support::{Backend, sqlite};
use link_test_support::receiver::Receiver;
use link_test_support::wait;
use link_types::id::WebhookId;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::net::{TcpListener, UdpSocket};
use tokio::time::Instant;

use crate::service::{As, Keys, TestService, text};
use crate::webhook_management::until_deliveries;

const SECRET: &str = "a secret of a tenant";
/// The longest 95th percentile. These tests run alone (`.config/nextest.toml`). Before attempts were
/// shared by tenant, it was above 40 s. `cargo xtask bench webhooks` measures it on an idle machine.
const LIMIT: Duration = Duration::from_millis(500);

/// Starts a receiver that accepts connections and never answers; returns its URL.
async fn hanging_receiver() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let mut open = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            open.push(stream);
        }
    });
    url
}

async fn register(service: &TestService, keys: &Keys, url: &str) -> String {
    let hook = json!({"url": url, "eventTypes": ["USER_CREATED"], "secret": SECRET});
    let made = service.send(Method::POST, "/webhooks", As::Tenant(keys), Some(&hook)).await;
    assert_eq!(made.status, 201, "{:?}", made.body);
    text(&made.body["id"])
}

async fn new_user(service: &TestService, keys: &Keys) {
    let made = service.send(Method::POST, "/users", As::Tenant(keys), Some(&json!({}))).await;
    assert_eq!(made.status, 201, "{:?}", made.body);
}

/// Returns the 95th percentile, of 20 events, of the time from the response of a POST to the arrival of its event.
async fn p95(service: &TestService, keys: &Keys, receiver: &Receiver) -> Duration {
    let mut waits = Vec::new();
    for number in 1..=20 {
        new_user(service, keys).await;
        let answered = Instant::now();
        receiver.until(number).await;
        waits.push(answered.elapsed());
    }
    waits.sort();
    waits[18]
}

/// Registers 50 webhooks in one tenant's sandbox and fills every delivery slot with their events. Returns the 95th
/// percentile of another tenant's delivery times.
async fn p95_next_to_fifty(service: &TestService, url: &str) -> Duration {
    let other_tenant = service.another_tenant().await;
    let healthy = Receiver::start(&[]).await;
    register(service, &other_tenant, &healthy.url).await;
    for _ in 0..50 {
        register(service, &service.sandbox, url).await;
    }
    for _ in 0..30 {
        new_user(service, &service.sandbox).await;
    }
    p95(service, &other_tenant, &healthy).await
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn fifty_hanging_webhooks_do_not_delay_another_tenant(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let taken = p95_next_to_fifty(&service, &hanging_receiver().await).await;
    eprintln!("p95 next to 50 hanging webhooks, {backend:?}: {taken:?}");
    assert!(taken <= LIMIT, "{taken:?}");
}

/// Registers a thousand webhooks of one tenant's sandbox whose receiver refuses connections. Their breakers are open,
/// and their probes are always due.
async fn thousand_dead_webhooks(service: &TestService) {
    let first = register(service, &service.sandbox, "http://127.0.0.1:9/hook").await;
    let (owner, first): (_, WebhookId) = (service.owner(), first.parse().unwrap());
    let now = service.app.now(ClockOffset::default());
    for unit in 0..20_u8 {
        let (owner, first) = (owner.clone(), first.clone());
        let written: Result<(), StoreError> = service
            .app
            .store
            .write(move |tx| {
                let webhook = tx.webhooks().get(&owner, &first)?.unwrap();
                (0..50_u8).try_for_each(|number| {
                    let mut dead = webhook.clone();
                    dead.registration.id =
                        WebhookId::from_bytes([unit, number, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
                    let id = dead.id().clone();
                    tx.apply(&Change::row(Row::Webhook(dead)), now)?;
                    tx.breakers()
                        .record(&id, &[AttemptEnd::failure(now, now); FAILURES_TO_OPEN as usize], 0.0)
                        .map(drop)
                })
            })
            .await;
        written.unwrap();
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn thousand_dead_webhooks_do_not_delay_another_tenant(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    thousand_dead_webhooks(&service).await;
    for _ in 0..5 {
        new_user(&service, &service.sandbox).await;
    }
    let other_tenant = service.another_tenant().await;
    let healthy = Receiver::start(&[]).await;
    register(&service, &other_tenant, &healthy.url).await;
    let taken = p95(&service, &other_tenant, &healthy).await;
    eprintln!("p95 next to 1,000 dead webhooks, {backend:?}: {taken:?}");
    assert!(taken <= LIMIT, "{taken:?}");
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn unresolvable_names_do_not_delay_another_tenant(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let silent = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let server = silent.local_addr().unwrap();
    let service = TestService::start_of(
        backend,
        |_| {},
        |parts| {
            let allowed = AllowedNetworks::parse(["127.0.0.0/8"]).unwrap();
            let resolver = DnsResolver::asking(server);
            parts.ports.sender = Arc::new(HttpSender::with(allowed, system_roots(), resolver, TcpConnector));
        },
    );
    let service = service.await;
    let taken = p95_next_to_fifty(&service, "https://stuck.example/hook").await;
    eprintln!("p95 next to 50 unresolvable webhooks, {backend:?}: {taken:?}");
    assert!(taken <= LIMIT, "{taken:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn flood_of_pings_does_not_delay_another_tenant() {
    let service = Arc::new(TestService::start(Backend::Sqlite).await);
    let url = hanging_receiver().await;
    let mut pings = Vec::new();
    for _ in 0..50 {
        let path = format!("/webhooks/{}/ping", register(&service, &service.sandbox, &url).await);
        let service = Arc::clone(&service);
        pings.push(tokio::spawn(async move {
            service.send(Method::POST, &path, As::Tenant(&service.sandbox), None).await.status
        }));
    }
    let other_tenant = service.another_tenant().await;
    let healthy = Receiver::start(&[]).await;
    let id = register(&service, &other_tenant, &healthy.url).await;
    let path = format!("/webhooks/{id}/ping");
    let pinged = service.send(Method::POST, &path, As::Tenant(&other_tenant), None).await;
    assert_eq!(pinged.body["accepted"], true, "{:?}", pinged.body);
    let mut refused = 0;
    for ping in pings {
        refused += usize::from(ping.await.unwrap() == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused >= 34, "a sandbox has 16 slots for pings: {refused} rejected");
}

/// Records failed attempts of a webhook at a past time.
async fn fail(service: &TestService, webhook: &str, at: Now, times: u32) {
    let id: WebhookId = webhook.parse().unwrap();
    let failed: Result<(), StoreError> = service
        .app
        .store
        .write(move |tx| {
            tx.breakers().record(&id, &vec![AttemptEnd::failure(at, at); times as usize], 0.0).map(drop)
        })
        .await;
    failed.unwrap();
}

async fn webhook(service: &TestService, id: &str) -> Value {
    service.get(&format!("/webhooks/{id}")).await.body
}

#[tokio::test(flavor = "multi_thread")]
async fn webhook_is_disabled_after_five_days_of_failures() {
    let service = TestService::start(Backend::Sqlite).await;
    let receiver = Receiver::start(&[500]).await;
    let id = register(&service, &service.sandbox, &receiver.url).await;
    let long_ago = Now::new(service.app.wall() - Duration::from_secs(6 * 86_400), ClockOffset::default());
    fail(&service, &id, long_ago, 2 * FAILURES_TO_OPEN).await;
    new_user(&service, &service.sandbox).await;
    until_deliveries(&service, &format!("/webhooks/{id}"), "CANCELLED", 1).await;
    let disabled = webhook(&service, &id).await;
    assert_eq!(disabled["disabledReason"], DISABLED_REASON);
    assert_eq!(disabled["active"], true, "the service disabled it, not the tenant");
    let logged = wait::until_some("the log names the webhook", async || {
        let log = crate::sealed::log().text();
        log.lines().find(|it| it.contains("Webhook disabled after failing for 5 days")).map(str::to_owned)
    })
    .await;
    assert!(logged.contains("WARN") && logged.contains(&id) && logged.contains("demo"), "{logged}");
    new_user(&service, &service.sandbox).await;

    let enabled = service.patch(&format!("/webhooks/{id}"), json!({"active": true})).await;
    assert_eq!(enabled.body["disabledReason"], json!(null));
    new_user(&service, &service.sandbox).await;
    receiver.until(2).await;
    until_deliveries(&service, &format!("/webhooks/{id}"), "DELIVERED", 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn outcome_is_recorded_if_the_webhook_cannot_be_disabled() {
    let service = TestService::start(Backend::Sqlite).await;
    let receiver = Receiver::start(&[500]).await;
    let id = register(&service, &service.sandbox, &receiver.url).await;
    let long_ago = Now::new(service.app.wall() - Duration::from_secs(6 * 86_400), ClockOffset::default());
    fail(&service, &id, long_ago, 2 * FAILURES_TO_OPEN).await;
    let refuse = "CREATE TRIGGER refuse BEFORE UPDATE ON webhooks BEGIN SELECT RAISE(ABORT, 'refused'); END";
    sqlite::execute(&service.database.files().join("linchpin.db"), refuse);
    new_user(&service, &service.sandbox).await;
    let log = || crate::sealed::log().text();
    wait::until("disabling it fails", async || log().contains("Disabling a failing webhook failed")).await;
    assert!(!log().contains("Recording the outcome of an attempt failed"));
    assert_eq!(webhook(&service, &id).await["disabledReason"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn accepted_ping_closes_an_open_circuit_breaker() {
    let service = TestService::start(Backend::Sqlite).await;
    let receiver = Receiver::start(&[]).await;
    let id = register(&service, &service.sandbox, &receiver.url).await;
    let id_of_webhook: WebhookId = id.parse().unwrap();
    let now = service.app.now(ClockOffset::default());
    let opened: Result<(), StoreError> = service
        .app
        .store
        .write(move |tx| {
            tx.breakers()
                .record(&id_of_webhook, &[AttemptEnd::failure(now, now); FAILURES_TO_OPEN as usize], 1_000.0)
                .map(drop)
        })
        .await;
    opened.unwrap();
    for _ in 0..3 {
        new_user(&service, &service.sandbox).await;
    }
    assert_eq!(until_deliveries(&service, &format!("/webhooks/{id}"), "PENDING", 3).await.len(), 3);
    assert!(receiver.requests().is_empty(), "the next probe is due in an hour");
    let path = format!("/webhooks/{id}/ping");
    let pinged = service.send(Method::POST, &path, As::Tenant(&service.sandbox), None).await;
    assert_eq!(pinged.body["accepted"], true);
    until_deliveries(&service, &format!("/webhooks/{id}"), "DELIVERED", 3).await;
}
