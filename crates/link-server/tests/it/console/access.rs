//! The rights of members: the rule of each route, other members, and other tenants.

use std::collections::{BTreeMap, BTreeSet};

use axum::body::Body;
use axum::http::{Method, Request, header};
use link_domain::console::permission::is_allowed;
use link_domain::tenancy::audit::Act;
use link_server::console::rules::{self, Needs, RULES};
use link_store::test_support::Backend;
use link_types::Mode;
use link_types::console::Role;
use serde_json::{Value, json};

use super::Browser;
use crate::service::{TestService, text};

/// A request for each route. The ids do not exist, so that an allowed request gets 404 or 422 and changes nothing.
fn request_of(path: &str, mode: &str) -> (String, Value) {
    let body = match path {
        rules::WEBHOOK => json!({"name": "one"}),
        rules::ROTATION => json!({"secret": "0123456789abcdef"}),
        rules::KEY_ROTATION => json!({"hours": 1}),
        rules::LINK_SITE | rules::LINK_TEMPLATE | rules::INVITE_TEMPLATE => json!({"name": "one"}),
        rules::CONSENT_TEMPLATE => json!({"title": "one"}),
        path if path.contains("{id}") => json!({"role": "VIEWER"}),
        _ => json!({"name": ""}),
    };
    let path = path.trim_start_matches("/console/api").replace("{environment}", mode);
    let path = if path.ends_with("/billing/export") { format!("{path}?month=2026-11") } else { path };
    let kinds = [
        ("sessions", "cs"),
        ("webhooks", "wh"),
        ("events", "et"),
        ("scenarios", "scn"),
        ("linkSites", "site"),
        ("linkTemplates", "lt"),
        ("templateVersions", "lt"),
        ("consentTemplates", "ct"),
        ("inviteTemplates", "ivt"),
        ("accounts", "a"),
        ("archives", "archive"),
        ("users", "demo"),
        ("/invites/{id}", "iv"),
    ];
    let kind = kinds.iter().find(|(name, _)| path.contains(name)).map_or("mb", |(_, kind)| *kind);
    let (zeros, path) =
        ("0".repeat(32), path.replace("{type}", "TASK_STARTED").replace("{format}", "audit.csv"));
    // A person has the id of the user without the tenant.
    let id = if path.contains("/people/") { zeros.clone() } else { format!("{kind}-{zeros}") };
    let path = path.replace("{id}", &id).replace("{inviteId}", &format!("iv-{zeros}"));
    (path.replace("{deliveryId}", &format!("dlv-{zeros}")), body)
}

/// Every route, with each role and with the owner of another tenant, in each environment.
#[tokio::test]
async fn every_route_admits_exactly_the_roles_of_its_rule() {
    let service = TestService::start(Backend::Sqlite).await;
    service.another_tenant().await;
    let mut browsers = BTreeMap::new();
    for role in Role::ALL {
        browsers.insert(*role, service.sign_in_as(&format!("{role}@shop.example"), *role).await);
    }
    let code = service.invite_member("other", "bo@other.example", Role::Owner).await;
    let stranger = service.sign_in(&code).await;
    let owner = &browsers[&Role::Owner];
    let mut denied = 0;
    for rule in RULES.iter().filter(|rule| rule.path != rules::SESSION && rule.needs != Needs::Nothing) {
        assert!(rule.method == Method::GET || rule.act != Act::Read, "{} {}", rule.method, rule.path);
        for (mode, name) in [(Mode::Sandbox, "sandbox"), (Mode::Production, "production")] {
            let (path, body) = request_of(rule.path, name);
            let body = (rule.method != Method::GET).then_some(body);
            let send = async |path: &str, cookie: &str| {
                service.portal(rule.method.clone(), path, cookie, body.clone()).await
            };
            assert_eq!(send(&path, "").await.status, 401, "{} {path}", rule.method);
            for (role, browser) in &browsers {
                let allowed = match rule.needs {
                    Needs::Permission(permission) => is_allowed(*role, mode, permission),
                    Needs::Session | Needs::Nothing => true,
                };
                let response = send(&path, &browser.cookie).await;
                let expected = if !allowed {
                    403
                } else if rule.path.contains("{id}") {
                    404
                } else if rule.method == Method::GET || rule.method == Method::DELETE {
                    200
                } else if rule.path == rules::PASSKEY_CHALLENGE {
                    201
                } else {
                    422
                };
                assert_eq!(response.status, expected, "{role} {} {path}: {:?}", rule.method, response.body);
                denied += usize::from(!allowed);
            }
            // What exists in one tenant does not exist for the owner of another, and their lists do not name it.
            let list = rule.path.split("/{id}").next().unwrap_or_default();
            let (list, _) = request_of(list, name);
            let theirs = service.portal(Method::GET, &list, &owner.cookie, None).await;
            // The lines of the bill have no id.
            let items = theirs.body["items"].as_array().into_iter().flatten();
            let ids: Vec<String> = items.filter_map(|it| it["id"].as_str().map(str::to_owned)).collect();
            if rule.path.contains("{id}") {
                for id in &ids {
                    let (path, _) = request_of(&rule.path.replace("{id}", id), name);
                    let response = send(&path, &stranger.cookie).await;
                    assert_eq!(response.status, 404, "{} {path}: {:?}", rule.method, response.body);
                }
            // Providers are the same for every tenant.
            } else if rule.method == Method::GET && rule.path != rules::PROVIDERS {
                let response = send(&path, &stranger.cookie).await;
                let shown = String::from_utf8_lossy(&response.bytes).into_owned();
                assert!(ids.iter().all(|id| !shown.contains(id)), "{path}");
            }
        }
    }
    assert!(denied > 60, "{denied}");
}

/// Every route that needs a permission, with the session of an owner who only read their mail.
#[tokio::test]
async fn mailbox_alone_reads_production_and_works_in_sandbox() {
    let service = TestService::start(Backend::Sqlite).await;
    let owner = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let mailed = service.sign_in_unproven(&owner.member).await;
    let previews = [rules::LINK_SITE_PREVIEW, rules::TEMPLATE_PREVIEW, rules::INVITE_FILE_CHECKS];
    let exports = [rules::AUDIT_FILE, rules::BILLING_FILE, rules::FORMS_FILE];
    let mut refused = 0;
    for rule in RULES {
        let Needs::Permission(permission) = rule.needs else { continue };
        for (mode, name) in [(Mode::Sandbox, "sandbox"), (Mode::Production, "production")] {
            let (path, body) = request_of(rule.path, name);
            let body = (rule.method != Method::GET).then_some(body);
            let response = service.portal(rule.method.clone(), &path, &mailed.cookie, body).await;
            let is_production = mode == Mode::Production || !rule.path.contains("{environment}");
            let is_read = rule.method == Method::GET && !exports.contains(&rule.path);
            let expected = is_production
                && is_allowed(Role::Owner, mode, permission)
                && !is_read
                && !previews.contains(&rule.path);
            let challenge = response.headers.get(header::WWW_AUTHENTICATE);
            let asks = challenge.is_some_and(|it| it.to_str().unwrap().contains("insufficient_user_auth"));
            assert_eq!(asks, expected, "{} {path}: {:?}", rule.method, response.body);
            assert!(!asks || response.status == 403, "{} {path}", rule.method);
            refused += usize::from(asks);
        }
    }
    assert!(refused > 35, "{refused}");
}

#[tokio::test]
async fn mailbox_alone_ends_only_sessions_of_its_member() {
    let service = TestService::start(Backend::Sqlite).await;
    let owner = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let other = service.sign_in_as("bob@shop.example", Role::Owner).await;
    let mailed = service.sign_in_unproven(&owner.member).await;
    let sessions = service.portal(Method::GET, "/sessions", &mailed.cookie, None).await;
    for session in sessions.body["items"].as_array().unwrap().iter().filter(|it| it["isCurrent"] == false) {
        let path = format!("/sessions/{}", text(&session["id"]));
        let expected = if session["memberId"] == other.member { 403 } else { 204 };
        assert_eq!(service.portal(Method::DELETE, &path, &mailed.cookie, None).await.status, expected);
    }
    assert_eq!(service.portal(Method::GET, "/session", &other.cookie, None).await.status, 200);
    assert_eq!(service.portal(Method::GET, "/session", &owner.cookie, None).await.status, 401);
}

#[tokio::test]
async fn route_without_a_rule_is_404() {
    let service = TestService::start(Backend::Sqlite).await;
    let owner = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let known: BTreeSet<_> = RULES.iter().map(|rule| rule.path).collect();
    for path in known {
        let methods = [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];
        for method in methods.into_iter().filter(|it| rules::find(it, path).is_none()) {
            let (path, body) = request_of(path, "sandbox");
            let response = service.portal(method.clone(), &path, &owner.cookie, Some(body)).await;
            assert_eq!(response.status, 404, "{method} {path}");
        }
    }
}

#[tokio::test]
async fn head_is_answered_like_get() {
    let service = TestService::start(Backend::Sqlite).await;
    let owner = service.sign_in_as("ana@shop.example", Role::Owner).await;
    for path in ["/session", "/sessions", "/members", "/sandbox/keys"] {
        let head = service.portal(Method::HEAD, path, &owner.cookie, None).await;
        assert_eq!((head.status.as_u16(), head.bytes.len()), (200, 0), "{path}");
        assert_eq!(service.portal(Method::HEAD, path, "", None).await.status, 401, "{path}");
    }
}

#[tokio::test]
async fn former_owner_loses_the_access_that_they_gave() {
    for remove in [true, false] {
        let service = TestService::start(Backend::Sqlite).await;
        let ana = service.sign_in_as("ana@shop.example", Role::Owner).await;
        let bob = service.sign_in_as("bob@shop.example", Role::Owner).await;
        let path = format!("/members/{}/address", ana.member);
        let code = async || {
            let created = service.portal(Method::POST, &path, &bob.cookie, None).await;
            text(&created.body["url"]).split_once('#').unwrap().1.to_owned()
        };
        let as_ana = service.sign_in(&code().await).await;
        assert_eq!(as_ana.member, ana.member);
        let unused = code().await;
        let (path, body) = (format!("/members/{}", bob.member), json!({"role": "DEVELOPER"}));
        let gone = if remove {
            service.portal(Method::DELETE, &path, &ana.cookie, None).await
        } else {
            service.portal(Method::PATCH, &path, &ana.cookie, Some(body)).await
        };
        assert!(gone.status.is_success(), "{:?}", gone.body);
        assert_eq!(service.portal(Method::GET, "/session", &as_ana.cookie, None).await.status, 401);
        let used = service.portal(Method::POST, "/session", "", Some(json!({"code": unused}))).await;
        assert_eq!(used.status, 401);
        assert_eq!(service.portal(Method::GET, "/session", &ana.cookie, None).await.status, 200);
    }
}

#[tokio::test]
async fn access_given_as_another_member_ends_with_its_giver() {
    let service = TestService::start(Backend::Sqlite).await;
    let ana = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let bob = service.sign_in_as("bob@shop.example", Role::Owner).await;
    let path = format!("/members/{}/address", ana.member);
    let code = async |cookie: &str| {
        let created = service.portal(Method::POST, &path, cookie, None).await;
        text(&created.body["url"]).split_once('#').unwrap().1.to_owned()
    };
    // Bob acts as Ana, and as Ana gives himself another session of hers.
    let as_ana = service.sign_in(&code(&bob.cookie).await).await;
    let again = service.sign_in(&code(&as_ana.cookie).await).await;
    let bobs = format!("/members/{}", bob.member);
    assert_eq!(service.portal(Method::DELETE, &bobs, &ana.cookie, None).await.status, 204);
    assert_eq!(service.portal(Method::GET, "/session", &again.cookie, None).await.status, 401);
    assert_eq!(service.portal(Method::GET, "/session", &ana.cookie, None).await.status, 200);
}

#[tokio::test]
async fn member_removed_while_the_body_arrives_changes_nothing() {
    for (path, body) in [
        ("/members", json!({"name": "Eve", "email": "eve@shop.example", "role": "OWNER"})),
        ("/production/keys", json!({"name": "key"})),
        (
            "/production/webhooks",
            json!({"url": "https://1.1.1.1/", "eventTypes": ["ALL_EVENTS"], "secret": "0123456789abcdef"}),
        ),
    ] {
        let service = TestService::start(Backend::Sqlite).await;
        let ana = service.sign_in_as("ana@shop.example", Role::Owner).await;
        let bob = service.sign_in_as("bob@shop.example", Role::Owner).await;
        let (asked, is_asked) = tokio::sync::oneshot::channel();
        let (go, goes) = tokio::sync::oneshot::channel::<()>();
        let body = futures_util::stream::once(async move {
            asked.send(()).unwrap();
            goes.await.unwrap();
            Ok::<_, std::io::Error>(body.to_string())
        });
        let request = Request::post(format!("/console/api{path}"))
            .header(header::HOST, "localhost:8787")
            .header("sec-fetch-site", "same-origin")
            .header(header::COOKIE, &bob.cookie)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from_stream(body))
            .unwrap();
        let demoted = async {
            is_asked.await.unwrap();
            let (path, body) = (format!("/members/{}", bob.member), json!({"role": "VIEWER"}));
            let demoted = service.portal(Method::PATCH, &path, &ana.cookie, Some(body)).await;
            go.send(()).unwrap();
            demoted
        };
        let (response, demoted) = tokio::join!(service.send_raw(request), demoted);
        assert_eq!((demoted.status.as_u16(), response.status.as_u16()), (200, 403), "{path}");
    }
}

#[tokio::test]
async fn two_owners_cannot_demote_each_other_at_once() {
    for backend in Backend::ALL {
        let service = TestService::start(backend).await;
        let one = service.sign_in_as("ana@shop.example", Role::Owner).await;
        let two = service.sign_in_as("bob@shop.example", Role::Owner).await;
        let demote = |by: &Browser, member: &Browser| {
            let (path, cookie) = (format!("/members/{}", member.member), by.cookie.clone());
            let service = &service;
            async move { service.portal(Method::PATCH, &path, &cookie, Some(json!({"role": "VIEWER"}))).await }
        };
        let (first, second) = tokio::join!(demote(&one, &two), demote(&two, &one));
        let refused = [first.status, second.status].iter().filter(|status| **status != 200).count();
        assert_eq!(refused, 1, "{backend:?}: {} {}", first.status, second.status);
    }
}

#[tokio::test]
async fn last_owner_can_neither_leave_nor_be_demoted() {
    let service = TestService::start(Backend::Sqlite).await;
    let owner = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let path = format!("/members/{}", owner.member);
    assert_eq!(service.portal(Method::DELETE, &path, &owner.cookie, None).await.status, 409);
    let demoted = service.portal(Method::PATCH, &path, &owner.cookie, Some(json!({"role": "VIEWER"}))).await;
    assert_eq!(demoted.status, 409, "{:?}", demoted.body);
}

#[tokio::test]
async fn member_of_one_tenant_sees_nothing_of_another() {
    let service = TestService::start(Backend::Sqlite).await;
    service.another_tenant().await;
    let owner = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let code = service.invite_member("other", "bo@other.example", Role::Owner).await;
    let stranger = service.sign_in(&code).await;
    let session = service.portal(Method::GET, "/sessions", &stranger.cookie, None).await;
    let session = text(&session.body["items"][0]["id"]);
    let keys = service.portal(Method::GET, "/sandbox/keys", &stranger.cookie, None).await;
    let key = text(&keys.body["items"][0]["id"]);
    let member = &stranger.member;
    for (method, path) in [
        (Method::DELETE, format!("/sessions/{session}")),
        (Method::DELETE, format!("/sandbox/keys/{key}")),
        (Method::DELETE, format!("/members/{member}")),
        (Method::PATCH, format!("/members/{member}")),
        (Method::POST, format!("/members/{member}/address")),
    ] {
        let body = (method == Method::PATCH).then(|| json!({"role": "VIEWER"}));
        let response = service.portal(method.clone(), &path, &owner.cookie, body).await;
        assert_eq!(response.status, 404, "{method} {path}");
    }
    let members = service.portal(Method::GET, "/members", &owner.cookie, None).await;
    assert!(!String::from_utf8_lossy(&members.bytes).contains("other.example"));
    assert_eq!(service.portal(Method::GET, "/session", &stranger.cookie, None).await.status, 200);
}
