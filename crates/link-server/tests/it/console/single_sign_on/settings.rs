//! The settings of single sign-on: each fault at its field, the client secret, and the proof of domains.

use axum::http::Method;
use link_domain::console::single_sign_on::port::FetchError;
use link_domain::notifications::webhook_sender::SendError;
use link_store::test_support::Backend;
use link_types::console::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::fake::{ISSUER, SECRET};
use super::{Scene, assert_refused, draft};
use crate::service::text;

const DOCUMENT: &str = "/.well-known/openid-configuration";

async fn refuse(scene: &Scene, draft: Value) -> (String, String) {
    let refused = scene.ask(Method::PUT, "/singleSignOn", &scene.owner, Some(draft)).await;
    assert_eq!(refused.status, 422, "{:?}", refused.body);
    let errors = refused.body["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 1, "{errors:?}");
    (text(&errors[0]["field"]), text(&errors[0]["message"]))
}

#[rstest]
#[case("issuer", json!("login.shop.example"), "https")]
#[case("issuer", json!("http://login.shop.example"), "https")]
#[case("issuer", json!("https://login.shop.example/"), "another issuer")]
#[case("clientId", json!(""), "characters")]
#[case("clientSecret", json!("a\nb"), "characters")]
#[case("clientSecret", json!(null), "client secret")]
#[case("role", json!("OWNER"), "OWNER")]
#[tokio::test]
async fn wrong_field_is_named(#[case] field: &str, #[case] value: Value, #[case] word: &str) {
    let scene = Scene::bare(Backend::Sqlite).await;
    // A provider that answers at both spellings.
    let document = scene.provider.now().document.to_string();
    scene.provider.now().answers.insert("/.well-known/openid-configuration", Ok((200, document)));
    let mut wrong = draft();
    wrong[field] = value;
    let (found, message) = refuse(&scene, wrong).await;
    assert_eq!(found, field);
    assert!(message.contains(word), "{message}");
    let shown = scene.ask(Method::GET, "/singleSignOn", &scene.owner, None).await;
    assert_eq!(shown.body["provider"], Value::Null, "nothing is saved");
}

#[rstest]
#[case("issuer", json!("https://other.example"), "another issuer")]
#[case("authorization_endpoint", json!(null), "`authorization_endpoint`")]
#[case("authorization_endpoint", json!("javascript:alert(1)"), "`authorization_endpoint`")]
#[case("token_endpoint", json!(null), "`token_endpoint`")]
#[case("token_endpoint", json!("http://login.shop.example/token"), "`token_endpoint`")]
#[case("jwks_uri", json!(null), "`jwks_uri`")]
#[case("userinfo_endpoint", json!("http://login.shop.example/info"), "`userinfo_endpoint`")]
#[case("response_types_supported", json!(["id_token"]), "`code`")]
#[case("code_challenge_methods_supported", json!(["plain"]), "S256")]
#[case("id_token_signing_alg_values_supported", json!(["HS256", "none"]), "algorithm")]
#[tokio::test]
async fn unusable_discovery_document_says_what_is_missing(
    #[case] name: &str,
    #[case] value: Value,
    #[case] word: &str,
) {
    let scene = Scene::bare(Backend::Sqlite).await;
    {
        let mut now = scene.provider.now();
        let is_absent = value.is_null();
        now.document[name] = value;
        if is_absent {
            now.document.as_object_mut().unwrap().remove(name);
        }
    }
    let (field, message) = refuse(&scene, draft()).await;
    assert_eq!(field, "issuer");
    assert!(message.contains(word), "{message}");
}

#[tokio::test]
async fn provider_without_a_supported_way_for_secrets_is_refused() {
    let scene = Scene::bare(Backend::Sqlite).await;
    scene.provider.now().document["token_endpoint_auth_methods_supported"] = json!(["private_key_jwt"]);
    let (field, message) = refuse(&scene, draft()).await;
    assert_eq!(field, "clientSecret");
    assert!(message.contains("client_secret_basic"), "{message}");
}

#[rstest]
#[case(DOCUMENT, Err(FetchError::TimedOut), "10 seconds")]
#[case(DOCUMENT, Err(FetchError::TooLarge), "256 KiB")]
#[case(DOCUMENT, Err(FetchError::Send(SendError::Unresolved)), "does not resolve")]
#[case(DOCUMENT, Ok((404, String::new())), "status 404")]
#[case(DOCUMENT, Ok((500, String::new())), "status 500")]
#[case(DOCUMENT, Ok((200, "<html>".to_owned())), "JSON")]
#[case("/keys", Ok((200, "[]".to_owned())), "JSON")]
#[case("/keys", Err(FetchError::TimedOut), "10 seconds")]
#[tokio::test]
async fn unreachable_provider_is_named(
    #[case] path: &'static str,
    #[case] answer: Result<(u16, String), FetchError>,
    #[case] word: &str,
) {
    let scene = Scene::bare(Backend::Sqlite).await;
    scene.provider.now().answers.insert(path, answer);
    let (field, message) = refuse(&scene, draft()).await;
    assert_eq!(field, "issuer");
    assert!(message.contains(word), "{message}");
}

#[tokio::test]
async fn client_secret_is_never_returned_and_stays_for_its_issuer() {
    let scene = Scene::bare(Backend::Sqlite).await;
    let saved = scene.save(draft()).await;
    let shown = scene.ask(Method::GET, "/singleSignOn", &scene.owner, None).await;
    for response in [&saved, &shown] {
        assert!(!String::from_utf8_lossy(&response.bytes).contains(SECRET));
        assert_eq!(response.body["provider"]["secretLastFour"], "ider");
    }
    assert_eq!(shown.body["callbackUrl"], "http://localhost:8787/console/sign-in/callback/demo");
    let mut without = draft();
    without["clientSecret"] = Value::Null;
    without["role"] = "SUPPORT".into();
    assert_eq!(scene.save(without.clone()).await.body["provider"]["role"], "SUPPORT");
    without["issuer"] = "https://thief.example".into();
    let (field, _) = refuse(&scene, without).await;
    assert_eq!(field, "clientSecret", "another issuer must not get the secret");
    assert_eq!(scene.audit("SINGLE_SIGN_ON_CHANGED").await.len(), 3);
}

#[tokio::test]
async fn only_owners_who_confirmed_configure_single_sign_on() {
    let scene = Scene::bare(Backend::Sqlite).await;
    let developer = scene.service.sign_in_as("dev@shop.example", Role::Developer).await;
    let mailed = scene.service.sign_in_unproven(&scene.owner.member).await;
    for browser in [&developer, &mailed] {
        let refused = scene.ask(Method::PUT, "/singleSignOn", browser, Some(draft())).await;
        assert_eq!(refused.status, 403);
    }
    assert!(!scene.provider.now().asked.iter().any(|it| it == DOCUMENT), "no request to {ISSUER}");
}

#[tokio::test]
async fn domain_is_proven_by_its_record_only() {
    let scene = Scene::bare(Backend::Sqlite).await;
    scene.save(draft()).await;
    let path = "/singleSignOn/domains";
    for domain in ["shop", "192.0.2.7", "shop.example:80"] {
        let refused = scene.ask(Method::POST, path, &scene.owner, Some(json!({"domain": domain}))).await;
        assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!("domain")));
    }
    let added = scene.ask(Method::POST, path, &scene.owner, Some(json!({"domain": "Shop.example"}))).await;
    assert_eq!((&added.body["domain"], &added.body["provenAt"]), (&json!("shop.example"), &Value::Null));
    let proof = format!("{path}/shop.example/proof");
    let early = scene.ask(Method::POST, &proof, &scene.owner, None).await;
    assert_eq!(early.status, 409, "{:?}", early.body);
    assert_eq!(scene.ask_to_leave(json!({"organization": "bo@shop.example"})).await.status, 422);
    scene
        .provider
        .now()
        .texts
        .insert(text(&added.body["recordName"]), vec!["v=spf1".into(), text(&added.body["recordText"])]);
    let proven = scene.ask(Method::POST, &proof, &scene.owner, None).await;
    assert!(proven.body["provenAt"].is_string(), "{:?}", proven.body);
    assert_eq!(scene.ask_to_leave(json!({"organization": "bo@shop.example"})).await.status, 201);
    let removed = scene.ask(Method::DELETE, &format!("{path}/shop.example"), &scene.owner, None).await;
    assert_eq!(removed.status, 204);
    assert_eq!(scene.ask_to_leave(json!({"organization": "bo@shop.example"})).await.status, 422);
}

/// Microsoft's document does not announce what it supports.
#[tokio::test]
async fn document_without_announced_methods_is_used_with_s256() {
    let scene = Scene::bare(Backend::Sqlite).await;
    scene.provider.now().document.as_object_mut().unwrap().remove("code_challenge_methods_supported");
    scene.save(draft()).await;
    scene.prove("shop.example").await;
    scene.sign_in_first().await;
}

/// The domain belongs to the tenant that proved it last. A record that stayed does not win it back.
#[rstest]
#[tokio::test]
async fn domain_belongs_to_the_organization_that_proved_it_last(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let scene = Scene::start(backend).await;
    scene.service.another_tenant().await;
    let code = scene.service.invite_member("other", "ivy@other.example", Role::Owner).await;
    let other = scene.service.sign_in(&code).await;
    scene.prove_by("shop.example", &other).await;
    let refused = scene.ask_to_leave(json!({"organization": "bo@shop.example"})).await;
    assert_eq!(refused.status, 422, "the other organization has no provider");
    let shown = scene.ask(Method::GET, "/singleSignOn", &scene.owner, None).await;
    assert_eq!(shown.body["domains"], json!([]), "also its token is gone");
    assert_refused(&scene.sign_in().await, 403, "NOT_A_MEMBER");
    let lost = scene.audit("DOMAIN_REMOVED").await;
    assert_eq!((lost.len(), &lost[0]["actor"]["type"]), (1, &json!("OPERATOR")), "{lost:?}");

    let path = "/singleSignOn/domains";
    let again = scene.ask(Method::POST, path, &scene.owner, Some(json!({"domain": "shop.example"}))).await;
    assert_eq!(again.status, 201, "{:?}", again.body);
    let proof = scene.ask(Method::POST, &format!("{path}/shop.example/proof"), &scene.owner, None).await;
    assert_eq!(proof.status, 409, "the earlier record has the earlier token: {:?}", proof.body);
}
