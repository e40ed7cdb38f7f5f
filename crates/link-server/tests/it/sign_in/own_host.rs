//! A login that leads away from an own host of link sites, and back to it.

use axum::http::Method;
use link_store::test_support::Backend;
use serde_json::json;

use super::{Away, PROVIDER, Waiting, browse, come_back, open_from, press, until_over};
use crate::invites::html;
use crate::link_sites::hosts::{ORIGIN, OWN, Scene};
use crate::link_sites::site;
use crate::service::{As, secret, text};

const HOST: &str = "apply.shop.example:8787";

/// A login that waits in the widget of a visit on the own host, and the visit's cookie.
async fn wait_on_own_host(scene: &Scene) -> (Waiting, String) {
    scene.prove(&scene.service.sandbox, OWN).await;
    let mut body = site(&scene.service, "loans");
    (body["steps"], body["host"], body["prefill"]) = (json!(["WIDGET", "THANK_YOU"]), json!(OWN), json!([]));
    body.as_object_mut().unwrap().remove("form");
    assert_eq!(scene.service.post("/alpha/linkSites", body).await.status, 201);
    let visit = scene.enter("/s/loans").await;
    let token = scene.at(HOST, (Method::POST, "/visit/token"), &visit).await;
    let session = secret();
    let mut exchange = scene.service.exchange_of(&text(&token.body["userToken"]), &session);
    exchange["hostOrigin"] = json!(ORIGIN);
    let opened = scene.service.send(Method::POST, "/link/sessions", As::Anonymous, Some(&exchange)).await;
    assert_eq!(opened.status, 201, "{:?}", opened.body);
    let progress = scene.service.submit(&session, PROVIDER, "oauth", "pass").await;
    let progress = scene.service.until_settled(&session, &progress).await;
    let address = text(&progress["phase"]["challenge"]["challenge"]["kind"]["redirect"]["address"]);
    (Waiting { session, progress, address }, visit)
}

/// Agrees on the page that asks.
async fn leave(scene: &Scene, start: &str) -> Away {
    let left = open_from(&scene.service, Method::POST, start, "same-origin").await;
    let cookie = left.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let page = html(&left);
    let page =
        page.split("href=\"").find(|it| it.starts_with("http") && it.contains("/sandbox/provider/")).unwrap();
    Away { cookie, page: page.split('"').next().unwrap().replace("&amp;", "&") }
}

/// Comes back from the provider. Returns where the page leads: a redirect of the provider's form would not leave the service's host.
async fn come_back_to(scene: &Scene, address: &str, cookie: &str) -> String {
    let received = browse(&scene.service, address, cookie).await;
    assert_eq!(
        (received.status.as_u16(), &received.headers["referrer-policy"]),
        (200, &"no-referrer".parse().unwrap())
    );
    let page = html(&received);
    let (_, refresh) = page.split_once("content=\"0;url=").unwrap();
    refresh.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn login_of_an_own_host_comes_back_to_it() {
    let scene = Scene::start(Backend::Sqlite).await;
    let (waiting, visit) = wait_on_own_host(&scene).await;
    let hosted = &scene.service.app.settings.hosted_url;
    let path = format!("/visit/sign-in/{}", text(&waiting.progress["accountId"]));
    let way = scene.at(HOST, (Method::POST, &path), &visit).await;
    let start = text(&way.body["path"]);
    assert!(
        start.starts_with(&format!("{hosted}/sign-in/start/demo.s.a-")),
        "on the service's host: {start}"
    );
    assert!(start.ends_with("?own-host=apply.shop.example"), "{start}");
    for browser_says in ["cross-site", "same-site", "same-origin"] {
        let asked = open_from(&scene.service, Method::GET, &start, browser_says).await;
        assert!(html(&asked).contains("method=\"post\""), "the service asks: {}", html(&asked));
    }
    let away = leave(&scene, &start).await;
    let back = press(&scene.service, &away, "allow").await;
    assert_eq!(come_back_to(&scene, &back, &away.cookie).await, format!("{ORIGIN}/visit?widget"));
    let linked = until_over(&scene.service, &waiting).await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
    assert_eq!(
        come_back_to(&scene, &back, &away.cookie).await,
        format!("{ORIGIN}/visit?widget"),
        "the replay"
    );
    assert_eq!(come_back(&scene.service, &back, "").await, "/sign-in/done/over", "another browser");
    for method in [Method::GET, Method::POST] {
        let late = open_from(&scene.service, method, &start, "same-origin").await;
        assert_eq!(late.status, 410);
        assert!(html(&late).contains(&format!("href=\"{ORIGIN}/visit?widget\"")), "{}", html(&late));
    }
}

#[tokio::test]
async fn login_never_comes_back_to_the_host_of_another_tenant() {
    let scene = Scene::start(Backend::Sqlite).await;
    let (waiting, visit) = wait_on_own_host(&scene).await;
    scene.prove(&scene.service.another_tenant().await, "apply.other.example").await;
    let path = format!("/visit/sign-in/{}", text(&waiting.progress["accountId"]));
    let start = text(&scene.at(HOST, (Method::POST, &path), &visit).await.body["path"]);
    let (start, _) = start.split_once('?').unwrap();
    let address = format!("{start}?own-host=apply.other.example");
    let away = leave(&scene, &address).await;
    let back = press(&scene.service, &away, "refuse").await;
    assert_eq!(come_back(&scene.service, &back, &away.cookie).await, "/sign-in/done/refused");
    let late = html(&open_from(&scene.service, Method::GET, &address, "same-origin").await);
    assert!(!late.contains("apply.other.example"), "{late}");
}
