//! Visits on own hosts of link sites, and what the operator does about the hosts.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request, header};
use link_server::workers::audit;
use link_store::test_support::Backend;
use serde_json::{Value, json};

use super::hosts::{HOST, HOSTS, ORIGIN, OWN, Scene};
use super::site;
use crate::console::audit::Socket;
use crate::invites::html;
use crate::service::{As, TestResponse, secret, text};

impl Scene {
    async fn send_form(&self, cookie: &str) -> TestResponse {
        let sent = Request::post("/visit/form").header("host", HOST).header(header::COOKIE, cookie);
        let sent = sent.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.service.send_raw(sent.body(Body::from("purpose=Home")).unwrap()).await
    }

    async fn site_with_steps(&self, slug: &str, steps: &[&str]) -> Value {
        let mut body = site(&self.service, slug);
        (body["host"], body["steps"]) = (json!(OWN), json!(steps));
        if !steps.contains(&"FORM") {
            body["prefill"] = json!([]);
            body.as_object_mut().unwrap().remove("form");
        }
        let made = self.service.post("/alpha/linkSites", body).await;
        assert_eq!(made.status, 201, "{:?}", made.body);
        made.body
    }
}

#[tokio::test]
async fn visit_on_an_own_host_reaches_its_end() {
    let scene = Scene::start(Backend::Sqlite).await;
    scene.prove(&scene.service.sandbox, OWN).await;
    scene.site_with_steps("loans", &["FORM", "THANK_YOU"]).await;
    let other = scene.service.another_tenant().await;
    let mut theirs = site(&scene.service, "theirs");
    theirs["linkTemplateId"] = json!(other.template);
    let made = scene.service.send(Method::POST, "/alpha/linkSites", As::Tenant(&other), Some(&theirs)).await;
    assert_eq!(made.status, 201, "{:?}", made.body);
    let foreign = scene.service.enter("/s/theirs").await;
    let cookie = scene.enter("/s/loans").await;
    let page = scene.at(HOST, (Method::GET, "/visit"), &cookie).await;
    assert!(html(&page).contains("What is it for?"), "{}", html(&page));
    let refused = scene.at(HOST, (Method::GET, "/visit"), &foreign).await;
    assert_eq!(refused.status, 403, "a visit of another tenant");
    scene.clock.advance(Duration::from_secs(2));
    let sent = scene.send_form(&cookie).await;
    assert_eq!(
        (sent.status.as_u16(), &sent.headers["location"]),
        (303, &header::HeaderValue::from_static("/visit"))
    );
    let end = scene.at(HOST, (Method::GET, "/visit/done"), &cookie).await;
    assert!(html(&end).contains("All done"), "{}", html(&end));
}

#[tokio::test]
async fn visit_goes_on_after_its_site_got_another_host() {
    let scene = Scene::start(Backend::Sqlite).await;
    scene.prove(&scene.service.sandbox, OWN).await;
    scene.prove(&scene.service.sandbox, "new.shop.example").await;
    let path = format!("/alpha/linkSites/{}", text(&scene.site("loans", OWN).await["id"]));
    for host in ["new.shop.example", ""] {
        let cookie = scene.enter("/s/loans").await;
        assert_eq!(scene.service.patch(&path, json!({"host": host})).await.status, 200);
        scene.clock.advance(Duration::from_secs(2));
        let sent = scene.send_form(&cookie).await;
        assert_eq!(sent.status, 303, "the answers are kept with {host:?}: {}", html(&sent));
        assert_eq!(scene.status("/s/loans").await, 200, "people have the address");
    }
}

#[tokio::test]
async fn frame_of_a_link_site_works_on_its_own_host() {
    let scene = Scene::start(Backend::Sqlite).await;
    scene.prove(&scene.service.sandbox, OWN).await;
    let mut body = site(&scene.service, "loans");
    (body["host"], body["embedOrigins"]) = (json!(OWN), json!(["https://app.example.com"]));
    let allowed = json!({"allowedOrigins": ["https://app.example.com"]});
    let template = format!("/linkTemplates/{}", scene.service.sandbox.template);
    assert_eq!(scene.service.patch(&template, allowed).await.status, 200);
    assert_eq!(scene.service.post("/alpha/linkSites", body).await.status, 201);
    let page = scene.at(HOST, (Method::GET, "/s/loans/embed"), "").await;
    assert_eq!(page.status, 200, "{}", html(&page));
    let policy = page.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.contains("frame-ancestors https://app.example.com"), "{policy}");
}

#[tokio::test]
async fn operator_confirms_a_host_that_no_record_can_prove() {
    let scene = Scene::start(Backend::Sqlite).await;
    let socket = Socket::listen(&scene.service);
    let confirm =
        json!({"confirmSiteHost": {"tenant": "demo", "mode": "SANDBOX", "host": "Apply.Shop.example"}});
    let done = socket.ask(confirm).await["done"].clone();
    assert_eq!(done["host"], OWN, "{done}");
    let listed = scene.service.get(HOSTS).await.body["items"].clone();
    assert_eq!((&listed[0]["id"], &listed[0]["status"]), (&done["id"], &json!("PROVEN")));
    scene.site("loans", OWN).await;
    assert_eq!((scene.status("/s/loans").await, scene.certificate(OWN).await), (200, 200));
    audit::chain(&scene.service.app).await.unwrap();
    let events = scene.service.get("/alpha/auditEvents").await.body;
    for action in ["LINK_SITE_HOST_CREATED", "LINK_SITE_HOST_PROVEN"] {
        let of_host = |it: &Value| it["action"] == action && it["subjectId"] == done["id"];
        assert!(events["items"].as_array().unwrap().iter().any(of_host), "{action}: {events}");
    }
}

#[tokio::test]
async fn deleted_tenant_has_no_own_hosts() {
    let scene = Scene::start(Backend::Sqlite).await;
    scene.prove(&scene.service.sandbox, OWN).await;
    scene.site("loans", OWN).await;
    let socket = Socket::listen(&scene.service);
    let deleted =
        socket.ask(json!({"deleteTenant": {"tenant": "demo", "name": "Demo Company", "now": false}})).await;
    assert!(deleted["refused"].is_null(), "{deleted}");
    scene.service.app.caches.site_hosts.forget();
    assert_eq!((scene.status("/s/loans").await, scene.certificate(OWN).await), (400, 404));
}

#[tokio::test]
async fn widget_opens_on_own_hosts_of_the_same_tenant_only() {
    let scene = Scene::start(Backend::Sqlite).await;
    scene.prove(&scene.service.sandbox, OWN).await;
    let other = scene.service.another_tenant().await;
    scene.prove(&other, "apply.other.example").await;
    scene.site_with_steps("loans", &["WIDGET", "THANK_YOU"]).await;
    let cookie = scene.enter("/s/loans").await;
    let token = scene.at(HOST, (Method::POST, "/visit/token"), &cookie).await;
    assert_eq!(token.status, 201, "{:?}", token.body);
    let mut exchange = scene.service.exchange_of(&text(&token.body["userToken"]), &secret());
    for (origin, status) in [
        ("http://apply.other.example:8787", 401),
        ("https://apply.shop.example:8787", 401),
        ("http://apply.shop.example", 401),
        (ORIGIN, 201),
    ] {
        exchange["hostOrigin"] = json!(origin);
        let opened = scene.service.send(Method::POST, "/link/sessions", As::Anonymous, Some(&exchange)).await;
        assert_eq!(opened.status.as_u16(), status, "{origin}: {:?}", opened.body);
    }
    let tenants =
        scene.service.post(&format!("/tokens?userId={}", scene.service.user().await.0), json!({})).await;
    let mut own = scene.service.exchange_of(&text(&tenants.body["accessToken"]), &secret());
    own["hostOrigin"] = json!(ORIGIN);
    let refused = scene.service.send(Method::POST, "/link/sessions", As::Anonymous, Some(&own)).await;
    assert_eq!(refused.status, 401, "the tenant's own token needs an allowed origin: {:?}", refused.body);
}

#[tokio::test]
async fn frame_of_the_widget_may_be_on_own_hosts_of_its_tenant() {
    let scene = Scene::start(Backend::Sqlite).await;
    scene.prove(&scene.service.sandbox, OWN).await;
    scene.prove(&scene.service.another_tenant().await, "apply.other.example").await;
    let path = format!("/sdk/frame/p1/{}", scene.service.sandbox.template);
    let request = Request::get(&path).header("host", "localhost:8787").header("referer", ORIGIN);
    let page = scene.service.send_raw(request.body(Body::empty()).unwrap()).await;
    if page.status == 503 {
        assert!(html(&page).contains("The widget's files are not built"));
        return;
    }
    assert_eq!(page.status, 200);
    let policy = page.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.ends_with(&format!(" {ORIGIN}")) && !policy.contains("other.example"), "{policy}");
}
