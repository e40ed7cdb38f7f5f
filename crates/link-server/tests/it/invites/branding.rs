//! The brand of a link template on hosted pages and in mails.

use axum::http::Method;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_store::test_support::Backend;
use link_test_support::picture::logo_png;
use serde_json::{Value, json};

use super::html;
use crate::service::{TestService, text};

fn logo(width: u32, height: u32, blue: u8) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(logo_png(width, height, [200, 30, blue])))
}

async fn branded(service: &TestService, theme: Value) -> Value {
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
    let theme = branded(&service, theme).await;
    let (light, dark) = (text(&theme["logoLight"]), text(&theme["logoDark"]));
    let invite = service.invited().await;
    let page = service.browse(Method::GET, &text(&invite["landingPageUrl"]), "", None).await;
    let shown = html(&page);
    let picture = format!(
        "<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"{dark}\" width=\"36\" height=\"36\">\
         <img src=\"{light}\" alt=\"\" width=\"36\" height=\"36\"></picture><span dir=\"auto\">Demo Company</span>"
    );
    assert!(shown.contains(&picture), "{shown}");
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    let sdk = &service.app.settings().sdk_url;
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
    let theme = branded(&service, json!({"logoLight": logo(336, 60, 1)})).await;
    let invite = service.invited().await;
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
    let link = text(&service.invited().await["landingPageUrl"]);
    let page = service.browse(Method::GET, &link, "", None).await;
    assert!(html(&page).contains("src=\"https://shop.example/logo.png\" alt=\"Demo Company\""));
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("img-src 'self' data: https://shop.example;"), "{policy}");

    branded(&service, json!({"logoLight": logo(84, 84, 1)})).await;
    let page = html(&service.browse(Method::GET, &link, "", None).await);
    assert!(!page.contains("shop.example"), "{page}");
}
