//! A login that leads away from a hosted page in the same tab, and back to it.

use axum::http::{Method, header};
use link_store::test_support::Backend;
use serde_json::json;

use super::{Away, PROVIDER, Waiting, browse, come_back, leave, press, until_over};
use crate::invites::html;
use crate::service::{TestResponse, TestService, text};

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

#[tokio::test]
async fn login_of_a_hosted_page_comes_back_to_it() {
    let service = TestService::start(Backend::Sqlite).await;
    let visit = enter(&service).await;
    let waiting = wait_in_visit(&service, &visit).await;
    let (hosted, id) = (&service.app.settings.hosted_url, text(&waiting.progress["accountId"]));
    assert_eq!(waiting.address, format!("{hosted}/visit/sign-in/{id}"), "it has no secret");
    let away = leave_in_same_tab(&service, &waiting, &visit).await;
    let back = press(&service, &away, "allow").await;
    assert_eq!(come_back(&service, &back, &away.cookie).await, "/visit");
    let linked = until_over(&service, &waiting).await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
    assert_eq!(come_back(&service, &back, &away.cookie).await, "/sign-in/done/over-here", "the replay");
    let over = browse(&service, "/sign-in/done/over-here", "").await;
    assert!(html(&over).contains("href=\"/visit\""), "{}", html(&over));
    assert!(!html(&over).contains("other window"), "there is none: {}", html(&over));
    assert_eq!(ask_way(&service, &waiting, &visit).await.status, 204, "no login waits");
}

#[tokio::test]
async fn refusal_comes_back_to_the_hosted_page_too() {
    let service = TestService::start(Backend::Sqlite).await;
    let visit = enter(&service).await;
    let waiting = wait_in_visit(&service, &visit).await;
    let away = leave_in_same_tab(&service, &waiting, &visit).await;
    let back = press(&service, &away, "refuse").await;
    assert_eq!(come_back(&service, &back, &away.cookie).await, "/visit");
    assert_eq!(until_over(&service, &waiting).await["phase"]["failed"]["declined"], true);
}

#[tokio::test]
async fn only_the_person_of_the_visit_gets_the_way() {
    let service = TestService::start(Backend::Sqlite).await;
    let visit = enter(&service).await;
    let waiting = wait_in_visit(&service, &visit).await;
    let other = enter(&service).await;
    for stranger in ["", other.as_str()] {
        assert_eq!(ask_way(&service, &waiting, stranger).await.status, 204);
    }
    let unknown = Waiting { address: "/visit/sign-in/%00".to_owned(), ..waiting };
    assert_eq!(ask_way(&service, &unknown, &visit).await.status, 204);
}
