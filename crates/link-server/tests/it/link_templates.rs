//! What a tenant sets on a link template beyond its name: kinds of documents and texts of its own.

use link_store::test_support::Backend;
use serde_json::{Value, json};

use crate::service::{As, TestService, text};

fn fields(body: &Value) -> Vec<(String, String)> {
    let errors = body["errors"].as_array().unwrap();
    let mut named: Vec<_> = errors.iter().map(|it| (text(&it["field"]), text(&it["code"]))).collect();
    named.sort();
    named
}

#[tokio::test]
async fn kinds_of_documents_and_own_texts_are_kept_and_reach_the_widget() {
    for backend in Backend::ALL {
        let service = TestService::start(backend).await;
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
}

#[tokio::test]
async fn every_fault_of_kinds_and_texts_is_named() {
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
