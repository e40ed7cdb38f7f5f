//! Link sites in the portal: the endpoints of REST with a member as the caller, and the preview.

use axum::http::{Method, header};
use link_store::test_support::Backend;
use link_types::console::Role;
use serde_json::{Value, json};

use super::Browser;
use crate::service::{TestResponse, TestService, text};

fn draft(service: &TestService, slug: &str) -> Value {
    json!({
        "name": "Loans", "slug": slug, "linkTemplateId": service.sandbox.template,
        "steps": ["FORM", "THANK_YOU"],
        "form": {"name": null, "reference": "loan", "locale": "en", "translations": {}, "fields": [
            {"name": "use", "label": "What is it for?", "type": "CHOICE", "required": true, "choices": ["Car", "Home"],
             "help": null, "format": null, "condition": null},
            {"name": "make", "label": "Which make?", "type": "TEXT", "required": false, "choices": [], "help": null,
             "format": {"digits": {"min": "x", "max": 3}},
             "condition": {"join": "ALL", "rules": [{"field": "use", "operator": "EQUALS", "values": ["Car"]}]}},
        ]},
        "startPage": {"title": "Hello", "text": "Answer."},
        "endPage": {"title": "Bye", "text": "Done.", "redirectUrl": "https://evil.example/"},
        "locale": "en",
        "translations": {"es-MX": {"Hello": "Hola <b>"}},
    })
}

impl TestService {
    async fn preview(&self, by: &Browser, site: &str, fields: &[(&str, &str)]) -> TestResponse {
        self.submit_form("linkSitePreview", by, site, fields).await
    }
}

fn page(response: &TestResponse) -> String {
    String::from_utf8_lossy(&response.bytes).into_owned()
}

#[tokio::test]
async fn member_creates_and_changes_a_site_and_no_other_tenant_reaches_it() {
    let service = TestService::start(Backend::Sqlite).await;
    service.another_tenant().await;
    let developer = service.sign_in_as("ana@shop.example", Role::Developer).await;
    let mut body = draft(&service, "loans");
    body["form"]["fields"][1]["format"] = Value::Null;
    body["endPage"]["redirectUrl"] = Value::Null;
    let sites = "/sandbox/alpha/linkSites";
    let made = service.portal(Method::POST, sites, &developer.cookie, Some(body)).await;
    assert_eq!(made.status, 201, "{:?}", made.body);
    let path = format!("{sites}/{}", text(&made.body["id"]));
    let closing = json!({"status": "CLOSED", "revision": made.body["revision"]});
    let closed = service.portal(Method::PATCH, &path, &developer.cookie, Some(closing)).await;
    assert_eq!(closed.body["status"], "CLOSED", "{:?}", closed.body);
    let code = service.invite_member("other", "bo@other.example", Role::Owner).await;
    let stranger = service.sign_in(&code).await;
    let renamed = Some(json!({"name": "Mine"}));
    assert_eq!(service.portal(Method::PATCH, &path, &stranger.cookie, renamed).await.status, 404);
    let listed = service.portal(Method::GET, sites, &stranger.cookie, None).await;
    assert_eq!(listed.body["items"], json!([]));
    let answers = service.portal(Method::GET, "/sandbox/alpha/forms", &developer.cookie, None).await;
    assert_eq!(answers.body["items"], json!([]));
    let live =
        service.portal(Method::POST, &sites.replace("sandbox", "production"), &developer.cookie, None).await;
    assert_eq!(live.status, 403, "only owners change production");
}

#[tokio::test]
async fn preview_is_the_page_of_the_draft_without_scripts_and_stores_nothing() {
    let service = TestService::start(Backend::Sqlite).await;
    let developer = service.sign_in_as("ana@shop.example", Role::Developer).await;
    let draft = draft(&service, "loans").to_string();
    let form = service.preview(&developer, "same-origin", &[("draft", &draft), ("page", "FORM")]).await;
    assert_eq!(form.status, 200, "{:?}", page(&form));
    let policy = form.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    for directive in ["default-src 'none'", "form-action 'none'", "sandbox", "frame-ancestors 'self'"] {
        assert!(policy.split("; ").any(|it| it == directive), "{directive}: {policy}");
    }
    let html = page(&form);
    assert!(html.contains("What is it for?") && !html.contains("<script"), "{html}");
    assert!(html.contains("data-field=\"make\" hidden disabled"), "the condition does not hold: {html}");
    let all = service.preview(&developer, "same-origin", &[("draft", &draft), ("all", "on")]).await;
    assert!(!page(&all).contains("hidden disabled"));
    let fields = [("draft", draft.as_str()), ("page", "START"), ("language", "es-MX")];
    let start = page(&service.preview(&developer, "same-origin", &fields).await);
    assert!(start.contains("Hola &lt;b&gt;"), "{start}");
    let end = page(&service.preview(&developer, "same-origin", &[("draft", &draft), ("page", "END")]).await);
    assert!(end.contains("Bye") && !end.contains("evil.example"), "{end}");
    let listed = service.portal(Method::GET, "/sandbox/alpha/linkSites", &developer.cookie, None).await;
    assert_eq!(listed.body["items"], json!([]));
}

#[tokio::test]
async fn preview_is_refused_for_other_pages_and_roles() {
    let service = TestService::start(Backend::Sqlite).await;
    let developer = service.sign_in_as("ana@shop.example", Role::Developer).await;
    let viewer = service.sign_in_as("vi@shop.example", Role::Viewer).await;
    let draft = draft(&service, "loans").to_string();
    let fields = [("draft", draft.as_str())];
    assert_eq!(service.preview(&developer, "cross-site", &fields).await.status, 403);
    assert_eq!(service.preview(&viewer, "same-origin", &fields).await.status, 403);
    assert_eq!(service.preview(&developer, "same-origin", &[("draft", "{")]).await.status, 422);
    let other = draft.replace(&service.sandbox.template, &format!("lt-{}", "0".repeat(32)));
    let missing = service.preview(&developer, "same-origin", &[("draft", &other)]).await;
    assert_eq!(missing.body["errors"][0]["field"], "linkTemplateId", "{:?}", missing.body);
}
