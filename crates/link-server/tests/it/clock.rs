//! The clock of a sandbox: the work that an advance runs, its order, and the data that it leaves alone.

use std::time::Duration;

use axum::http::Method;
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use link_test_support::wait;
use link_types::Timestamp;
use link_types::export::ExportFormat;
use link_types::id::AccountId;
use rstest::rstest;
use serde_json::{Value, json};

use crate::service::{As, TestResponse, TestService, secret, text};
use crate::uploads::{Uploader, picture};

/// Seconds of a day.
pub const DAY: i64 = 86_400;

/// Requests an advance of the clock.
pub async fn advance(service: &TestService, by: Value) -> TestResponse {
    service.post("/clock/advance", by).await
}

/// Advances the clock, waits until it has arrived, and returns it.
pub async fn advance_and_wait(service: &TestService, seconds: i64) -> Value {
    let begun = advance(service, json!({"seconds": seconds})).await;
    assert_eq!(begun.status, 202, "{}", begun.body);
    assert_eq!(begun.body["advance"]["status"], "STARTED");
    let mut clock = Value::Null;
    // A job that fails holds the clock for seconds.
    let arrived = wait::retry_for(Duration::from_secs(180), async || {
        clock = service.get("/clock").await.body;
        (clock["advance"]["status"] == "FINISHED").then_some(()).ok_or(clock.to_string())
    });
    arrived.await.unwrap_or_else(|last| panic!("the clock has not arrived: {last}"));
    // The machine's clock may be set back by some milliseconds meanwhile.
    assert!(seconds_between(&clock["advance"]["until"], &clock["now"]) >= -1, "{clock}");
    clock
}

fn seconds_between(earlier: &Value, later: &Value) -> i64 {
    let micros = |at: &Value| text(at).parse::<Timestamp>().unwrap().as_micros();
    (micros(later) - micros(earlier)).div_euclid(1_000_000)
}

/// Links a login that is kept in sync, and waits until its data is read.
pub async fn link_account(service: &TestService, login: &str) -> String {
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", login, "pass").await;
    service.until_settled(&session, &progress).await;
    let id = text(&progress["accountId"]);
    let path = format!("/tasks?sourceId={id}&status=STARTED");
    wait::until("the account is read", async || service.get(&path).await.body["items"] == json!([])).await;
    id
}

/// Reads accounts every week, for 60 days from their connection.
async fn sync_weekly(service: &TestService) {
    let template = format!("/linkTemplates/{}", service.sandbox.template);
    let weekly = json!({"syncInterval": "WEEKLY", "retention": "FROM_CONNECTION"});
    assert_eq!(service.patch(&template, weekly).await.status, 200);
}

/// Returns when events of this type occurred, oldest first.
async fn times(service: &TestService, event_type: &str) -> Vec<Value> {
    let page = service.get(&format!("/events?size=150&type={event_type}")).await.body;
    page["items"].as_array().unwrap().iter().rev().map(|it| it["createdAt"].clone()).collect()
}

#[rstest]
#[tokio::test]
async fn advance_runs_syncs_and_expiry_each_at_its_moment(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let receiver = Receiver::start(&[]).await;
    let types = ["ACCOUNT_SYNC_TASK_FINISHED", "ACCOUNT_DISCONNECTED"];
    let hook = json!({"url": receiver.url, "eventTypes": types, "secret": "a secret of a tenant"});
    assert_eq!(service.post("/webhooks", hook).await.status, 201);
    sync_weekly(&service).await;
    let id = link_account(&service, "good").await;
    let account = service.get(&format!("/accounts/{id}")).await.body;
    let contributions = format!("/contributions?size=150&sourceId={id}");
    let before = service.get(&contributions).await.body["items"].as_array().unwrap().len();

    let clock = advance_and_wait(&service, 40 * DAY).await;
    let syncs = times(&service, "ACCOUNT_SYNC_TASK_FINISHED").await;
    assert_eq!(seconds_between(&account["monitor"]["nextSyncAt"], &syncs[0]), 0, "{syncs:?}");
    assert!((5..=6).contains(&syncs.len()), "{syncs:?}");
    for pair in syncs.windows(2) {
        // A stop lasts seconds at most, and a slot is exactly a week after the one before.
        assert!((seconds_between(&pair[0], &pair[1]) - 7 * DAY).abs() < 60, "{syncs:?}");
    }
    assert!(clock["advance"]["stops"].as_u64().unwrap() >= syncs.len() as u64, "{clock}");
    let now = service.get(&contributions).await.body["items"].as_array().unwrap().len();
    assert!(now > before, "a month brings new pay");

    advance_and_wait(&service, 21 * DAY).await;
    let ends = times(&service, "ACCOUNT_DISCONNECTED").await;
    assert!((seconds_between(&account["createdAt"], &ends[0]) - 60 * DAY).abs() < 60, "{ends:?}");
    assert_eq!(service.get(&contributions).await.body["items"], json!([]));
    let received = receiver.until(times(&service, types[0]).await.len() + 1).await;
    let received: Vec<_> = received.iter().map(|it| it.event["createdAt"].clone()).collect();
    let mut in_order = times(&service, types[0]).await;
    in_order.extend(ends);
    assert_eq!(received, in_order, "each event was sent once, in order");
}

#[tokio::test]
async fn clock_of_production_and_of_other_tenants_does_not_move() {
    let service = TestService::start(Backend::Sqlite).await;
    let other = service.another_tenant().await;
    let (user, _) = service.user().await;
    let made = async |keys: As<'_>| {
        let made = service.send(Method::POST, "/users", keys, Some(&json!({}))).await;
        made.body["createdAt"].clone()
    };
    let real = advance_and_wait(&service, 400 * DAY).await["realTime"].clone();
    let there = service.send(Method::GET, "/clock", As::Tenant(&other), None).await.body;
    assert_eq!(there["advance"], Value::Null);
    assert!(seconds_between(&real, &there["now"]).abs() < 60, "{there}");
    assert!(seconds_between(&real, &made(As::Tenant(&other)).await).abs() < 60);
    assert!(seconds_between(&real, &made(As::Tenant(&service.production)).await).abs() < 60);
    // The real time that the advance took is part of the 400 days.
    assert!(seconds_between(&real, &made(As::Tenant(&service.sandbox)).await) > 400 * DAY - 60);
    for (method, path, body) in
        [(Method::GET, "/clock", None), (Method::POST, "/clock/advance", Some(json!({"seconds": 1})))]
    {
        let refused = service.send(method, path, As::Tenant(&service.production), body.as_ref()).await;
        assert_eq!(refused.status, 404);
    }
    assert_eq!(service.get(&format!("/users/{user}")).await.status, 200, "users do not expire");
}

#[tokio::test]
async fn failed_deliveries_are_sent_again_on_the_sandbox_clock() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| live.resend_seconds = 30.0)
    })
    .await;
    let receiver = Receiver::start(&[500, 500, 500]).await;
    let hook = json!({
        "url": receiver.url, "eventTypes": ["USER_CREATED"], "secret": "a secret of a tenant",
        "retryProfile": "EXTENDED",
    });
    let hook = format!("/webhooks/{}", text(&service.post("/webhooks", hook).await.body["id"]));
    service.user().await;
    receiver.until(1).await;
    advance_and_wait(&service, 3_600).await;
    let delivery = service.get(&format!("{hook}/deliveries")).await.body["items"][0].clone();
    assert_eq!(delivery["status"], "DELIVERED", "{delivery}");
    let attempts: Vec<_> = delivery["attempts"].as_array().unwrap().iter().map(|it| &it["at"]).collect();
    let waits: Vec<_> = attempts.windows(2).map(|pair| seconds_between(pair[0], pair[1])).collect();
    let [first, second, third] = waits[..] else { panic!("{delivery}") };
    // Each wait is spread by 20 %.
    let fits = |wait: i64, of: i64| (of * 8 / 10..=of * 12 / 10 + 5).contains(&wait);
    assert!(fits(first, 30) && fits(second, 60) && fits(third, 600), "{waits:?}");
}

#[tokio::test]
async fn token_expires_when_the_clock_passes_its_end() {
    let service = TestService::start(Backend::Sqlite).await;
    let (_, token) = service.user().await;
    advance_and_wait(&service, 3_600).await;
    assert_eq!(service.exchange(&token, &secret()).await.body["code"], "TOKEN_EXPIRED");
    let expired = token;
    let (_, token) = service.user().await;
    assert_eq!(service.exchange(&token, &secret()).await.status, 201);
    // An expired token is known for 7 days.
    advance_and_wait(&service, 8 * DAY).await;
    assert_eq!(service.exchange(&expired, &secret()).await.body["code"], "INVALID_TOKEN", "it is deleted");
}

#[tokio::test]
async fn refresh_is_possible_again_an_hour_later_by_the_clock() {
    let service = TestService::start(Backend::Sqlite).await;
    let id = link_account(&service, "good").await;
    let path = format!("/accounts/{id}/refresh");
    assert_eq!(service.post(&path, json!({})).await.status, 202);
    service.until_event("ACCOUNT_SYNC_TASK_FINISHED").await;
    let events = service.get("/events?type=ACCOUNT_SYNC_TASK_FINISHED").await.body;
    assert_eq!(events["items"][0]["data"]["dataPoints"], json!([]), "nothing has changed: {events}");
    assert_eq!(times(&service, "LINK_ADDED").await.len(), 1, "by the first reading");
    advance_and_wait(&service, 3_601).await;
    assert_eq!(service.post(&path, json!({})).await.status, 202);
}

#[tokio::test]
async fn exports_are_deleted_when_the_clock_passes_their_end() {
    let service = TestService::start(Backend::Sqlite).await;
    let id = link_account(&service, "good").await;
    let generated = service.get(&format!("/accounts/{id}/exports/generate?format=JSON")).await;
    assert_eq!(generated.status, 200, "{}", generated.body);
    let stored = async || {
        let (owner, account): (_, AccountId) = (service.owner(), id.parse().unwrap());
        let found: Result<_, link_store::StoreError> = service
            .app
            .store
            .read(move |reader| reader.exports().latest(&owner, &account, ExportFormat::Json))
            .await;
        found.unwrap().is_some()
    };
    assert!(stored().await);
    advance_and_wait(&service, 2 * 3_600).await;
    assert!(!stored().await, "an export is kept for an hour");
}

#[rstest]
#[case::nothing(json!({}), &["seconds", "until"])]
#[case::both(json!({"seconds": 1, "until": "2999-01-01T00:00:00.000Z"}), &["seconds", "until"])]
#[case::zero(json!({"seconds": 0}), &["seconds"])]
#[case::negative(json!({"seconds": -1}), &["seconds"])]
#[case::past(json!({"until": "2020-01-01T00:00:00.000Z"}), &["until"])]
#[case::too_far(json!({"seconds": 315_360_001}), &["seconds"])]
#[case::too_late(json!({"until": "2999-01-01T00:00:00.000Z"}), &["until"])]
#[tokio::test]
async fn invalid_advance_is_rejected(#[case] by: Value, #[case] fields: &[&str]) {
    let service = TestService::start(Backend::Sqlite).await;
    let refused = advance(&service, by).await;
    assert_eq!(refused.status, 422, "{}", refused.body);
    let errors = refused.body["errors"].as_array().unwrap();
    assert_eq!(errors.iter().map(|it| text(&it["field"])).collect::<Vec<_>>(), fields);
    assert_eq!(service.get("/clock").await.body["advance"], Value::Null);
}

/// Registers a webhook whose receiver accepts connections and never responds.
pub async fn hanging_webhook(service: &TestService) -> tokio::net::TcpListener {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let hook = json!({"url": url, "eventTypes": ["USER_CREATED"], "secret": "a secret of a tenant"});
    assert_eq!(service.post("/webhooks", hook).await.status, 201);
    listener
}

#[tokio::test]
async fn clock_waits_for_a_delivery_and_second_advance_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let hanging = hanging_webhook(&service).await;
    service.user().await;
    let _open = hanging.accept().await.unwrap();
    assert_eq!(advance(&service, json!({"seconds": 3_600})).await.status, 202);
    let second = advance(&service, json!({"seconds": 3_600})).await;
    assert_eq!((second.status.as_u16(), &second.body["code"]), (409, &json!("CONFLICT")));
    let clock = service.get("/clock").await.body;
    assert_eq!(clock["advance"]["status"], "STARTED");
    assert!(seconds_between(&clock["realTime"], &clock["now"]) < 60, "{clock}");
}

#[tokio::test]
async fn repeated_advance_request_runs_once() {
    let service = TestService::start(Backend::Sqlite).await;
    let key = [("idempotency-key".to_owned(), "one".to_owned())];
    let by = json!({"seconds": 30 * DAY});
    let send = async || {
        let sandbox = As::Tenant(&service.sandbox);
        service.send_with(Method::POST, "/clock/advance", sandbox, &key, Some(&by)).await
    };
    let first = send().await;
    wait::until("the clock has arrived", async || {
        service.get("/clock").await.body["advance"]["status"] == "FINISHED"
    })
    .await;
    let again = send().await;
    assert_eq!((again.status, &again.body), (first.status, &first.body));
    let clock = service.get("/clock").await.body;
    assert_eq!(clock["advance"]["from"], first.body["advance"]["from"], "the clock moved once");
}

#[tokio::test]
async fn advance_continues_on_another_node_after_a_stop() {
    let mut service = TestService::start(Backend::Postgres).await;
    sync_weekly(&service).await;
    let id = link_account(&service, "good").await;
    let account = service.get(&format!("/accounts/{id}")).await.body;
    assert_eq!(advance(&service, json!({"seconds": 61 * DAY})).await.status, 202);
    service.move_to_another_node().await;
    wait::until_ok("the clock has arrived", async || {
        let clock = service.get("/clock").await.body;
        (clock["advance"]["status"] == "FINISHED").then_some(()).ok_or(clock.to_string())
    })
    .await;
    let syncs = times(&service, "ACCOUNT_SYNC_TASK_FINISHED").await;
    assert!((8..=9).contains(&syncs.len()), "{syncs:?}");
    for pair in syncs.windows(2) {
        assert!((seconds_between(&pair[0], &pair[1]) - 7 * DAY).abs() < 60, "{syncs:?}");
    }
    let ends = times(&service, "ACCOUNT_DISCONNECTED").await;
    assert!((seconds_between(&account["createdAt"], &ends[0]) - 60 * DAY).abs() < 60, "{ends:?}");
}

#[tokio::test]
async fn stopped_clock_stays_and_can_be_advanced_again() {
    let service = TestService::start(Backend::Sqlite).await;
    let hanging = hanging_webhook(&service).await;
    service.user().await;
    let open = hanging.accept().await.unwrap();
    assert_eq!(advance(&service, json!({"seconds": 30 * DAY})).await.status, 202);
    let stopped = service.delete("/clock/advance").await;
    assert_eq!((stopped.status.as_u16(), &stopped.body["advance"]["status"]), (200, &json!("STOPPED")));
    drop((open, hanging));
    let again = service.delete("/clock/advance").await;
    assert_eq!((again.status, &again.body["advance"]), (stopped.status, &stopped.body["advance"]));
    let clock = advance_and_wait(&service, DAY).await;
    assert_eq!(clock["advance"]["status"], "FINISHED", "{clock}");
    assert!(
        seconds_between(&clock["realTime"], &clock["now"]) < 2 * DAY,
        "the first advance moved no further"
    );
    let sandbox_only =
        service.send(Method::DELETE, "/clock/advance", As::Tenant(&service.production), None).await;
    assert_eq!(sandbox_only.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn failing_webhook_is_disabled_when_the_clock_passes_five_days() {
    let service = TestService::start(Backend::Sqlite).await;
    let receiver = Receiver::start(&[500; 100]).await;
    let hook = json!({"url": receiver.url, "eventTypes": ["USER_CREATED"], "secret": "a secret of a tenant"});
    let id = text(&service.post("/webhooks", hook).await.body["id"]);
    for _ in 0..3 {
        service.user().await;
    }
    receiver.until(9).await;
    let disabled = async || service.get(&format!("/webhooks/{id}")).await.body["disabledReason"].clone();
    assert_eq!(disabled().await, Value::Null);
    advance_and_wait(&service, 6 * DAY).await;
    service.user().await;
    wait::until("the webhook is disabled by the next probe", async || disabled().await.is_string()).await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn archives_invitations_and_billing_months_follow_the_clock(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let month = async || text(&service.get("/clock").await.body["now"])[..7].to_owned();
    let charges = async |month: &str| {
        service.get(&format!("/billing/summary?month={month}")).await.body["total"].clone()
    };
    let archive = Uploader::new(&service).await.submit("PAYSLIP", &picture(1_000)).await;
    let invite = service.invite_ana().await;
    let first = month().await;
    link_account(&service, "good").await;

    advance_and_wait(&service, 61 * DAY).await;
    let ended = service.get(&format!("/archives/{archive}")).await.body;
    let state = &ended["state"];
    assert_eq!((&state["status"], &state["endReason"]), (&json!("REVOKED"), &json!("EXPIRED")), "{ended}");
    assert_eq!(ended["files"], json!([]), "{ended}");
    assert_eq!(service.get(&format!("/incomes?sourceId={archive}")).await.body["items"], json!([]));
    let receipt = service.get(&format!("/archives/{archive}/consent")).await.body;
    assert_eq!((&receipt["endReason"], &receipt["consentedWith"]), (&json!("EXPIRED"), &Value::Null));

    let second = month().await;
    link_account(&service, "many").await;
    assert_eq!((charges(&first).await, charges(&second).await), (json!(1), json!(1)), "{first}, {second}");

    let path = format!("/invites/{}", text(&invite["id"]));
    assert_eq!(service.get(&path).await.status, 200);
    advance_and_wait(&service, 60 * DAY).await;
    assert_eq!(service.get(&path).await.status, 404, "60 days after its link expired");
}
