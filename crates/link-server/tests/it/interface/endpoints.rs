//! The table of endpoints: sends a request for each row and checks its response.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::{Value, json};

use super::fields::*;
use super::resources::Shape::{Digest, Id, Moment, Object, Objects, Text, Url, User, Words};
use super::resources::{Field, Seen, field};
use super::states::RECORD_STATES;
use crate::sandbox_complete::Walk;
use crate::service::{As, text};

/// A row of the table.
#[derive(Clone, Copy)]
struct Row {
    method: &'static str,
    path: &'static str,
    /// `service.md`, "Answers": 201 for a creation, 204 if nothing is returned, 200 otherwise.
    status: u16,
    body: Body,
}

/// The body that a row returns.
#[derive(Clone, Copy)]
enum Body {
    Nothing,
    One(&'static str, &'static [Field]),
    /// `{items, nextCursor}` with items of these fields.
    List(&'static str, &'static [Field]),
    /// The fields from `service.md` and no others, if the document does not list them.
    Fields(&'static str, &'static [Field]),
}

use Body::{Fields, List, Nothing, One};

const fn row(method: &'static str, path: &'static str, status: u16, body: Body) -> Row {
    Row { method, path, status, body }
}

/// The secret is never returned (`service.md`, webhooks).
const REGISTRATION: &[Field] = &[WEBHOOK[0], WEBHOOK[1], WEBHOOK[2], WEBHOOK[3], WEBHOOK[5]];

/// The user, with the reference of the request.
const USER: &[Field] = &[
    field("id", User),
    field("createdAt", Moment),
    field("reference", Text),
    field("externalMetadata", Object),
    field("provenEmail", Text).or_null(),
    field("token", Object),
];
/// The payload of an account at a social security service.
const PAYLOAD: &[Field] = &[
    field("metadata", Object),
    field("identity", Object),
    field("rating", Object).or_null(),
    field("documents", Object),
    field("incomes", Object).or_null(),
    field("transactions", Object).or_null(),
    field("employments", Object),
    field("contributions", Object),
    field("liabilities", Object),
    field("eincomes", Object),
    field("links", Object),
    field("insight", Object),
];
const EXPORT: &[Field] = &[
    field("id", Id("export")),
    field("accountId", Id("a")),
    field("format", Words(&["PDF", "CSV", "JSON"])),
    field("downloadUrl", Url),
    field("sha256", Digest),
    field("createdAt", Moment),
    field("expiresAt", Moment),
];
const SIGNAL: &[Field] = &[
    field("id", Id("fp")),
    field("createdAt", Moment),
    field("status", Words(RECORD_STATES)),
    field("resultCode", Words(RESULT_CODES)),
    field("resultMessage", Text),
    field("requestMeta", Object),
    field("items", Objects),
];
const SIGNAL_ITEM: &[Field] = &[field("name", Text), field("valueType", Text)];

const ROWS: &[Row] = &[
    row("(method not given)", "/users", 201, Fields("User", USER)),
    row("POST", "/tokens", 201, One("Token", TOKEN)),
    row("GET", "/accounts", 200, List("Account", ACCOUNT)),
    row("GET", "/accounts/{id}", 200, One("Account", ACCOUNT)),
    row("DELETE", "/accounts", 204, Nothing),
    row("GET", "/accounts/{id}/payload", 200, Fields("Payload", PAYLOAD)),
    row("GET", "/accounts/{id}/exports/generate", 200, Fields("Export", EXPORT)),
    row("POST", "/accounts/{id}/disableMonitor", 204, Nothing),
    row("POST", "/alpha/socialSecurities", 201, One("Record", RECORD)),
    row("GET", "/alpha/socialSecurities", 200, List("Record", RECORD)),
    row("GET", "/alpha/socialSecurities/{id}", 200, One("Record", RECORD)),
    row("GET", "/alpha/forms", 200, List("Form", FORM)),
    row("GET", "/alpha/forms/{id}", 200, One("Form", FORM)),
    row("GET", "/documents", 200, List("Document", DOCUMENT)),
    row("GET", "/documents/{id}", 200, One("Document", DOCUMENT)),
    row("GET", "/ratings", 200, List("Rating", RATING)),
    row("GET", "/ratings/{id}", 200, One("Rating", RATING)),
    row("GET", "/eincomes", 200, List("Estimated income", ESTIMATED_INCOME)),
    row("GET", "/eincomes/{id}", 200, One("Estimated income", ESTIMATED_INCOME)),
    row("POST", "/webhooks", 201, One("Webhook", REGISTRATION)),
    row("POST", "/alpha/footprints", 201, Fields("Signal", SIGNAL)),
];

impl Row {
    fn holds(&self, body: &Value, bytes: usize, seen: &mut Seen) {
        match self.body {
            Nothing => assert_eq!(bytes, 0, "{} {}: {body}", self.method, self.path),
            One(table, fields) => seen.object(table, fields, body),
            List(table, fields) => {
                let keys: Vec<_> = body.as_object().unwrap().keys().collect();
                assert_eq!(keys, ["items", "nextCursor"], "{} {}", self.method, self.path);
                assert!(!body["items"].as_array().unwrap().is_empty(), "{}: the list is empty", self.path);
                seen.objects(table, fields, &body["items"]);
            }
            Fields(table, fields) => {
                seen.object(table, fields, body);
                let names: BTreeSet<&str> = body.as_object().unwrap().keys().map(String::as_str).collect();
                assert_eq!(names, fields.iter().map(|it| it.name).collect(), "{} {}", self.method, self.path);
            }
        }
    }
}

/// Sends a request for every row and checks the response.
pub async fn walk(walk: &Walk, seen: &mut Seen) {
    let service = &walk.service;
    let account = link_account(walk).await;
    let spare = link_account(walk).await;
    let monitored = service.get(&format!("/accounts/{account}")).await.body;
    assert_eq!(monitored["monitorStatus"], "ACTIVE", "{monitored}");
    for row in ROWS {
        let method = if row.path == "/users" { "POST" } else { row.method };
        let (path, body) = request(walk, row, &account, &spare).await;
        let method: Method = method.parse().unwrap();
        let response = service.send(method, &path, As::Tenant(&service.sandbox), body.as_ref()).await;
        assert_eq!(response.status, row.status, "{} {path} {}", row.method, response.body);
        row.holds(&response.body, response.bytes.len(), seen);
        match (row.method, row.path) {
            // The row created the user; this retrieves it. Both responses contain a token.
            ("(method not given)", path) => {
                seen.object("Token", TOKEN, &response.body["token"]);
                let again = service.post(path, json!({"reference": "interface"})).await;
                assert_eq!((again.status.as_u16(), &again.body["id"]), (200, &response.body["id"]));
                seen.object("Token", TOKEN, &again.body["token"]);
            }
            ("DELETE", _) => {
                let gone = service.get(&format!("/accounts/{spare}/payload")).await;
                assert_eq!(gone.status, 404, "the data is removed");
                let all = service.delete("/accounts").await;
                assert_eq!(all.status, 422, "service.md: never a mass deletion");
            }
            ("POST", "/alpha/socialSecurities") => {
                assert_eq!(response.body["status"], "PROCESSING");
                let path = format!("{}/{}", row.path, text(&response.body["id"]));
                service.until_completed(&path, &service.sandbox.clone()).await;
            }
            ("POST", "/webhooks") => {
                assert!(response.body.get("secret").is_none(), "service.md: the secret is never returned");
            }
            ("GET", "/accounts/{id}/payload") => payload_holds(&response.body, &account, seen),
            ("GET", "/accounts/{id}/exports/generate") => {
                assert_eq!(response.body["accountId"], account);
            }
            ("POST", "/accounts/{id}/disableMonitor") => is_disabled(walk, &account).await,
            ("POST", "/alpha/footprints") => {
                assert_eq!(response.body["status"], "COMPLETED");
                seen.objects("Signal item", SIGNAL_ITEM, &response.body["items"]);
                assert!(!response.body["items"].as_array().unwrap().is_empty());
            }
            ("GET", "/alpha/forms") => {
                assert_eq!(response.body["nextCursor"], Value::Null, "null on the last page");
                let user = text(&response.body["items"][0]["userId"]);
                let of_user = service.get(&format!("/alpha/forms?userId={user}")).await;
                assert_eq!(of_user.body["items"], json!([response.body["items"][0]]));
            }
            _ => {}
        }
    }
}

/// Checks the parts of an account's payload.
fn payload_holds(payload: &Value, account: &str, seen: &mut Seen) {
    assert_eq!(payload["metadata"]["id"], account);
    seen.object("Account", ACCOUNT, &payload["metadata"]);
    seen.object("Identity", IDENTITY, &payload["identity"]);
    for (key, table, fields) in [
        ("documents", "Document", &DOCUMENT[..DOCUMENT.len() - 1]),
        ("employments", "Employment", EMPLOYMENT),
        ("contributions", "Contribution", CONTRIBUTION),
        ("liabilities", "Liability", LIABILITY),
        ("eincomes", "Embedded estimated income", EMBEDDED_ESTIMATED_INCOME),
    ] {
        seen.objects(table, fields, &payload[key]["items"]);
        assert!(payload[key]["nextCursor"].is_null(), "the list is complete");
    }
}

/// Checks that an account is not read any more, and that its data stays.
async fn is_disabled(walk: &Walk, account: &str) {
    let path = format!("/accounts/{account}");
    let disabled = walk.service.get(&path).await.body;
    assert_eq!(disabled["connectionStatus"], "CONNECTED", "{disabled}");
    assert_eq!(disabled["monitorStatus"], "CUSTOMER_DISABLED", "{disabled}");
    assert_eq!(disabled["monitor"]["nextSyncAt"], Value::Null, "{disabled}");
    let refused = walk.service.post(&format!("{path}/refresh"), json!({})).await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    let payload = walk.service.get(&format!("{path}/payload")).await.body;
    assert!(payload["identity"].is_object(), "{payload}");
}

/// Links an account, waits for its data and returns its id.
async fn link_account(walk: &Walk) -> String {
    let service = &walk.service;
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
    service.until_settled(&session, &progress).await;
    walk.until_tasks_end().await;
    text(&progress["accountId"])
}

/// Returns the path and the body of a row's request, with every filter that the row names.
async fn request(walk: &Walk, row: &Row, account: &str, spare: &str) -> (String, Option<Value>) {
    let service = &walk.service;
    let first = async |list: &str| service.get(&format!("{list}?size=1")).await.body.clone();
    let body = match (row.method, row.path) {
        ("(method not given)", _) => Some(json!({"reference": "interface"})),
        ("POST", "/alpha/socialSecurities") => Some(super::resources::record_request(service)),
        ("POST", "/webhooks") => Some(json!({
            "name": "one", "url": walk.receiver.url, "eventTypes": ["TASK_FINISHED"], "active": false,
            "secret": "a secret of a tenant", "includePayload": true,
        })),
        ("POST", "/alpha/footprints") => Some(crate::signals::request(
            link_types::signal::SignalKind::Footprints,
            "525500000100",
            "success@example.com",
        )),
        _ => None,
    };
    let path = match (row.method, row.path) {
        ("POST", "/tokens") => format!("/tokens?userId={}", service.user().await.0),
        ("DELETE", "/accounts") => format!("/accounts?id={spare}"),
        ("GET", "/accounts") => {
            let newest = first("/accounts").await["items"][0].clone();
            let day = &text(&newest["createdAt"])[..10];
            format!("/accounts?userId={}&startDate={day}&endDate={day}", text(&newest["userId"]))
        }
        ("GET", "/alpha/forms") => {
            let page = first("/alpha/forms").await;
            let form = &page["items"][0];
            let day = &text(&form["createdAt"])[..10];
            // A cursor is valid only with the filters of its page. Each form belongs to another user.
            let filters = format!("linkSiteId={}&startDate={day}&endDate={day}", text(&form["linkSiteId"]));
            let page = service.get(&format!("/alpha/forms?{filters}&size=1")).await.body;
            format!("/alpha/forms?{filters}&cursor={}", text(&page["nextCursor"]))
        }
        (_, path) if path.starts_with("/accounts/") => path.replace("{id}", account),
        (_, path) => match path.strip_suffix("/{id}") {
            Some(list) => format!("{list}/{}", text(&first(list).await["items"][0]["id"])),
            None => path.to_owned(),
        },
    };
    (path, body)
}
