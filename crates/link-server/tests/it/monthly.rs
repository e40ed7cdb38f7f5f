//! A year of an account with the default settings: read each month on the day of its first connection, and disconnected 60
//! days after its last reading.

use axum::http::Method;
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use link_types::Timestamp;
use rstest::rstest;
use serde_json::{Value, json};

use crate::clock::{DAY, advance, advance_and_wait, link_account};
use crate::service::{As, TestService, text};

/// Advances the clock to noon of the next 31 January. Returns its year.
async fn to_the_31st(service: &TestService) -> i64 {
    let now = text(&service.get("/clock").await.body["now"]);
    let year = now[..4].parse::<i64>().unwrap() + 1;
    let begun = advance(service, json!({"until": format!("{year}-01-31T12:00:00.000Z")})).await;
    assert_eq!(begun.status, 202, "{}", begun.body);
    link_test_support::wait::until("the clock has arrived", async || {
        service.get("/clock").await.body["advance"]["status"] == "FINISHED"
    })
    .await;
    year
}

fn days(times: &[Value]) -> Vec<String> {
    times.iter().map(|at| text(at).parse::<Timestamp>().unwrap().date().to_string()).collect()
}

#[rstest]
#[tokio::test]
async fn account_of_the_31st_is_read_twelve_months(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let receiver = Receiver::start(&[]).await;
    let types = ["ACCOUNT_SYNC_TASK_FINISHED", "ACCOUNT_DISCONNECTED"];
    let hook = json!({"url": receiver.url, "eventTypes": types, "secret": "a secret of a tenant"});
    assert_eq!(service.post("/webhooks", hook).await.status, 201);
    let year = to_the_31st(&service).await;
    let id = link_account(&service, "good").await;
    let account = async || service.get(&format!("/accounts/{id}")).await.body;

    // A sync is due at any time of its day.
    advance_and_wait(&service, 367 * DAY).await;
    let february = if year % 4 == 0 { 29 } else { 28 };
    let mut expected: Vec<_> =
        [(2, february), (3, 31), (4, 30), (5, 31), (6, 30), (7, 31), (8, 31), (9, 30), (10, 31)]
            .iter()
            .map(|(month, day)| format!("{year}-{month:02}-{day}"))
            .collect();
    expected.extend([format!("{year}-11-30"), format!("{year}-12-31"), format!("{}-01-31", year + 1)]);
    let received = receiver.until(12).await;
    assert!(received.iter().all(|it| it.event["data"]["status"] == "SUCCEEDED"));
    let times: Vec<_> = received.iter().map(|it| it.event["createdAt"].clone()).collect();
    assert_eq!(days(&times), expected);
    let shown = account().await;
    assert_eq!(
        (&shown["connectionStatus"], &shown["monitorStatus"]),
        (&json!("CONNECTED"), &json!("ACTIVE"))
    );
    let contributions = format!("/contributions?size=150&sourceId={id}");
    assert_ne!(service.get(&contributions).await.body["items"], json!([]));

    let disabled = format!("/accounts/{id}/disableMonitor");
    let sent = service.send(Method::POST, &disabled, As::Tenant(&service.sandbox), None).await;
    assert_eq!(sent.status, 204);
    let last = text(&shown["monitor"]["lastSyncedAt"]).parse::<Timestamp>().unwrap();
    // From a year with 29 February, this is noon of the 59th day after the last reading's.
    advance_and_wait(&service, 57 * DAY).await;
    assert_eq!(account().await["connectionStatus"], "CONNECTED");
    advance_and_wait(&service, 3 * DAY).await;
    let ended = account().await;
    assert_eq!(ended["connectionStatus"], "DISCONNECTED");
    assert_eq!(ended["connection"]["endReason"], "EXPIRED");
    assert_eq!(service.get(&contributions).await.body["items"], json!([]));
    let received = receiver.until(13).await;
    let end = &received[12].event;
    assert_eq!((&end["type"], &end["data"]["reason"]), (&json!("ACCOUNT_DISCONNECTED"), &json!("EXPIRED")));
    let kept = text(&end["createdAt"]).parse::<Timestamp>().unwrap().as_micros() - last.as_micros();
    assert!(
        (kept - 60 * DAY * 1_000_000).abs() < 60_000_000,
        "60 days after the last reading, not {kept} µs"
    );
}

#[tokio::test]
async fn changed_retention_applies_at_the_next_login() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let signs_in = async |login: &str| {
        let progress = service.submit(&session, "mx_social_security", login, "pass").await;
        service.until_settled(&session, &progress).await;
        let id = text(&progress["accountId"]);
        let path = format!("/tasks?sourceId={id}&status=STARTED");
        let is_read = async || service.get(&path).await.body["items"] == json!([]);
        link_test_support::wait::until("the account is read", is_read).await;
        id
    };
    let kept = signs_in("good").await;
    let again = signs_in("many").await;
    let template = format!("/linkTemplates/{}", service.sandbox.template);
    let letter = json!({"retention": "FROM_CONNECTION"});
    assert_eq!(service.patch(&template, letter).await.status, 200);
    assert_eq!(signs_in("many").await, again);
    advance_and_wait(&service, 61 * DAY).await;
    for (id, status) in [(kept, "CONNECTED"), (again, "DISCONNECTED")] {
        let account = service.get(&format!("/accounts/{id}")).await.body;
        assert_eq!(account["connectionStatus"], status, "{account}");
    }
}

#[tokio::test]
async fn receipt_of_another_retention_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let mut body = service.login(&session, "mx_social_security", "good", "pass").await;
    body["consent"]["retention"] = json!("FROM_CONNECTION");
    let refused = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
    assert_eq!((refused.status.as_u16(), &refused.body["code"]), (409, &json!("CONSENT_REQUIRED")));
}
