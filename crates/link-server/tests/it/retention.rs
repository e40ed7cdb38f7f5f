//! What goes by itself, on the tenant's clock, and what a cited consent keeps from changing.

use std::time::Duration;

use axum::http::Method;
use link_domain::change::{Change, Row};
use link_domain::clock::ClockOffset;
use link_server::http::problem::Answer;
use link_server::workers::housekeeping;
use link_store::test_support::Backend;
use link_store::{Day, StoreSettings};
use link_types::signal::SignalKind;
use serde_json::{Value, json};

use crate::receiver::Receiver;
use crate::service::{As, TestService, text};

const DAY: Duration = Duration::from_secs(86_400);

/// Moves the sandbox's clock of the tenant ahead.
async fn later(service: &TestService, by: Duration) {
    let (tenant, now) = (service.owner().tenant, service.app.now(ClockOffset::default()));
    let moved = service.app.store().write(move |tx| -> Answer<_> {
        let mut tenant = tx.tenant(&tenant)?.unwrap();
        tenant.sandbox_offset = ClockOffset::from_micros(by.as_micros() as i64);
        Ok(tx.apply(&Change::row(Row::Tenant(tenant)), now)?)
    });
    moved.await.unwrap();
}

async fn until_delivered(service: &TestService, hook: &str) {
    for _ in 0..400 {
        let page = service.get(&format!("{hook}/deliveries?status=DELIVERED")).await;
        if page.body["items"].as_array().is_some_and(|it| !it.is_empty()) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("nothing was delivered");
}

#[tokio::test]
async fn events_and_deliveries_go_after_sixty_days_on_the_tenants_own_clock() {
    for backend in Backend::ALL {
        let service = TestService::start(backend).await;
        let receiver = Receiver::start(&[]).await;
        let body = json!({"url": receiver.url, "eventTypes": ["USER_CREATED"], "secret": "a secret"});
        let hook = format!("/webhooks/{}", text(&service.post("/webhooks", body).await.body["id"]));
        service.user().await;
        until_delivered(&service, &hook).await;
        let production = As::Tenant(&service.production);
        let elsewhere = service.send(Method::POST, "/users", production.clone(), Some(&json!({}))).await;
        assert_eq!(elsewhere.status, 201);

        later(&service, DAY * 59).await;
        housekeeping::tidy(&service.app, service.app.wall()).await.unwrap();
        assert_eq!(service.event_types().await, ["USER_CREATED"]);

        later(&service, DAY * 61).await;
        housekeeping::tidy(&service.app, service.app.wall()).await.unwrap();
        assert_eq!(service.get("/events").await.body["items"], json!([]));
        assert_eq!(service.get(&format!("{hook}/deliveries")).await.body["items"], json!([]));
        let kept = service.send(Method::GET, "/events", production, None).await;
        assert_eq!(kept.body["items"].as_array().unwrap().len(), 1, "its clock shows today");
    }
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
async fn a_step_that_fails_keeps_no_other_from_being_done() {
    for backend in Backend::ALL {
        let service = TestService::start(backend).await;
        service.user().await;
        let folder = match service.database.settings() {
            StoreSettings::Sqlite { keys, .. } | StoreSettings::Postgres { keys, .. } => keys.days,
            StoreSettings::Ephemeral => panic!("there is a key folder"),
        };
        let past = folder.join("1.day");
        std::fs::write(&past, "11".repeat(32)).unwrap();
        // Keys cannot be wrapped anew for a day whose file holds none.
        let moment = service.app.wall() + DAY * 40;
        for day in 0..200 {
            let file = folder.join(format!("{}.day", Day::of(moment.micros()).0 + 20 + day));
            if !file.exists() {
                std::fs::write(file, "no key").unwrap();
            }
        }
        later(&service, DAY * 61).await;
        assert!(housekeeping::tidy(&service.app, moment).await.is_err());
        assert_eq!(service.get("/events").await.body["items"], json!([]));
        assert!(!past.exists());
    }
}

/// Requests of a signal at once, of one later and of a record, each with this template as its consent.
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
        let words = request["consent"]["consentedWith"].take();
        request["consent"] = consent.clone();
        request["consent"]["consentedWith"] = words;
        (path, request)
    })
}

#[tokio::test]
async fn a_consent_template_that_a_record_or_a_signal_cites_does_not_change() {
    for backend in Backend::ALL {
        let service = TestService::start(backend).await;
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
}

#[tokio::test]
async fn a_deleted_consent_template_is_cited_no_more() {
    for backend in Backend::ALL {
        let service = TestService::start(backend).await;
        let template = consent(&service).await;
        assert_eq!(service.delete(&format!("/consentTemplates/{template}")).await.status, 204);
        for (at, request) in citing(&template) {
            let refused = service.post(at, request).await;
            assert_eq!(refused.status, 422, "{at} {}", refused.body);
            assert_eq!(refused.body["errors"][0]["field"], "consent.consentTemplateId");
        }
    }
}
