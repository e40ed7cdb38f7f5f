//! The tables of data sources and signals.

use std::collections::BTreeSet;

use link_types::signal::SignalKind;
use serde_json::Value;

use crate::sandbox_complete::Walk;

/// A kind of provider, a provider of that kind, its data points.
pub const SOURCES: &[(&str, &str, &str)] = &[
    (
        "Social security services",
        "mx_social_security",
        "Identities, Employments, Documents, Contributions, Liabilities, Estimated Incomes*",
    ),
    (
        "Government employee insurance and pension agency",
        "mx_government_pension",
        "Identities, Employments, Documents, Incomes, Estimated Incomes*",
    ),
    (
        "National health insurance agency",
        "ph_health_insurance",
        "Identities, Employments, Documents, Contributions, Estimated Incomes*",
    ),
    (
        "National housing provident fund",
        "ph_housing_fund",
        "Identities, Employments, Documents, Contributions, Liabilities, Estimated Incomes*",
    ),
];

/// Signal, maturity and mode as in the row, and the kind.
pub const SIGNALS: &[(&str, &str, &str, SignalKind)] = &[
    ("Blacklist", "Alpha", "Synchronous", SignalKind::Blacklist),
    ("Borrower Behavior", "Beta", "Synchronous", SignalKind::BorrowerBehavior),
    ("Borrower Screening", "Beta", "Synchronous", SignalKind::BorrowerScreening),
    ("Credit Lifecycle", "Beta", "Synchronous", SignalKind::CreditLifecycle),
    ("Footprints", "Alpha", "Synchronous", SignalKind::Footprints),
    ("Multiple Application Warning", "Beta", "Synchronous", SignalKind::MultipleApplicationWarning),
    ("Identity Verification", "Alpha", "Asynchronous", SignalKind::Verification),
    ("Social Security Signals", "-", "Synchronous", SignalKind::SocialSecuritySignals),
    (
        "Income Estimator (estimates monthly income from an e-mail address)",
        "-",
        "Synchronous",
        SignalKind::IncomeEstimator,
    ),
];

pub async fn walk(walk: &Walk) {
    sources(walk).await;
    signals(walk).await;
}

/// Checks that a provider's task names the data points of its kind.
async fn sources(walk: &Walk) {
    let tasks = walk.all("/tasks").await;
    for (kind, provider, expected) in SOURCES {
        let task = tasks.iter().find(|it| it["providers"][0] == *provider && it["status"] == "SUCCEEDED");
        let task = task.unwrap_or_else(|| panic!("no task of {provider} succeeded"));
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
        assert_eq!(read, named, "{kind}");
    }
}

/// Checks that a synchronous signal returns its result, and an asynchronous one only its id.
async fn signals(walk: &Walk) {
    for (name, maturity, mode, kind) in SIGNALS {
        let expected = match *maturity {
            "Alpha" => "/alpha/",
            "Beta" => "/beta/",
            _ => "/",
        };
        let path = kind.path();
        let word = path.rsplit_once('/').map(|(before, _)| format!("{before}/"));
        assert_eq!(word.as_deref(), Some(expected), "{name}");
        let asked = crate::signals::request(*kind, "525500000100", "success@example.com");
        let answer = walk.service.post(path, asked).await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        let fields: Vec<_> = answer.body.as_object().unwrap().keys().collect();
        match *mode {
            "Synchronous" => assert_eq!(answer.body["status"], "COMPLETED"),
            _ => assert_eq!(fields, ["id"]),
        }
    }
}
