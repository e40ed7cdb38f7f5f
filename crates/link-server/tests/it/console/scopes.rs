//! API keys with scopes, an end, a successor and a last use.

use axum::http::Method;
use base64::Engine as _;
use link_server::workers::key_uses;
use link_store::test_support::Backend;
use link_types::console::Role;
use serde_json::{Value, json};

use super::Browser;
use crate::service::{As, Keys, TestService, text};

/// Creates a sandbox key in the portal, and returns its id and credentials.
async fn create(service: &TestService, browser: &Browser, draft: Value) -> (String, Keys) {
    let created = service.portal(Method::POST, "/sandbox/keys", &browser.cookie, Some(draft)).await;
    assert_eq!(created.status, 201, "{:?}", created.body);
    (text(&created.body["key"]["id"]), keys_of(service, &created.body))
}

fn keys_of(service: &TestService, created: &Value) -> Keys {
    let pair =
        format!("{}:{}", text(&created["credentials"]["apiKey"]), text(&created["credentials"]["apiSecret"]));
    Keys { basic: base64::engine::general_purpose::STANDARD.encode(pair), ..service.sandbox.clone() }
}

#[tokio::test]
async fn request_beyond_the_scopes_of_a_key_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let browser = service.sign_in_as("ana@shop.example", Role::Owner).await;
    for (scopes, read, write, webhooks) in [
        (json!(["READ"]), None, Some("WRITE"), Some("WEBHOOKS")),
        (json!(["WEBHOOKS"]), Some("READ"), Some("WRITE"), None),
        (json!(["READ", "WEBHOOKS"]), None, Some("WRITE"), None),
        (json!(["WRITE"]), None, None, None),
    ] {
        let (_, keys) = create(&service, &browser, json!({"name": "key", "scopes": scopes})).await;
        for (method, path, missing) in [
            (Method::GET, "/users", read),
            (Method::POST, "/users", write),
            (Method::POST, "/webhooks", webhooks),
        ] {
            let response =
                service.send(method.clone(), path, As::Tenant(&keys), Some(&json!({"a": 1}))).await;
            let Some(missing) = missing else {
                assert_ne!(response.status, 403, "{scopes} {method} {path}");
                continue;
            };
            assert_eq!(response.status, 403, "{scopes} {method} {path}");
            assert_eq!(response.body["code"], "INSUFFICIENT_SCOPE");
            assert_eq!(response.body["errors"][0]["field"], "scopes");
            assert_eq!(response.body["errors"][0]["message"], missing);
        }
    }
}

#[tokio::test]
async fn rotated_key_works_until_its_end() {
    for backend in Backend::ALL {
        let service = TestService::start(backend).await;
        let browser = service.sign_in_as("ana@shop.example", Role::Owner).await;
        let draft = json!({"name": "key", "scopes": ["READ"], "expiresInDays": 30});
        let (id, old) = create(&service, &browser, draft).await;
        let ask = async |keys: &Keys| service.send(Method::GET, "/users", As::Tenant(keys), None).await;
        let rotate = async |hours| {
            let path = format!("/sandbox/keys/{id}/rotation");
            service.portal(Method::POST, &path, &browser.cookie, Some(json!({"hours": hours}))).await
        };
        assert_eq!(rotate(169).await.body["errors"][0]["field"], "hours");
        let rotated = rotate(1).await;
        assert_eq!(rotated.status, 201, "{:?}", rotated.body);
        assert_eq!(rotated.body["key"]["scopes"], json!(["READ"]));
        let new = keys_of(&service, &rotated.body);
        assert_eq!([ask(&old).await.status, ask(&new).await.status].map(|it| it.as_u16()), [200, 200]);
        assert_eq!(rotate(0).await.status, 201, "{backend:?}");
        let refused = ask(&old).await;
        assert_eq!((refused.status.as_u16(), &refused.body["code"]), (401, &json!("KEY_EXPIRED")));
        assert_eq!(ask(&new).await.status, 200);
        assert_eq!(rotate(1).await.status, 409, "an expired key has no successor");
        let listed = service.portal(Method::GET, "/sandbox/keys", &browser.cookie, None).await;
        let states: Vec<_> =
            listed.body["items"].as_array().unwrap().iter().map(|it| text(&it["state"])).collect();
        assert_eq!(states, ["ACTIVE", "ACTIVE", "EXPIRED", "ACTIVE"]);
    }
}

#[tokio::test]
async fn last_use_of_a_key_is_stored_by_the_worker() {
    for backend in Backend::ALL {
        let service = TestService::start(backend).await;
        let browser = service.sign_in_as("ana@shop.example", Role::Owner).await;
        let (id, keys) = create(&service, &browser, json!({"name": "key"})).await;
        let last_use = async || {
            let listed = service.portal(Method::GET, "/sandbox/keys", &browser.cookie, None).await;
            let items = listed.body["items"].as_array().unwrap().clone();
            items.into_iter().find(|it| it["id"] == id.as_str()).unwrap()["lastUsedAt"].clone()
        };
        let ask = async || service.send(Method::GET, "/users", As::Tenant(&keys), None).await;
        assert_eq!(ask().await.status, 200);
        assert_eq!(last_use().await, Value::Null, "not on the path of the request");
        key_uses::store(&service.app).await.unwrap();
        assert!(last_use().await.is_string());
        assert_eq!(ask().await.status, 200, "the key still works");
    }
}

#[tokio::test]
async fn draft_of_a_key_is_checked_by_field() {
    let service = TestService::start(Backend::Sqlite).await;
    let browser = service.sign_in_as("ana@shop.example", Role::Owner).await;
    for (draft, field) in [
        (json!({"name": "key", "scopes": []}), "scopes"),
        (json!({"name": "key", "scopes": ["ADMIN"]}), "scopes[0]"),
        (json!({"name": "key", "expiresInDays": 0}), "expiresInDays"),
    ] {
        let refused = service.portal(Method::POST, "/sandbox/keys", &browser.cookie, Some(draft)).await;
        assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!(field)));
    }
}
