//! Continuous sync: scheduled and requested readings, their events, and accounts that need a new login.

use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use link_test_support::wait;
use rstest::rstest;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::archives::TestClock;
use crate::service::{As, TestService, text};

const PROVIDER: &str = "mx_social_security";
const DAY: Duration = Duration::from_secs(86_400);

/// Links a login and waits until its data is read.
async fn link_account(service: &TestService, provider: &str, login: &str) -> (String, String) {
    let session = service.session().await;
    let progress = service.submit(&session, provider, login, "pass").await;
    service.until_settled(&session, &progress).await;
    let id = text(&progress["accountId"]);
    until_read(service, &id).await;
    (session, id)
}

/// Waits until no task of the account runs.
async fn until_read(service: &TestService, account: &str) {
    let path = format!("/tasks?sourceId={account}&status=STARTED");
    wait::until("the account is read", async || service.get(&path).await.body["items"] == json!([])).await;
}

async fn account(service: &TestService, id: &str) -> Value {
    service.get(&format!("/accounts/{id}")).await.body
}

async fn refresh(service: &TestService, id: &str) -> crate::service::TestResponse {
    service.post(&format!("/accounts/{id}/refresh"), json!({})).await
}

/// Returns the types of the account's events so far, oldest first.
async fn events_of(service: &TestService, account: &str) -> Vec<String> {
    let page = service.get(&format!("/events?size=150&accountId={account}")).await.body;
    page["items"].as_array().unwrap().iter().rev().map(|it| text(&it["type"])).collect()
}

/// Returns all items of a list.
async fn all(service: &TestService, list: &str, cursor: Option<&str>) -> Vec<Value> {
    let (mut items, mut cursor) = (Vec::new(), cursor.map(str::to_owned));
    loop {
        let from = cursor.map(|it| format!("&cursor={it}")).unwrap_or_default();
        let page = service.get(&format!("{list}&size=150{from}")).await;
        assert_eq!(page.status, 200, "{}", page.body);
        items.extend(page.body["items"].as_array().unwrap().iter().cloned());
        match page.body["nextCursor"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => return items,
        }
    }
}

async fn at_a_clock() -> (TestService, Arc<TestClock>) {
    let clock = Arc::new(TestClock::default());
    let moved = Arc::clone(&clock);
    let service =
        TestService::start_of(Backend::Sqlite, |_| {}, move |parts| parts.ports.clock = moved).await;
    (service, clock)
}

#[tokio::test]
async fn due_sync_adds_new_data_and_updates_changed_data() {
    let (service, clock) = at_a_clock().await;
    let (_, id) = link_account(&service, PROVIDER, "good").await;
    let before = events_of(&service, &id).await.len();
    let first = account(&service, &id).await["monitor"].clone();
    assert!(first["lastSyncedAt"].is_string() && first["nextSyncAt"].is_string(), "{first}");
    let contributions = format!("/contributions?sourceId={id}");
    let old = all(&service, &contributions, None).await;
    clock.advance(DAY * 35);
    service.until_event("ACCOUNT_SYNC_TASK_FINISHED").await;
    let types = events_of(&service, &id).await[before..].to_vec();
    for expected in [
        "CONTRIBUTIONS_ADDED",
        "CONTRIBUTIONS_UPDATED",
        "EINCOMES_ADDED",
        "EINCOMES_UPDATED",
        "LIABILITIES_UPDATED",
    ] {
        assert!(types.iter().any(|it| it == expected), "{expected}: {types:?}");
    }
    assert_eq!(types.last().map(String::as_str), Some("ACCOUNT_SYNC_TASK_FINISHED"));
    let is_updated = |name: &String| name.ends_with("_UPDATED");
    let first_updated = types.iter().position(is_updated).unwrap();
    assert!(types[..first_updated].iter().all(|it| it.ends_with("_ADDED")), "{types:?}");
    let new = all(&service, &contributions, None).await;
    assert!(new.len() > old.len(), "new months are added");
    assert!(old.iter().all(|it| new.iter().any(|now| now["id"] == it["id"])), "ids are kept");
    let monitor = account(&service, &id).await["monitor"].clone();
    assert!(text(&monitor["lastSyncedAt"]) > text(&first["lastSyncedAt"]), "{monitor}");
    assert!(text(&monitor["nextSyncAt"]) > text(&monitor["lastSyncedAt"]), "{monitor}");
}

#[tokio::test]
async fn sync_payload_cursor_continues_the_list() {
    let (service, clock) = at_a_clock().await;
    let receiver = Receiver::start(&[]).await;
    let hook = json!({
        "url": receiver.url, "eventTypes": ["ACCOUNT_SYNC_TASK_FINISHED"], "secret": "a secret of a tenant",
        "includePayload": true,
    });
    assert_eq!(service.post("/webhooks", hook).await.status, 201);
    let (_, id) = link_account(&service, PROVIDER, "many").await;
    clock.advance(DAY * 35);
    let received = receiver.until(1).await;
    let data = received[0].event["data"].clone();
    let page = &data["payload"]["contributions"];
    let items = page["items"].as_array().unwrap();
    assert_eq!(items.len(), 300, "{}", data["dataPoints"]);
    let list = format!("/contributions?sourceId={id}");
    let rest = all(&service, &list, page["nextCursor"].as_str()).await;
    let ids = |items: &[Value]| items.iter().map(|it| text(&it["id"])).collect::<Vec<_>>();
    assert_eq!([ids(items), ids(&rest)].concat(), ids(&all(&service, &list, None).await));
    let kinds = data["dataPoints"].as_array().unwrap();
    assert!(kinds.contains(&json!("CONTRIBUTIONS")) && !kinds.contains(&json!("IDENTITIES")), "{data}");
    assert!(data["payload"]["identity"].is_null(), "unchanged kinds are left out");
}

#[rstest]
#[tokio::test]
async fn refresh_reads_again_at_most_once_an_hour(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let (_, id) = link_account(&service, PROVIDER, "changes").await;
    let before = events_of(&service, &id).await.len();
    let started = refresh(&service, &id).await;
    assert_eq!(started.status, 202, "{}", started.body);
    let task = started.body;
    assert_eq!(
        (&task["type"], &task["status"], &task["sourceId"]),
        (&json!("UPDATE_ACCOUNT"), &json!("STARTED"), &json!(id))
    );
    service.until_event("ACCOUNT_SYNC_TASK_FINISHED").await;
    let finished = service.get(&format!("/tasks/{}", text(&task["id"]))).await.body;
    assert_eq!(finished["status"], "SUCCEEDED", "{finished}");
    let types = events_of(&service, &id).await[before..].to_vec();
    assert!(types.contains(&"EMPLOYMENTS_ADDED".to_owned()), "a new job: {types:?}");
    assert!(types.contains(&"EMPLOYMENTS_UPDATED".to_owned()), "the old job ended: {types:?}");
    let again = refresh(&service, &id).await;
    assert_eq!((again.status.as_u16(), &again.body["code"]), (429, &json!("REQUEST_LIMIT_EXCEEDED")));
    let wait: u64 = again.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((3_500..=3_600).contains(&wait), "{wait}");
    let path = format!("/accounts/{id}/refresh");
    let elsewhere =
        service.send(Method::POST, &path, As::Tenant(&service.production), Some(&json!({}))).await;
    assert_eq!(elsewhere.status, 404);
}

#[tokio::test]
async fn refresh_of_an_account_without_active_sync_is_a_conflict() {
    let service = TestService::start(Backend::Sqlite).await;
    let (_, id) = link_account(&service, PROVIDER, "good").await;
    let path = format!("/accounts/{id}/disableMonitor");
    assert_eq!(service.send(Method::POST, &path, As::Tenant(&service.sandbox), None).await.status, 204);
    let monitor = account(&service, &id).await["monitor"].clone();
    assert_eq!((&monitor["status"], &monitor["nextSyncAt"]), (&json!("CUSTOMER_DISABLED"), &json!(null)));
    assert_eq!(refresh(&service, &id).await.status, 409);
    let (_, unsupported) = link_account(&service, "ph_sahod_payroll", "good").await;
    let monitor = account(&service, &unsupported).await["monitor"].clone();
    assert_eq!((&monitor["status"], &monitor["lastSyncedAt"]), (&json!("UNSUPPORTED"), &json!(null)));
    assert_eq!(refresh(&service, &unsupported).await.status, 409);
}

#[rstest]
#[case::down("sync-unavailable", "FAILED", "ACTIVE")]
#[case::locked("sync-locked", "FAILED", "ACTIVE")]
#[case::expired("sync-reauth", "FAILED", "USER_ACTION_REQUIRED")]
#[case::mfa("sync-mfa", "FAILED", "USER_ACTION_REQUIRED")]
#[case::terms("sync-terms", "FAILED", "USER_ACTION_REQUIRED")]
#[tokio::test]
async fn failed_sync_reports_its_outcome(#[case] login: &str, #[case] status: &str, #[case] monitor: &str) {
    let service = TestService::start(Backend::Sqlite).await;
    let (session, id) = link_account(&service, PROVIDER, login).await;
    assert_eq!(refresh(&service, &id).await.status, 202);
    service.until_event("ACCOUNT_SYNC_TASK_FINISHED").await;
    let events = service.get("/events?type=ACCOUNT_SYNC_TASK_FINISHED").await.body;
    let data = &events["items"][0]["data"];
    assert_eq!(
        data,
        &json!({
            "userId": data["userId"], "sourceId": id, "sourceType": "ACCOUNT", "providers": [PROVIDER],
            "status": status, "monitorStatus": monitor, "dataPoints": [], "payload": {},
        })
    );
    let shown = account(&service, &id).await;
    assert_eq!(shown["monitorStatus"], monitor);
    assert_eq!(shown["monitor"]["nextSyncAt"].is_null(), monitor != "ACTIVE");
    if monitor == "ACTIVE" {
        return;
    }
    assert_eq!(refresh(&service, &id).await.status, 409);
    for action in ["disableMonitor", "enableMonitor"] {
        let path = format!("/accounts/{id}/{action}");
        assert_eq!(service.send(Method::POST, &path, As::Tenant(&service.sandbox), None).await.status, 204);
    }
    assert_eq!(account(&service, &id).await["monitorStatus"], "USER_ACTION_REQUIRED");
    let again = service.submit(&session, PROVIDER, login, "pass").await;
    assert_eq!(again["accountId"], id.as_str());
    service.until_settled(&session, &again).await;
    service.until_events("TASK_FINISHED", 2).await;
    let shown = account(&service, &id).await;
    assert_eq!(shown["monitorStatus"], "ACTIVE");
    assert!(shown["monitor"]["nextSyncAt"].is_string(), "{shown}");
}

#[tokio::test]
async fn account_list_filters_by_provider_and_statuses() {
    let service = TestService::start(Backend::Sqlite).await;
    let (_, active) = link_account(&service, PROVIDER, "good").await;
    let (_, unsupported) = link_account(&service, "ph_sahod_payroll", "good").await;
    let session = service.session().await;
    let failed = service.submit(&session, PROVIDER, "error-ACCOUNT_LOCKED", "pass").await;
    let failed = text(&service.until_settled(&session, &failed).await["accountId"]);
    for (query, expected) in [
        ("providerId=ph_sahod_payroll", vec![&unsupported]),
        ("providerId=mx_social_security", vec![&failed, &active]),
        ("connectionStatus=CONNECTED", vec![&unsupported, &active]),
        ("connectionStatus=ERROR", vec![&failed]),
        ("monitorStatus=ACTIVE", vec![&active]),
        ("monitorStatus=UNSUPPORTED&connectionStatus=CONNECTED", vec![&unsupported]),
        ("monitorStatus=CUSTOMER_DISABLED", vec![]),
    ] {
        let page = service.get(&format!("/accounts?{query}")).await;
        let ids: Vec<_> = page.body["items"].as_array().unwrap().iter().map(|it| text(&it["id"])).collect();
        assert_eq!(ids.iter().collect::<Vec<_>>(), expected, "{query}");
    }
    let refused = service.get("/accounts?monitorStatus=ON&connectionStatus=x&providerId=X").await;
    assert_eq!((refused.status.as_u16(), refused.body["errors"].as_array().unwrap().len()), (422, 3));
}

#[tokio::test]
async fn link_template_sets_the_sync_interval() {
    let service = TestService::start(Backend::Sqlite).await;
    let consent = service.get("/consentTemplates").await.body["items"][0]["id"].clone();
    let body = |interval: Value| json!({"name": "L", "companyName": "C", "consentTemplateId": consent, "syncEnabled": true, "syncInterval": interval});
    let made = service.post("/linkTemplates", body(json!("DAILY"))).await;
    assert_eq!((made.status.as_u16(), &made.body["syncInterval"]), (201, &json!("DAILY")));
    let default = service.post("/linkTemplates", body(Value::Null)).await;
    assert_eq!(
        (&default.body["syncInterval"], &default.body["retention"]),
        (&json!("MONTHLY"), &json!("FROM_LAST_SYNC"))
    );
    let seeded = service.get(&format!("/linkTemplates/{}", service.sandbox.template)).await.body;
    assert_eq!(
        (&seeded["syncInterval"], &seeded["retention"]),
        (&json!("MONTHLY"), &json!("FROM_LAST_SYNC"))
    );
    let path = format!("/linkTemplates/{}", text(&made.body["id"]));
    let patched = service.patch(&path, json!({"syncInterval": "MONTHLY"})).await;
    assert_eq!((patched.status.as_u16(), &patched.body["syncInterval"]), (200, &json!("MONTHLY")));
    let off = service.patch(&path, json!({"syncEnabled": false})).await;
    assert_eq!(off.body["retention"], "FROM_CONNECTION", "it follows syncEnabled");
    let set = service.patch(&path, json!({"syncEnabled": true, "retention": "FROM_CONNECTION"})).await;
    assert_eq!((set.status.as_u16(), &set.body["retention"]), (200, &json!("FROM_CONNECTION")));
    let refused = service.patch(&path, json!({"retention": "FOREVER"})).await;
    assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!("retention")));
    let refused = service.post("/linkTemplates", body(json!("HOURLY"))).await;
    assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!("syncInterval")));
}

#[tokio::test]
async fn consent_text_follows_the_link_template() {
    let service = TestService::start(Backend::Sqlite).await;
    let template = text(&service.get("/linkTemplates").await.body["items"][0]["id"]);
    let daily = json!({"syncEnabled": true, "syncInterval": "DAILY"});
    let cases = [
        ("good", daily, "read this information now, and again every day", "60 days after it was last read"),
        (
            "many",
            json!({"syncEnabled": false}),
            "read this information once",
            "60 days after you last connect",
        ),
    ];
    for (login, patch, says, end) in cases {
        assert_eq!(service.patch(&format!("/linkTemplates/{template}"), patch).await.status, 200);
        let (session, id) = link_account(&service, PROVIDER, login).await;
        let opened = service.send(Method::GET, "/link/session", As::Session(&session), None).await.body;
        let shown = text(&opened["template"]["consent"]["text"]);
        assert!(shown.contains(says) && shown.contains(end) && !shown.contains("${"), "{shown}");
        let receipt = service.get(&format!("/accounts/{id}/consent")).await.body;
        assert_eq!(receipt["consentedWith"], shown.as_str());
        let hash = base16ct::lower::encode_string(&Sha256::digest(&shown));
        assert_eq!(receipt["textSha256"], hash.as_str());
    }
    // Earlier receipts keep the text that was shown.
    let page = service.get("/accounts?size=2").await.body;
    let first = text(&page["items"][1]["id"]);
    let receipt = service.get(&format!("/accounts/{first}/consent")).await.body;
    assert!(text(&receipt["consentedWith"]).contains("again every day"), "{receipt}");
}
