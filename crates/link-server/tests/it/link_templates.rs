//! The file types and texts of link templates.

use link_domain::change::{Change, Row};
use link_domain::kernel::clock::ClockOffset;
use link_domain::tenancy::template::TEMPLATES_LIMIT;
use link_server::http::problem;
use link_store::test_support::Backend;
use link_types::id::LinkTemplateId;
use serde_json::{Value, json};

use crate::service::{As, TestService, text};

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
    let written = service.app.store().write(move |tx| -> problem::ApiResult<_> {
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
    invite.as_object_mut().unwrap().retain(|name, _| !matches!(name.as_str(), "id" | "createdAt"));
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
