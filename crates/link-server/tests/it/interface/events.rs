//! The table of events: a webhook with payloads receives every type with the fields of its row.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::event_rows::{EventField, EventRow, OPERATIONAL, ROWS, UNSHOWN};
use super::fields::*;
use super::shape::{Field, Seen};
use crate::sandbox_complete::Walk;
use crate::service::text;

/// The only words that `datapoints` of TASK_FINISHED may contain (line 327).
const FINISHED: &[&str] =
    &["IDENTITIES", "DOCUMENTS", "EMPLOYMENTS", "CONTRIBUTIONS", "LIABILITIES", "EINCOMES", "RATINGS"];

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
    let emitted = walk.all("/events").await;
    let received = walk.receiver.until(emitted.len()).await;
    let known: BTreeSet<_> = link_types::event::EventType::ALL.iter().map(|it| it.as_str()).collect();
    let operational = OPERATIONAL.iter().copied().collect();
    assert_eq!(&types() | &operational, known, "the document's types and ours");

    let mut arrived: BTreeSet<&str> = BTreeSet::new();
    for event in received.iter().map(|it| &it.event) {
        seen.object("Envelope", ENVELOPE, event);
        assert_eq!(event["version"], 1);
        arrived.extend(types().get(event["type"].as_str().unwrap()));
        holds(event, seen);
        if let Some(payload) = event["data"]["payload"].as_object() {
            payload_holds(&text(&event["type"]), &json!(payload), seen);
        }
    }
    for event in emitted.iter().filter(|it| it["type"] == "TASK_FINISHED") {
        assert_eq!(event["data"]["payload"], json!({}), "the payload is empty without includePayload");
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
    let known: BTreeSet<_> = row.fields.iter().map(|it| it.field.name).collect();
    for field in data.as_object().unwrap().keys() {
        assert!(known.contains(field.as_str()), "line {}: {event_type} has {field}", row.line);
    }
    if event_type == "TASK_FINISHED" {
        for word in data["datapoints"].as_array().unwrap() {
            assert!(FINISHED.contains(&word.as_str().unwrap()), "line 327 has no {word}");
        }
    }
}

/// Checks the payload of a finished task or of a record.
fn payload_holds(event_type: &str, payload: &Value, seen: &mut Seen) {
    if event_type == "RECORD_COMPLETED" {
        seen.object("Record", RECORD, payload);
        if !payload["result"].is_null() {
            seen.object("Result", RECORD_RESULT, &payload["result"]);
            assert_eq!(payload["result"]["name"], payload["result"]["fullName"], "line 105");
        }
        return;
    }
    // The payload is empty if the source has been erased since.
    if payload.as_object().unwrap().is_empty() {
        return;
    }
    seen.object("Payload", PAYLOAD, payload);
    assert_eq!(payload.as_object().unwrap().len(), PAYLOAD.len(), "line 319: {payload}");
    let mut list = |key: &str, name: &'static str, fields: &[Field]| {
        let Some(page) = payload[key].as_object() else { return };
        assert_eq!(page.keys().collect::<Vec<_>>(), ["items", "nextCursor"], "line 319");
        let items = &page["items"];
        let count = items.as_array().unwrap().len();
        assert!(count <= 300 && (count == 300 || page["nextCursor"].is_null()), "line 318: {key} {count}");
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
        assert!(document.get("metadata").is_none(), "line 157: without metadata");
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
