//! The 16 error codes of account linking and the 5 result codes of records. A published input reaches each.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::sandbox_complete::Walk;
use crate::service::text;

/// The codes of linking.
const LINKING: &[&str] = &[
    "ACCOUNT_DISABLED",
    "ACCOUNT_INACCESSIBLE",
    "ACCOUNT_INCOMPLETE",
    "ACCOUNT_LOCKED",
    "AUTH_REQUIRED",
    "EXPIRED_CREDENTIALS",
    "INVALID_ACCOUNT_TYPE",
    "INVALID_AUTH",
    "INVALID_CREDENTIALS",
    "INVALID_MFA",
    "MFA_TIMEOUT",
    "SERVICE_UNAVAILABLE",
    "SYSTEM_ERROR",
    "TOS_REQUIRED",
    "UNSUPPORTED_AUTH_TYPE",
    "UNSUPPORTED_MFA_METHOD",
];

/// The code, and whether a social security record with that code is charged.
const RECORD: &[(&str, bool)] = &[
    ("SUCCESS", true),
    ("NO_DATA", false),
    ("INVALID_PARAMETERS", false),
    ("SERVICE_UNAVAILABLE", false),
    ("SYSTEM_ERROR", false),
];

pub async fn walk(walk: &Walk) {
    linking(walk).await;
    records(walk).await;
}

async fn linking(walk: &Walk) {
    let logins = walk.published["logins"].as_array().unwrap();
    let accounts = walk.all("/accounts").await;
    let received = walk.receiver.received();
    for code in LINKING {
        let published = logins.iter().any(|it| it["errorCode"] == *code);
        assert!(published, "no published login leads to {code}");
        let failed =
            |event: &&Value| event["type"] == "ACCOUNT_FAILED" && event["data"]["errorCode"] == *code;
        let event = received.iter().map(|it| &it.event).find(failed);
        let event = event.unwrap_or_else(|| panic!("no ACCOUNT_FAILED event has {code}"));
        let id = &event["data"]["accountId"];
        let account = accounts.iter().find(|it| it["id"] == *id).unwrap();
        assert_eq!(
            (&account["connectionStatus"], &account["connection"]["errorCode"]),
            (&json!("ERROR"), &json!(code)),
            "{account}"
        );
    }
    let finished = received.iter().map(|it| &it.event).filter(|it| it["type"] == "TASK_FINISHED");
    let (of_archives, of_accounts): (Vec<_>, Vec<_>) =
        finished.map(|it| &it["data"]).partition(|it| it["taskType"] == "ANALYZE_ARCHIVE");
    let coded: Vec<_> = of_accounts.iter().filter(|it| !it["errorCode"].is_null()).collect();
    assert!(!coded.is_empty() && !of_archives.is_empty());
    let is_linking = |code: &Value| LINKING.iter().any(|it| code == it);
    for task in coded {
        assert!(is_linking(&task["errorCode"]), "{task}");
    }
    let tasks = walk.all("/tasks").await;
    let mut file_codes = BTreeSet::new();
    for event in of_archives {
        let id = &event["sourceId"];
        let is_failure = |it: &&Value| it["type"] == "ARCHIVE_FAILED" && it["data"]["archiveId"] == *id;
        let Some(failed) = received.iter().map(|it| &it.event).find(is_failure) else { continue };
        let task = tasks.iter().find(|it| it["sourceId"] == *id).unwrap();
        assert_eq!(task["errorCode"], failed["data"]["errorCode"], "{task}");
        assert_eq!(event["errorCode"], failed["data"]["errorCode"], "{event}");
        file_codes.extend(task["errorCode"].as_str().filter(|it| it.starts_with("FILE_")));
    }
    assert!(file_codes.contains("FILE_UNABLE_TO_RECOGNIZE"), "{file_codes:?}");
}

async fn records(walk: &Walk) {
    let charged = walk.all("/billing/events").await;
    let records = walk.all("/alpha/socialSecurities").await;
    let inputs = walk.published["records"].as_array().unwrap();
    for (code, billable) in RECORD {
        let input = inputs.iter().find(|it| it["recordResultCode"] == *code);
        let number = &input.unwrap_or_else(|| panic!("no published input"))["mobileNumber"];
        let ended = records.iter().filter(|it| it["resultCode"] == *code).collect::<Vec<_>>();
        assert!(
            ended.iter().any(|it| it["requestMeta"]["mobileNumber"] == *number),
            "no record ended with {code}"
        );
        for record in ended {
            let found = charged.iter().any(|it| it["subjectId"] == record["id"]);
            assert_eq!(found, *billable, "{}", text(&record["id"]));
        }
    }
}
