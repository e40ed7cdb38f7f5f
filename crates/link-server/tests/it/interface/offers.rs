//! The tables of data sources, signals, callbacks and limits.

use std::collections::BTreeSet;
use std::path::PathBuf;

use link_types::signal::SignalKind;
use serde_json::Value;

use crate::conformance::DOCUMENT;
use crate::sandbox_complete::Walk;

/// The line, a kind of provider, a provider of that kind, its data points.
pub const SOURCES: &[(u32, &str, &str, &str)] = &[
    (
        27,
        "Social security services",
        "mx_social_security",
        "Identities, Employments, Documents, Contributions, Liabilities, Estimated Incomes*",
    ),
    (
        28,
        "Government employee insurance and pension agency",
        "mx_government_pension",
        "Identities, Employments, Documents, Incomes, Estimated Incomes*",
    ),
    (
        29,
        "National health insurance agency",
        "ph_health_insurance",
        "Identities, Employments, Documents, Contributions, Estimated Incomes*",
    ),
    (
        30,
        "National housing provident fund",
        "ph_housing_fund",
        "Identities, Employments, Documents, Contributions, Liabilities, Estimated Incomes*",
    ),
];

/// The line, then signal, maturity and mode as in the row, and the kind.
pub const SIGNALS: &[(u32, &str, &str, &str, SignalKind)] = &[
    (38, "Blacklist", "Alpha", "Synchronous", SignalKind::Blacklist),
    (39, "Borrower Behavior", "Beta", "Synchronous", SignalKind::BorrowerBehavior),
    (40, "Borrower Screening", "Beta", "Synchronous", SignalKind::BorrowerScreening),
    (41, "Credit Lifecycle", "Beta", "Synchronous", SignalKind::CreditLifecycle),
    (42, "Footprints", "Alpha", "Synchronous", SignalKind::Footprints),
    (43, "Multiple Application Warning", "Beta", "Synchronous", SignalKind::MultipleApplicationWarning),
    (44, "Identity Verification", "Alpha", "Asynchronous", SignalKind::Verification),
    (45, "Social Security Signals", "-", "Synchronous", SignalKind::SocialSecuritySignals),
    (
        46,
        "Income Estimator (estimates monthly income from an e-mail address)",
        "-",
        "Synchronous",
        SignalKind::IncomeEstimator,
    ),
];

/// The line, the callback, the fields of its argument.
pub const CALLBACKS: &[(u32, &str, &[&str])] = &[
    (358, "onAccountCreated", &["accountId", "userId", "providerId"]),
    (359, "onAccountConnected", &["accountId", "userId", "providerId"]),
    (360, "onAccountRemoved", &["accountId", "userId", "providerId"]),
    (361, "onAccountError", &["accountId", "userId", "providerId", "errorCode"]),
    (362, "onTokenExpired", &[]),
    (363, "onClose", &["reason"]),
    (364, "onUploadsCreated", &["uploads", "userId"]),
    (365, "onUploadsRemoved", &["uploads", "userId"]),
    (366, "onUIEvent", &["eventName", "eventTime", "mode", "userId", "account", "archive"]),
];

/// The line, the limit, the value, and the file and function that test it.
pub const LIMITS: &[(u32, &str, &str, &str, &str)] = &[
    (413, "Forms list page size", "default 10, maximum 150", "interface/offers.rs", "page_size"),
    (414, "Items per list data point in a webhook payload", "300", "interface/events.rs", "payload_holds"),
    (
        415,
        "Webhook resends",
        "up to 2, a few dozen seconds apart",
        "webhooks.rs",
        "failing_receiver_gets_three_attempts_then_the_next_event",
    ),
    (
        416,
        "Data retention",
        "until revocation or 60 days after account connection",
        "interface/mod.rs",
        "account_data_is_removed_60_days_after_connection",
    ),
    (
        417,
        "Link token",
        "single use, short-lived; one per widget launch",
        "exchange.rs",
        "one_of_100_parallel_token_exchanges_succeeds",
    ),
    (
        418,
        "Record completion time",
        "about one minute in production; immediate in sandbox",
        "records.rs",
        "sandbox_number_completes_record_with_its_result_code",
    ),
];

pub async fn walk(walk: &Walk) {
    sources(walk).await;
    signals(walk).await;
    page_size(walk).await;
    let document = &*DOCUMENT;
    for (line, callback, fields) in CALLBACKS {
        argument_has(document, *line, callback, fields);
    }
    for (line, _, _, file, test) in LIMITS {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it").join(file);
        let source = std::fs::read_to_string(path).unwrap();
        assert!(source.contains(&format!("fn {test}(")), "line {line}: {file} has no {test}");
    }
}

/// Checks that a provider's task names the data points of its kind.
async fn sources(walk: &Walk) {
    let tasks = walk.all("/tasks").await;
    for (line, kind, provider, expected) in SOURCES {
        let task = tasks.iter().find(|it| it["providers"][0] == *provider && it["status"] == "SUCCEEDED");
        let task = task.unwrap_or_else(|| panic!("line {line}: no task of {provider} succeeded"));
        let read: BTreeSet<&str> =
            task["datapoints"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let named = expected.split(", ").map(|it| match it {
            "Estimated Incomes*" => "EINCOMES".to_owned(),
            other => other.to_uppercase(),
        });
        let named: BTreeSet<String> = named.collect();
        let not_in_the_document = ["LINKS", "INSIGHTS"];
        let read: BTreeSet<String> =
            read.into_iter().filter(|it| !not_in_the_document.contains(it)).map(str::to_owned).collect();
        assert_eq!(read, named, "line {line}: {kind}");
    }
}

/// Checks that a synchronous signal returns its result, and an asynchronous one only its id.
async fn signals(walk: &Walk) {
    for (line, name, maturity, mode, kind) in SIGNALS {
        let expected = match *maturity {
            "Alpha" => "/alpha/",
            "Beta" => "/beta/",
            _ => "/",
        };
        let path = kind.path();
        let word = path.rsplit_once('/').map(|(before, _)| format!("{before}/"));
        assert_eq!(word.as_deref(), Some(expected), "line {line}: {name}");
        let asked = crate::signals::request(*kind, "525500000100", "success@example.com");
        let answer = walk.service.post(path, asked).await;
        assert_eq!(answer.status, 201, "line {line}: {}", answer.body);
        let fields: Vec<_> = answer.body.as_object().unwrap().keys().collect();
        match *mode {
            "Synchronous" => assert_eq!(answer.body["status"], "COMPLETED", "line {line}"),
            _ => assert_eq!(fields, ["id"], "line {line}"),
        }
    }
}

async fn page_size(walk: &Walk) {
    let document = &*DOCUMENT;
    let parameters = document["paths"]["/alpha/forms"]["get"]["parameters"].as_array().unwrap();
    let size = parameters.iter().find(|it| it["name"] == "size").unwrap();
    assert_eq!((&size["schema"]["default"], &size["schema"]["maximum"]), (&10.into(), &150.into()));
    assert_eq!(walk.service.get("/alpha/forms?size=150").await.status, 200);
    assert_eq!(walk.service.get("/alpha/forms?size=151").await.status, 422);
}

/// Checks the argument of a callback in the OpenAPI document; tests/e2e checks each callback in browsers.
fn argument_has(document: &Value, line: u32, callback: &str, fields: &[&str]) {
    let schemas = &document["components"]["schemas"];
    let resolved = |schema: &Value| match schema["$ref"].as_str() {
        Some(to) => schemas[to.rsplit('/').next().unwrap()].clone(),
        None => schema.clone(),
    };
    let first = callback.strip_prefix("on").unwrap();
    let schema = &schemas[format!("CallbackOn{first}")]["properties"][callback];
    assert!(schema.is_object(), "line {line}: no callback {callback}");
    let argument = resolved(schema);
    for field in fields {
        assert!(argument["properties"][*field].is_object(), "line {line}: {callback} lacks {field}");
    }
    if fields.is_empty() {
        assert!(argument["properties"].is_null(), "line {line}: {callback} has no argument");
    }
    if *fields == ["reason"] {
        let words = resolved(&argument["properties"]["reason"])["enum"].clone();
        assert_eq!(words, serde_json::json!(["close", "exit"]), "line {line}");
    }
}
