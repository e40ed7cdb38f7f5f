//! Retention on the tenant's clock, and the immutability of cited consent templates.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Method, Request};
use link_domain::change::job::{Job, JobKind};
use link_domain::change::{Change, Row};
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::scope::ErasureScope;
use link_server::http::problem::ApiResult;
use link_server::workers::housekeeping;
use link_store::test_support::Backend;
use link_store::{Day, StoreSettings};
use link_test_support::receiver::Receiver;
use link_test_support::wait;
use link_types::id::{ArchiveId, RecordId};
use link_types::signal::SignalKind;
use rstest::rstest;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::service::{As, TestService, text};

const DAY: Duration = Duration::from_secs(86_400);

/// Sets the tenant's sandbox clock ahead.
pub async fn set_sandbox_offset(service: &TestService, by: Duration) {
    let (tenant, now) = (service.owner().tenant, service.app.now(ClockOffset::default()));
    let moved = service.app.store.write(move |tx| -> ApiResult<_> {
        let mut tenant = tx.tenants().get(&tenant)?.unwrap();
        tenant.sandbox_offset = ClockOffset::from_micros(by.as_micros() as i64);
        Ok(tx.apply(&Change::row(Row::Tenant(tenant)), now)?)
    });
    moved.await.unwrap();
}

async fn until_delivered(service: &TestService, hook: &str) {
    wait::until("a delivery succeeds", async || {
        let page = service.get(&format!("{hook}/deliveries?status=DELIVERED")).await;
        page.body["items"].as_array().is_some_and(|it| !it.is_empty())
    })
    .await;
}

#[tokio::test]
async fn events_and_deliveries_are_removed_after_60_tenant_days() {
    let service = TestService::start(Backend::Sqlite).await;
    let receiver = Receiver::start(&[]).await;
    let body = json!({"url": receiver.url, "eventTypes": ["USER_CREATED"], "secret": "a secret of a tenant"});
    let hook = format!("/webhooks/{}", text(&service.post("/webhooks", body).await.body["id"]));
    service.user().await;
    until_delivered(&service, &hook).await;
    let production = As::Tenant(&service.production);
    let elsewhere = service.send(Method::POST, "/users", production.clone(), Some(&json!({}))).await;
    assert_eq!(elsewhere.status, 201);

    set_sandbox_offset(&service, DAY * 59).await;
    housekeeping::tidy(&service.app, service.app.wall()).await.unwrap();
    assert_eq!(service.event_types().await, ["USER_CREATED"]);

    set_sandbox_offset(&service, DAY * 61).await;
    housekeeping::tidy(&service.app, service.app.wall()).await.unwrap();
    assert_eq!(service.get("/events").await.body["items"], json!([]));
    assert_eq!(service.get(&format!("{hook}/deliveries")).await.body["items"], json!([]));
    let kept = service.send(Method::GET, "/events", production, None).await;
    assert_eq!(kept.body["items"].as_array().unwrap().len(), 1, "the production clock did not move");
}

/// Returns the status and body of `/health/ready`.
async fn ready(service: &TestService) -> (u16, String) {
    let request = Request::get("/health/ready").header("host", "localhost:8787").body(Body::empty()).unwrap();
    let response = service.router.clone().oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let body = to_bytes(response.into_body(), 4_096).await.unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

/// Returns true if the job is still scheduled.
async fn is_scheduled(service: &TestService, key: &str) -> bool {
    let (owner, key) = (service.owner(), key.to_owned());
    let job = service.app.store.read(move |reader| -> ApiResult<_> { Ok(reader.jobs().get(&owner, &key)?) });
    job.await.unwrap().is_some()
}

async fn until_done(service: &TestService, key: &str) {
    wait::until(&format!("the job {key} is done"), async || !is_scheduled(service, key).await).await;
}

/// Schedules jobs that were due one minute ago.
async fn schedule(service: &TestService, kinds: [JobKind; 2]) {
    let (owner, mut context) = (service.owner(), service.app.context(ClockOffset::default()));
    let due = context.now().tenant() - Duration::from_secs(60);
    let jobs = kinds.map(|kind| Job::due(&owner, kind, due, &mut context)).into();
    let (change, now) = (Change { jobs, ..Change::default() }, context.now());
    service.app.store.write(move |tx| -> ApiResult<_> { Ok(tx.apply(&change, now)?) }).await.unwrap();
}

async fn users_created(service: &TestService) -> usize {
    service.event_types().await.iter().filter(|it| *it == "USER_CREATED").count()
}

#[rstest]
#[tokio::test]
async fn retention_pauses_after_clock_jump_until_confirmed(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    service.user().await;
    let record = service.post("/alpha/socialSecurities", crate::records::request("5500000001")).await;
    let record: RecordId = text(&record.body["id"]).parse().unwrap();
    until_done(&service, &format!("complete/{record}")).await;
    let folder = match service.database.settings() {
        StoreSettings::Sqlite { keys, .. } | StoreSettings::Postgres { keys, .. } => keys.days,
        StoreSettings::Ephemeral => panic!("an ephemeral store has no key folder"),
    };
    let past = folder.join("1.day");
    std::fs::write(&past, "11".repeat(32)).unwrap();
    // The clock is 100 days ahead of the last look.
    let last = service.app.wall() - DAY * 100;
    service
        .app
        .store
        .write(move |tx| -> ApiResult<_> { Ok(tx.retention_clock().record(last)?) })
        .await
        .unwrap();
    set_sandbox_offset(&service, DAY * 61).await;
    let expire = format!("expire/{record}");
    let archive_id = ArchiveId::from_bytes([7; 16]);
    let deletion = format!("delete-orphans/{archive_id}");
    let scope = ErasureScope::Record(record.clone());
    schedule(
        &service,
        [
            JobKind::ExpireScope { scope },
            JobKind::DeleteOrphans { holder: (&archive_id).into(), since: last },
        ],
    )
    .await;
    for _ in 0..2 {
        let jump = housekeeping::round(&service.app).await.unwrap().unwrap();
        assert_eq!(jump.from, last, "the time of the last look is unchanged");
    }
    until_done(&service, &deletion).await;
    assert!(is_scheduled(&service, &expire).await);
    assert!(past.exists());
    assert_eq!(users_created(&service).await, 1);
    assert_eq!(service.get(&format!("/alpha/socialSecurities/{record}")).await.status, 200);
    assert_eq!(service.post("/users", json!({})).await.status, 201, "writes still work");
    let (status, words) = ready(&service).await;
    assert!(status == 200 && words.contains("retention is paused"), "{status} {words}");

    let confirmed = housekeeping::confirm_clock(&service.app).await.unwrap().unwrap();
    assert_eq!(confirmed.from, last);
    until_done(&service, &expire).await;
    assert_eq!(service.get(&format!("/alpha/socialSecurities/{record}")).await.status, 404);
    assert_eq!(housekeeping::round(&service.app).await.unwrap(), None);
    assert!(!past.exists());
    assert_eq!(users_created(&service).await, 1, "the older event is removed");
    assert_eq!(ready(&service).await, (200, "ready\n".to_owned()));
}

async fn consent(service: &TestService) -> String {
    let body = json!({
        "type": "TERMS", "title": "Share your data", "version": "1", "text": "You share.", "locale": "en",
    });
    let made = service.post("/consentTemplates", body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    text(&made.body["id"])
}

#[tokio::test]
async fn failed_housekeeping_step_does_not_stop_the_others() {
    let service = TestService::start(Backend::Sqlite).await;
    service.user().await;
    let folder = match service.database.settings() {
        StoreSettings::Sqlite { keys, .. } | StoreSettings::Postgres { keys, .. } => keys.days,
        StoreSettings::Ephemeral => panic!("an ephemeral store has no key folder"),
    };
    let past = folder.join("1.day");
    std::fs::write(&past, "11".repeat(32)).unwrap();
    // Rewrapping keys fails for a day whose key file is invalid.
    let moment = service.app.wall() + DAY * 40;
    for day in 0..200 {
        let file = folder.join(format!("{}.day", Day::from_micros(moment.micros()).0 + 20 + day));
        if !file.exists() {
            std::fs::write(file, "no key").unwrap();
        }
    }
    set_sandbox_offset(&service, DAY * 61).await;
    assert!(housekeeping::tidy(&service.app, moment).await.is_err());
    assert_eq!(service.get("/events").await.body["items"], json!([]));
    assert!(!past.exists());
}

/// Requests for a synchronous signal, an asynchronous signal and a record that cite the template.
fn citing(template: &str) -> [(&'static str, Value); 3] {
    let consent = json!({"consentedAt": "2026-11-20T11:07:11.000Z", "consentTemplateId": template});
    [
        (SignalKind::Blacklist.path(), crate::signals::request(SignalKind::Blacklist, "5500000001", "")),
        (
            SignalKind::Verification.path(),
            crate::signals::request(SignalKind::Verification, "5500000001", ""),
        ),
        ("/alpha/socialSecurities", crate::records::request("5500000001")),
    ]
    .map(|(path, mut request)| {
        let consented_with = request["consent"]["consentedWith"].take();
        request["consent"] = consent.clone();
        request["consent"]["consentedWith"] = consented_with;
        (path, request)
    })
}

#[tokio::test]
async fn cited_consent_template_cannot_be_changed() {
    let service = TestService::start(Backend::Sqlite).await;
    for index in 0..3 {
        let template = consent(&service).await;
        let path = format!("/consentTemplates/{template}");
        let other = json!({"text": "You share everything."});
        assert_eq!(service.patch(&path, other.clone()).await.status, 200);
        let (at, request) = citing(&template)[index].clone();
        let cited = service.post(at, request).await;
        assert_eq!(cited.status, 201, "{at} {}", cited.body);
        assert_eq!(service.patch(&path, other).await.status, 409, "{at}");
    }
}

#[tokio::test]
async fn deleted_consent_template_is_rejected_in_requests() {
    let service = TestService::start(Backend::Sqlite).await;
    let template = consent(&service).await;
    assert_eq!(service.delete(&format!("/consentTemplates/{template}")).await.status, 204);
    for (at, request) in citing(&template) {
        let refused = service.post(at, request).await;
        assert_eq!(refused.status, 422, "{at} {}", refused.body);
        assert_eq!(refused.body["errors"][0]["field"], "consent.consentTemplateId");
    }
}
