//! `/users` and `/tokens`.

use axum::http::Method;
use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::json;

use crate::service::{As, TestService, text};

#[tokio::test]
async fn user_with_known_reference_is_returned_not_created() {
    let service = TestService::start(Backend::Sqlite).await;
    let created =
        service.post("/users", json!({"reference": "ana", "externalMetadata": {"plan": "gold"}})).await;
    assert_eq!(created.status, 201);
    let again = service.post("/users", json!({"reference": "ana"})).await;
    assert_eq!(again.status, 200);
    assert_eq!(again.body["id"], created.body["id"]);
    assert_eq!(again.body["externalMetadata"]["plan"], "gold");
    assert_ne!(again.body["token"]["accessToken"], created.body["token"]["accessToken"]);
    assert_eq!(again.body["token"]["mode"], "SANDBOX");
    assert_eq!(service.event_types().await, ["USER_CREATED"]);
    let listed = service.get("/users?reference=ana").await;
    assert_eq!(listed.body["items"][0]["id"], created.body["id"]);
    assert!(listed.body["items"][0].get("token").is_none(), "lists carry no token");
}

#[rstest]
#[tokio::test]
async fn metadata_of_a_user_is_updated_by_patch_and_post(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let body = json!({"reference": "ana", "externalMetadata": {"plan": "gold", "branch": "north"}});
    let user = text(&service.post("/users", body).await.body["id"]);
    let path = format!("/users/{user}");
    let patched = service.patch(&path, json!({"externalMetadata": {"plan": "silver"}})).await;
    assert_eq!(patched.status, 200, "{:?}", patched.body);
    assert_eq!(patched.body["externalMetadata"], json!({"plan": "silver"}), "replaces all pairs");
    assert_eq!((&patched.body["reference"], patched.body.get("token")), (&json!("ana"), None));
    for unchanged in [json!({}), json!({"externalMetadata": null})] {
        let patched = service.patch(&path, unchanged).await;
        assert_eq!(
            (patched.status.as_u16(), &patched.body["externalMetadata"]["plan"]),
            (200, &json!("silver"))
        );
    }
    let again =
        service.post("/users", json!({"reference": "ana", "externalMetadata": {"plan": "gold"}})).await;
    assert_eq!((again.status.as_u16(), &again.body["externalMetadata"]), (200, &json!({"plan": "gold"})));
    assert_eq!(service.get(&path).await.body["externalMetadata"], json!({"plan": "gold"}));
    assert_eq!(service.patch(&path, json!({"reference": "bo"})).await.status, 422);
    let production = As::Tenant(&service.production);
    let other = service.send(Method::PATCH, &path, production, Some(&json!({"externalMetadata": {}}))).await;
    assert_eq!(other.status, 404);
    assert_eq!(service.event_types().await, ["USER_CREATED"]);
}

#[rstest]
#[tokio::test]
async fn concurrent_requests_with_one_reference_create_one_user(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let ask = || service.post("/users", json!({"reference": "bo"}));
    let answers = tokio::join!(ask(), ask(), ask(), ask(), ask(), ask(), ask(), ask());
    let answers = [answers.0, answers.1, answers.2, answers.3, answers.4, answers.5, answers.6, answers.7];
    assert_eq!(answers.iter().filter(|it| it.status == 201).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|it| it.body["id"] == answers[0].body["id"]), "{answers:?}");
    assert_eq!(service.event_types().await, ["USER_CREATED"]);
}

#[tokio::test]
async fn link_token_is_issued_only_for_own_users() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, _) = service.user().await;
    let path = format!("/tokens?userId={user}");
    let token = service.send(Method::POST, &path, As::Tenant(&service.sandbox), None).await;
    assert_eq!(token.status, 201);
    assert!(text(&token.body["accessToken"]).starts_with("lpt_"));
    let other = service.send(Method::POST, &path, As::Tenant(&service.production), None).await;
    assert_eq!(other.status, 404);
}
