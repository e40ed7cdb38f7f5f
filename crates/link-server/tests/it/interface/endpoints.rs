//! The table of endpoints: sends a request for each row and checks its response.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::{Value, json};

use super::fields::*;
use super::shape::Shape::{Digest, Id, Moment, Object, Objects, Text, Url, User, Words};
use super::shape::{Field, Seen, part};
use super::states::RECORD_STATES;
use crate::sandbox_complete::Walk;
use crate::service::{As, text};

/// A row of the table.
#[derive(Clone, Copy)]
pub struct Row {
    pub line: u32,
    pub method: &'static str,
    pub path: &'static str,
    pub sent: &'static str,
    pub returned: &'static str,
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

const fn row(
    line: u32,
    method: &'static str,
    path: &'static str,
    sent: &'static str,
    returned: &'static str,
    status: u16,
    body: Body,
) -> Row {
    Row { line, method, path, sent, returned, status, body }
}

/// The secret is never returned (`service.md`, webhooks).
const REGISTRATION: &[Field] = &[WEBHOOK[0], WEBHOOK[1], WEBHOOK[2], WEBHOOK[3], WEBHOOK[5]];

/// The user, with the reference of the request.
const USER: &[Field] = &[
    part(264, "id", User),
    part(264, "createdAt", Moment),
    part(264, "reference", Text),
    part(264, "externalMetadata", Object),
    part(264, "token", Object),
];
/// The payload of an account at a social security service (line 27).
const PAYLOAD: &[Field] = &[
    part(269, "metadata", Object),
    part(269, "identity", Object),
    part(269, "rating", Object).or_null(),
    part(269, "documents", Object),
    part(269, "incomes", Object).or_null(),
    part(269, "transactions", Object).or_null(),
    part(269, "employments", Object),
    part(269, "contributions", Object),
    part(269, "liabilities", Object),
    part(269, "eincomes", Object),
    part(269, "links", Object),
    part(269, "insight", Object),
];
const EXPORT: &[Field] = &[
    part(270, "id", Id("export")),
    part(270, "accountId", Id("a")),
    part(270, "format", Words(&["PDF", "CSV", "JSON"])),
    part(270, "downloadUrl", Url),
    part(270, "sha256", Digest),
    part(270, "createdAt", Moment),
    part(270, "expiresAt", Moment),
];
const SIGNAL: &[Field] = &[
    part(284, "id", Id("fp")),
    part(284, "createdAt", Moment),
    part(284, "status", Words(RECORD_STATES)),
    part(284, "resultCode", Words(RESULT_CODES)),
    part(284, "resultMessage", Text),
    part(284, "requestMeta", Object),
    part(284, "items", Objects),
];
const SIGNAL_ITEM: &[Field] = &[part(284, "name", Text), part(284, "valueType", Text)];

pub const ROWS: &[Row] = &[
    row(
        264,
        "(method not given)",
        "/users",
        "create or retrieve a user",
        "user including the link token",
        201,
        Fields("User", USER),
    ),
    row(
        265,
        "POST",
        "/tokens",
        "query parameter userId (string)",
        "Token object (refreshes a user's token)",
        201,
        One("Token", TOKEN),
    ),
    row(
        266,
        "GET",
        "/accounts",
        "query filters userId, startDate, endDate; by default all accounts of the tenant match",
        "list of Account objects",
        200,
        List("Account", ACCOUNT),
    ),
    row(267, "GET", "/accounts/{id}", "-", "Account object", 200, One("Account", ACCOUNT)),
    row(268, "DELETE", "/accounts", "revokes account access; data removed", "-", 204, Nothing),
    row(269, "GET", "/accounts/{id}/payload", "-", "full account payload", 200, Fields("Payload", PAYLOAD)),
    row(270, "GET", "/accounts/{id}/exports/generate", "-", "account export", 200, Fields("Export", EXPORT)),
    row(271, "POST", "/accounts/{id}/disableMonitor", "-", "-", 204, Nothing),
    row(
        272,
        "POST",
        "/alpha/socialSecurities",
        "Request object (all fields required)",
        "Record object with status PROCESSING",
        201,
        One("Record", RECORD),
    ),
    row(273, "GET", "/alpha/socialSecurities", "-", "list of Record objects", 200, List("Record", RECORD)),
    row(274, "GET", "/alpha/socialSecurities/{id}", "-", "Record object", 200, One("Record", RECORD)),
    row(
        275,
        "GET",
        "/alpha/forms",
        "query userId, linkSiteId, startDate (YYYY-MM-DD), endDate (YYYY-MM-DD), cursor",
        "object with items (Form array) and nextCursor (string, null on last page)",
        200,
        List("Form", FORM),
    ),
    row(276, "GET", "/alpha/forms/{id}", "-", "Form object", 200, One("Form", FORM)),
    row(277, "GET", "/documents", "-", "list of Document objects", 200, List("Document", DOCUMENT)),
    row(278, "GET", "/documents/{id}", "-", "Document object", 200, One("Document", DOCUMENT)),
    row(279, "GET", "/ratings", "-", "list of Rating objects", 200, List("Rating", RATING)),
    row(280, "GET", "/ratings/{id}", "-", "Rating object", 200, One("Rating", RATING)),
    row(
        281,
        "GET",
        "/eincomes",
        "-",
        "list of Estimated income objects",
        200,
        List("Estimated income", ESTIMATED_INCOME),
    ),
    row(
        282,
        "GET",
        "/eincomes/{id}",
        "-",
        "Estimated income object",
        200,
        One("Estimated income", ESTIMATED_INCOME),
    ),
    row(
        283,
        "POST",
        "/webhooks",
        "Webhook registration body (name, url, eventTypes, active, secret, includePayload)",
        "registration",
        201,
        One("Webhook", REGISTRATION),
    ),
    row(
        284,
        "POST",
        "/alpha/footprints",
        "create a footprints signal (body)",
        "signal result",
        201,
        Fields("Signal", SIGNAL),
    ),
];

impl Row {
    pub fn quoted(&self) -> String {
        format!("| {} | {} | {} | {} |", self.method, self.path, self.sent, self.returned)
    }

    fn holds(&self, body: &Value, bytes: usize, seen: &mut Seen) {
        match self.body {
            Nothing => assert_eq!(bytes, 0, "line {}: {body}", self.line),
            One(table, fields) => seen.object(table, fields, body),
            List(table, fields) => {
                let keys: Vec<_> = body.as_object().unwrap().keys().collect();
                assert_eq!(keys, ["items", "nextCursor"], "line {}", self.line);
                assert!(
                    !body["items"].as_array().unwrap().is_empty(),
                    "line {}: the list is empty",
                    self.line
                );
                seen.objects(table, fields, &body["items"]);
            }
            Fields(table, fields) => {
                seen.object(table, fields, body);
                let names: BTreeSet<&str> = body.as_object().unwrap().keys().map(String::as_str).collect();
                assert_eq!(names, fields.iter().map(|it| it.name).collect(), "line {}", self.line);
            }
        }
    }
}

/// Sends a request for every row and checks the response.
pub async fn walk(walk: &Walk, seen: &mut Seen) {
    let service = &walk.service;
    let account = linked(walk).await;
    let spare = linked(walk).await;
    let monitored = service.get(&format!("/accounts/{account}")).await.body;
    assert_eq!(monitored["monitorStatus"], "ACTIVE", "before line 271: {monitored}");
    for row in ROWS {
        let method = if row.path == "/users" { "POST" } else { row.method };
        let (path, body) = request(walk, row, &account, &spare).await;
        let method: Method = method.parse().unwrap();
        let answer = service.send(method, &path, As::Tenant(&service.sandbox), body.as_ref()).await;
        assert_eq!(answer.status, row.status, "line {}: {} {path} {}", row.line, row.method, answer.body);
        row.holds(&answer.body, answer.bytes.len(), seen);
        match (row.method, row.path) {
            // The row created the user; this retrieves it. Both responses contain a token.
            ("(method not given)", path) => {
                seen.object("Token", TOKEN, &answer.body["token"]);
                let again = service.post(path, json!({"reference": "interface"})).await;
                assert_eq!((again.status.as_u16(), &again.body["id"]), (200, &answer.body["id"]));
                seen.object("Token", TOKEN, &again.body["token"]);
            }
            ("DELETE", _) => {
                let gone = service.get(&format!("/accounts/{spare}/payload")).await;
                assert_eq!(gone.status, 404, "line {}: the data is removed", row.line);
                let all = service.delete("/accounts").await;
                assert_eq!(all.status, 422, "service.md: never a mass deletion");
            }
            ("POST", "/alpha/socialSecurities") => {
                assert_eq!(answer.body["status"], "PROCESSING", "line {}", row.line);
                let path = format!("{}/{}", row.path, text(&answer.body["id"]));
                service.completed(&path, &service.sandbox.clone()).await;
            }
            ("POST", "/webhooks") => {
                assert!(answer.body.get("secret").is_none(), "service.md: the secret is never returned");
            }
            ("GET", "/accounts/{id}/payload") => payload_holds(&answer.body, &account, seen),
            ("GET", "/accounts/{id}/exports/generate") => {
                assert_eq!(answer.body["accountId"], account, "line {}", row.line);
            }
            ("POST", "/accounts/{id}/disableMonitor") => is_disabled(walk, &account).await,
            ("POST", "/alpha/footprints") => {
                assert_eq!(answer.body["status"], "COMPLETED");
                seen.objects("Signal item", SIGNAL_ITEM, &answer.body["items"]);
                assert!(!answer.body["items"].as_array().unwrap().is_empty());
            }
            ("GET", "/alpha/forms") => {
                assert_eq!(answer.body["nextCursor"], Value::Null, "null on the last page");
                let user = text(&answer.body["items"][0]["userId"]);
                let of_user = service.get(&format!("/alpha/forms?userId={user}")).await;
                assert_eq!(of_user.body["items"], json!([answer.body["items"][0]]));
            }
            _ => {}
        }
    }
}

/// Checks the parts of an account's payload.
fn payload_holds(payload: &Value, account: &str, seen: &mut Seen) {
    assert_eq!(payload["metadata"]["id"], account, "line 269");
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
        assert!(payload[key]["nextCursor"].is_null(), "line 269: the list is complete");
    }
}

/// Checks that an account is not read any more, and that its data stays.
async fn is_disabled(walk: &Walk, account: &str) {
    let path = format!("/accounts/{account}");
    let disabled = walk.service.get(&path).await.body;
    assert_eq!(disabled["connectionStatus"], "CONNECTED", "line 271: {disabled}");
    assert_eq!(disabled["monitorStatus"], "CUSTOMER_DISABLED", "line 271: {disabled}");
    assert_eq!(disabled["monitor"]["nextSyncAt"], Value::Null, "line 271: {disabled}");
    let refused = walk.service.post(&format!("{path}/refresh"), json!({})).await;
    assert_eq!(refused.status, 409, "line 271: {}", refused.body);
    let payload = walk.service.get(&format!("{path}/payload")).await.body;
    assert!(payload["identity"].is_object(), "line 271: {payload}");
}

/// Links an account, waits for its data and returns its id.
async fn linked(walk: &Walk) -> String {
    let service = &walk.service;
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
    service.settled(&session, &progress).await;
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
