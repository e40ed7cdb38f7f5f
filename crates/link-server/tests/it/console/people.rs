//! Support's pages of the portal: finding a person, the timeline, and the acts that help.

use axum::http::Method;
use link_store::test_support::Backend;
use link_types::console::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::Browser;
use crate::invites::ana;
use crate::service::{TestService, secret, text};

/// A person with a reference, an invitation and a connected account.
struct Linked {
    user: String,
    account: String,
    invite: String,
}

const LOGIN: &str = "mfa-otp";
const PASSWORD: &str = "pass";

async fn link_person(service: &TestService) -> Linked {
    let user = service.post("/users", json!({"reference": "customer-7"})).await;
    assert_eq!(user.status, 201, "{:?}", user.body);
    let mut body = ana(service);
    body["userId"] = user.body["id"].clone();
    let invite = service.post("/invites", body).await;
    assert_eq!(invite.status, 201, "{:?}", invite.body);
    let session = secret();
    let opened = service.exchange(&text(&user.body["token"]["accessToken"]), &session).await;
    assert_eq!(opened.status, 201, "{:?}", opened.body);
    let started = service.submit(&session, "mx_social_security", LOGIN, PASSWORD).await;
    let asked = service.until_settled(&session, &started).await;
    let connected = service.answer(&session, &asked, "1234").await;
    Linked {
        user: text(&user.body["id"]),
        account: text(&connected["accountId"]),
        invite: text(&invite.body["id"]),
    }
}

impl TestService {
    async fn find(&self, by: &Browser, find: &str) -> Vec<(String, String)> {
        let body = Some(json!({"find": find}));
        let found = self.portal(Method::POST, "/sandbox/people", &by.cookie, body).await;
        assert_eq!(found.status, 200, "{:?}", found.body);
        let items = found.body["items"].as_array().unwrap();
        items.iter().map(|it| (text(&it["id"]), text(&it["foundBy"]))).collect()
    }

    async fn person(&self, by: &Browser, user: &str) -> Value {
        let found = self.portal(Method::GET, &path_of(user), &by.cookie, None).await;
        assert_eq!(found.status, 200, "{:?}", found.body);
        found.body
    }
}

fn path_of(user: &str) -> String {
    format!("/sandbox/people/{}", user.rsplit_once('-').unwrap().1)
}

#[rstest]
#[tokio::test]
async fn person_is_found_by_reference_id_and_address(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let support = service.sign_in_as("sam@shop.example", Role::Support).await;
    let linked = link_person(&service).await;
    for (find, by) in [
        ("customer-7", "REFERENCE"),
        (linked.user.as_str(), "USER"),
        (linked.account.as_str(), "SUBJECT"),
        (linked.invite.as_str(), "SUBJECT"),
        (" Ana@EXAMPLE.com ", "ADDRESS"),
    ] {
        assert_eq!(service.find(&support, find).await, [(linked.user.clone(), by.to_owned())], "{find}");
    }
    for find in ["customer-8", "bo@example.com", "a-00000000000000000000000000000000", "customer"] {
        assert_eq!(service.find(&support, find).await, [], "{find}");
    }
    let revoked = format!("/sandbox/invites/{}", linked.invite);
    assert_eq!(service.portal(Method::DELETE, &revoked, &support.cookie, None).await.status, 204);
    assert_eq!(service.find(&support, "ana@example.com").await, [], "the address is erased");
}

#[tokio::test]
async fn search_needs_a_text_and_is_audited_without_it() {
    let service = TestService::start(Backend::Sqlite).await;
    let owner = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let linked = link_person(&service).await;
    for find in ["", "  ", &"x".repeat(255)] {
        let body = Some(json!({"find": find}));
        let refused = service.portal(Method::POST, "/sandbox/people", &owner.cookie, body).await;
        assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!("find")));
    }
    service.find(&owner, "ana@example.com").await;
    let events = service.audit("action=PERSON_SEARCHED").await;
    let event = events.iter().find(|it| it["subjectId"] == linked.user.as_str());
    let event = event.unwrap_or_else(|| panic!("{events:?}"));
    assert!(!event.to_string().contains("ana@example"), "{event}");
}

#[tokio::test]
async fn timeline_has_what_happened_and_nothing_sealed() {
    let service = TestService::start(Backend::Sqlite).await;
    let support = service.sign_in_as("sam@shop.example", Role::Support).await;
    let owner = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let hook =
        json!({"url": "https://1.1.1.1/hook", "eventTypes": ["ALL_EVENTS"], "secret": "a secret of ours"});
    assert_eq!(service.post("/webhooks", hook).await.status, 201);
    let linked = link_person(&service).await;
    let person = service.person(&support, &linked.user).await;
    assert_eq!(person["accounts"][0]["connectionStatus"], "CONNECTED");
    assert_eq!(text(&person["invites"][0]["id"]), linked.invite);
    let timeline = person["timeline"].as_array().unwrap();
    let kinds = |kind: &str| {
        timeline.iter().map(|it| &it["what"][kind]).filter(|it| it.is_object()).collect::<Vec<_>>()
    };
    assert_eq!(kinds("SESSION").len(), 1);
    let connected = |it: &&&Value| it["eventType"] == "ACCOUNT_CONNECTED";
    let events = kinds("EVENT");
    let event = events.iter().find(connected).unwrap();
    assert_eq!(text(&event["subjectId"]), linked.account);
    assert_eq!(event["deliveries"].as_array().unwrap().len(), 1, "{event}");
    let times: Vec<_> = timeline.iter().map(|it| text(&it["at"])).collect();
    assert!(times.is_sorted_by(|a, b| a >= b), "newest first: {times:?}");
    let shown = person.to_string();
    for canary in [LOGIN, "Ruiz", "ana@example", "landing"] {
        assert!(!shown.contains(canary), "{canary}: {shown}");
    }
    let live = path_of(&linked.user).replace("sandbox", "production");
    assert_eq!(service.portal(Method::GET, &live, &owner.cookie, None).await.status, 404);
}

#[tokio::test]
async fn support_helps_and_only_others_erase() {
    let service = TestService::start(Backend::Sqlite).await;
    let support = service.sign_in_as("sam@shop.example", Role::Support).await;
    let developer = service.sign_in_as("dev@shop.example", Role::Developer).await;
    let viewer = service.sign_in_as("vi@shop.example", Role::Viewer).await;
    let linked = link_person(&service).await;
    let mail = format!("{}/invites/{}/mail", path_of(&linked.user), linked.invite);
    let user = format!("/sandbox/users/{}", linked.user);
    let account = format!("/sandbox/accounts/{}", linked.account);
    for (method, path) in [(Method::POST, &mail), (Method::DELETE, &account), (Method::DELETE, &user)] {
        assert_eq!(service.portal(method, path, &viewer.cookie, None).await.status, 403, "{path}");
    }
    let sent = service.portal(Method::POST, &mail, &support.cookie, None).await;
    assert_eq!((sent.status.as_u16(), sent.bytes.len()), (202, 0), "neither recipient nor link");
    let elsewhere = mail.replace(linked.user.rsplit_once('-').unwrap().1, &"0".repeat(32));
    assert_eq!(service.portal(Method::POST, &elsewhere, &support.cookie, None).await.status, 404);
    assert_eq!(service.portal(Method::DELETE, &account, &support.cookie, None).await.status, 204);
    let person = service.person(&support, &linked.user).await;
    assert_eq!(person["accounts"][0]["connectionStatus"], "DISCONNECTED");
    assert_eq!(service.portal(Method::DELETE, &user, &support.cookie, None).await.status, 403);
    assert_eq!(service.portal(Method::DELETE, &user, &developer.cookie, None).await.status, 204);
    assert_eq!(service.find(&support, "customer-7").await, []);
}

#[tokio::test]
async fn person_of_another_tenant_does_not_exist() {
    let service = TestService::start(Backend::Sqlite).await;
    service.another_tenant().await;
    let code = service.invite_member("other", "bo@other.example", Role::Owner).await;
    let stranger = service.sign_in(&code).await;
    let linked = link_person(&service).await;
    for find in ["customer-7", linked.user.as_str(), linked.account.as_str(), "ana@example.com"] {
        assert_eq!(service.find(&stranger, find).await, [], "{find}");
    }
    let found = service.portal(Method::GET, &path_of(&linked.user), &stranger.cookie, None).await;
    assert_eq!(found.status, 404);
    for path in [format!("/sandbox/users/{}", linked.user), format!("/sandbox/accounts/{}", linked.account)] {
        assert_eq!(service.portal(Method::DELETE, &path, &stranger.cookie, None).await.status, 404, "{path}");
    }
}
