//! `/users` and `/tokens`.

use axum::http::Method;
use link_store::test_support::Backend;
use link_test_support::wait;
use rstest::rstest;
use serde_json::json;

use crate::service::{As, TestService, secret, text};
use crate::uploads::{Uploader, picture};

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
    let responses = tokio::join!(ask(), ask(), ask(), ask(), ask(), ask(), ask(), ask());
    let responses = [
        responses.0,
        responses.1,
        responses.2,
        responses.3,
        responses.4,
        responses.5,
        responses.6,
        responses.7,
    ];
    assert_eq!(responses.iter().filter(|it| it.status == 201).count(), 1, "{responses:?}");
    assert!(responses.iter().all(|it| it.body["id"] == responses[0].body["id"]), "{responses:?}");
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

/// Creates a user with two linked accounts and an uploaded document; returns the user id and the session.
async fn user_with_data(service: &TestService) -> (String, String) {
    let (user, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    for provider in ["mx_social_security", "mx_government_pension"] {
        let progress = service.submit(&session, provider, "good", "pass").await;
        service.until_settled(&session, &progress).await;
    }
    let uploads = Uploader { service, session: session.clone() };
    uploads.submit("PAYSLIP", &picture(500)).await;
    wait::until_ok("3 tasks have finished", async || {
        let tasks = service.get(&format!("/tasks?userId={user}&size=50")).await.body["items"].clone();
        let finished = tasks.as_array().unwrap().iter().filter(|it| it["status"] != "STARTED").count();
        if finished == 3 { Ok(()) } else { Err(tasks) }
    })
    .await;
    (user, session)
}

#[tokio::test]
async fn user_payload_combines_all_sources() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, _) = user_with_data(&service).await;
    user_with_data(&service).await;
    let payload = service.get(&format!("/users/{user}/payload")).await;
    assert_eq!(payload.status, 200);
    assert_eq!(payload.body["metadata"]["id"], json!(user));
    assert!(payload.body["metadata"].get("token").is_none());
    let sources = |key: &str| {
        let items = payload.body[key]["items"].as_array().unwrap();
        assert!(items.iter().all(|it| it["metadata"]["userId"] == json!(user)), "{key}");
        let sources: std::collections::BTreeSet<_> =
            items.iter().map(|it| text(&it["metadata"]["sourceId"])).collect();
        sources.len()
    };
    // One account has contributions, the other and the document have incomes, both accounts have employments.
    assert_eq!((sources("contributions"), sources("incomes"), sources("employments")), (1, 2, 2));
    let newest = service.get(&format!("/identities?userId={user}")).await.body["items"][0].clone();
    assert_eq!(payload.body["identity"], newest);
    let path = format!("/users/{user}/payload");
    let elsewhere = service.send(Method::GET, &path, As::Tenant(&service.production), None).await;
    assert_eq!(elsewhere.status, 404);
}

#[tokio::test]
async fn erased_user_leaves_no_data_or_access() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, session) = user_with_data(&service).await;
    let (other, _) = user_with_data(&service).await;
    let token = service
        .send(Method::POST, &format!("/tokens?userId={user}"), As::Tenant(&service.sandbox), None)
        .await;
    let account = service.get(&format!("/accounts?userId={user}")).await.body["items"][0]["id"].clone();
    let archive = service.get(&format!("/archives?userId={user}")).await.body["items"][0]["id"].clone();

    assert_eq!(service.delete(&format!("/users/{user}")).await.status, 204);
    assert_eq!(service.delete(&format!("/users/{user}")).await.status, 404);
    for path in [
        format!("/users/{user}"),
        format!("/users/{user}/payload"),
        format!("/accounts/{}", text(&account)),
        format!("/archives/{}", text(&archive)),
    ] {
        assert_eq!(service.get(&path).await.status, 404, "{path}");
    }
    for list in [
        "accounts",
        "archives",
        "tasks",
        "identities",
        "contributions",
        "eincomes",
        "insights",
        "links",
        "forms",
    ] {
        let prefix = if list == "forms" { "/alpha" } else { "" };
        let gone = service.get(&format!("{prefix}/{list}?userId={user}")).await;
        assert_eq!((gone.status.as_u16(), &gone.body["items"]), (200, &json!([])), "{list}");
    }
    for list in ["accounts", "archives", "tasks", "contributions", "links"] {
        let kept = service.get(&format!("/{list}?userId={other}")).await;
        assert_ne!(kept.body["items"], json!([]), "{list} of another user");
    }
    for event_type in ["ACCOUNT_DISCONNECTED", "ARCHIVE_REVOKED"] {
        let ends = service.get(&format!("/events?type={event_type}")).await.body["items"].clone();
        assert!(ends.as_array().unwrap().iter().all(|it| it["data"]["reason"] == "TENANT"), "{ends}");
    }
    let emitted = service.event_types().await;
    let count = |wanted: &str| emitted.iter().filter(|it| *it == wanted).count();
    assert_eq!((count("ACCOUNT_DISCONNECTED"), count("ARCHIVE_REVOKED")), (2, 1), "{emitted:?}");

    let open = service.send(Method::GET, "/link/session", As::Session(&session), None).await;
    assert_eq!(open.status, 401);
    let exchanged = service.exchange(&text(&token.body["accessToken"]), &secret()).await;
    assert_eq!(exchanged.status, 401, "{}", exchanged.body);
    let tokens = service
        .send(Method::POST, &format!("/tokens?userId={user}"), As::Tenant(&service.sandbox), None)
        .await;
    assert_eq!(tokens.status, 404);
}

#[tokio::test]
async fn user_larger_than_one_batch_is_erased_completely() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    let uploads = Uploader { service: &service, session };
    for _ in 0..25 {
        let archive = uploads.archive("PAYSLIP").await;
        uploads.begin(&archive, "PAGE", 500).await;
    }
    uploads.submit("PAYSLIP", &picture(500)).await;
    assert_eq!(service.delete(&format!("/users/{user}")).await.status, 204);
    assert_eq!(service.get(&format!("/users/{user}")).await.status, 404);
    let left = async || {
        let owner = link_domain::kernel::owner::Owner {
            tenant: "demo".parse().unwrap(),
            mode: link_types::Mode::Sandbox,
        };
        let user = user.parse().unwrap();
        let found = service.app.store.write(move |tx| tx.users().data(&owner, &user, 100)).await;
        found.unwrap_or_else(|error: link_store::StoreError| panic!("{error}")).archives.len()
    };
    wait::until("no archive is left", async || left().await == 0).await;
    assert_eq!(service.get(&format!("/archives?userId={user}")).await.body["items"], json!([]));
}

#[tokio::test]
async fn reference_is_reusable_after_its_user_is_erased() {
    let service = TestService::start(Backend::Sqlite).await;
    let first = service.post("/users", json!({"reference": "ana"})).await;
    assert_eq!(service.delete(&format!("/users/{}", text(&first.body["id"]))).await.status, 204);
    let second = service.post("/users", json!({"reference": "ana"})).await;
    assert_eq!(second.status, 201);
    assert_ne!(second.body["id"], first.body["id"]);
}
