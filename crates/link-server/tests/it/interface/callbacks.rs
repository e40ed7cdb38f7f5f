//! The table of the widget's callbacks: the arguments as the widget sends them, and as the OpenAPI document has them.

use std::collections::BTreeSet;

use link_types::Mode;
use link_types::host::{
    AccountErrorSubject, AccountSubject, Callback, CloseReason, Closed, UiEvent, UiEventAccount,
    UiEventArchive, UiEventName, Upload, UploadedFile, UploadsSubject,
};
use serde_json::{Value, json};

use super::resources::Shape::{Id, Moment, Object, Objects, Text, User, Words};
use super::resources::{Field, Seen, field};
use crate::conformance::DOCUMENT;
use crate::sandbox_complete::Walk;
use crate::service::text;

const ACCOUNT: [Field; 3] = [field("accountId", Id("a")), field("userId", User), field("providerId", Text)];

const UPLOADS: [Field; 2] = [field("uploads", Objects), field("userId", User)];

/// The callback and the fields of its argument.
const ROWS: &[(&str, &[Field])] = &[
    ("onAccountCreated", &ACCOUNT),
    ("onAccountConnected", &ACCOUNT),
    ("onAccountRemoved", &ACCOUNT),
    ("onAccountError", &[ACCOUNT[0], ACCOUNT[1], ACCOUNT[2], field("errorCode", Text)]),
    ("onTokenExpired", &[]),
    ("onClose", &[field("reason", Words(&["close", "exit"]))]),
    ("onUploadsCreated", &UPLOADS),
    ("onUploadsRemoved", &UPLOADS),
    (
        "onUIEvent",
        &[
            field("eventName", Text),
            field("eventTime", Moment),
            field("mode", Words(&["SANDBOX", "PRODUCTION"])),
            field("userId", User).or_null(),
            field("account", Object).or_null(),
            field("archive", Object).or_null(),
        ],
    ),
];

/// A field of ours that the document does not have: the number of the event within one opening.
const OURS: (&str, &str) = ("onUIEvent", "seq");

/// Checks the arguments of all callbacks, made of accounts and an archive of the walk. tests/e2e checks in browsers that
/// the widget sends them.
pub async fn walk(walk: &Walk, seen: &mut Seen) {
    let callbacks = callbacks(walk).await;
    for (callback, fields) in ROWS {
        let arguments: Vec<&Value> = callbacks.iter().filter_map(|it| it.get(callback)).collect();
        assert!(!arguments.is_empty(), "{callback}");
        let schema = schema(callback);
        let valid = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
        let mut known: BTreeSet<&str> = fields.iter().map(|it| it.name).collect();
        known.extend((OURS.0 == *callback).then_some(OURS.1));
        for argument in arguments {
            seen.object(callback, fields, argument);
            let names: BTreeSet<&str> = argument.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(names, known, "{callback}");
            let faults: Vec<_> = valid.iter_errors(argument).map(|it| it.to_string()).collect();
            assert_eq!(faults, [""; 0], "{callback}: the OpenAPI document has another argument: {argument}");
        }
        for field in *fields {
            // The OpenAPI document has the field: it rejects a value of another type.
            let other = json!({field.name: [[]]});
            let path = format!("/{}", field.name);
            let is_rejected = |it: &str| it.starts_with(&path);
            let rejected: Vec<_> =
                valid.iter_errors(&other).map(|it| it.instance_path().to_string()).collect();
            assert!(rejected.iter().any(|it| is_rejected(it)), "{callback}{path}: {rejected:?}");
        }
        assert_eq!(seen.never(callback, fields), [""; 0], "{callback}");
    }
}

/// Returns the OpenAPI document's schema of a callback's argument.
fn schema(callback: &str) -> Value {
    let of = format!("CallbackOn{}", callback.strip_prefix("on").unwrap());
    let argument = &DOCUMENT["components"]["schemas"][of]["properties"][callback];
    assert!(argument.is_object(), "no callback {callback}");
    let mut schema = argument.clone();
    schema["components"] = DOCUMENT["components"].clone();
    schema
}

/// Returns every callback as the widget sends it to the host page.
async fn callbacks(walk: &Walk) -> Vec<Value> {
    let accounts = walk.all("/accounts").await;
    let of_status = |status: &str| accounts.iter().find(|it| it["connectionStatus"] == status).unwrap();
    let (connected, failed) = (of_status("CONNECTED"), of_status("ERROR"));
    let archive = walk.all("/archives").await.remove(0);
    let account_id = |account: &Value| text(&account["id"]).parse().unwrap();
    let user_id = |it: &Value| text(&it["userId"]).parse().unwrap();
    let provider_id = |account: &Value| text(&account["providerId"]).parse().unwrap();
    let archive_id = || text(&archive["id"]).parse().unwrap();
    let account = || AccountSubject {
        account_id: account_id(connected),
        user_id: user_id(connected),
        provider_id: provider_id(connected),
    };
    let uploads = || UploadsSubject {
        uploads: vec![Upload {
            archive_id: archive_id(),
            upload_type: text(&archive["type"]),
            files: vec![UploadedFile { id: "file".into(), name: "payslip.pdf".into() }],
        }],
        user_id: user_id(&archive),
    };
    let mut all = vec![
        Callback::AccountCreated(account()),
        Callback::AccountConnected(account()),
        Callback::AccountRemoved(account()),
        Callback::AccountError(AccountErrorSubject {
            account_id: account_id(failed),
            user_id: user_id(failed),
            provider_id: provider_id(failed),
            error_code: serde_json::from_value(failed["connection"]["errorCode"].clone()).unwrap(),
        }),
        Callback::TokenExpired {},
        Callback::UploadsCreated(uploads()),
        Callback::UploadsRemoved(uploads()),
    ];
    all.extend(CloseReason::ALL.iter().map(|reason| {
        let (last_page, provider_id, error_code) = (None, None, None);
        Callback::Close(Closed { reason: *reason, last_page, provider_id, error_code })
    }));
    let event = UiEvent {
        event_name: UiEventName::ConsentPageOpened,
        event_time: text(&connected["createdAt"]),
        mode: Mode::Sandbox,
        user_id: None,
        account: None,
        archive: None,
        seq: 1,
    };
    all.extend(UiEventName::ALL.iter().map(|name| {
        Callback::UiEvent(UiEvent {
            event_name: *name,
            user_id: Some(user_id(connected)),
            account: Some(UiEventAccount {
                account_id: account_id(connected),
                provider_id: provider_id(connected),
            }),
            archive: Some(UiEventArchive { archive_id: archive_id() }),
            ..event.clone()
        })
    }));
    all.push(Callback::UiEvent(event));
    all.iter().map(|it| serde_json::to_value(it).unwrap()).collect()
}

// The error codes of account linking and the result codes of records. A published input reaches each.

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

pub async fn walk_codes(walk: &Walk) {
    linking(walk).await;
    records(walk).await;
}

async fn linking(walk: &Walk) {
    let logins = walk.published["logins"].as_array().unwrap();
    let accounts = walk.all("/accounts").await;
    let received = walk.receiver.requests();
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
