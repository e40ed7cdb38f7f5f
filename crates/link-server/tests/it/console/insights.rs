//! The funnel and the usage of the portal.

use axum::http::Method;
use link_store::test_support::Backend;
use link_types::console::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::Browser;
use crate::service::{As, TestService, secret, text};

/// Sends a batch of an opening: the names of its events, from the number `first` on, and their account.
async fn report(service: &TestService, session: &str, first: u32, names: &[&str], account: Option<&str>) {
    let event = |(seq, name): (u32, &&str)| json!({"seq": seq, "eventName": name, "afterMs": 1, "accountId": account});
    let events: Vec<Value> = (first..).zip(names).map(event).collect();
    let body = json!({"opening": "opening-0001", "events": events, "trap": null});
    let sent = service.send(Method::POST, "/link/events", As::Session(session), Some(&body)).await;
    assert_eq!(sent.status, 204, "{:?}", sent.body);
}

async fn read(service: &TestService, browser: &Browser, path: &str) -> Value {
    let response = service.portal(Method::GET, path, &browser.cookie, None).await;
    assert_eq!(response.status, 200, "{path}: {:?}", response.body);
    response.body
}

/// The counts of the last day, in the order of the steps.
fn today(funnel: &Value) -> Value {
    funnel["days"].as_array().unwrap().last().unwrap()["counts"].clone()
}

#[rstest]
#[tokio::test]
async fn funnel_counts_openings_by_provider_and_error(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let viewer = service.sign_in_as("vi@shop.example", Role::Viewer).await;
    let (_, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    let funnel = async |query: &str| read(&service, &viewer, &format!("/sandbox/funnel?{query}")).await;
    assert_eq!(funnel("").await["days"].as_array().unwrap().len(), 30);
    assert_eq!(today(&funnel("").await), json!([]));

    report(&service, &session, 1, &["ConsentGiven", "ProviderListPageOpened", "ProviderSelected"], None)
        .await;
    assert_eq!(today(&funnel("").await), json!([1, 1, 1]));
    assert_eq!(funnel("").await["providers"], json!([]), "the provider is not stored yet");
    for provider in ["mx_social_security", "mx_unknown"] {
        let place = json!({"providerId": provider});
        let stored = service.send(Method::PUT, "/link/attempt", As::Session(&session), Some(&place)).await;
        assert_eq!(stored.status, 204, "{:?}", stored.body);
        report(&service, &session, 4, &["LoginPageOpened"], None).await;
    }
    let progress = service.submit(&session, "mx_social_security", "good", "wrong").await;
    let settled = service.until_settled(&session, &progress).await;
    let account = text(&settled["accountId"]);
    for _ in 0..2 {
        // A batch that arrives twice.
        report(&service, &session, 5, &["LoginSubmitted"], None).await;
        report(&service, &session, 6, &["ConnectErrorPageOpened"], Some(&account)).await;
    }
    let shown = funnel("").await;
    assert_eq!(today(&shown), json!([1, 1, 1, 1, 0, 0, 0, 1]));
    let [provider] = shown["providers"].as_array().unwrap().as_slice() else { panic!("{shown}") };
    assert_eq!(
        (&provider["id"], &provider["counts"]),
        (&json!("mx_social_security"), &json!([0, 0, 1, 1, 0, 0, 0, 1]))
    );
    let [error] = shown["errors"].as_array().unwrap().as_slice() else { panic!("{shown}") };
    assert_eq!((&error["id"], &error["counts"][7]), (&json!("INVALID_CREDENTIALS"), &json!(1)));
    let template = text(&shown["templates"][0]["id"]);
    assert!(!text(&shown["templates"][0]["name"]).is_empty());

    let answer = json!({"employer": "Talleres", "searched": null});
    let answered = service.send(Method::POST, "/link/survey", As::Session(&session), Some(&answer)).await;
    assert_eq!(answered.status, 204, "{:?}", answered.body);
    assert_eq!(today(&funnel(&format!("templateId={template}")).await)[8], 1);
    assert_eq!(today(&funnel("providerId=mx_social_security").await), json!([0, 0, 1, 1, 0, 0, 0, 1]));
    let production = read(&service, &viewer, "/production/funnel").await;
    assert_eq!(today(&production), json!([]));
}

#[tokio::test]
async fn span_of_the_funnel_is_checked_by_field() {
    let service = TestService::start(Backend::Sqlite).await;
    let viewer = service.sign_in_as("vi@shop.example", Role::Viewer).await;
    let days = async |query: &str| {
        let report = read(&service, &viewer, &format!("/sandbox/funnel?{query}")).await;
        report["days"].as_array().unwrap().len()
    };
    assert_eq!(days("from=2026-01-01&to=2026-04-02").await, 92);
    assert_eq!(days("from=2026-01-01").await, 30);
    let wrong = [
        ("from=2026-01-01&to=2026-04-03", "to"),
        ("from=2026-01-02&to=2026-01-01", "to"),
        ("from=yesterday", "from"),
        ("templateId=1", "templateId"),
        ("providerId=A!", "providerId"),
        ("userId=1", "userId"),
    ];
    for (query, field) in wrong {
        let path = format!("/sandbox/funnel?{query}");
        let response = service.portal(Method::GET, &path, &viewer.cookie, None).await;
        assert_eq!(
            (response.status.as_u16(), &response.body["errors"][0]["field"]),
            (422, &json!(field)),
            "{query}"
        );
    }
}

#[tokio::test]
async fn usage_of_a_month_is_exported_as_csv() {
    let service = TestService::start(Backend::Sqlite).await;
    let viewer = service.sign_in_as("vi@shop.example", Role::Viewer).await;
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
    let account = text(&service.until_settled(&session, &progress).await["accountId"]);
    let summary = read(&service, &viewer, "/sandbox/billing/summary").await;
    assert_eq!(summary["total"], 1);
    let month = text(&summary["month"]);
    let path = format!("/sandbox/billing/export?month={month}");
    let owner = service.sign_in_as("ow@shop.example", Role::Owner).await;
    let production = path.replace("sandbox", "production");
    assert_eq!(
        service.portal(Method::GET, &production, &viewer.cookie, None).await.status,
        403,
        "it names people"
    );
    let file = service.portal(Method::GET, &path, &owner.cookie, None).await;
    assert_eq!(
        file.headers["content-disposition"],
        format!("attachment; filename=\"usage-{month}.csv\"").as_str()
    );
    let lines = String::from_utf8(file.bytes.to_vec()).unwrap();
    let lines: Vec<_> = lines.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(lines[0], r#""id","createdAt","type","subjectId","userId""#);
    assert!(
        lines.len() == 2 && lines[1].contains(&account) && lines[1].contains("ACCOUNT_CONNECTED"),
        "{lines:?}"
    );
    let before =
        service.portal(Method::GET, "/sandbox/billing/export?month=2020-01", &viewer.cookie, None).await;
    assert_eq!(String::from_utf8_lossy(&before.bytes).lines().count(), 1);
}
