//! Link sites: configuring one over REST, and opening it as a browser without an invitation.

mod answers;
mod embedded;
mod files;
pub mod hosts;
mod own_host_visits;
mod pages;
pub mod proof;
mod proof_limits;

use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use link_domain::kernel::system::Clock;
use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::{Value, json};

use crate::archives::TestClock;
use crate::invites::html;
use crate::service::{As, TestService, text};

/// Returns a link site with a form, of which one field has a condition.
pub fn site(service: &TestService, slug: &str) -> Value {
    json!({
        "name": "Loans",
        "slug": slug,
        "status": "PUBLISHED",
        "linkTemplateId": service.sandbox.template,
        "steps": ["FORM", "WIDGET", "THANK_YOU"],
        "form": form(),
        "prefill": ["campaign", "reference"],
        "startPage": {"title": "Apply for a loan", "text": "A few questions."},
        "endPage": {"title": "All done", "text": "We will write."},
    })
}

fn form() -> Value {
    json!({"name": "About the loan", "reference": "loan-2026", "fields": [
        {"name": "purpose", "label": "What is it for?", "type": "CHOICE", "required": true, "choices": ["Car", "Home"]},
        {
            "name": "brand", "label": "Which brand?", "type": "TEXT", "required": true,
            "condition": {"join": "ALL", "rules": [{"field": "purpose", "operator": "EQUALS", "values": ["Car"]}]},
        },
        {"name": "campaign", "label": "Campaign", "type": "HIDDEN"},
    ]})
}

/// A service whose clock tests advance.
pub struct Stage {
    pub service: TestService,
    pub clock: Arc<TestClock>,
}

impl Stage {
    pub async fn set(backend: Backend) -> Self {
        Self::with(backend, |_| {}).await
    }

    /// Starts a service with these settings.
    pub async fn with(backend: Backend, change: impl FnOnce(&mut link_server::settings::Settings)) -> Self {
        let clock = Arc::new(TestClock::default());
        let moved = Arc::clone(&clock);
        let exchange = move |parts: &mut link_server::app::Parts| parts.ports.clock = moved as Arc<dyn Clock>;
        let service = TestService::start_of(backend, change, exchange).await;
        Self { service, clock }
    }

    /// Creates a link site.
    pub async fn site(&self, body: Value) -> Value {
        let made = self.service.post("/alpha/linkSites", body).await;
        assert_eq!(made.status, 201, "{:?}", made.body);
        made.body
    }

    /// Presses the button of a site's first page. Returns the visit's cookie.
    pub async fn enter(&self, path: &str) -> String {
        self.service.enter(path).await
    }

    /// Waits until a person can have read the form.
    pub fn read(&self) {
        self.clock.advance(Duration::from_secs(2));
    }

    pub async fn page(&self, path: &str, cookie: &str) -> (u16, String) {
        let response = self.service.browse(Method::GET, path, cookie, None).await;
        (response.status.as_u16(), html(&response))
    }

    /// Sends the form of the visit. Returns the status and the page.
    pub async fn send(&self, cookie: &str, answers: &str) -> (u16, String) {
        let response = self.service.browse(Method::POST, "/visit/form", cookie, Some(answers)).await;
        (response.status.as_u16(), html(&response))
    }
}

#[rstest]
#[tokio::test]
async fn link_site_can_be_created_changed_and_deleted(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let made = service.post("/alpha/linkSites", site(&service, "loans")).await;
    assert_eq!(made.status, 201, "{:?}", made.body);
    assert!(text(&made.body["url"]).ends_with("/s/loans"), "{:?}", made.body);
    assert_eq!((&made.body["access"], &made.body["formVersion"]), (&json!("OPEN"), &json!(1)));
    let path = format!("/alpha/linkSites/{}", text(&made.body["id"]));
    let changed = service.patch(&path, json!({"slug": "loans-2", "status": "CLOSED"})).await.body;
    assert_eq!((&changed["slug"], &changed["status"]), (&json!("loans-2"), &json!("CLOSED")));
    assert_eq!(service.get(&path).await.body, changed);
    assert_eq!(service.get("/alpha/linkSites").await.body["items"], json!([changed]));
    assert_eq!(service.delete(&path).await.status, 204);
    assert_eq!(service.get(&path).await.status, 404);
    assert_eq!(service.delete(&path).await.status, 404);
    let again = service.post("/alpha/linkSites", site(&service, "loans-2")).await;
    assert_eq!(again.status, 201, "no one opened the deleted site: {:?}", again.body);
}

#[tokio::test]
async fn update_with_an_older_revision_is_refused() {
    let service = TestService::start(Backend::Sqlite).await;
    let made = service.post("/alpha/linkSites", site(&service, "loans")).await.body;
    let path = format!("/alpha/linkSites/{}", text(&made["id"]));
    let update = |name: &str, revision: &Value| json!({"name": name, "revision": revision});
    let first = service.patch(&path, update("One", &made["revision"])).await;
    assert_eq!(first.status, 200, "{:?}", first.body);
    assert_ne!(first.body["revision"], made["revision"]);
    let second = service.patch(&path, update("Two", &made["revision"])).await;
    assert_eq!((second.status.as_u16(), &second.body["code"]), (409, &json!("CONFLICT")));
    assert_eq!(service.get(&path).await.body["name"], "One");
    let again = service.patch(&path, update("Two", &first.body["revision"])).await;
    assert_eq!(again.status, 200, "{:?}", again.body);
}

#[tokio::test]
async fn every_fault_of_a_draft_is_reported_by_field() {
    let service = TestService::start(Backend::Sqlite).await;
    assert_eq!(service.post("/alpha/linkSites", site(&service, "taken")).await.status, 201);
    let faults = async |body: Value| {
        let refused = service.post("/alpha/linkSites", body).await;
        assert_eq!(refused.status, 422, "{:?}", refused.body);
        let errors = refused.body["errors"].as_array().unwrap().iter();
        let mut fields: Vec<_> = errors.map(|it| text(&it["field"])).collect();
        fields.sort();
        fields
    };
    let mut body = site(&service, "taken");
    body["linkTemplateId"] = json!(format!("lt-{}", "0".repeat(32)));
    body["steps"] = json!(["THANK_YOU", "FORM"]);
    body["prefill"] = json!(["purpose"]);
    body["form"]["fields"][0]["condition"] =
        json!({"join": "ANY", "rules": [{"field": "brand", "operator": "ANSWERED"}]});
    body["form"]["fields"][1]["condition"]["rules"][0]["values"] = json!(["Boat"]);
    let expected = [
        "form.fields[0].condition.rules[0].field",
        "form.fields[1].condition.rules[0].values",
        "linkTemplateId",
        "prefill",
        "slug",
        "steps",
    ];
    assert_eq!(faults(body).await, expected);
    let mut body = site(&service, "console");
    body["endPage"]["redirectUrl"] = json!("https://elsewhere.example/");
    assert_eq!(faults(body).await, ["endPage.redirectUrl", "slug"]);
    let mut body = site(&service, "Not a slug");
    body["form"]["fields"][0]["type"] = json!("COLOR");
    assert_eq!(faults(body).await, ["form.fields[0].type", "slug"]);
}

#[tokio::test]
async fn link_site_of_another_environment_is_missing() {
    let service = TestService::start(Backend::Sqlite).await;
    let made = service.post("/alpha/linkSites", site(&service, "loans")).await.body;
    let path = format!("/alpha/linkSites/{}", text(&made["id"]));
    for path in [path.clone(), format!("{path}/versions/1")] {
        let own = service.get(&path).await;
        assert_eq!(own.status, 200, "{:?}", own.body);
        let other = service.send(Method::GET, &path, As::Tenant(&service.production), None).await;
        assert_eq!(other.status, 404, "{path}");
    }
    let listed = service.send(Method::GET, "/alpha/linkSites", As::Tenant(&service.production), None).await;
    assert_eq!(listed.body["items"], json!([]));
}

#[tokio::test]
async fn version_that_was_opened_stays_readable() {
    let stage = Stage::set(Backend::Sqlite).await;
    let made = stage.site(site(&stage.service, "loans")).await;
    let path = format!("/alpha/linkSites/{}", text(&made["id"]));
    let with = |label: &str| {
        let mut form = form();
        form["fields"][0]["label"] = json!(label);
        json!({"form": form})
    };
    let unread = stage.service.patch(&path, with("Why?")).await.body;
    assert_eq!(unread["formVersion"], 1, "no one has seen the first form");
    let cookie = stage.enter("/s/loans").await;
    let changed = stage.service.patch(&path, with("What for?")).await.body;
    assert_eq!(changed["formVersion"], 2);
    let (_, page) = stage.page("/visit", &cookie).await;
    assert!(page.contains("Why?") && !page.contains("What for?"), "the person keeps the version: {page}");
    stage.read();
    assert_eq!(stage.send(&cookie, "purpose=Home").await.0, 303);
    let listed = stage.service.get("/alpha/forms").await.body;
    assert_eq!(listed["items"][0]["formVersion"], 1);
    assert_eq!(stage.service.delete(&path).await.status, 204);
    let version = stage.service.get(&format!("{path}/versions/1")).await;
    assert_eq!(version.body["form"]["fields"][0]["label"], "Why?", "{:?}", version.body);
    assert_eq!(stage.service.get(&format!("{path}/versions/3")).await.status, 404);
    let slug = stage.service.post("/alpha/linkSites", site(&stage.service, "loans")).await;
    assert_eq!(slug.status, 422, "people have opened this address: {:?}", slug.body);
}

#[tokio::test]
async fn opened_link_site_keeps_its_address() {
    let stage = Stage::set(Backend::Sqlite).await;
    let made = stage.site(site(&stage.service, "loans")).await;
    stage.enter("/s/loans").await;
    let path = format!("/alpha/linkSites/{}", text(&made["id"]));
    for body in [json!({"slug": "other"}), json!({"status": "DRAFT"})] {
        assert_eq!(stage.service.patch(&path, body).await.status, 409);
    }
}
