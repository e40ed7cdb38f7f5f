//! The file types and texts of link templates.

use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_documents::{ChildReader, Tesseract};
use link_domain::change::{Change, Row};
use link_domain::kernel::clock::ClockOffset;
use link_domain::tenancy::template::TEMPLATES_LIMIT;
use link_server::http::problem;
use link_store::test_support::Backend;
use link_test_support::picture::logo_png;
use link_types::id::LinkTemplateId;
use rstest::rstest;
use serde_json::{Value, json};

use crate::service::{As, TestResponse, TestService, text};

fn fields(body: &Value) -> Vec<(String, String)> {
    let errors = body["errors"].as_array().unwrap();
    let mut named: Vec<_> = errors.iter().map(|it| (text(&it["field"]), text(&it["code"]))).collect();
    named.sort();
    named
}

#[tokio::test]
async fn link_template_file_types_and_texts_reach_the_widget() {
    let service = TestService::start(Backend::Sqlite).await;
    let path = format!("/linkTemplates/{}", service.sandbox.template);
    let change = json!({
        "fileTypes": ["PAYSLIP", "BANK_STATEMENT"],
        "texts": {"en": {"action-done": "Back to the shop", "account-title": "Your { $provider } account"}},
    });
    let changed = service.patch(&path, change.clone()).await;
    assert_eq!(changed.status, 200, "{:?}", changed.body);
    let kept = service.get(&path).await.body;
    assert_eq!((&kept["fileTypes"], &kept["texts"]), (&change["fileTypes"], &change["texts"]));
    let session = service.session().await;
    let state = service.send(axum::http::Method::GET, "/link/session", As::Session(&session), None).await;
    assert_eq!(state.body["template"]["fileTypes"], change["fileTypes"]);
    let template = json!({
        "name": "second", "companyName": "Shop", "consentTemplateId": service.sandbox.consent,
        "fileTypes": change["fileTypes"], "texts": change["texts"],
    });
    let made = service.post("/linkTemplates", template).await;
    assert_eq!(made.status, 201, "{:?}", made.body);
    assert_eq!((&made.body["fileTypes"], &made.body["texts"]), (&change["fileTypes"], &change["texts"]));
}

#[tokio::test]
async fn invalid_file_types_and_texts_are_all_reported() {
    let service = TestService::start(Backend::Sqlite).await;
    let path = format!("/linkTemplates/{}", service.sandbox.template);
    let wrong = json!({
        "fileTypes": ["PAYSLIP", "PAYSLIP"],
        "texts": {
            "en": {"action-done": "{$provider}", "no-such-text": "x", "account-title": " "},
            "xx": {"action-done": "x"},
        },
    });
    let refused = service.patch(&path, wrong).await;
    assert_eq!(refused.status, 422);
    let expected = [
        ("fileTypes[1]", "INVALID"),
        ("texts.en.account-title", "INVALID"),
        ("texts.en.action-done", "INVALID"),
        ("texts.en.no-such-text", "UNKNOWN"),
        ("texts.xx", "UNKNOWN"),
    ];
    assert_eq!(fields(&refused.body), expected.map(|(field, code)| (field.to_owned(), code.to_owned())));
}

#[tokio::test]
async fn link_template_patch_validates_only_changed_fields() {
    let service = TestService::start(Backend::Sqlite).await;
    let consent = json!({"title": "Consent", "version": "1", "text": "I agree."});
    let consent = text(&service.post("/consentTemplates", consent).await.body["id"]);
    let template = json!({"name": "Loans", "companyName": "Shop", "consentTemplateId": consent});
    let made = service.post("/linkTemplates", template).await;
    let path = format!("/linkTemplates/{}", text(&made.body["id"]));
    // The template cites a deleted consent template and a provider that is not in the catalog.
    assert_eq!(service.delete(&format!("/consentTemplates/{consent}")).await.status, 204);
    let (owner, now) = (service.owner(), service.app.now(ClockOffset::default()));
    let id: LinkTemplateId = text(&made.body["id"]).parse().unwrap();
    let written = service.app.store.write(move |tx| -> problem::ApiResult<_> {
        let mut template = tx.link_templates().get(&owner, &id)?.unwrap();
        template.template.providers = vec!["mx_away".parse().unwrap()];
        Ok(tx.apply(&Change::row(Row::LinkTemplate(template)), now)?)
    });
    written.await.unwrap();

    let renamed = service.patch(&path, json!({"name": "Credit"})).await;
    assert_eq!((renamed.status.as_u16(), &renamed.body["name"]), (200, &json!("Credit")), "{renamed:?}");
    let same = json!({"consentTemplateId": consent, "providers": ["mx_away", "mx_social_security"]});
    assert_eq!(service.patch(&path, same).await.status, 200, "unchanged values are accepted");
    let other = format!("{}0", &consent[..consent.len() - 1]);
    let other = if other == consent { format!("{}1", &consent[..consent.len() - 1]) } else { other };
    let wrong = json!({"consentTemplateId": other, "providers": ["mx_away", "mx_nowhere"]});
    let refused = service.patch(&path, wrong).await;
    let expected = [("consentTemplateId", "INVALID"), ("providers[1]", "INVALID")];
    assert_eq!(fields(&refused.body), expected.map(|(field, code)| (field.to_owned(), code.to_owned())));
}

#[tokio::test]
async fn templates_are_limited_to_200_per_kind() {
    let service = TestService::start(Backend::Sqlite).await;
    let consent = json!({"title": "Consent", "version": "1", "text": "I agree."});
    let link = json!({"name": "x", "companyName": "Shop", "consentTemplateId": service.sandbox.consent});
    let path = format!("/inviteTemplates/{}", service.sandbox.invite_template);
    let mut invite = service.get(&path).await.body;
    invite
        .as_object_mut()
        .unwrap()
        .retain(|name, _| !matches!(name.as_str(), "id" | "createdAt" | "revision"));
    for (path, body) in
        [("/consentTemplates", consent), ("/linkTemplates", link), ("/inviteTemplates", invite)]
    {
        // The first start creates one template of each kind.
        for _ in 1..TEMPLATES_LIMIT {
            let made = service.post(path, body.clone()).await;
            assert_eq!(made.status, 201, "{path} {:?}", made.body);
        }
        let refused = service.post(path, body.clone()).await;
        assert_eq!((refused.status.as_u16(), &refused.body["code"]), (409, &json!("CONFLICT")), "{path}");
        let one = text(&service.get(path).await.body["items"][0]["id"]);
        assert_eq!(service.delete(&format!("{path}/{one}")).await.status, 204);
        assert_eq!(service.post(path, body).await.status, 201, "{path}: a deleted one does not count");
    }
}

#[tokio::test]
async fn help_url_reaches_the_widget_and_can_be_removed() {
    let service = TestService::start(Backend::Sqlite).await;
    let path = format!("/linkTemplates/{}", service.sandbox.template);
    for wrong in ["http://help.example/", "javascript:alert(1)", "https://bank.example@help.example/"] {
        let refused = service.patch(&path, json!({"helpUrl": wrong})).await;
        assert_eq!(fields(&refused.body), [("helpUrl".to_owned(), "INVALID".to_owned())], "{wrong}");
    }
    let session = service.session().await;
    let shown = async || {
        let state = service.send(axum::http::Method::GET, "/link/session", As::Session(&session), None).await;
        state.body["template"]["helpUrl"].clone()
    };
    assert_eq!(shown().await, Value::Null);
    let help = json!({"helpUrl": "https://help.example/linking"});
    assert_eq!(service.patch(&path, help.clone()).await.body["helpUrl"], help["helpUrl"]);
    assert_eq!(shown().await, help["helpUrl"]);
    assert_eq!(service.patch(&path, json!({"name": "Loans"})).await.body["helpUrl"], help["helpUrl"]);
    assert_eq!(service.patch(&path, json!({"helpUrl": ""})).await.body["helpUrl"], Value::Null);
    assert_eq!(shown().await, Value::Null);
}

fn data_url(file: &[u8]) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(file))
}

fn path(service: &TestService) -> String {
    format!("/linkTemplates/{}", service.sandbox.template)
}

/// Loads a URL as a browser does.
async fn load(service: &TestService, url: &str) -> TestResponse {
    let path = url.strip_prefix(&service.app.settings.sdk_url).unwrap();
    service.send_raw(Request::get(path).header("host", "localhost:8787").body(Body::empty()).unwrap()).await
}

async fn set_theme(service: &TestService, theme: Value) -> Value {
    let changed = service.patch(&path(service), json!({"theme": theme})).await;
    assert_eq!(changed.status, 200, "{:?}", changed.body);
    changed.body["theme"].clone()
}

#[rstest]
#[tokio::test]
async fn logo_is_served_encoded_again(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let service = TestService::start(backend).await;
    let mut file = logo_png(600, 150, [200, 30, 60]);
    file.extend_from_slice(b"<script>canary</script>");
    let theme =
        set_theme(&service, json!({"logoLight": data_url(&file), "radius": 4, "font": "SERIF"})).await;
    let url = text(&theme["logoLight"]);
    let logo = load(&service, &url).await;
    assert_eq!((logo.status.as_u16(), &logo.headers["content-type"]), (200, &"image/png".parse().unwrap()));
    assert_eq!(logo.headers["cache-control"], "public, max-age=31536000, immutable");
    assert_eq!(logo.headers["x-content-type-options"], "nosniff");
    assert!(!logo.bytes.windows(6).any(|it| it == b"canary"));
    let (width, height) = (&logo.bytes[16..20], &logo.bytes[20..24]);
    assert_eq!((width, height), (&336_u32.to_be_bytes()[..], &84_u32.to_be_bytes()[..]));
    let shown = service.get(&path(&service)).await.body;
    assert_eq!(shown["theme"], theme);
    assert_eq!((&theme["radius"], &theme["font"]), (&json!(4), &json!("SERIF")));
    let listed = service.get("/linkTemplates").await;
    assert_eq!(listed.body["items"][0]["theme"], theme, "a list shows the URL and not the picture");
    assert!(listed.bytes.len() < 3_000);
}

#[rstest]
#[tokio::test]
async fn logos_are_deleted_once_unused(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let service = TestService::start(backend).await;
    let [red, blue] = [[200, 30, 60], [30, 60, 200]].map(|color| data_url(&logo_png(90, 90, color)));
    let first = set_theme(&service, json!({"logoLight": red, "logoDark": blue})).await;
    let (light, dark) = (text(&first["logoLight"]), text(&first["logoDark"]));
    assert_ne!(light, dark);
    // The template's own URL keeps a logo, and a logo that is left out is deleted.
    let second = set_theme(&service, json!({"logoLight": light, "accent": "#112233"})).await;
    assert_eq!((&second["logoLight"], &second["logoDark"]), (&json!(light), &Value::Null));
    assert_eq!(load(&service, &light).await.status, 200);
    assert_eq!(load(&service, &dark).await.status, 404);
    // Other changes do not touch the logo.
    let renamed = service.patch(&path(&service), json!({"name": "Credit"})).await;
    assert_eq!(renamed.body["theme"], second);
    assert_eq!(service.delete(&path(&service)).await.status, 204);
    assert_eq!(load(&service, &light).await.status, 404);
}

#[tokio::test]
async fn same_picture_has_another_url_in_another_template() {
    let service = TestService::start(Backend::Sqlite).await;
    let logo = data_url(&logo_png(90, 90, [1, 2, 3]));
    let theme = set_theme(&service, json!({"logoLight": logo})).await;
    let body = json!({
        "name": "second", "companyName": "Shop", "consentTemplateId": service.sandbox.consent,
        "theme": {"logoLight": logo},
    });
    let made = service.post("/linkTemplates", body.clone()).await;
    assert_eq!(made.status, 201, "{:?}", made.body);
    let url = text(&made.body["theme"]["logoLight"]);
    assert_ne!(json!(url), theme["logoLight"]);
    assert_eq!(load(&service, &url).await.status, 200);
    // The URL of another template's logo is not accepted.
    let mut foreign = body;
    foreign["theme"] = json!({"logoLight": url});
    let refused = service.post("/linkTemplates", foreign).await;
    assert_eq!((refused.status.as_u16(), faults(&refused)), (422, vec!["theme.logoLight".to_owned()]));
}

fn faults(response: &TestResponse) -> Vec<String> {
    response.body["errors"].as_array().unwrap().iter().map(|it| text(&it["field"])).collect()
}

#[tokio::test]
async fn unsuitable_branding_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let png = data_url(&logo_png(90, 90, [1, 2, 3]));
    let svg = format!("data:image/svg+xml;base64,{}", STANDARD.encode("<svg/>"));
    let large = data_url(&[0; 131_073]);
    for (theme, expected) in [
        (json!({"logoLight": svg}), vec!["theme.logoLight"]),
        (json!({"logoLight": png, "logoDark": "data:image/png,abc"}), vec!["theme.logoDark"]),
        (json!({"logoLight": "https://elsewhere.example/logo.png"}), vec!["theme.logoLight"]),
        (json!({"logoLight": large, "logoDark": svg}), vec!["theme.logoLight", "theme.logoDark"]),
        (json!({"logoDark": png}), vec!["theme.logoDark"]),
        (json!({"radius": 17}), vec!["theme.radius"]),
        (json!({"font": "Comic Sans"}), vec!["theme.font"]),
        (json!({"accent": "red"}), vec!["theme.accent"]),
    ] {
        let refused = service.patch(&path(&service), json!({"theme": theme})).await;
        assert_eq!(refused.status, 422, "{theme}");
        assert_eq!(faults(&refused), expected, "{:?}", refused.body);
    }
    let shown = service.get(&path(&service)).await.body;
    assert_eq!(shown["theme"]["logoLight"], Value::Null);
}

#[tokio::test]
async fn frame_knows_the_brand_from_its_first_byte() {
    let service = TestService::start(Backend::Sqlite).await;
    let logo = data_url(&logo_png(600, 150, [200, 30, 60]));
    let theme = set_theme(&service, json!({"logoLight": logo, "accent": "#ffee00", "radius": 0})).await;
    let frame = format!("{}/sdk/frame/p1/{}", service.app.settings.sdk_url, service.sandbox.template);
    let page = load(&service, &frame).await;
    if page.status == 503 {
        return; // The widget's files are not built.
    }
    let html = String::from_utf8(page.bytes).unwrap();
    let (_, styles) = html.split_once(r#"name="linchpin-theme" content=""#).unwrap();
    let styles = styles.split_once('"').unwrap().0;
    assert!(styles.contains(&format!("url(&quot;{}&quot;)", text(&theme["logoLight"]))), "{styles}");
    assert!(styles.contains("--radius:0px"), "{styles}");
    assert!(
        !styles.contains("#ffee00;--on-brand-light:#ffffff"),
        "the accent is darkened until it is readable: {styles}"
    );
}

#[tokio::test]
async fn sandboxed_child_encodes_logos() {
    let child = ChildReader::new(env!("CARGO_BIN_EXE_linchpin"), &["extract"], Tesseract::default());
    let service =
        TestService::start_of(Backend::Sqlite, |_| {}, |parts| parts.ports.logo_encoder = Arc::new(child))
            .await;
    let logo = data_url(&logo_png(600, 150, [200, 30, 60]));
    let theme = set_theme(&service, json!({"logoLight": logo})).await;
    assert_eq!(load(&service, &text(&theme["logoLight"])).await.status, 200);
    let broken = data_url(&logo_png(600, 150, [200, 30, 60])[..80]);
    let refused = service.patch(&path(&service), json!({"theme": {"logoLight": broken}})).await;
    assert_eq!((refused.status.as_u16(), faults(&refused)), (422, vec!["theme.logoLight".to_owned()]));
}
