//! The table of events: a webhook with payloads receives every type with the fields of its row.

use std::collections::BTreeSet;

use link_types::data::DataPointKind;
use serde_json::{Value, json};

use super::event_rows::{ADDED, EventField, EventRow, OPERATIONAL, ROWS, UNSHOWN};
use super::fields::*;
use super::resources::{Field, Seen};
use crate::sandbox_complete::Walk;
use crate::service::text;

/// The words that the interface names for `datapoints` of TASK_FINISHED.
const FINISHED: &[&str] =
    &["IDENTITIES", "DOCUMENTS", "EMPLOYMENTS", "CONTRIBUTIONS", "LIABILITIES", "EINCOMES", "RATINGS"];
/// The words of the other kinds, whose `*_ADDED` events are in the table, too (ADR 195), or in `MORE_KINDS`.
const ALSO_FINISHED: &[&str] = &["INCOMES", "TRANSACTIONS", "LINKS", "INSIGHTS"];
/// Events of kinds that the interface does not name.
const MORE_KINDS: &[&str] = &[];

/// Returns every event type of the table.
pub fn types() -> BTreeSet<&'static str> {
    rows().flat_map(|row| row.types.iter().copied()).collect()
}

/// Returns the rows of the table, and those of the types that it names without their fields.
fn rows() -> impl Iterator<Item = &'static EventRow> {
    ROWS.iter().chain(UNSHOWN)
}

/// Checks every received event against its row.
pub async fn walk(walk: &Walk, seen: &mut Seen) {
    let user = record_of_a_user(walk).await;
    let emitted = walk.all("/events").await;
    let received = walk.receiver.until(emitted.len()).await;
    let known: BTreeSet<_> = link_types::event::EventType::ALL.iter().map(|it| it.as_str()).collect();
    let ours: BTreeSet<&str> = OPERATIONAL.iter().chain(MORE_KINDS).copied().collect();
    assert_eq!(&types() | &ours, known, "the document's types and ours");

    let mut arrived: BTreeSet<&str> = BTreeSet::new();
    for event in received.iter().map(|it| &it.event) {
        seen.object("Envelope", ENVELOPE, event);
        assert_eq!(event["version"], 1);
        if ours.contains(event["type"].as_str().unwrap()) {
            continue;
        }
        arrived.extend(types().get(event["type"].as_str().unwrap()));
        holds(event, seen);
        if let Some(payload) = event["data"]["payload"].as_object() {
            payload_holds(&text(&event["type"]), &json!(payload), seen);
        }
    }
    for event in emitted.iter().filter(|it| it["type"] == "TASK_FINISHED") {
        assert_eq!(event["data"]["payload"], json!({}), "the payload is empty without includePayload");
    }

    for event_type in ["RECORD_CREATED", "RECORD_COMPLETED"] {
        let is_of_user = |it: &Value| it["type"] == event_type && it["data"]["userId"] == user.as_str();
        assert!(received.iter().any(|it| is_of_user(&it.event)), "{event_type}");
    }
    let documents =
        received.iter().filter_map(|it| it.event["data"]["payload"]["documents"]["items"].as_array());
    let urls = documents.flatten().filter(|it| it["fileUrl"].is_string()).count();
    assert!(urls > 0, "no document in a payload has a URL");
    datapoints_hold(&emitted);
    let of_archive =
        |it: &&Value| it["type"] == "TASK_FINISHED" && it["data"]["taskType"] == "ANALYZE_ARCHIVE";
    let codes: BTreeSet<&str> =
        emitted.iter().filter(of_archive).filter_map(|it| it["data"]["errorCode"].as_str()).collect();
    for code in ["FILE_UNABLE_TO_RECOGNIZE", "FILE_WRONG_TYPE", "FILE_UNREADABLE"] {
        assert!(codes.contains(code), "no TASK_FINISHED of an archive has {code}: {codes:?}");
    }

    assert_eq!(types().difference(&arrived).collect::<Vec<_>>(), [&""; 0], "these types were never received");
    for row in rows() {
        for event_type in row.types {
            let fields: Vec<Field> = row.fields.iter().map(|it| it.field).collect();
            let sure = fields.iter().zip(row.fields).filter(|(_, it)| it.always);
            let sure: Vec<Field> = sure.map(|(field, _)| *field).collect();
            assert_eq!(seen.never(event_type, &sure), [""; 0], "fields without a value in any event");
        }
    }
}

fn holds(event: &Value, seen: &mut Seen) {
    let (event_type, data) = (text(&event["type"]), &event["data"]);
    let row = rows().find(|row| row.types.contains(&event_type.as_str())).unwrap();
    let name = row.types.iter().copied().find(|it| *it == event_type).unwrap_or_default();
    for EventField { field, always } in row.fields {
        if *always || data.get(field.name).is_some() {
            seen.object(name, &[*field], data);
        }
    }
    let mut known: BTreeSet<_> = row.fields.iter().map(|it| it.field.name).collect();
    for (_, field) in ADDED.iter().filter(|(it, _)| *it == event_type) {
        seen.object(name, &[*field], data);
        known.insert(field.name);
    }
    for field in data.as_object().unwrap().keys() {
        assert!(known.contains(field.as_str()), "{event_type} has {field}");
    }
    if event_type == "TASK_FINISHED" {
        for word in data["datapoints"].as_array().unwrap() {
            let word = word.as_str().unwrap();
            assert!(FINISHED.contains(&word) || ALSO_FINISHED.contains(&word), "{word}");
        }
    }
    if event_type.ends_with("_ADDED") || event_type.ends_with("_UPDATED") {
        assert_eq!(data["sourceId"], data["accountId"], "{event_type}");
    }
}

/// Requests a record about a user, and returns the user's id.
async fn record_of_a_user(walk: &Walk) -> String {
    let user = walk.service.user().await.0;
    let mut request = crate::records::request("525500000100");
    request["userId"] = json!(user);
    let created = walk.service.post("/alpha/socialSecurities", request).await.body;
    let path = format!("/alpha/socialSecurities/{}", text(&created["id"]));
    let record = walk.service.until_completed(&path, &walk.service.sandbox.clone()).await;
    assert_eq!(record["requestMeta"]["userId"], user.as_str(), "{record}");
    user
}

/// Checks that `datapoints` of a finished task names every kind whose `*_ADDED` event it emitted.
fn datapoints_hold(emitted: &[Value]) {
    let mut named: BTreeSet<String> = BTreeSet::new();
    let linked = emitted
        .iter()
        .filter(|it| it["type"] == "TASK_FINISHED" && it["data"]["taskType"] != "UPDATE_ACCOUNT");
    for finished in linked {
        let (source, words) =
            (&finished["data"]["sourceId"], finished["data"]["datapoints"].as_array().unwrap());
        named.extend(words.iter().map(text));
        let of_source =
            |it: &&Value| it["data"]["sourceId"] == *source && it["createdAt"] == finished["createdAt"];
        for added in emitted.iter().filter(of_source) {
            let Some(kind) = added["type"].as_str().and_then(|it| it.strip_suffix("_ADDED")) else {
                continue;
            };
            let word = match kind {
                "IDENTITY" => "IDENTITIES".to_owned(),
                "RATING" | "INSIGHT" | "LINK" => format!("{kind}S"),
                _ => kind.to_owned(),
            };
            assert!(words.contains(&json!(word)), "{word} was added: {finished}");
        }
    }
    let known: BTreeSet<String> = FINISHED.iter().chain(ALSO_FINISHED).map(|it| (*it).to_owned()).collect();
    assert_eq!(named, known);
}

/// Checks the payload of a finished task or of a record.
fn payload_holds(event_type: &str, payload: &Value, seen: &mut Seen) {
    if event_type == "RECORD_COMPLETED" {
        seen.object("Record", RECORD, payload);
        if !payload["result"].is_null() {
            seen.object("Result", RECORD_RESULT, &payload["result"]);
            assert_eq!(payload["result"]["name"], payload["result"]["fullName"]);
        }
        return;
    }
    // The payload is empty if the source has been erased since.
    if payload.as_object().unwrap().is_empty() {
        return;
    }
    seen.object("Payload", PAYLOAD, payload);
    assert_eq!(payload.as_object().unwrap().len(), DataPointKind::ALL.len(), "{payload}");
    let mut list = |key: &str, name: &'static str, fields: &[Field]| {
        let Some(page) = payload[key].as_object() else { return };
        assert_eq!(page.keys().collect::<Vec<_>>(), ["items", "nextCursor"]);
        let items = &page["items"];
        let count = items.as_array().unwrap().len();
        assert!(count <= 300 && (count == 300 || page["nextCursor"].is_null()), "{key} {count}");
        seen.objects(name, fields, items);
    };
    list("documents", "Embedded document", EMBEDDED_DOCUMENT);
    list("documents", "Document", &DOCUMENT[..DOCUMENT.len() - 1]);
    list("employments", "Employment", EMPLOYMENT);
    list("contributions", "Contribution", CONTRIBUTION);
    list("liabilities", "Liability", LIABILITY);
    list("eincomes", "Embedded estimated income", EMBEDDED_ESTIMATED_INCOME);
    for key in ["incomes", "transactions", "links"] {
        list(key, "", &[]);
    }
    for document in payload["documents"]["items"].as_array().into_iter().flatten() {
        assert!(document.get("metadata").is_none(), "without metadata");
    }
    if payload["identity"].is_object() {
        let identity = &payload["identity"];
        seen.object("Identity", IDENTITY, identity);
        seen.objects("Email", EMAIL, &identity["emails"]);
        seen.objects("Phone", PHONE, &identity["phones"]);
        seen.objects("Social profile", SOCIAL_PROFILE, &identity["socialProfiles"]);
        seen.objects("Address", ADDRESS, &identity["addresses"]);
    }
}
