//! The tables of states and transitions.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::sandbox_complete::Walk;
use crate::service::text;

/// The values of connectionStatus, from line 224.
pub const CONNECTION: &[&str] = &["PENDING", "AWAITING_MFA", "ERROR", "CONNECTED", "DISCONNECTED"];
/// The values of monitorStatus, from line 236.
pub const MONITOR_STATES: &[&str] = &["UNSUPPORTED", "ACTIVE", "USER_ACTION_REQUIRED", "CUSTOMER_DISABLED"];
/// The states of a record, lines 247 to 249.
pub const RECORD_STATES: &[&str] = &["PROCESSING", "COMPLETED", "ERROR"];

/// Returns the line and the state.
pub fn entries() -> Vec<(u32, &'static str)> {
    let connection = CONNECTION.iter().zip(224..);
    let monitor = MONITOR_STATES.iter().zip(236..);
    connection.chain(monitor).map(|(state, line)| (line, *state)).collect()
}

/// The transitions of a record: the line, the state before, the state after.
pub const TRANSITIONS: &[(u32, &str, &str)] =
    &[(247, "(none)", "PROCESSING"), (248, "PROCESSING", "COMPLETED"), (249, "PROCESSING", "ERROR")];

pub async fn walk(walk: &Walk) {
    for (what, states) in [("connectionStatus", CONNECTION), ("monitorStatus", MONITOR_STATES)] {
        for state in states {
            assert!(walk.reached.contains(&format!("{what} {state}")), "{what} {state} was never reached");
        }
    }
    let service = &walk.service;
    for (line, number) in [(248, "525500000100"), (248, "525500000101"), (249, "525500000103")] {
        let created = service.post("/alpha/socialSecurities", crate::records::request(number)).await.body;
        assert_eq!(created["status"], "PROCESSING", "line 247");
        for name in ["result", "resultCode", "resultMessage"] {
            assert_eq!(created[name], Value::Null, "line 247: {name}");
        }
        let path = format!("/alpha/socialSecurities/{}", text(&created["id"]));
        let ended = service.completed(&path, &service.sandbox.clone()).await;
        let (_, _, after) = TRANSITIONS.iter().rfind(|it| it.0 == line).unwrap();
        assert_eq!(ended["status"], *after, "line {line}");
        assert!(ended["resultMessage"].is_string(), "line {line}: resultMessage");
        assert_eq!(ended["result"].is_object(), ended["resultCode"] == "SUCCESS", "line {line}");
        let of_it: BTreeSet<String> = walk
            .all("/events")
            .await
            .iter()
            .filter(|it| it["data"]["recordId"] == created["id"])
            .map(|it| text(&it["type"]))
            .collect();
        assert_eq!(
            of_it.into_iter().collect::<Vec<_>>(),
            ["RECORD_COMPLETED", "RECORD_CREATED"],
            "line {line}"
        );
    }
}
