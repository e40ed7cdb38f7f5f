//! Hosted links: created over REST, opened as a browser, and returned to the tenant.

use axum::http::Method;
use link_store::test_support::Backend;
use link_test_support::wait;
use rstest::rstest;
use serde_json::{Value, json};

use crate::clock::{DAY, advance_and_wait};
use crate::invites::html;
use crate::service::{TestService, text};

const LINKED: &str = "https://app.example/linked";

/// A service whose link template lists an address to return to.
async fn start(backend: Backend) -> TestService {
    let service = TestService::start(backend).await;
    let template = format!("/linkTemplates/{}", service.sandbox.template);
    let listed = json!({"redirectUrls": [LINKED, "com.example.app:/linked"]});
    assert_eq!(service.patch(&template, listed).await.status, 200);
    service
}

/// Creates a hosted link with these fields.
async fn create(service: &TestService, fields: Value) -> Value {
    let mut body = json!({"templateId": service.sandbox.template, "redirectUrl": LINKED});
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let made = service.post("/linkSessions", body).await;
    assert_eq!(made.status, 201, "{:?}", made.body);
    made.body
}

async fn read(service: &TestService, made: &Value) -> Value {
    let found = service.get(&format!("/linkSessions/{}", text(&made["id"]))).await;
    assert_eq!(found.status, 200, "{:?}", found.body);
    found.body
}

/// Opens a page. Returns the status and the page.
async fn page(service: &TestService, path: &str, cookie: &str) -> (u16, String) {
    let shown = service.browse(Method::GET, path, cookie, None).await;
    (shown.status.as_u16(), html(&shown))
}

/// Reports that the widget closed, as the page's script does. Returns the address to return to.
async fn finish(service: &TestService, cookie: &str) -> Value {
    let finished = service.browse(Method::POST, "/visit/finish", cookie, None).await;
    assert_eq!(finished.status, 200, "{:?}", finished.body);
    finished.body["returnUrl"].clone()
}

/// Links an account in the widget of the visit. Returns its id.
async fn link(service: &TestService, cookie: &str) -> String {
    let session = service.widget_of(cookie).await;
    let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
    text(&service.until_settled(&session, &progress).await["accountId"])
}

#[rstest]
#[tokio::test]
async fn person_links_an_account_and_returns_with_id_and_status(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = start(backend).await;
    let made = create(&service, json!({"reference": "ana", "locale": "es-MX"})).await;
    let (id, url) = (text(&made["id"]), text(&made["url"]));
    let created = read(&service, &made).await;
    assert_eq!((&created["status"], &created["openedAt"]), (&json!("CREATED"), &Value::Null), "{created}");
    assert!(created.get("url").is_none(), "the address is shown once");
    let user = service.get("/users?reference=ana").await.body["items"][0].clone();
    assert_eq!((&made["userId"], &created["userId"]), (&user["id"], &user["id"]));

    let (status, shown) = page(&service, &url, "").await;
    assert!(
        status == 200 && shown.contains("lang=\"es-MX\"") && shown.contains("method=\"post\""),
        "{shown}"
    );
    assert_eq!(read(&service, &made).await["status"], "CREATED", "a GET uses nothing up");
    let cookie = service.enter(&url).await;
    let opened = read(&service, &made).await;
    assert_eq!(opened["status"], "OPENED");
    assert!(text(&opened["linkSiteSessionId"]).starts_with("visit-"), "{opened}");
    assert!(page(&service, "/visit", &cookie).await.1.contains("id=\"return\" hidden"), "{cookie}");

    let account = link(&service, &cookie).await;
    let to = format!("{LINKED}?linkSessionId={id}&status=COMPLETED");
    assert_eq!(finish(&service, &cookie).await, json!(to));
    let completed = read(&service, &made).await;
    assert_eq!((&completed["status"], &completed["accounts"]), (&json!("COMPLETED"), &json!([account])));
    let (_, done) = page(&service, "/visit/done", &cookie).await;
    assert!(done.contains(&format!("content=\"0;url={}\"", to.replace('&', "&amp;"))), "{done}");
    service.until_event("LINK_SESSION_COMPLETED").await;
    let events = service.get("/events?type=LINK_SESSION_COMPLETED").await.body["items"].clone();
    let data = json!({"userId": made["userId"], "linkSessionId": id, "status": "COMPLETED"});
    assert_eq!((events.as_array().unwrap().len(), &events[0]["data"]), (1, &data));
}

#[rstest]
#[tokio::test]
async fn address_opens_in_one_browser(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let service = start(backend).await;
    let made = create(&service, json!({})).await;
    let url = text(&made["url"]);
    let cookie = service.enter(&url).await;
    assert_eq!(page(&service, &url, &cookie).await.0, 303, "the same browser continues");
    let again = service.browse(Method::POST, &url, &cookie, None).await;
    assert_eq!(again.status, 303, "a repeated press continues too");
    for method in [Method::GET, Method::POST] {
        let other = service.browse(method.clone(), &url, "", None).await;
        assert!(other.headers.get("set-cookie").is_none(), "{method}");
    }
    let (status, shown) = page(&service, &url, "").await;
    assert!(status == 410 && shown.contains("in the browser that opened it first"), "{status} {shown}");
    assert_eq!(page(&service, "/l/0123", "").await.0, 404);
    assert_eq!(page(&service, "/l/%00", "").await.0, 404);
}

#[tokio::test]
async fn address_that_is_not_listed_is_refused_with_the_list() {
    let service = start(Backend::Sqlite).await;
    let refuse = async |url: &str| {
        let body = json!({"templateId": service.sandbox.template, "redirectUrl": url});
        let refused = service.post("/linkSessions", body).await;
        assert_eq!(refused.status, 422, "{url}: {:?}", refused.body);
        assert_eq!(refused.body["errors"][0]["field"], "redirectUrl");
        text(&refused.body["errors"][0]["message"])
    };
    for url in
        ["https://evil.example/linked", "https://app.example/linked/", "https://app.example/linked?a=b"]
    {
        let message = refuse(url).await;
        assert!(message.contains(LINKED) && message.contains("com.example.app:/linked"), "{message}");
        assert!(!message.contains("evil"), "{message}");
    }
    let template = format!("/linkTemplates/{}", service.sandbox.template);
    assert_eq!(service.patch(&template, json!({"redirectUrls": []})).await.status, 200);
    assert!(refuse(LINKED).await.contains("Add the address"));
}

#[tokio::test]
async fn every_fault_of_a_link_is_reported_by_field() {
    let service = start(Backend::Sqlite).await;
    let (user, _) = service.user().await;
    let unknown = format!("lt-{}", "0".repeat(32));
    let other = format!("demo-{}", "0".repeat(32));
    for (body, fields) in [
        (
            json!({"templateId": unknown, "userId": user, "reference": "ana"}),
            &["templateId", "reference"][..],
        ),
        (json!({"templateId": service.sandbox.template, "userId": other}), &["userId"]),
        (
            json!({"templateId": service.sandbox.template, "expiresInSeconds": 1_814_401}),
            &["expiresInSeconds"],
        ),
        (json!({"templateId": service.sandbox.template, "expiresInSeconds": 59}), &["expiresInSeconds"]),
        (json!({}), &["templateId"]),
    ] {
        let refused = service.post("/linkSessions", body.clone()).await;
        assert_eq!(refused.status, 422, "{body}: {:?}", refused.body);
        let errors = refused.body["errors"].as_array().unwrap();
        assert_eq!(errors.iter().map(|it| text(&it["field"])).collect::<Vec<_>>(), fields, "{body}");
    }
}

#[tokio::test]
async fn wrong_redirect_urls_of_a_template_are_reported_by_index() {
    let service = start(Backend::Sqlite).await;
    let template = format!("/linkTemplates/{}", service.sandbox.template);
    let urls =
        json!({"redirectUrls": [LINKED, "javascript:alert(1)", "myapp://linked", "https://app.example/#a"]});
    let refused = service.patch(&template, urls).await;
    assert_eq!(refused.status, 422, "{:?}", refused.body);
    let errors = refused.body["errors"].as_array().unwrap();
    let fields: Vec<_> = errors.iter().map(|it| text(&it["field"])).collect();
    assert_eq!(fields, ["redirectUrls[1]", "redirectUrls[2]", "redirectUrls[3]"]);
}

#[rstest]
#[tokio::test]
async fn person_who_left_comes_back_and_completes(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = start(backend).await;
    let made = create(&service, json!({"redirectUrl": "com.example.app:/linked", "isMobileApp": true})).await;
    let (id, url) = (text(&made["id"]), text(&made["url"]));
    assert!(page(&service, &url, "").await.1.contains("data-at-once"), "an app's page begins at once");
    let cookie = service.enter(&url).await;
    let to = json!(format!("com.example.app:/linked?linkSessionId={id}&status=CLOSED"));
    assert_eq!(finish(&service, &cookie).await, to);
    assert_eq!(finish(&service, &cookie).await, to, "leaving twice is one event");
    assert_eq!(read(&service, &made).await["status"], "CLOSED");
    assert!(page(&service, "/visit", &cookie).await.1.contains("data-page=\"widget\""));
    link(&service, &cookie).await;
    assert_eq!(read(&service, &made).await["status"], "COMPLETED");
    let events = service.event_types().await;
    let of_links: Vec<_> = events.iter().filter(|it| it.starts_with("LINK_SESSION")).collect();
    assert_eq!(of_links.len(), 2, "{of_links:?}");
}

#[tokio::test]
async fn signing_in_to_an_account_again_completes_a_link() {
    let service = start(Backend::Sqlite).await;
    let first = create(&service, json!({"reference": "ana"})).await;
    let cookie = service.enter(&text(&first["url"])).await;
    let account = link(&service, &cookie).await;
    let second = create(&service, json!({"reference": "ana"})).await;
    assert_eq!(first["userId"], second["userId"]);
    let cookie = service.enter(&text(&second["url"])).await;
    assert_eq!(link(&service, &cookie).await, account);
    let completed = read(&service, &second).await;
    assert_eq!((&completed["status"], &completed["accounts"]), (&json!("COMPLETED"), &json!([account])));
    assert!(page(&service, "/visit/done", &cookie).await.1.contains("Your account is linked."));
}

#[tokio::test]
async fn link_without_a_redirect_ends_on_its_page() {
    let service = start(Backend::Sqlite).await;
    let made = create(&service, json!({"redirectUrl": null})).await;
    let cookie = service.enter(&text(&made["url"])).await;
    assert_eq!(finish(&service, &cookie).await, Value::Null);
    link(&service, &cookie).await;
    let (_, done) = page(&service, "/visit/done", &cookie).await;
    assert!(done.contains("Your account is linked.") && !done.contains("http-equiv"), "{done}");
}

#[tokio::test]
async fn person_stays_if_the_template_no_longer_lists_the_address() {
    let service = start(Backend::Sqlite).await;
    let made = create(&service, json!({})).await;
    let cookie = service.enter(&text(&made["url"])).await;
    let template = format!("/linkTemplates/{}", service.sandbox.template);
    assert_eq!(service.patch(&template, json!({"redirectUrls": []})).await.status, 200);
    assert_eq!(finish(&service, &cookie).await, Value::Null);
}

#[rstest]
#[tokio::test]
async fn unopened_link_expires_and_is_deleted_60_days_later(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = start(backend).await;
    let made = create(&service, json!({"expiresInSeconds": 60})).await;
    let kept = create(&service, json!({"expiresInSeconds": 21 * DAY})).await;
    advance_and_wait(&service, 60).await;
    service.until_event("LINK_SESSION_EXPIRED").await;
    assert_eq!(read(&service, &made).await["status"], "EXPIRED");
    let (status, shown) = page(&service, &text(&made["url"]), "").await;
    assert!(status == 410 && shown.contains("This link has expired"), "{status} {shown}");
    assert_eq!(
        service.browse(Method::POST, &text(&made["url"]), "", None).await.headers.get("set-cookie"),
        None
    );
    advance_and_wait(&service, 20 * DAY).await;
    assert_eq!(page(&service, &text(&kept["url"]), "").await.0, 200);
    advance_and_wait(&service, 41 * DAY).await;
    wait::until("the link is deleted", async || {
        service.get(&format!("/linkSessions/{}", text(&made["id"]))).await.status == 404
    })
    .await;
}

#[rstest]
#[tokio::test]
async fn erased_user_has_no_links(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let service = start(backend).await;
    let made = create(&service, json!({})).await;
    let cookie = service.enter(&text(&made["url"])).await;
    link(&service, &cookie).await;
    let unopened = create(&service, json!({"userId": made["userId"]})).await;
    assert_eq!(service.delete(&format!("/users/{}", text(&made["userId"]))).await.status, 204);
    for link in [&made, &unopened] {
        assert_eq!(service.get(&format!("/linkSessions/{}", text(&link["id"]))).await.status, 404);
        assert_eq!(page(&service, &text(&link["url"]), "").await.0, 404);
    }
    assert_eq!(page(&service, "/visit", &cookie).await.0, 403);
}

#[tokio::test]
async fn last_page_is_that_of_the_visit() {
    let service = start(Backend::Sqlite).await;
    let made = create(&service, json!({})).await;
    let cookie = service.enter(&text(&made["url"])).await;
    let session = service.widget_of(&cookie).await;
    assert_eq!(read(&service, &made).await["lastPage"], Value::Null);
    let event = |seq: u32, name: &str| json!({"seq": seq, "eventName": name, "afterMs": seq});
    let batch = json!({"opening": "0192f0c1", "events": [
        event(0, "ConsentPageOpened"), event(1, "ProviderListPageOpened"), event(2, "ProviderSelected"),
        event(3, "LeavePageOpened"),
    ]});
    let caller = crate::service::As::Session(&session);
    assert_eq!(service.send(Method::POST, "/link/events", caller, Some(&batch)).await.status, 204);
    assert_eq!(read(&service, &made).await["lastPage"], "ProviderListPageOpened");
}

#[tokio::test]
async fn hosted_link_ignores_the_form_of_its_template() {
    let service = start(Backend::Sqlite).await;
    let template = format!("/linkTemplates/{}", service.sandbox.template);
    let form = json!({"form": {"name": "Loan", "reference": "loan", "fields": [
        {"name": "note", "label": "Note", "type": "TEXT", "required": true},
    ]}});
    assert_eq!(service.patch(&template, form).await.status, 200);
    let made = create(&service, json!({})).await;
    let cookie = service.enter(&text(&made["url"])).await;
    assert!(page(&service, "/visit", &cookie).await.1.contains("data-page=\"widget\""));
    service.widget_of(&cookie).await;
}

#[tokio::test]
async fn links_of_other_tenants_and_environments_do_not_exist() {
    let service = start(Backend::Sqlite).await;
    let made = create(&service, json!({})).await;
    let other = service.another_tenant().await;
    let path = format!("/linkSessions/{}", text(&made["id"]));
    let read = service.send(Method::GET, &path, crate::service::As::Tenant(&other), None).await;
    assert_eq!(read.status, 404);
    let invite = service.invite_ana().await;
    let cookie = service.enter(&text(&invite["landingPageUrl"])).await;
    let finished = service.browse(Method::POST, "/visit/finish", &cookie, None).await;
    assert_eq!(finished.status, 404, "the visit of an invitation does not end so: {:?}", finished.body);
}
