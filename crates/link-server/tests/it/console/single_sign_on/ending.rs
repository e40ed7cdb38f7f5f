//! The ends of linked identities, and their replacement.

use axum::http::Method;
use link_store::test_support::Backend;
use link_types::console::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Scene, assert_refused, draft};
use crate::service::text;

/// A recreated account at the provider has another subject.
#[rstest]
#[tokio::test]
async fn new_address_replaces_the_linked_identity(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let scene = Scene::start(backend).await;
    let before = scene.sign_in_first().await;
    scene.provider.now().claims = json!({"sub": "recreated"});
    assert_refused(&scene.sign_in().await, 403, "IDENTITY_NOT_LINKED");
    let path = format!("/members/{}/address", before.member);
    let address = scene.ask(Method::POST, &path, &scene.owner, None).await;
    assert_eq!(address.status, 201, "{:?}", address.body);
    let url = text(&address.body["url"]);
    let left = scene.leave_with(json!({"code": url.split('#').nth(1).unwrap()})).await;
    let query = scene.provider.authorize(&left.page);
    let after = scene.browser_of(&scene.come_back(&query, &left.cookie).await).await;
    assert_eq!(after.member, before.member);
    assert_eq!(scene.ask(Method::GET, "/session", &before, None).await.status, 401, "the earlier account's");
    assert_eq!(scene.sign_in_first().await.member, before.member);
    scene.provider.now().claims = json!({});
    assert_refused(&scene.sign_in().await, 403, "IDENTITY_NOT_LINKED");
}

#[rstest]
#[tokio::test]
async fn removed_provider_ends_its_sessions_and_identities(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let scene = Scene::start(backend).await;
    let colleague = scene.sign_in_first().await;
    let away = scene.leave().await;
    let query = scene.provider.authorize(&away.page);
    let removed = scene.ask(Method::DELETE, "/singleSignOn", &scene.owner, None).await;
    assert_eq!((removed.status.as_u16(), &removed.body["provider"]), (200, &Value::Null));
    assert_eq!(scene.ask(Method::GET, "/session", &colleague, None).await.status, 401);
    assert_refused(&scene.come_back(&query, &away.cookie).await, 410, "SIGN_IN_EXPIRED");
    assert_eq!(scene.ask_to_leave(json!({"organization": "demo"})).await.status, 422);
    assert_eq!(scene.ask(Method::GET, "/session", &scene.owner, None).await.status, 200);
    scene.save(draft()).await;
    assert_refused(&scene.sign_in().await, 403, "IDENTITY_NOT_LINKED");
}

#[tokio::test]
async fn removed_owner_takes_identities_of_their_invitations_along() {
    let scene = Scene::start(Backend::Sqlite).await;
    let code = scene.service.invite_member("demo", "di@bank.example", Role::Owner).await;
    let second = scene.service.sign_in(&code).await;
    let draft = json!({"email": "cy@bank.example", "name": "Cy", "role": "VIEWER"});
    let invited = scene.ask(Method::POST, "/members", &second, Some(draft)).await;
    let url = text(&invited.body["url"]);
    let left = scene.leave_with(json!({"code": url.split('#').nth(1).unwrap()})).await;
    let query = scene.provider.authorize(&left.page);
    let browser = scene.browser_of(&scene.come_back(&query, &left.cookie).await).await;
    let path = format!("/members/{}", second.member);
    assert_eq!(scene.ask(Method::DELETE, &path, &scene.owner, None).await.status, 204);
    assert_eq!(scene.ask(Method::GET, "/session", &browser, None).await.status, 401);
    scene.provider.now().claims = json!({"email_verified": false});
    assert_refused(&scene.sign_in().await, 403, "NOT_A_MEMBER");
}
