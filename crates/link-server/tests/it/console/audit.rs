//! The audit log: an event for each act, denied ones included, and a chain that shows changes.

use std::collections::BTreeMap;

use axum::http::Method;
use base64::Engine as _;
use link_domain::change::{Change, Row};
use link_domain::console::permission::is_allowed;
use link_domain::kernel::clock::ClockOffset;
use link_domain::tenancy::audit::Act;
use link_domain::tenancy::tenant::ApiKey;
use link_server::console::rules::{Needs, RULES};
use link_server::workers::{audit, housekeeping};
use link_server::{admin, api};
use link_store::StoreError;
use link_store::test_support::{Backend, sqlite};
use link_types::Mode;
use link_types::console::{KeyDraft, KeyScope, Role};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::UnixStream;

use crate::service::{As, Keys, TestService, text};

impl TestService {
    /// Returns the sandbox's audit events, newest first.
    pub(super) async fn audit(&self, query: &str) -> Vec<Value> {
        audit::chain(&self.app).await.unwrap();
        let (mut events, mut path) = (Vec::new(), format!("/alpha/auditEvents?size=50&{query}"));
        loop {
            let listed = self.send(Method::GET, &path, As::Tenant(&self.sandbox), None).await;
            assert_eq!(listed.status, 200, "{:?}", listed.body);
            events.extend(listed.body["items"].as_array().unwrap().clone());
            match listed.body["nextCursor"].as_str() {
                Some(cursor) => path = format!("/alpha/auditEvents?size=50&cursor={cursor}"),
                None => return events,
            }
        }
    }

    /// Creates a sandbox key with these scopes.
    async fn key_with(&self, scopes: &[KeyScope]) -> Keys {
        let mut context = self.app.context(ClockOffset::default());
        let draft =
            KeyDraft { name: String::new(), scopes: scopes.to_vec(), expires_in_days: None, code: None };
        let (key, issued) = ApiKey::create(self.owner(), &draft, false, &mut context).unwrap();
        let (change, now) = (Change::row(Row::ApiKey(key)), context.now());
        let made: Result<(), StoreError> = self.app.store.write(move |tx| tx.apply(&change, now)).await;
        made.unwrap();
        let pair = format!("{}:{}", issued.key, issued.secret.expose());
        Keys { basic: base64::engine::general_purpose::STANDARD.encode(pair), ..self.sandbox.clone() }
    }
}

/// A connection to the administration socket of a service.
pub struct Socket {
    folder: tempfile::TempDir,
}

impl Socket {
    pub fn listen(service: &TestService) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = admin::listen(folder.path()).unwrap();
        tokio::spawn(admin::run(service.app.clone(), listener));
        Self { folder }
    }

    pub async fn ask(&self, request: Value) -> Value {
        let mut stream = UnixStream::connect(self.folder.path().join(admin::SOCKET)).await.unwrap();
        stream.write_all(format!("{request}\n").as_bytes()).await.unwrap();
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).await.unwrap();
        serde_json::from_str(&line).unwrap()
    }
}

fn count(events: &[Value], outcome: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for event in events.iter().filter(|it| it["outcome"] == outcome) {
        *counts.entry(text(&event["action"])).or_default() += 1;
    }
    counts
}

/// Returns a request for a route. Its ids do not exist.
fn concrete(path: &str) -> String {
    let id = |name: &str| format!("{name}-{}", "0".repeat(32));
    let prefix = match path.trim_start_matches("/alpha").split('/').nth(1).unwrap_or_default() {
        "users" => "demo",
        "accounts" => "a",
        "archives" => "archive",
        "webhooks" => "wh",
        "linkTemplates" => "lt",
        _ => "x",
    };
    path.replace("{id}", &id(prefix)).replace("{deliveryId}", &id("dlv"))
}

#[tokio::test]
async fn every_write_route_records_its_acts_also_if_denied() {
    let service = TestService::start(Backend::Sqlite).await;
    let before = count(&service.audit("").await, "DONE");
    let reader = service.key_with(&[KeyScope::Read]).await;
    let routes = api::routes();
    let mut expected: BTreeMap<String, usize> = BTreeMap::new();
    let mut denied: BTreeMap<String, usize> = BTreeMap::new();
    let mut reads = 0;
    for (method, path, act) in routes.acts() {
        let method: Method = method.parse().unwrap();
        let Act::Audited(action) = act else {
            assert!(method == Method::GET && act == Act::Read, "{method} {path} is not recorded");
            reads += 1;
            continue;
        };
        let body = (method == Method::POST || method == Method::PATCH).then(|| json!({"notAField": 1}));
        for keys in [&service.sandbox, &reader] {
            let response =
                service.send(method.clone(), &concrete(path), As::Tenant(keys), body.as_ref()).await;
            let is_denied = keys.basic == reader.basic && method != Method::GET;
            assert_eq!(response.status == 403, is_denied, "{method} {path}: {:?}", response.body);
            let counts = if is_denied { &mut denied } else { &mut expected };
            *counts.entry(action.to_string()).or_default() += 1;
        }
    }
    assert!(reads > 30 && denied.values().sum::<usize>() > 40, "{reads} {denied:?}");
    let events = service.audit("").await;
    assert_eq!(count(&events, "DENIED"), denied);
    let mut answered = count(&events, "FAILED");
    for (action, done) in count(&events, "DONE") {
        *answered.entry(action.clone()).or_default() += done - before.get(&action).copied().unwrap_or(0);
    }
    answered.retain(|_, count| *count > 0);
    assert_eq!(answered, expected);
    for event in events.iter().filter(|it| it["outcome"] == "DENIED") {
        assert_eq!(
            (&event["code"], &event["actor"]["type"]),
            (&json!("INSUFFICIENT_SCOPE"), &json!("API_KEY"))
        );
    }
}

#[tokio::test]
async fn done_act_has_its_resource_and_actor() {
    for backend in Backend::ALL {
        let service = TestService::start(backend).await;
        let body = json!({"reference": "canary.person@shop.example"});
        let created = service.send(Method::POST, "/users", As::Tenant(&service.sandbox), Some(&body)).await;
        assert_eq!(created.status, 201, "{:?}", created.body);
        let id = text(&created.body["id"]);
        let refused = service.send(Method::GET, "/users/canary", As::Tenant(&service.sandbox), None).await;
        assert_eq!(refused.status, 404);
        let path = "/users/canary.person@shop.example";
        service.send(Method::DELETE, path, As::Tenant(&service.sandbox), None).await;
        let deleted =
            service.send(Method::DELETE, &format!("/users/{id}"), As::Tenant(&service.sandbox), None).await;
        assert_eq!(deleted.status, 204);
        let events = service.audit("").await;
        let shown: Vec<_> = events[..3]
            .iter()
            .map(|it| (text(&it["action"]), text(&it["outcome"]), it["subjectId"].clone()))
            .collect();
        assert_eq!(
            shown,
            [
                ("USER_DELETED".to_owned(), "DONE".to_owned(), json!(id)),
                ("USER_DELETED".to_owned(), "FAILED".to_owned(), Value::Null),
                ("USER_CREATED".to_owned(), "DONE".to_owned(), json!(id)),
            ],
            "{backend:?}"
        );
        assert!(!json!(events).to_string().contains("canary"), "no personal data");
        let actor = text(&events[0]["actor"]["id"]);
        assert_eq!(service.audit(&format!("actorId={actor}&action=USER_CREATED")).await.len(), 1);
        assert_eq!(service.audit("actorId=000000000000").await.len(), 0);
    }
}

#[tokio::test]
async fn portal_records_its_acts_also_if_denied() {
    let service = TestService::start(Backend::Sqlite).await;
    let owner = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let viewer = service.sign_in_as("vi@shop.example", Role::Viewer).await;
    let (mut routes, mut denied) = (0, 0);
    for rule in RULES.iter().filter(|it| it.path.contains("{environment}")) {
        let Act::Audited(_) = rule.act else { continue };
        routes += 1;
        let Needs::Permission(permission) = rule.needs else { panic!("{rule:?}") };
        denied += usize::from(!is_allowed(Role::Viewer, Mode::Sandbox, permission));
        let path = rule.path.trim_start_matches("/console/api").replace("{environment}", "sandbox");
        let path = path.replace("{id}", "000000000000").replace("{format}", "audit.csv");
        for browser in [&owner, &viewer] {
            let body = (rule.method == Method::POST).then(|| json!({"name": "canary", "hours": 1}));
            service.portal(rule.method.clone(), &path, &browser.cookie, body).await;
        }
    }
    let events = service.audit(&format!("actorId={}", viewer.member)).await;
    assert_eq!((events.len(), count(&events, "DENIED").len()), (routes, denied), "{events:?}");
    assert_eq!(service.audit(&format!("actorId={}", owner.member)).await.len(), routes);
    let everything = json!(service.audit("").await).to_string();
    for canary in ["canary", "ana@", "Mozilla"] {
        assert!(!everything.contains(canary), "{canary}");
    }
    let file = service.portal(Method::GET, "/sandbox/audit/audit.json", &owner.cookie, None).await;
    let lines: Vec<Value> = serde_json::from_slice(&file.bytes).unwrap();
    assert_eq!(lines[0]["sequence"], 1);
    assert!(lines.iter().any(|it| it["event"]["action"] == "SESSION_STARTED"));
    let foreign = [("sec-fetch-site", "cross-site")];
    let path = "/sandbox/audit/audit.json";
    let linked = service.portal_from(&foreign, Method::GET, path, &owner.cookie, None).await;
    assert_eq!(linked.status, 403, "another site cannot start an export");
    let list = service.portal(Method::GET, "/sandbox/audit?action=AUDIT_EXPORTED", &owner.cookie, None).await;
    assert_eq!(list.body["items"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn operator_is_recorded_by_what_the_socket_did() {
    let service = TestService::start(Backend::Sqlite).await;
    let socket = Socket::listen(&service);
    let key = json!({"issueKey": {"tenant": "demo", "mode": "SANDBOX",
        "key": {"name": "", "scopes": ["READ"], "expiresInDays": null}}});
    let issued = socket.ask(key).await;
    let id = text(&issued["done"]["id"]);
    for _ in 0..2 {
        socket.ask(json!({"revokeKey": {"key": id}})).await;
    }
    socket.ask(json!({"stopClock": {"tenant": "demo"}})).await;
    socket.ask(json!({"listTenants": {}})).await;
    let events = service.audit("actorId=OPERATOR").await;
    let actions: Vec<_> = events.iter().map(|it| text(&it["action"])).collect();
    assert_eq!(actions, ["CLOCK_STOPPED", "API_KEY_REVOKED", "API_KEY_REVOKED", "API_KEY_CREATED"]);
    assert_eq!(events[3]["subjectId"], json!(id));
}

#[tokio::test]
async fn changed_removed_and_added_rows_are_found() {
    for (statement, fault) in [
        (
            "UPDATE audit_events SET body = replace(body, 'DONE', 'DENIED') WHERE sequence = 2",
            "event 2 was changed",
        ),
        ("UPDATE audit_events SET action = 'USER_DELETED' WHERE sequence = 2", "event 2 was changed"),
        ("DELETE FROM audit_events WHERE sequence = 2", "event 2 is missing"),
        ("DELETE FROM audit_events WHERE sequence = 4", "event 4 is missing"),
        (
            "INSERT INTO audit_events SELECT 'ae-f', tenant_id, mode, action, actor, at, 5, hash, body \
             FROM audit_events WHERE sequence = 4",
            "event 5 was not written",
        ),
    ] {
        let service = TestService::start(Backend::Sqlite).await;
        let socket = Socket::listen(&service);
        for _ in 0..3 {
            service.send(Method::POST, "/users", As::Tenant(&service.sandbox), Some(&json!({}))).await;
        }
        let verify = json!({"verifyAudit": {"tenant": "demo"}});
        let verified = socket.ask(verify.clone()).await;
        assert_eq!(verified["done"]["last"], 4, "{verified}");
        sqlite::execute(&service.database.files().join("linchpin.db"), statement);
        let refused = socket.ask(verify).await;
        assert!(text(&refused["refused"]).contains(fault), "{statement}: {refused}");
    }
}

#[tokio::test]
async fn expired_events_are_removed_and_the_chain_still_passes() {
    let service = TestService::start_with(Backend::Sqlite, |it| it.audit_days = 1.try_into().unwrap()).await;
    let socket = Socket::listen(&service);
    let create =
        async || service.send(Method::POST, "/users", As::Tenant(&service.sandbox), Some(&json!({}))).await;
    create().await;
    assert_eq!(service.audit("").await.len(), 2);
    let later = service.app.wall() + std::time::Duration::from_secs(2 * 86_400);
    housekeeping::tidy(&service.app, later).await.unwrap();
    assert_eq!(service.audit("").await.len(), 0);
    create().await;
    let verified = socket.ask(json!({"verifyAudit": {"tenant": "demo"}})).await;
    assert_eq!((&verified["done"]["first"], &verified["done"]["last"]), (&json!(3), &json!(3)), "{verified}");
}
