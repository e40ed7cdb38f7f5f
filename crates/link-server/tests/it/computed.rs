//! Computed data points: estimated incomes, insights and links.

use axum::http::Method;
use link_store::test_support::Backend;
use link_test_support::wait;
use rstest::rstest;
use serde_json::{Value, json};

use crate::service::{As, TestService, text};

/// Links an account, waits for its data and returns its id.
async fn link_account(service: &TestService, session: &str, provider: &str, login: &str) -> String {
    let before = count(service, "TASK_FINISHED").await;
    let progress = service.submit(session, provider, login, "pass").await;
    let linked = service.until_settled(session, &progress).await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
    wait::until("a task finishes", async || count(service, "TASK_FINISHED").await > before).await;
    text(&linked["accountId"])
}

async fn count(service: &TestService, event_type: &str) -> usize {
    service.event_types().await.iter().filter(|it| *it == event_type).count()
}

async fn event(service: &TestService, event_type: &str) -> Value {
    let events = service.get("/events?size=150").await;
    let found = events.body["items"].as_array().unwrap().iter().find(|it| it["type"] == event_type).cloned();
    found.unwrap_or_else(|| panic!("no {event_type}"))["data"].clone()
}

#[tokio::test]
async fn computed_data_points_are_emitted_and_listed_with_same_ids() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let account = link_account(&service, &session, "mx_social_security", "good").await;
    assert_eq!(
        service.event_types().await[4..],
        [
            "IDENTITY_ADDED",
            "DOCUMENTS_ADDED",
            "EMPLOYMENTS_ADDED",
            "CONTRIBUTIONS_ADDED",
            "LIABILITIES_ADDED",
            "EINCOMES_ADDED",
            "LINK_ADDED",
            "INSIGHT_ADDED",
            "TASK_FINISHED",
        ]
    );
    let of_account = format!("accountId={account}");
    let insight = &service.get(&format!("/insights?{of_account}")).await.body["items"][0];
    let emitted = event(&service, "INSIGHT_ADDED").await;
    assert_eq!((&emitted["id"], &emitted["accountId"]), (&insight["id"], &json!(account)));
    let features = insight["features"].as_object().unwrap();
    assert_eq!(features.len(), 17);
    assert_eq!(features["contributionRegularity12Months"].as_f64(), Some(1.0));
    assert_eq!(features["employmentGapCount"].as_f64(), Some(0.0));
    for name in ["tenureMonths", "incomeMean12Months", "liabilityPaymentsToIncome"] {
        assert!(features[name].as_f64().is_some_and(|it| it > 0.0), "{name} {features:?}");
    }

    let link = &service.get(&format!("/links?{of_account}")).await.body["items"][0];
    let emitted = event(&service, "LINK_ADDED").await;
    assert_eq!((&emitted["id"], &link["records"][0]["count"]), (&link["id"], &json!(1)));
    assert_eq!(service.get(&format!("/links/{}", text(&link["id"]))).await.body, *link);

    let estimates = service.get(&format!("/eincomes?{of_account}&size=50")).await;
    let estimates = estimates.body["items"].as_array().unwrap();
    assert_eq!(event(&service, "EINCOMES_ADDED").await["count"], estimates.len());
    let mean = estimates.iter().map(|it| it["amount"].as_f64().unwrap()).sum::<f64>() / 12.0;
    assert!((features["incomeMean12Months"].as_f64().unwrap() - mean).abs() < 0.01);

    let payload = service.get(&format!("/accounts/{account}/payload")).await.body;
    assert_eq!(payload["insight"]["id"], insight["id"]);
    assert_eq!(payload["links"]["items"][0]["id"], link["id"]);
}

#[tokio::test]
async fn estimated_incomes_filter_by_month() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    link_account(&service, &session, "mx_social_security", "good").await;
    let months = async |query: &str| -> Vec<String> {
        let page = service.get(&format!("/eincomes?size=50{query}")).await;
        page.body["items"].as_array().unwrap().iter().map(|it| text(&it["month"])).collect()
    };
    let mut all = months("").await;
    all.sort();
    let (first, last) = (all[1].clone(), all[all.len() - 2].clone());
    let mut within = months(&format!("&startMonth={first}&endMonth={last}")).await;
    within.sort();
    assert_eq!(within, all[1..all.len() - 1], "both months are included");
    assert_eq!(months(&format!("&startMonth={}", all[all.len() - 1])).await, all[all.len() - 1..]);
    assert_eq!(months(&format!("&endMonth={}", all[0])).await, all[..1]);
    let refused = service.get("/eincomes?startMonth=2026-02&endMonth=2026-01").await;
    assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!("endMonth")));
}

/// Deprecated fields are still served (interface: "Versioning", 5).
#[tokio::test]
async fn deprecated_fields_equal_their_replacements() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let account = link_account(&service, &session, "mx_social_security", "good").await;
    for list in ["/eincomes", "/documents", "/contributions", "/links", "/insights"] {
        let items = service.get(list).await.body["items"].clone();
        let metadata = &items[0]["metadata"];
        assert_eq!(metadata["accountId"], json!(account), "{list}");
        assert_eq!(metadata["accountId"], metadata["sourceId"], "{list}");
    }
    let estimates = service.get("/eincomes").await.body["items"].clone();
    for estimate in estimates.as_array().unwrap() {
        assert!(estimate["baseAmount"].is_number());
        assert_eq!(estimate["baseAmount"], estimate["amount"]);
    }
}

/// The interface's table of data sources. Every source also has insights and links.
#[rstest]
#[case("mx_social_security", "IDENTITIES DOCUMENTS EMPLOYMENTS CONTRIBUTIONS LIABILITIES EINCOMES")]
#[case("mx_government_pension", "IDENTITIES DOCUMENTS EMPLOYMENTS INCOMES EINCOMES")]
#[case("ph_health_insurance", "IDENTITIES DOCUMENTS EMPLOYMENTS CONTRIBUTIONS EINCOMES")]
#[case("ph_housing_fund", "IDENTITIES DOCUMENTS EMPLOYMENTS CONTRIBUTIONS LIABILITIES EINCOMES")]
#[case("mx_talleres_aurora", "IDENTITIES DOCUMENTS EMPLOYMENTS INCOMES EINCOMES")]
#[tokio::test]
async fn task_lists_data_points_of_its_provider_kind(#[case] provider: &str, #[case] expected: &str) {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    link_account(&service, &session, provider, "good").await;
    let emitted = event(&service, "TASK_FINISHED").await["datapoints"].clone();
    let task = service.get("/tasks").await.body["items"][0]["datapoints"].clone();
    let expected: Vec<&str> = expected.split(' ').chain(["LINKS", "INSIGHTS"]).collect();
    assert_eq!(emitted, json!(expected));
    assert_eq!(task, json!(expected));
}

#[tokio::test]
async fn link_counts_every_connection_that_is_not_erased() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let first = link_account(&service, &session, "mx_social_security", "good").await;
    assert_eq!(service.delete(&format!("/accounts/{first}")).await.status, 204);
    let second = link_account(&service, &session, "mx_social_security", "good").await;
    assert_ne!(first, second);
    let third = link_account(&service, &session, "mx_social_security", "many").await;
    let links = service.get(&format!("/links?sourceId={third}")).await.body["items"].clone();
    let counts: Vec<_> =
        links[0]["records"].as_array().unwrap().iter().map(|it| it["count"].clone()).collect();
    assert_eq!(counts, [1, 1], "the links of a revoked account are erased: {links}");
    let other = link_account(&service, &session, "mx_health_insurance", "good").await;
    let links = service.get(&format!("/links?sourceId={other}")).await.body["items"].clone();
    assert_eq!(links[0]["records"].as_array().unwrap().len(), 1, "links are counted per provider");
    let other_user = service.session().await;
    let account = link_account(&service, &other_user, "mx_social_security", "good").await;
    let links = service.get(&format!("/links?sourceId={account}")).await.body["items"].clone();
    assert_eq!(links[0]["records"].as_array().unwrap().len(), 1, "links are counted per user");
}

#[tokio::test]
async fn failed_login_computes_no_data_points() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "error-ACCOUNT_LOCKED", "pass").await;
    service.until_settled(&session, &progress).await;
    for list in ["/eincomes", "/insights", "/links"] {
        assert_eq!(service.get(list).await.body["items"], json!([]), "{list}");
    }
    let refused = service.send(Method::GET, "/insights", As::Anonymous, None).await;
    assert_eq!(refused.status, 401);
}
