//! The tables of states and transitions.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::sandbox_complete::Walk;
use crate::service::text;

/// The values of connectionStatus.
pub const CONNECTION: &[&str] = &["PENDING", "AWAITING_MFA", "ERROR", "CONNECTED", "DISCONNECTED"];
/// The values of monitorStatus.
pub const MONITOR_STATES: &[&str] = &["UNSUPPORTED", "ACTIVE", "USER_ACTION_REQUIRED", "CUSTOMER_DISABLED"];
/// The states of a record.
pub const RECORD_STATES: &[&str] = &["PROCESSING", "COMPLETED", "ERROR"];

pub async fn walk(walk: &Walk) {
    for (what, states) in [("connectionStatus", CONNECTION), ("monitorStatus", MONITOR_STATES)] {
        for state in states {
            assert!(walk.reached.contains(&format!("{what} {state}")), "{what} {state} was never reached");
        }
    }
    let service = &walk.service;
    for (number, end) in
        [("525500000100", "COMPLETED"), ("525500000101", "COMPLETED"), ("525500000103", "ERROR")]
    {
        let created = service.post("/alpha/socialSecurities", crate::records::request(number)).await.body;
        assert_eq!(created["status"], "PROCESSING");
        for name in ["result", "resultCode", "resultMessage"] {
            assert_eq!(created[name], Value::Null, "{name}");
        }
        let path = format!("/alpha/socialSecurities/{}", text(&created["id"]));
        let ended = service.until_completed(&path, &service.sandbox.clone()).await;
        assert_eq!(ended["status"], end, "{number}");
        assert!(ended["resultMessage"].is_string(), "{number}: resultMessage");
        assert_eq!(ended["result"].is_object(), ended["resultCode"] == "SUCCESS", "{number}");
        let of_it: BTreeSet<String> = walk
            .all("/events")
            .await
            .iter()
            .filter(|it| it["data"]["recordId"] == created["id"])
            .map(|it| text(&it["type"]))
            .collect();
        assert_eq!(of_it.into_iter().collect::<Vec<_>>(), ["RECORD_COMPLETED", "RECORD_CREATED"], "{number}");
    }
}
