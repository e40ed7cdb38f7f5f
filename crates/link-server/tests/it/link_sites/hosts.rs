//! Own hosts of link sites: their proof, and what they serve.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::{Method, Request, header};
use link_domain::change::{Change, Row};
use link_domain::console::single_sign_on::port::{FetchError, FetchRequest, FetchedResponse, ProviderClient};
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::system::BoxFuture;
use link_domain::notifications::webhook_sender::SendError;
use link_server::app::Parts;
use link_server::settings::Settings;
use link_server::workers::audit;
use link_store::StoreError;
use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::{Value, json};

use super::site;
use crate::archives::TestClock;
use crate::invites::html;
use crate::service::{As, Keys, TestResponse, TestService, text};

/// An own host, and the `Host` that browsers send to it: it has the port of the hosted pages.
pub const OWN: &str = "apply.shop.example";
pub const HOST: &str = "apply.shop.example:8787";
/// The origin of the pages on the own host.
pub const ORIGIN: &str = "http://apply.shop.example:8787";
pub const HOSTS: &str = "/alpha/linkSiteHosts";

/// Name servers with the TXT records that a test writes.
#[derive(Default)]
pub struct Names(Mutex<HashMap<String, Vec<String>>>);

impl Names {
    /// Writes the record of a host.
    pub fn write(&self, host: &Value) {
        let texts = vec!["v=spf1 -all".to_owned(), text(&host["recordText"])];
        self.0.lock().unwrap().insert(text(&host["recordName"]), texts);
    }
}

impl ProviderClient for Names {
    fn fetch<'a>(&'a self, _: &'a FetchRequest) -> BoxFuture<'a, Result<FetchedResponse, FetchError>> {
        Box::pin(async { Err(FetchError::TimedOut) })
    }

    fn vet(&self, _: &str) -> Result<(), SendError> {
        Err(SendError::PlainRefused)
    }

    fn find_texts<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Vec<String>, FetchError>> {
        let found = self.0.lock().unwrap().get(name).cloned().unwrap_or_default();
        Box::pin(async move { Ok(found) })
    }
}

/// Lets tenants add own hosts.
pub fn offer(settings: &mut Settings) {
    settings.site_host_target = Some("sites.service.example".to_owned());
}

/// A service that offers own hosts, with its name servers.
pub struct Scene {
    pub service: TestService,
    pub clock: Arc<TestClock>,
    pub names: Arc<Names>,
}

impl Scene {
    pub async fn start(backend: Backend) -> Self {
        let names = Arc::new(Names::default());
        let known = Arc::clone(&names);
        let clock = Arc::new(TestClock::default());
        let moved = Arc::clone(&clock);
        let exchange = move |parts: &mut Parts| {
            parts.ports.identity = known;
            parts.ports.clock = moved;
        };
        Self { service: TestService::start_of(backend, offer, exchange).await, clock, names }
    }

    pub async fn add(&self, keys: &Keys, host: &str) -> Value {
        let body = json!({"host": host});
        let added = self.service.send(Method::POST, HOSTS, As::Tenant(keys), Some(&body)).await;
        assert_eq!(added.status, 201, "{:?}", added.body);
        added.body
    }

    pub async fn try_to_prove(&self, keys: &Keys, host: &Value) -> TestResponse {
        let path = format!("{HOSTS}/{}/prove", text(&host["id"]));
        self.service.send(Method::POST, &path, As::Tenant(keys), None).await
    }

    /// Adds a host and proves it.
    pub async fn prove(&self, keys: &Keys, host: &str) -> Value {
        let added = self.add(keys, host).await;
        self.names.write(&added);
        let proven = self.try_to_prove(keys, &added).await;
        assert_eq!(proven.status, 200, "{:?}", proven.body);
        proven.body
    }

    /// Creates a link site of the sandbox with a host.
    pub async fn site(&self, slug: &str, host: &str) -> Value {
        let mut body = site(&self.service, slug);
        body["host"] = json!(host);
        let made = self.service.post("/alpha/linkSites", body).await;
        assert_eq!(made.status, 201, "{:?}", made.body);
        made.body
    }

    /// Sends a browser's request to a host.
    pub async fn at(&self, host: &str, (method, path): (Method, &str), cookie: &str) -> TestResponse {
        let request = Request::builder().method(method).uri(path).header("host", host);
        let request = request.header(header::COOKIE, cookie).header("linchpin-own-host", "other.example");
        self.service.send_raw(request.body(Body::empty()).unwrap()).await
    }

    /// Returns the status of a page on the own host.
    pub async fn status(&self, path: &str) -> u16 {
        self.at(HOST, (Method::GET, path), "").await.status.as_u16()
    }

    /// Begins a visit on the own host. Returns its cookie.
    pub async fn enter(&self, path: &str) -> String {
        let entered = self.at(HOST, (Method::POST, path), "").await;
        assert_eq!(entered.status, 303, "{}", html(&entered));
        assert_eq!(entered.headers["location"], "/visit");
        entered.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned()
    }

    /// Asks whether a proxy may get a certificate.
    pub async fn certificate(&self, name: &str) -> u16 {
        let path = format!("/health/site-host?domain={name}");
        self.at("linchpin:8787", (Method::GET, &path), "").await.status.as_u16()
    }
}

#[rstest]
#[tokio::test]
async fn own_host_is_added_proven_used_and_deleted(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let scene = Scene::start(backend).await;
    let keys = &scene.service.sandbox;
    let added = scene.add(keys, "Apply.Shop.example").await;
    assert_eq!((&added["host"], &added["status"]), (&json!(OWN), &json!("PENDING")));
    assert_eq!(added["cnameTarget"], "sites.service.example");
    let early = scene.try_to_prove(keys, &added).await;
    assert_eq!((early.status.as_u16(), &early.body["code"]), (409, &json!("CONFLICT")));
    let mut unproven = site(&scene.service, "loans");
    unproven["host"] = json!(OWN);
    let refused = scene.service.post("/alpha/linkSites", unproven).await;
    assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!("host")));
    assert_eq!((scene.status("/s/loans").await, scene.certificate(OWN).await), (400, 404));

    scene.names.write(&added);
    let proven = scene.try_to_prove(keys, &added).await;
    assert_eq!(
        (proven.status.as_u16(), &proven.body["status"]),
        (200, &json!("PROVEN")),
        "{:?}",
        proven.body
    );
    assert_eq!(
        (scene.certificate("APPLY.shop.example").await, scene.certificate("shop.example").await),
        (200, 404)
    );
    let path = format!("{HOSTS}/{}", text(&added["id"]));
    assert_eq!(scene.service.get(&path).await.body, proven.body);
    assert_eq!(scene.service.get(HOSTS).await.body["items"], json!([proven.body]));
    let made = scene.site("loans", "APPLY.shop.example").await;
    assert_eq!((&made["host"], &made["url"]), (&json!(OWN), &json!(format!("{ORIGIN}/s/loans"))));

    let kept = scene.service.delete(&path).await;
    assert_eq!(kept.status, 409);
    assert!(text(&kept.body["detail"]).contains(&text(&made["id"])), "{:?}", kept.body);
    let site = format!("/alpha/linkSites/{}", text(&made["id"]));
    let changed = scene.service.patch(&site, json!({"host": ""})).await.body;
    assert_eq!((&changed["host"], text(&changed["url"]).contains(OWN)), (&Value::Null, false));
    assert_eq!(scene.service.delete(&path).await.status, 204);
    assert_eq!(scene.service.get(&path).await.status, 404);
    assert_eq!((scene.status("/s/loans").await, scene.certificate(OWN).await), (400, 404));
    audit::chain(&scene.service.app).await.unwrap();
    let events = scene.service.get("/alpha/auditEvents").await.body;
    for action in ["LINK_SITE_HOST_CREATED", "LINK_SITE_HOST_PROVEN", "LINK_SITE_HOST_DELETED"] {
        let of_host = |it: &&Value| it["action"] == action && it["subjectId"] == added["id"];
        assert!(events["items"].as_array().unwrap().iter().any(|it| of_host(&it)), "{action}: {events}");
    }
}

#[rstest]
#[tokio::test]
async fn own_host_serves_its_link_sites_and_nothing_else(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let scene = Scene::start(backend).await;
    scene.prove(&scene.service.sandbox, OWN).await;
    scene.site("loans", OWN).await;
    scene.site("cars", "").await;
    let other = scene.service.another_tenant().await;
    scene.prove(&other, "apply.other.example").await;
    let mut theirs = site(&scene.service, "theirs");
    (theirs["linkTemplateId"], theirs["host"]) = (json!(other.template), json!("apply.other.example"));
    let made = scene.service.send(Method::POST, "/alpha/linkSites", As::Tenant(&other), Some(&theirs)).await;
    assert_eq!(made.status, 201, "{:?}", made.body);
    theirs["slug"] = json!("stolen");
    theirs["host"] = json!(OWN);
    let stolen =
        scene.service.send(Method::POST, "/alpha/linkSites", As::Tenant(&other), Some(&theirs)).await;
    assert_eq!((stolen.status.as_u16(), &stolen.body["errors"][0]["field"]), (422, &json!("host")));

    assert_eq!(scene.status("/s/loans").await, 200);
    assert_eq!(
        scene.status("/s/cars").await,
        200,
        "people may have its address from before its host changed"
    );
    let hosted = scene.service.app.settings.hosted_url.split_once("://").unwrap().1;
    let page = scene.at(hosted, (Method::GET, "/s/theirs"), "").await;
    assert_eq!(page.status, 200, "the header of a client names no own host: {}", html(&page));
    for path in
        ["/s/theirs", "/s/unknown", "/", "/me", "/console", "/sdk/frame/p1/lt-1", "/docs", "/visit/finish"]
    {
        assert_eq!(scene.status(path).await, 404, "{path}");
    }
    let asked = Request::get("/").header("host", HOST).header(header::ACCEPT, "text/html,*/*;q=0.8");
    let page = scene.service.send_raw(asked.body(Body::empty()).unwrap()).await;
    assert!(page.status == 404 && html(&page).contains("This page does not exist"), "{}", html(&page));
    for path in ["/hosted/page.css", "/hosted/page.js"] {
        assert_eq!(scene.status(path).await, 200, "{path}");
    }
    for host in
        ["apply.shop.example", "apply.shop.example:8788", "other.example:8787", "x.apply.shop.example:8787"]
    {
        assert_eq!(scene.at(host, (Method::GET, "/s/loans"), "").await.status, 400, "{host}");
    }
    let begun = scene.at(HOST, (Method::POST, "/s/theirs"), "").await;
    assert_eq!((begun.status.as_u16(), begun.headers.get("set-cookie")), (404, None));
    assert_eq!(
        scene.service.browse(Method::GET, "/s/loans", "", None).await.status,
        200,
        "it keeps its first address"
    );
}

#[rstest]
#[tokio::test]
async fn own_host_belongs_to_the_tenant_that_proved_it_last(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let scene = Scene::start(backend).await;
    let first = scene.prove(&scene.service.sandbox, OWN).await;
    let made = scene.site("loans", OWN).await;
    let other = scene.service.another_tenant().await;
    let before = scene.add(&other, OWN).await;
    assert_eq!(scene.try_to_prove(&other, &before).await.status, 409, "the record has another token");
    assert_eq!(scene.status("/s/loans").await, 200);
    scene.names.write(&before);
    assert_eq!(scene.try_to_prove(&other, &before).await.status, 200);

    assert_eq!(scene.service.get(HOSTS).await.body["items"], json!([]), "also its token is gone");
    let lost = scene.service.get(&format!("/alpha/linkSites/{}", text(&made["id"]))).await.body;
    assert_eq!((&lost["host"], text(&lost["url"]).contains(OWN)), (&Value::Null, false), "{lost}");
    assert_eq!(scene.status("/s/loans").await, 404);
    audit::chain(&scene.service.app).await.unwrap();
    let events = scene.service.get("/alpha/auditEvents?action=LINK_SITE_HOST_DELETED").await.body;
    assert_eq!(
        (&events["items"][0]["subjectId"], &events["items"][0]["actor"]["type"]),
        (&first["id"], &json!("OPERATOR"))
    );
    let again = scene.add(&scene.service.sandbox, OWN).await;
    scene.names.write(&first);
    assert_eq!(
        scene.try_to_prove(&scene.service.sandbox, &again).await.status,
        409,
        "an earlier record has another token"
    );
    scene.names.write(&again);
    scene.names.write(&before);
    assert_eq!(scene.try_to_prove(&other, &before).await.status, 200);
    let kept = scene.service.get(HOSTS).await.body["items"][0].clone();
    assert_eq!((&kept["id"], &kept["status"]), (&again["id"], &json!("PENDING")), "{kept}");
    assert_ne!(kept["recordText"], again["recordText"], "its record may have been left behind");
    audit::chain(&scene.service.app).await.unwrap();
    let lost = scene.service.get("/alpha/auditEvents?action=LINK_SITE_HOST_DELETED").await.body;
    assert_eq!(lost["items"].as_array().unwrap().len(), 1, "only a proven host is lost: {lost}");
}

#[tokio::test]
async fn own_host_belongs_to_one_environment() {
    let scene = Scene::start(Backend::Sqlite).await;
    let (sandbox, production) = (&scene.service.sandbox, &scene.service.production);
    let pending = scene.add(sandbox, OWN).await;
    scene.prove(production, OWN).await;
    let pending = scene.service.get(&format!("{HOSTS}/{}", text(&pending["id"]))).await.body;
    scene.names.write(&pending);
    let refused = scene.try_to_prove(sandbox, &pending).await;
    assert_eq!(refused.status, 409, "production has it: {:?}", refused.body);
    assert!(text(&refused.body["detail"]).contains("Your other environment"), "{:?}", refused.body);
    assert_eq!(scene.service.delete(&format!("{HOSTS}/{}", text(&pending["id"]))).await.status, 204);
    for (host, status) in
        [(OWN, 409), ("sites.service.example", 422), ("localhost", 422), ("*.shop.example", 422)]
    {
        let refused = scene.service.post(HOSTS, json!({"host": host})).await;
        assert_eq!(refused.status.as_u16(), status, "{host}: {:?}", refused.body);
    }
}

#[tokio::test]
async fn unknown_hosts_do_not_read_the_database() {
    let scene = Scene::start(Backend::Sqlite).await;
    let added = scene.add(&scene.service.sandbox, OWN).await;
    assert_eq!(scene.status("/s/loans").await, 400);
    let (app, owner) = (&scene.service.app, scene.service.owner());
    let (id, now) = (text(&added["id"]).parse().unwrap(), app.now(ClockOffset::default()));
    let proven: Result<(), StoreError> = app
        .store
        .write(move |tx| {
            let mut host = tx.link_site_hosts().get(&owner, &id)?.unwrap();
            host.proven_at = Some(now.wall());
            tx.apply(&Change::row(Row::LinkSiteHost(host)), now)
        })
        .await;
    proven.unwrap();
    // Another node proved it. This one reads it again after 30 seconds, and until then nothing at all.
    assert_eq!(scene.status("/s/loans").await, 400);
    app.caches.site_hosts.forget();
    assert_eq!(scene.status("/s/loans").await, 404, "the host is known, the site is not");
}

#[tokio::test]
async fn service_without_a_target_offers_no_own_hosts() {
    let service = TestService::start(Backend::Sqlite).await;
    let id = format!("{HOSTS}/host-{}", "0".repeat(32));
    for (path, body) in [(HOSTS.to_owned(), json!({"host": OWN})), (format!("{id}/prove"), json!({}))] {
        let refused = service.post(&path, body).await;
        assert_eq!(refused.status, 409, "{path}");
        assert!(text(&refused.body["detail"]).contains("does not offer own hosts"), "{:?}", refused.body);
    }
    assert_eq!(service.get(HOSTS).await.body["items"], json!([]));
    assert_eq!(service.get(&id).await.status, 404);
    assert_eq!(service.delete(&id).await.status, 404);
    let mut with_host = site(&service, "loans");
    with_host["host"] = json!(OWN);
    let refused = service.post("/alpha/linkSites", with_host).await;
    assert!(text(&refused.body["errors"][0]["message"]).contains("does not offer"), "{:?}", refused.body);
    let unknown = Request::get("/s/loans").header("host", HOST).body(Body::empty()).unwrap();
    assert_eq!(service.send_raw(unknown).await.status, 400);
    let asked = Request::get(format!("/health/site-host?domain={OWN}")).body(Body::empty()).unwrap();
    assert_eq!(service.send_raw(asked).await.status, 404);
}
