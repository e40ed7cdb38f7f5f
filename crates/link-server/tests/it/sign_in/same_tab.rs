//! A login that leads away from a hosted page in the same tab, and back to it.

use std::sync::Arc;
use std::time::Duration;

use axum::http::{Method, header};
use link_store::test_support::Backend;
use link_test_support::wait;
use serde_json::json;

use super::{Away, PROVIDER, Waiting, browse, come_back, leave, location, open_from, press, until_over};
use crate::archives::TestClock;
use crate::invites::html;
use crate::service::{As, TestResponse, TestService, text};

/// A browser in a visit of a hosted link.
async fn enter(service: &TestService) -> String {
    let body = json!({"templateId": service.sandbox.template});
    let link = service.post("/linkSessions", body).await;
    assert_eq!(link.status, 201, "{:?}", link.body);
    service.enter(&text(&link.body["url"])).await
}

/// A login that waits in the widget of a visit.
async fn wait_in_visit(service: &TestService, visit: &str) -> Waiting {
    let session = service.widget_of(visit).await;
    let progress = service.submit(&session, PROVIDER, "oauth", "pass").await;
    let progress = service.until_settled(&session, &progress).await;
    let address = text(&progress["phase"]["challenge"]["challenge"]["kind"]["redirect"]["address"]);
    Waiting { session, progress, address }
}

/// Asks for the way to the provider's page, as the script of the hosted page does.
async fn ask_way(service: &TestService, waiting: &Waiting, visit: &str) -> TestResponse {
    let path = waiting.address.trim_start_matches(service.app.settings.hosted_url.as_str());
    service.browse(Method::POST, path, visit, None).await
}

async fn leave_in_same_tab(service: &TestService, waiting: &Waiting, visit: &str) -> Away {
    let way = ask_way(service, waiting, visit).await;
    assert_eq!(
        (way.status.as_u16(), &way.headers[header::CACHE_CONTROL]),
        (200, &"no-store".parse().unwrap())
    );
    let path = text(&way.body["path"]);
    assert!(path.starts_with("/sign-in/start/demo.s.a-"), "only a path of this host: {path}");
    leave(service, &path).await
}

/// The cookies of the login and of the visit, as the browser sends both.
fn cookies(away: &Away, visit: &str) -> String {
    format!("{}; {visit}", away.cookie)
}

async fn until_connected(service: &TestService, id: &str) {
    let path = format!("/accounts/{id}");
    wait::until("the account is connected", async || {
        service.get(&path).await.body["connectionStatus"] == "CONNECTED"
    })
    .await;
}

#[tokio::test]
async fn login_of_a_hosted_page_comes_back_to_it() {
    let service = TestService::start(Backend::Sqlite).await;
    let visit = enter(&service).await;
    let waiting = wait_in_visit(&service, &visit).await;
    let (hosted, id) = (&service.app.settings.hosted_url, text(&waiting.progress["accountId"]));
    assert_eq!(waiting.address, format!("{hosted}/visit/sign-in/{id}"), "it has no secret");
    let away = leave_in_same_tab(&service, &waiting, &visit).await;
    let (back, kept) = (press(&service, &away, "allow").await, cookies(&away, &visit));
    assert_eq!(come_back(&service, &back, &kept).await, "/visit?widget");
    let linked = until_over(&service, &waiting).await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
    assert_eq!(come_back(&service, &back, &kept).await, "/sign-in/done/over-here", "the replay");
    let over = browse(&service, "/sign-in/done/over-here", "").await;
    assert!(html(&over).contains("href=\"/visit?widget\""), "{}", html(&over));
    assert!(!html(&over).contains("other window"), "there is none: {}", html(&over));
    assert_eq!(ask_way(&service, &waiting, &visit).await.status, 204, "no login waits");
}

#[tokio::test]
async fn second_login_comes_back_to_the_widget_too() {
    let service = TestService::start(Backend::Sqlite).await;
    let visit = enter(&service).await;
    let waiting = wait_in_visit(&service, &visit).await;
    let away = leave_in_same_tab(&service, &waiting, &visit).await;
    let back = press(&service, &away, "allow").await;
    come_back(&service, &back, &cookies(&away, &visit)).await;
    until_over(&service, &waiting).await;
    assert_eq!(location(&browse(&service, "/visit", &visit).await), "/visit/done");
    assert_eq!(browse(&service, "/visit?widget", &visit).await.status, 200);
    let again = wait_in_visit(&service, &visit).await;
    assert_eq!(browse(&service, "/visit", &visit).await.status, 200, "Back while the login waits");
    let away = leave_in_same_tab(&service, &again, &visit).await;
    let back = press(&service, &away, "refuse").await;
    assert_eq!(come_back(&service, &back, &cookies(&away, &visit)).await, "/visit?widget");
}

#[tokio::test]
async fn account_linked_after_the_page_went_away_is_shown() {
    let service = TestService::start(Backend::Sqlite).await;
    let visit = enter(&service).await;
    let waiting = wait_in_visit(&service, &visit).await;
    let id = text(&waiting.progress["accountId"]);
    let away = leave_in_same_tab(&service, &waiting, &visit).await;
    // The frame sends it when the page goes away.
    let ended = service.send(Method::DELETE, "/link/session", As::Session(&waiting.session), None).await;
    assert_eq!(ended.status, 204);
    let back = press(&service, &away, "allow").await;
    come_back(&service, &back, &cookies(&away, &visit)).await;
    until_connected(&service, &id).await;
    let session = service.widget_of(&visit).await;
    let state = service.send(Method::GET, "/link/session", As::Session(&session), None).await.body;
    let account = &state["attempt"]["account"];
    assert_eq!(account["accountId"], id.as_str(), "{state}");
    assert!(account["phase"].get("connected").is_some(), "the page of success follows: {state}");
}

#[tokio::test]
async fn person_who_comes_back_late_finds_the_way() {
    let clock = Arc::new(TestClock::default());
    let moved = Arc::clone(&clock);
    let service =
        TestService::start_of(Backend::Sqlite, |_| {}, move |parts| parts.ports.clock = moved).await;
    let visit = enter(&service).await;
    let waiting = wait_in_visit(&service, &visit).await;
    let path = text(&ask_way(&service, &waiting, &visit).await.body["path"]);
    let left = open_from(&service, Method::GET, &path, "same-site").await;
    let cookie = left.headers["set-cookie"].to_str().unwrap().to_owned();
    let away = Away { cookie: cookie.split(';').next().unwrap().to_owned(), page: location(&left) };
    let back = press(&service, &away, "allow").await;
    let late = 11 * 60;
    clock.advance(Duration::from_secs(late));
    let life = cookie.split("Max-Age=").nth(1).unwrap().split(';').next().unwrap();
    assert!(life.parse::<u64>().unwrap() > late, "the browser still has it: {cookie}");
    let end = come_back(&service, &back, &cookies(&away, &visit)).await;
    assert!(["/sign-in/done/expired-here", "/sign-in/done/over-here"].contains(&end.as_str()), "{end}");
    let page = browse(&service, &end, "").await;
    assert!(html(&page).contains("href=\"/visit?widget\""), "{}", html(&page));
    // A browser that lost the login's cookie is still in the visit.
    assert_eq!(come_back(&service, &back, &visit).await, end);
    assert_eq!(come_back(&service, &back, "").await, end.trim_end_matches("-here"));
    let unknown = browse(&service, "/sign-in/start/x?same-tab", "").await;
    assert!(html(&unknown).contains("href=\"/visit?widget\""), "{}", html(&unknown));
}

#[tokio::test]
async fn login_does_not_come_back_to_the_visit_of_another_person() {
    let service = TestService::start(Backend::Sqlite).await;
    let visit = enter(&service).await;
    let waiting = wait_in_visit(&service, &visit).await;
    let away = leave_in_same_tab(&service, &waiting, &visit).await;
    let back = press(&service, &away, "allow").await;
    // Another link, opened in another tab, replaced the cookie of the visit.
    let kept = cookies(&away, &enter(&service).await);
    assert_eq!(come_back(&service, &back, &kept).await, "/sign-in/done/received");
    assert!(until_over(&service, &waiting).await["phase"].get("connected").is_some(), "it counts");
    assert_eq!(come_back(&service, &back, &kept).await, "/sign-in/done/over");
}

#[tokio::test]
async fn refusal_comes_back_to_the_hosted_page_too() {
    let service = TestService::start(Backend::Sqlite).await;
    let visit = enter(&service).await;
    let waiting = wait_in_visit(&service, &visit).await;
    let away = leave_in_same_tab(&service, &waiting, &visit).await;
    let back = press(&service, &away, "refuse").await;
    assert_eq!(come_back(&service, &back, &cookies(&away, &visit)).await, "/visit?widget");
    assert_eq!(until_over(&service, &waiting).await["phase"]["failed"]["declined"], true);
}

#[tokio::test]
async fn only_the_person_of_the_visit_gets_the_way() {
    let service = TestService::start(Backend::Sqlite).await;
    let visit = enter(&service).await;
    let waiting = wait_in_visit(&service, &visit).await;
    let other = enter(&service).await;
    for (stranger, status) in [("", 401), (other.as_str(), 204)] {
        assert_eq!(ask_way(&service, &waiting, stranger).await.status, status);
    }
    let unknown = Waiting { address: "/visit/sign-in/%00".to_owned(), ..waiting };
    assert_eq!(ask_way(&service, &unknown, &visit).await.status, 204);
}
