//! The hosted pages: their content security policy, the form and its validation.

use std::num::NonZeroU32;

use axum::http::Method;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_store::test_support::Backend;
use link_test_support::picture::logo_png;
use rstest::rstest;
use serde_json::{Value, json};

use super::{HOSTED, html};
use crate::service::{TestService, text};

fn form() -> Value {
    json!({"name": "About the loan", "reference": "loan-2026", "fields": [
        {"name": "purpose", "label": "What is it for?", "type": "CHOICE", "required": true, "choices": ["Car", "Home"]},
        {"name": "email", "label": "E-mail", "type": "EMAIL", "required": true},
        {"name": "truth", "label": "This is true", "type": "CHECKBOX", "required": true},
        {"name": "notes", "label": "Anything else?", "type": "TEXT"},
    ]})
}

async fn with_form(service: &TestService) {
    let path = format!("/linkTemplates/{}", service.sandbox.template);
    let changed = service.patch(&path, json!({"form": form()})).await;
    assert_eq!(changed.status, 200, "{:?}", changed.body);
    assert_eq!(changed.body["form"]["fields"][3]["required"], false);
}

#[tokio::test]
async fn rate_limited_page_offers_a_retry_link() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| {
            live.rate_per_second = NonZeroU32::MIN;
            live.rate_burst = NonZeroU32::new(5).unwrap();
        });
    })
    .await;
    let link = text(&service.invite_ana().await["landingPageUrl"]);
    let button = format!(r#"href="{}">Try again"#, link.trim_start_matches(HOSTED));
    for _ in 0..5 {
        assert_eq!(service.browse(Method::GET, &link, "", None).await.status, 200);
    }
    for (method, offers) in [(Method::GET, true), (Method::POST, false)] {
        let refused = service.browse(method, &link, "", None).await;
        assert_eq!(refused.status, 429);
        assert_eq!(html(&refused).contains(&button), offers, "a link would lose the posted form");
    }
}

#[tokio::test]
async fn reloading_a_form_response_redirects_to_its_page() {
    let service = TestService::start(Backend::Sqlite).await;
    for (answered, page) in [("/visit/form", "/visit"), ("/invite/abc/again", "/invite/abc")] {
        let sent = service.browse(Method::GET, answered, "", None).await;
        assert_eq!((sent.status.as_u16(), sent.headers["location"].to_str().unwrap()), (303, page));
    }
}

#[tokio::test]
async fn form_is_required_before_widget_and_stored_once() {
    let service = TestService::start(Backend::Sqlite).await;
    with_form(&service).await;
    let invite = service.invite_ana().await;
    let cookie = service.enter(&text(&invite["landingPageUrl"])).await;
    let page = service.browse(Method::GET, "/visit", &cookie, None).await;
    assert!(html(&page).contains("About the loan") && html(&page).contains("Home"), "{}", html(&page));

    let early = service.browse(Method::POST, "/visit/token", &cookie, None).await;
    assert_eq!(early.status, 409, "the widget opens only after the form: {:?}", early.body);

    let wrong = "purpose=Boat&email=%3Cb%3E&notes=hello+%22there%22";
    let wrong = service.browse(Method::POST, "/visit/form", &cookie, Some(wrong)).await;
    assert_eq!(wrong.status, 422);
    assert_eq!(html(&wrong).matches("class=\"fault\"").count(), 3, "{}", html(&wrong));
    assert!(html(&wrong).contains("value=\"hello &quot;there&quot;\""), "entered values are kept");
    assert!(html(&wrong).contains("value=\"&lt;b&gt;\""), "escaped: {}", html(&wrong));
    assert_eq!(service.get("/alpha/forms").await.body["items"], json!([]));

    let right = "purpose=Car&email=ana%40example.com&truth=on&notes=";
    for _ in 0..2 {
        let sent = service.browse(Method::POST, "/visit/form", &cookie, Some(right)).await;
        assert_eq!((sent.status.as_u16(), &sent.headers["location"]), (303, &"/visit".parse().unwrap()));
    }
    let page = service.browse(Method::GET, "/visit", &cookie, None).await;
    assert!(html(&page).contains("id=\"connect\""), "the widget is offered: {}", html(&page));

    let site = service.sandbox.template.replace("lt-", "site-");
    let user = text(&invite["userId"]);
    let found = service.get(&format!("/alpha/forms?userId={user}&linkSiteId={site}")).await.body;
    assert_eq!(found["items"].as_array().unwrap().len(), 1, "sent twice, stored once: {found}");
    let kept = &found["items"][0];
    assert_eq!(
        kept["data"],
        json!({"purpose": "Car", "email": "ana@example.com", "truth": true, "notes": null})
    );
    assert_eq!(
        (&kept["name"], &kept["reference"], &kept["userId"], &kept["linkSiteId"]),
        (&json!("About the loan"), &json!("loan-2026"), &invite["userId"], &json!(site))
    );
    assert!(text(&kept["linkSiteSessionId"]).starts_with("visit-"));
    let path = format!("/alpha/forms/{}", text(&kept["id"]));
    assert_eq!(&service.get(&path).await.body, kept);
    let other = format!("/alpha/forms?linkSiteId=site-{}", "0".repeat(32));
    assert_eq!(service.get(&other).await.body["items"], json!([]));
    assert_eq!(service.get("/alpha/forms?endDate=2020-01-01").await.body["items"], json!([]));
    assert_eq!(service.get("/alpha/forms?size=151").await.status, 422);

    assert_eq!(service.delete(&path).await.status, 204);
    assert_eq!(service.get(&path).await.status, 404);
    assert_eq!(service.delete(&path).await.status, 404);
}

#[tokio::test]
async fn form_definition_reports_all_errors() {
    let service = TestService::start(Backend::Sqlite).await;
    let path = format!("/linkTemplates/{}", service.sandbox.template);
    let mut wrong = form();
    wrong["fields"][0]["choices"] = json!([]);
    wrong["fields"][1]["name"] = json!("purpose");
    let refused = service.patch(&path, json!({"form": wrong})).await;
    let fields: Vec<_> =
        refused.body["errors"].as_array().unwrap().iter().map(|it| text(&it["field"])).collect();
    assert_eq!(fields, ["form.fields[0].choices", "form.fields[1].name"]);
    with_form(&service).await;
    let gone = service.patch(&path, json!({"form": {"reference": "x", "fields": []}})).await;
    assert_eq!(gone.body["form"], Value::Null, "{:?}", gone.body);
}

#[tokio::test]
async fn hosted_pages_allow_only_own_scripts() {
    let service = TestService::start(Backend::Sqlite).await;
    let invite = service.invite_ana().await;
    let link = text(&invite["landingPageUrl"]);
    let landing = service.browse(Method::GET, &link, "", None).await;
    let cookie = service.enter(&link).await;
    let widget = service.browse(Method::GET, "/visit", &cookie, None).await;
    let early = service.browse(Method::GET, "/visit/done", &cookie, None).await;
    assert_eq!((early.status.as_u16(), &early.headers["location"]), (303, &"/visit".parse().unwrap()));
    service.widget_of(&cookie).await;
    let done = service.browse(Method::GET, "/visit/done", &cookie, None).await;
    for page in [&landing, &widget, &done] {
        let policy = page.headers["content-security-policy"].to_str().unwrap();
        assert!(
            policy.starts_with("default-src 'none'") && policy.ends_with("frame-ancestors 'none'"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(page.headers["referrer-policy"], "same-origin");
        assert_eq!(page.headers["cache-control"], "no-store");
        let html = html(page);
        assert!(
            !html.contains("<script>") && !html.contains(" style=") && !html.contains("onclick"),
            "{html}"
        );
        assert!(!html.contains("lpt_"), "a page contains a link token");
    }
    let policy = widget.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("frame-src 'self' http://localhost:8787"), "{policy}");
    for (path, media_type) in [
        ("/hosted/page.js", "text/javascript; charset=utf-8"),
        ("/hosted/page.css", "text/css; charset=utf-8"),
        ("/hosted/theme/1f6feb.css", "text/css; charset=utf-8"),
    ] {
        let file = service.browse(Method::GET, path, "", None).await;
        assert_eq!(
            (file.status.as_u16(), &file.headers["content-type"]),
            (200, &media_type.parse().unwrap())
        );
    }
    assert_eq!(service.browse(Method::GET, "/hosted/theme/red.css", "", None).await.status, 404);
}

#[tokio::test]
async fn frame_allows_the_origin_of_hosted_pages() {
    let service = TestService::start(Backend::Sqlite).await;
    let path = format!("/sdk/frame/p1/{}", service.sandbox.template);
    let page = service.browse(Method::GET, &path, "", None).await;
    if page.status == 503 {
        assert!(html(&page).contains("The widget's files are not built"));
        return;
    }
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.ends_with(HOSTED), "{policy}");
}

#[tokio::test]
async fn hosted_pages_require_a_visit() {
    let service = TestService::start(Backend::Sqlite).await;
    for cookie in ["", "linchpin_visit=lpv_0000", "other=1; linchpin_visit="] {
        assert_eq!(service.browse(Method::GET, "/visit", cookie, None).await.status, 403);
        assert_eq!(service.browse(Method::POST, "/visit/form", cookie, Some("a=b")).await.status, 403);
        assert_eq!(service.browse(Method::POST, "/visit/token", cookie, None).await.status, 401);
    }
    let nowhere = format!("/invite/{}", "0".repeat(64));
    assert_eq!(service.browse(Method::GET, &nowhere, "", None).await.status, 404);
    assert_eq!(service.browse(Method::POST, &nowhere, "", None).await.status, 404);
    assert_eq!(service.browse(Method::POST, &format!("{nowhere}/opened"), "", None).await.status, 204);
    assert_eq!(service.browse(Method::GET, "/invite/opened/unknown", "", None).await.status, 200);
}

#[rstest]
#[tokio::test]
async fn concurrent_entries_begin_one_visit(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let service = TestService::start(backend).await;
    let invite = service.invite_ana().await;
    let link = text(&invite["landingPageUrl"]);
    let presses = (0..8).map(|_| service.browse(Method::POST, &link, "", None));
    let responses = futures_util::future::join_all(presses).await;
    let begun = responses.iter().filter(|it| it.headers.contains_key("set-cookie")).count();
    assert_eq!(begun, 1);
    assert!(responses.iter().all(|it| it.status == 303));
}

fn logo(width: u32, height: u32, blue: u8) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(logo_png(width, height, [200, 30, blue])))
}

async fn set_theme(service: &TestService, theme: Value) -> Value {
    let path = format!("/linkTemplates/{}", service.sandbox.template);
    let changed = service.patch(&path, json!({"theme": theme})).await;
    assert_eq!(changed.status, 200, "{:?}", changed.body);
    changed.body["theme"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_and_mails_have_the_brand_of_the_link_template() {
    let service = TestService::start(Backend::Sqlite).await;
    let theme = json!({
        "accent": "#b3402d", "accentDark": "#ff9c8a", "radius": 4, "font": "SERIF",
        "logoLight": logo(84, 84, 1), "logoDark": logo(84, 84, 2),
    });
    let theme = set_theme(&service, theme).await;
    let (light, dark) = (text(&theme["logoLight"]), text(&theme["logoDark"]));
    let invite = service.invite_ana().await;
    let page = service.browse(Method::GET, &text(&invite["landingPageUrl"]), "", None).await;
    let shown = html(&page);
    let picture = format!(
        "<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"{dark}\" width=\"36\" height=\"36\">\
         <img src=\"{light}\" alt=\"\" width=\"36\" height=\"36\"></picture><span dir=\"auto\">Demo Company</span>"
    );
    assert!(shown.contains(&picture), "{shown}");
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    let sdk = &service.app.settings.sdk_url;
    assert!(policy.contains(&format!("img-src 'self' data: {sdk};")), "{policy}");

    let styles = "/hosted/theme/b3402d-ff9c8a-r4-serif.css";
    assert!(shown.contains(&format!("href=\"{styles}\"")), "{shown}");
    let styles = html(&service.browse(Method::GET, styles, "", None).await);
    for part in ["--accent: light-dark(#b3402d, #ff9c8a)", "--radius: 4px;", "--font: Charter,"] {
        assert!(styles.contains(part), "{part}: {styles}");
    }

    service.until_invite(&invite, "kept", |it| !it["invitedAt"].is_null()).await;
    let mail = service.last_mail(&invite).await.unwrap().replace("=\r\n", "").replace("=3D", "=");
    for part in [light.as_str(), dark.as_str(), "background:#b3402d", "border-radius:4px", "Charter,"] {
        assert!(mail.contains(part), "{part}: {mail}");
    }
    assert!(mail.contains("\r\nContent-Language: en\r\n"), "{mail}");
}

#[tokio::test]
async fn single_logo_is_drawn_on_white_in_the_dark_theme() {
    let service = TestService::start(Backend::Sqlite).await;
    let theme = set_theme(&service, json!({"logoLight": logo(336, 60, 1)})).await;
    let invite = service.invite_ana().await;
    let shown = html(&service.browse(Method::GET, &text(&invite["landingPageUrl"]), "", None).await);
    assert!(shown.contains("<picture class=\"plate\">"), "{shown}");
    let image = format!(
        "<img src=\"{}\" alt=\"Demo Company\" width=\"144\" height=\"36\"></picture></header>",
        text(&theme["logoLight"])
    );
    assert!(shown.contains(&image), "a wordmark replaces the name: {shown}");
}

#[tokio::test]
async fn logo_of_the_invite_template_replaces_a_missing_one() {
    let service = TestService::start(Backend::Sqlite).await;
    let template = format!("/inviteTemplates/{}", service.sandbox.invite_template);
    let company = json!({"name": "Demo Company", "logoUrl": "https://shop.example/logo.png"});
    assert_eq!(service.patch(&template, json!({"company": company})).await.status, 200);
    let link = text(&service.invite_ana().await["landingPageUrl"]);
    let page = service.browse(Method::GET, &link, "", None).await;
    assert!(html(&page).contains("src=\"https://shop.example/logo.png\" alt=\"Demo Company\""));
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("img-src 'self' data: https://shop.example;"), "{policy}");

    set_theme(&service, json!({"logoLight": logo(84, 84, 1)})).await;
    let page = html(&service.browse(Method::GET, &link, "", None).await);
    assert!(!page.contains("shop.example"), "{page}");
}
