//! The preview of a link or consent template: the frame's page with the draft, without an origin and without the service.

use axum::body::Body;
use axum::http::{Method, Request, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_store::test_support::Backend;
use link_test_support::picture::logo_png;
use link_types::console::Role;
use serde_json::{Value, json};

use super::Browser;
use crate::service::{TestResponse, TestService};

fn draft(service: &TestService) -> Value {
    json!({
        "name": "Loans", "companyName": "Cars & \"Co\" <b>", "consentTemplateId": service.sandbox.consent,
        "providers": ["ph_social_security", "mx_social_security"], "topProviders": ["mx_social_security"],
        "uploadsEnabled": true, "optionalData": ["INCOMES", "NOTHING"], "syncEnabled": true, "syncInterval": "SOMETIMES",
        "theme": {"accent": "#b3202a", "accentDark": "#b3", "radius": 4, "font": "SERIF", "logoLight": null, "logoDark": null},
        "texts": {"es-MX": {"providers-title": "¿Dónde trabajas?"}},
        "helpUrl": "",
    })
}

async fn preview(service: &TestService, by: &Browser, draft: &Value, more: &[(&str, &str)]) -> TestResponse {
    let text = draft.to_string();
    let mut fields =
        vec![("draft", text.as_str()), ("kind", "LINK"), ("page", "CONSENT"), ("language", "en")];
    // A later field replaces an earlier one.
    fields.extend(more);
    service.submit_form("templatePreview", by, "same-origin", &fields).await
}

/// Returns the page, or `None` if the frame is not built.
fn page(response: &TestResponse) -> Option<String> {
    let page = String::from_utf8_lossy(&response.bytes).into_owned();
    if response.status == 503 {
        assert!(page.contains("The widget's files are not built"), "{page}");
        return None;
    }
    assert_eq!(response.status, 200, "{page}");
    Some(page)
}

/// Returns a value of the page.
fn value(page: &str, name: &str) -> String {
    let (_, rest) = page.split_once(&format!("name=\"linchpin-{name}\" content=\"")).unwrap();
    let value = rest.split('"').next().unwrap();
    value.replace("&quot;", "\"").replace("&lt;", "<").replace("&amp;", "&")
}

fn answers(page: &str) -> Value {
    serde_json::from_str(&value(page, "preview")).unwrap()
}

#[tokio::test]
async fn preview_is_the_frame_with_the_draft_and_reaches_no_service() {
    let service = TestService::start(Backend::Sqlite).await;
    let developer = service.sign_in_as("ana@shop.example", Role::Developer).await;
    let response = preview(&service, &developer, &draft(&service), &[("language", "es-MX")]).await;
    let Some(page) = page(&response) else { return };
    let policy = response.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    let sdk = &service.app.settings.sdk_url;
    for directive in [
        "default-src 'none'",
        &format!("connect-src {sdk}/sdk/assets/"),
        "form-action 'none'",
        "sandbox allow-scripts allow-forms",
        "require-trusted-types-for 'script'",
        "frame-ancestors 'self'",
    ] {
        assert!(policy.split("; ").any(|it| it == directive), "{directive}: {policy}");
    }
    assert!(!policy.contains("unsafe-inline") && !policy.contains("'self' 'wasm"), "{policy}");
    assert_eq!(response.headers[header::CACHE_CONTROL], "no-store");
    assert_eq!(value(&page, "api-base"), "https://preview.invalid/v1");
    assert_eq!(value(&page, "company"), "Cars & \"Co\" <b>");
    assert!(!page.contains("<b>"), "{page}");
    assert!(value(&page, "glue").starts_with(&format!("{sdk}/sdk/assets/")), "{page}");
    assert!(value(&page, "theme").contains("--radius:4px"), "{page}");
    assert!(value(&page, "texts").contains("¿Dónde trabajas?"), "{page}");
    let answers = answers(&page);
    let template = &answers["session"]["template"];
    assert_eq!(template["companyName"], "Cars & \"Co\" <b>");
    assert_eq!(template["optionalData"], json!(["INCOMES"]), "what is not valid yet is left out");
    assert_eq!(template["syncInterval"], "MONTHLY");
    assert_eq!(template["consent"]["locale"], "es-MX");
    let options = json!({
        "templateId": template["id"], "locale": "es-MX", "theme": "light", "enableConsentPage": true,
    });
    assert_eq!(answers["options"], options);
    let ids = |list: &str| {
        let items = answers[list].as_array().unwrap().iter();
        items.map(|it| it["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let mut offered = ids("providers");
    offered.sort();
    assert_eq!(offered, ["mx_social_security", "ph_social_security"]);
    assert_eq!(ids("providers"), ids("details"));
    let listed = service.portal(Method::GET, "/sandbox/linkTemplates", &developer.cookie, None).await;
    assert!(!listed.bytes.windows(6).any(|it| it == b"Cars &"), "nothing is stored");
}

#[tokio::test]
async fn preview_begins_where_the_member_wants() {
    let service = TestService::start(Backend::Sqlite).await;
    let viewer = service.sign_in_as("vi@shop.example", Role::Viewer).await;
    let draft = draft(&service);
    let fields = [("page", "LOGIN"), ("scheme", "dark")];
    let Some(login) = page(&preview(&service, &viewer, &draft, &fields).await) else { return };
    let options = &answers(&login)["options"];
    assert_eq!((&options["theme"], &options["enableConsentPage"]), (&json!("dark"), &json!(false)));
    assert_eq!(options["providerId"], "mx_social_security");
    assert_eq!(answers(&login)["session"]["template"]["allowConsentSkip"], true);
    let list = page(&preview(&service, &viewer, &draft, &[("page", "PROVIDERS")]).await).unwrap();
    assert_eq!(answers(&list)["options"]["enableConsentPage"], false);
    for wrong in [("page", "END"), ("kind", "INVITE"), ("draft", "[]"), ("draft", "{")] {
        assert_eq!(preview(&service, &viewer, &draft, &[wrong]).await.status, 422, "{wrong:?}");
    }
}

#[tokio::test]
async fn new_logo_is_in_the_page_and_one_of_another_template_is_not() {
    let service = TestService::start(Backend::Sqlite).await;
    let developer = service.sign_in_as("ana@shop.example", Role::Developer).await;
    let mut draft = draft(&service);
    let file = STANDARD.encode(logo_png(600, 150, [200, 30, 60]));
    draft["theme"]["logoLight"] = json!(format!("data:image/png;base64,{file}"));
    let Some(new) = page(&preview(&service, &developer, &draft, &[]).await) else { return };
    let theme = value(&new, "theme");
    assert!(theme.contains("--logo-light:url(\"data:image/png;base64,"), "{theme}");
    assert!(theme.contains("--logo-light-width:112px") && !theme.contains(&file), "encoded again: {theme}");
    let path = format!("/sandbox/linkTemplates/{}", service.sandbox.template);
    let body = json!({"theme": draft["theme"].as_object().map(|it| json!({"logoLight": it["logoLight"]}))});
    let saved = service.portal(Method::PATCH, &path, &developer.cookie, Some(body)).await;
    assert_eq!(saved.status, 200, "{:?}", saved.body);
    draft["theme"]["logoLight"] = saved.body["theme"]["logoLight"].clone();
    let own = [("id", service.sandbox.template.as_str())];
    let kept = page(&preview(&service, &developer, &draft, &own).await).unwrap();
    assert!(value(&kept, "theme").contains("--logo-light:url(\"http"), "{kept}");
    let other = page(&preview(&service, &developer, &draft, &[]).await).unwrap();
    assert!(!value(&other, "theme").contains("--logo-light"), "{other}");
    assert!(value(&other, "theme").contains("--radius:4px"), "{other}");
    draft["theme"]["logoLight"] = json!("data:image/svg+xml;base64,PHN2Zy8+");
    let refused = page(&preview(&service, &developer, &draft, &own).await).unwrap();
    assert!(!value(&refused, "theme").contains("logo-light"), "{refused}");
}

#[tokio::test]
async fn consent_draft_is_shown_in_the_template_that_uses_it() {
    let service = TestService::start(Backend::Sqlite).await;
    let developer = service.sign_in_as("ana@shop.example", Role::Developer).await;
    let draft = json!({
        "type": "TERMS", "version": "2.0", "locale": "en", "title": "Terms", "text": "I agree.",
        "translations": {"pt-BR": {"title": "Termos", "text": "Concordo."}},
    });
    let id = service.sandbox.consent.clone();
    let fields = [("kind", "CONSENT"), ("id", id.as_str()), ("language", "pt-BR")];
    let Some(shown) = page(&preview(&service, &developer, &draft, &fields).await) else { return };
    let template = &answers(&shown)["session"]["template"];
    assert_eq!(
        (&template["consent"]["title"], &template["consent"]["version"]),
        (&json!("Termos"), &json!("2.0"))
    );
    assert_eq!(template["consent"]["text"], "Concordo.");
    let path = format!("/sandbox/linkTemplates/{}", service.sandbox.template);
    let stored = service.portal(Method::GET, &path, &developer.cookie, None).await;
    assert_eq!(template["companyName"], stored.body["companyName"]);
}

#[tokio::test]
async fn preview_of_another_page_or_tenant_is_refused() {
    let service = TestService::start(Backend::Sqlite).await;
    service.another_tenant().await;
    let developer = service.sign_in_as("ana@shop.example", Role::Developer).await;
    let text = draft(&service).to_string();
    let fields = [("draft", text.as_str()), ("kind", "LINK"), ("page", "CONSENT")];
    for site in ["cross-site", "same-site", "none"] {
        assert_eq!(
            service.submit_form("templatePreview", &developer, site, &fields).await.status,
            403,
            "{site}"
        );
    }
    let code = service.invite_member("other", "bo@other.example", Role::Owner).await;
    let stranger = service.sign_in(&code).await;
    let Some(page) = page(&preview(&service, &stranger, &draft(&service), &[]).await) else { return };
    assert_eq!(
        answers(&page)["session"]["template"]["consent"]["text"],
        "",
        "the consent belongs to another tenant"
    );
}

#[tokio::test]
async fn fixed_and_faulty_texts_are_not_previewed() {
    let service = TestService::start(Backend::Sqlite).await;
    let developer = service.sign_in_as("ana@shop.example", Role::Developer).await;
    let mut draft = draft(&service);
    draft["texts"] = json!({
        "en": {"consent-choose": "Agree to all", "providers-title": "Your {$wrong}", "providers-search": "Find it"},
        "tlh": {"providers-title": "nuqneH"},
    });
    let Some(page) = page(&preview(&service, &developer, &draft, &[]).await) else { return };
    let texts: Value = serde_json::from_str(&value(&page, "texts")).unwrap();
    assert_eq!(texts, json!({"en": {"providers-search": "Find it"}}));
}

#[tokio::test]
async fn consent_is_shown_in_an_older_template_that_uses_it() {
    let service = TestService::start(Backend::Sqlite).await;
    let developer = service.sign_in_as("ana@shop.example", Role::Developer).await;
    let consent = json!({
        "type": "TERMS", "version": "1.0", "locale": "en", "title": "Other", "text": "Other.", "translations": {},
    });
    let path = "/sandbox/consentTemplates";
    let other = service.portal(Method::POST, path, &developer.cookie, Some(consent.clone())).await;
    assert_eq!(other.status, 201, "{:?}", other.body);
    let link = json!({"name": "Newer", "companyName": "Newer", "consentTemplateId": other.body["id"]});
    let newer = service.portal(Method::POST, "/sandbox/linkTemplates", &developer.cookie, Some(link)).await;
    assert_eq!(newer.status, 201, "{:?}", newer.body);
    let company = async |id: &str| {
        let fields = [("kind", "CONSENT"), ("id", id)];
        let page = page(&preview(&service, &developer, &consent, &fields).await)?;
        Some(answers(&page)["session"]["template"]["companyName"].clone())
    };
    let Some(older) = company(&service.sandbox.consent).await else { return };
    let path = format!("/sandbox/linkTemplates/{}", service.sandbox.template);
    let stored = service.portal(Method::GET, &path, &developer.cookie, None).await;
    assert_eq!(older, stored.body["companyName"]);
    assert_eq!(company(other.body["id"].as_str().unwrap()).await, Some(json!("Newer")));
    let unused = format!("ct-{}", "0a".repeat(16));
    assert_eq!(company(&unused).await, Some(json!("demo")));
}

#[tokio::test]
async fn refused_preview_is_a_page_in_the_portal_s_language() {
    let service = TestService::start(Backend::Sqlite).await;
    let developer = service.sign_in_as("ana@shop.example", Role::Developer).await;
    let stranger = Browser { cookie: String::new(), member: String::new() };
    let long = "a".repeat(2 * 1024 * 1024);
    for (by, field, status, sentence) in [
        (&stranger, ("page", "CONSENT"), 401, "sign in again"),
        (&developer, ("page", "END"), 422, "cannot show this draft"),
        (&developer, ("draft", "{"), 422, "cannot show this draft"),
        (&developer, ("other", long.as_str()), 413, "too large"),
    ] {
        let refused = preview(&service, by, &draft(&service), &[field]).await;
        assert_eq!(refused.status, status, "{sentence}");
        assert_eq!(refused.headers[header::CONTENT_TYPE], "text/html; charset=utf-8");
        let policy = refused.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("sandbox;"), "{policy}");
        let page = String::from_utf8(refused.bytes.to_vec()).unwrap();
        assert!(page.contains(sentence), "{page}");
    }
    let request = Request::post("/console/api/sandbox/templatePreview")
        .header(header::HOST, "localhost:8787")
        .header("sec-fetch-site", "same-origin")
        .header(header::ACCEPT_LANGUAGE, "es-MX,es;q=0.9,en;q=0.8");
    let spanish = service.send_raw(request.body(Body::empty()).unwrap()).await;
    let page = String::from_utf8(spanish.bytes.to_vec()).unwrap();
    assert!(page.contains("lang=\"es-MX\"") && page.contains("Tu sesión terminó"), "{page}");
}

#[tokio::test]
async fn third_preview_of_a_tenant_says_that_it_is_busy() {
    let service = TestService::start(Backend::Sqlite).await;
    let developer = service.sign_in_as("ana@shop.example", Role::Developer).await;
    let tenant = "demo".parse().unwrap();
    let limits = &service.app.limits;
    let logo = limits.logos_of_previews.take(&tenant, None).await.unwrap();
    let mut draft = draft(&service);
    let file = STANDARD.encode(logo_png(600, 150, [200, 30, 60]));
    draft["theme"]["logoLight"] = json!(format!("data:image/png;base64,{file}"));
    let busy = preview(&service, &developer, &draft, &[]).await;
    assert_eq!(busy.status, 503);
    let says_busy = |it: &TestResponse| String::from_utf8_lossy(&it.bytes).contains("The preview is busy");
    assert!(says_busy(&busy), "not a page without the logo");
    let path = format!("/sandbox/linkTemplates/{}", service.sandbox.template);
    let body = json!({"theme": {"logoLight": draft["theme"]["logoLight"]}});
    let saved = service.portal(Method::PATCH, &path, &developer.cookie, Some(body)).await;
    assert_eq!(saved.status, 200, "a save needs no permit of previews: {:?}", saved.body);
    drop(logo);
    let permits = &service.app.limits.previews;
    let _both = [permits.take(&tenant, None).await.unwrap(), permits.take(&tenant, None).await.unwrap()];
    let third = preview(&service, &developer, &draft, &[]).await;
    assert!(third.status == 503 && says_busy(&third), "{}", third.status);
}
