//! Texts of consent templates and providers in the widget's language.

use axum::http::{Method, StatusCode};
use link_store::test_support::Backend;
use serde_json::{Value, json};

use crate::service::{As, TestService, secret, text};

const PROVIDER: &str = "mx_government_pension";

async fn read(service: &TestService, session: &str, path: &str, language: &str) -> Value {
    let language = [("accept-language".to_owned(), language.to_owned())];
    let response = service.send_with(Method::GET, path, As::Session(session), &language, None).await;
    assert_eq!(response.status, StatusCode::OK, "{:?}", response.body);
    response.body
}

#[tokio::test]
async fn consent_text_and_its_receipt_are_in_the_widgets_language() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let shown = read(&service, &session, "/link/session", "es-MX").await["template"]["consent"].clone();
    assert_eq!(
        (&shown["locale"], &shown["title"]),
        (&json!("es-MX"), &json!("Comparte los datos de tu cuenta"))
    );
    let other = read(&service, &session, "/link/session", "tlh").await["template"]["consent"].clone();
    assert_eq!(other["locale"], "en");

    let mut login = service.login(&session, "mx_social_security", "good", "pass").await;
    for (locale, status) in [("de", 409), ("es-MX", 201)] {
        login["consent"]["locale"] = json!(locale);
        let started = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&login)).await;
        assert_eq!(started.status.as_u16(), status, "{locale}: {:?}", started.body);
        if status == 201 {
            let account = text(&service.until_settled(&session, &started.body).await["accountId"]);
            let receipt = service.get(&format!("/accounts/{account}/consent")).await.body;
            assert_eq!((&receipt["locale"], &receipt["consentedWith"]), (&json!("es-MX"), &shown["text"]));
        }
    }
}

#[tokio::test]
async fn session_opens_with_the_consent_text_in_the_widgets_language() {
    let service = TestService::start(Backend::Sqlite).await;
    let (_, token) = service.user().await;
    let body = service.exchange_of(&token, &secret());
    let language = [("accept-language".to_owned(), "ar".to_owned())];
    let opened =
        service.send_with(Method::POST, "/link/sessions", As::Anonymous, &language, Some(&body)).await;
    assert_eq!(opened.body["template"]["consent"]["locale"], "ar", "{:?}", opened.body);
}

#[tokio::test]
async fn texts_of_providers_are_in_the_widgets_language() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let listed = read(&service, &session, "/link/providers", "zh-Hans").await;
    let find = |it: &&Value| it["id"] == PROVIDER;
    let provider = listed["items"].as_array().unwrap().iter().find(find).unwrap();
    assert_eq!(provider["name"], "墨西哥政府养老金");
    let key = text(&provider["searchKey"]);
    assert!(key.contains("养老金") && key.contains("government pension"), "both names are found: {key}");
    let shown = read(&service, &session, &format!("/link/providers/{PROVIDER}"), "id").await;
    let option = &shown["loginOptions"][0];
    assert_eq!(
        (&option["label"], &option["id"]),
        (&json!("Nama pengguna dan kata sandi"), &json!("username"))
    );
    let membership = &option["fields"][2];
    assert_eq!(membership["choices"][1], json!({"value": "retired", "label": "Saya sudah pensiun"}));
    let tenants = service.get(&format!("/providers/{PROVIDER}")).await.body;
    assert_eq!(tenants["name"], "Government Pension Mexico");
}

#[tokio::test]
async fn question_of_a_challenge_is_in_the_widgets_language() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "mfa-question", "pass").await;
    let asked = service.until_settled(&session, &progress).await;
    let path = format!("/link/accounts/{}", text(&asked["accountId"]));
    let question = |progress: &Value| {
        progress["phase"]["challenge"]["challenge"]["kind"]["question"]["question"].clone()
    };
    assert_eq!(question(&asked), "What was the name of your first school?");
    let shown = read(&service, &session, &path, "pt").await;
    assert_eq!(question(&shown), "Qual era o nome da sua primeira escola?");
}

#[tokio::test]
async fn consent_template_rejects_translations_into_its_own_language() {
    let service = TestService::start(Backend::Sqlite).await;
    let words = json!({"title": "Tus datos", "text": "Los compartes."});
    let mut template =
        json!({"title": "Your data", "version": "1", "text": "You share.", "translations": {"es": words}});
    let made = service.post("/consentTemplates", template.clone()).await;
    assert_eq!((made.status.as_u16(), &made.body["translations"]["es"]), (201, &words), "{:?}", made.body);
    template["translations"] = json!({"en": words});
    let refused = service.post("/consentTemplates", template).await;
    assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!("translations")));
    let path = format!("/consentTemplates/{}", text(&made.body["id"]));
    let patched = service.patch(&path, json!({"translations": {}})).await;
    assert_eq!((patched.status.as_u16(), &patched.body["translations"]), (200, &json!({})));
}
