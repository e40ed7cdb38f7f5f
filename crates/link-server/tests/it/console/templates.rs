//! Templates in the portal: the endpoints of REST with a member as the caller, revisions and saved versions.

use axum::http::Method;
use link_store::test_support::Backend;
use link_types::console::Role;
use rstest::rstest;
use serde_json::{Value, json};

use crate::service::{TestService, text};

async fn versions(service: &TestService, cookie: &str, id: &str) -> Vec<Value> {
    let path = format!("/sandbox/templateVersions/{id}");
    let listed = service.portal(Method::GET, &path, cookie, None).await;
    assert_eq!(listed.status, 200, "{:?}", listed.body);
    listed.body["items"].as_array().unwrap().clone()
}

#[rstest]
#[tokio::test]
async fn each_save_adds_a_version_and_a_save_without_changes_none(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let developer = service.sign_in_as("ana@shop.example", Role::Developer).await;
    for (kind, field) in [("linkTemplates", "companyName"), ("inviteTemplates", "name")] {
        let list = service.portal(Method::GET, &format!("/sandbox/{kind}"), &developer.cookie, None).await;
        let id = text(&list.body["items"][0]["id"]);
        let path = format!("/sandbox/{kind}/{id}");
        let before = versions(&service, &developer.cookie, &id).await.len();
        for _ in 0..2 {
            let body = json!({field: "Cars & Co"});
            let saved = service.portal(Method::PATCH, &path, &developer.cookie, Some(body)).await;
            assert_eq!(saved.status, 200, "{:?}", saved.body);
        }
        let kept = versions(&service, &developer.cookie, &id).await;
        // The first save keeps the state before it too.
        let newest = before.max(1) + 1;
        assert_eq!((kept.len(), &kept[0]["version"]), (newest, &json!(newest)), "{kind}");
        assert_eq!(kept[0]["template"][field], "Cars & Co");
        assert_ne!(kept[1]["template"][field], "Cars & Co");
        let deleted = service.portal(Method::DELETE, &path, &developer.cookie, None).await;
        assert_eq!(deleted.status, 204, "{:?}", deleted.body);
        let gone = format!("/sandbox/templateVersions/{id}");
        assert_eq!(service.portal(Method::GET, &gone, &developer.cookie, None).await.status, 404);
    }
}

#[tokio::test]
async fn only_the_newest_versions_are_kept() {
    let service = TestService::start(Backend::Sqlite).await;
    let developer = service.sign_in_as("ana@shop.example", Role::Developer).await;
    let path = format!("/sandbox/linkTemplates/{}", service.sandbox.template);
    for number in 0..25 {
        let body = json!({"name": format!("Loans {number}")});
        assert_eq!(service.portal(Method::PATCH, &path, &developer.cookie, Some(body)).await.status, 200);
    }
    let kept = versions(&service, &developer.cookie, &service.sandbox.template).await;
    // The setup of the tests has saved the template once.
    assert_eq!((kept.len(), &kept[0]["version"], &kept[19]["version"]), (20, &json!(27), &json!(8)));
}

#[tokio::test]
async fn update_with_an_old_revision_is_refused() {
    let service = TestService::start(Backend::Sqlite).await;
    let ana = service.sign_in_as("ana@shop.example", Role::Developer).await;
    let bob = service.sign_in_as("bob@shop.example", Role::Owner).await;
    for kind in ["linkTemplates", "consentTemplates", "inviteTemplates"] {
        let list = service.portal(Method::GET, &format!("/sandbox/{kind}"), &ana.cookie, None).await;
        let id = text(&list.body["items"][0]["id"]);
        let path = format!("/sandbox/{kind}/{id}");
        let read = service.portal(Method::GET, &path, &ana.cookie, None).await.body;
        assert_eq!(read["revision"], list.body["items"][0]["revision"]);
        let name = if kind == "consentTemplates" { "title" } else { "name" };
        if kind == "consentTemplates" {
            // A link template uses it, so that it is a copy that changes.
            let mut copy = read.clone();
            for field in ["id", "createdAt", "revision"] {
                copy.as_object_mut().unwrap().remove(field);
            }
            let list = format!("/sandbox/{kind}");
            let made = service.portal(Method::POST, &list, &ana.cookie, Some(copy)).await;
            assert_eq!(made.status, 201, "{:?}", made.body);
            let path = format!("{list}/{}", text(&made.body["id"]));
            refuse_second(&service, &path, name, &made.body, [&ana.cookie, &bob.cookie]).await;
        } else {
            refuse_second(&service, &path, name, &read, [&ana.cookie, &bob.cookie]).await;
        }
    }
}

async fn refuse_second(service: &TestService, path: &str, name: &str, read: &Value, [ana, bob]: [&str; 2]) {
    let first = json!({name: "Bob's", "revision": read["revision"]});
    let saved = service.portal(Method::PATCH, path, bob, Some(first)).await;
    assert_eq!(saved.status, 200, "{:?}", saved.body);
    assert_ne!(saved.body["revision"], read["revision"]);
    let second = json!({name: "Ana's", "revision": read["revision"]});
    let refused = service.portal(Method::PATCH, path, ana, Some(second)).await;
    assert_eq!(refused.status, 409, "{:?}", refused.body);
    let now = service.portal(Method::GET, path, ana, None).await.body;
    assert_eq!(now[name], "Bob's");
    let third = json!({name: "Ana's", "revision": now["revision"]});
    assert_eq!(service.portal(Method::PATCH, path, ana, Some(third)).await.status, 200);
}

#[tokio::test]
async fn versions_of_another_tenant_do_not_exist() {
    let service = TestService::start(Backend::Sqlite).await;
    service.another_tenant().await;
    let code = service.invite_member("other", "bo@other.example", Role::Owner).await;
    let stranger = service.sign_in(&code).await;
    for id in [service.sandbox.template.as_str(), "lt-1", "site-00000000000000000000000000000001"] {
        let path = format!("/sandbox/templateVersions/{id}");
        assert_eq!(service.portal(Method::GET, &path, &stranger.cookie, None).await.status, 404, "{id}");
    }
    let path = format!("/sandbox/linkTemplates/{}", service.sandbox.template);
    let body = Some(json!({"name": "Mine"}));
    assert_eq!(service.portal(Method::PATCH, &path, &stranger.cookie, body).await.status, 404);
}

#[tokio::test]
async fn consent_text_in_use_does_not_change() {
    let service = TestService::start(Backend::Sqlite).await;
    let developer = service.sign_in_as("ana@shop.example", Role::Developer).await;
    let list = service.portal(Method::GET, "/sandbox/consentTemplates", &developer.cookie, None).await;
    let path = format!("/sandbox/consentTemplates/{}", text(&list.body["items"][0]["id"]));
    let body = Some(json!({"text": "Another text."}));
    let refused = service.portal(Method::PATCH, &path, &developer.cookie, body).await;
    assert_eq!(refused.status, 409, "{:?}", refused.body);
    assert!(text(&refused.body["detail"]).contains("Create a new consent template"), "{:?}", refused.body);
}
