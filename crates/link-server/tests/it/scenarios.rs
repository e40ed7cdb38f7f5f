//! The sandbox's published inputs, custom logins and fired events.

use std::collections::BTreeMap;
use std::path::PathBuf;

use axum::http::Method;
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use link_types::LinkErrorCode;
use link_types::event::EventType;
use serde_json::{Value, json};

use crate::service::{As, TestService, text};

const PROVIDER: &str = "mx_social_security";

/// Returns the table rows of the sandbox guide, as lists of cells.
fn guide() -> Vec<Vec<String>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/sandbox.md");
    let guide = std::fs::read_to_string(path).unwrap();
    let rows = guide.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

#[tokio::test]
async fn sandbox_guide_matches_published_inputs() {
    let service = TestService::start(Backend::Sqlite).await;
    let published = service.get("/scenarios").await.body["published"].clone();
    let mut expected: BTreeMap<String, String> = BTreeMap::new();
    let list = |name: &str| published[name].as_array().unwrap().clone();
    for login in list("logins") {
        let (name, error) = (text(&login["login"]), &login["errorCode"]);
        let code = name.strip_prefix("error-").filter(|_| !error.is_null());
        match code {
            Some(code) => assert_eq!(code, error.as_str().unwrap()),
            None => drop(expected.insert(name, text(&login["description"]))),
        }
    }
    assert_eq!(list("logins").len(), expected.len() + LinkErrorCode::ALL.len());
    expected.insert("error-<CODE>".to_owned(), String::new());
    for input in list("records") {
        expected.insert(text(&input["mobileNumber"]), text(&input["resultCode"]));
    }
    for provider in list("providers") {
        expected.insert(text(&provider["providerId"]), text(&provider["description"]));
    }
    for document in list("documents") {
        let key = format!("{} {}", text(&document["file"]), document["type"].as_str().unwrap_or("any"));
        let state = [&document["status"], &document["errorCode"]].map(|it| it.as_str().unwrap_or_default());
        expected.insert(key, state.join(" ").trim().to_owned());
    }

    let mut shown: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in guide() {
        let first = row[0].trim_matches('`').to_owned();
        let key = if first.contains('.') { format!("{first} {}", row[1]) } else { first };
        shown.insert(key, row);
    }
    assert_eq!(shown.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (key, row) in &shown {
        let last = row.last().unwrap();
        if key.contains('.') {
            assert_eq!(*last, expected[key], "{key}");
        } else if key.starts_with(|it: char| it.is_ascii_digit()) {
            assert!(last.starts_with(&expected[key]), "{key}: {last}");
        }
    }
    for login in list("logins") {
        for answer in login["answers"].as_array().unwrap().iter().filter_map(Value::as_str) {
            let row = &shown[login["login"].as_str().unwrap()];
            let says = row.iter().any(|cell| cell.contains(answer) || cell.contains("as above"));
            assert!(says, "{login}: {row:?}");
        }
    }
}

#[tokio::test]
async fn provider_in_maintenance_rejects_logins() {
    const CLOSED: &str = "ph_barangay_payroll";
    let service = TestService::start(Backend::Sqlite).await;
    let published = service.get("/scenarios").await.body["published"]["providers"].clone();
    let closed = published.as_array().unwrap().iter().find(|it| it["providerId"] == CLOSED).unwrap();
    assert_eq!(
        closed["description"],
        "in maintenance: not enabled, not listed in the widget, rejects every login"
    );
    assert_eq!(service.get(&format!("/providers/{CLOSED}")).await.body["enabled"], false);
    let session = service.session().await;
    let listed = service.send(Method::GET, "/link/providers", As::Session(&session), None).await.body;
    let listed: Vec<_> = listed["items"].as_array().unwrap().iter().map(|it| text(&it["id"])).collect();
    assert!(listed.contains(&PROVIDER.to_owned()) && !listed.contains(&CLOSED.to_owned()), "{listed:?}");
    let mut login = service.login(&session, PROVIDER, "good", "pass").await;
    login["providerId"] = json!(CLOSED);
    let refused = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&login)).await;
    assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!("providerId")));
}

#[tokio::test]
async fn custom_login_asks_challenges_and_returns_its_data() {
    let service = TestService::start(Backend::Sqlite).await;
    let body = json!({
        "login": "ana.ruiz", "password": "her own", "asks": ["CODE", "QUESTION"],
        "data": {
            "employments": [{"employer": "Talleres Aurora", "startDate": "2024-02-01"}],
            "contributions": [],
        },
    });
    let made = service.post("/scenarios", body.clone()).await;
    assert_eq!(made.status, 201, "{:?}", made.body);
    assert_eq!(service.post("/scenarios", body).await.status, 409, "the login exists");
    assert_eq!(service.get("/scenarios").await.body["items"][0], made.body);

    let session = service.session().await;
    let wrong = service.submit(&session, PROVIDER, "ana.ruiz", "pass").await;
    let wrong = service.until_settled(&session, &wrong).await;
    assert!(wrong.to_string().contains("INVALID_CREDENTIALS"), "{wrong}");
    let session = service.session().await;
    let progress = service.submit(&session, PROVIDER, "ana.ruiz", "her own").await;
    let code = service.until_settled(&session, &progress).await;
    let question = service.answer(&session, &code, "1234").await;
    let connected = service.answer(&session, &question, "aurora").await;
    assert!(connected["phase"].get("connected").is_some(), "{connected}");
    service.until_event("TASK_FINISHED").await;
    let account = text(&connected["accountId"]);
    let jobs = service.get(&format!("/employments?sourceId={account}")).await.body;
    assert_eq!(jobs["items"].as_array().unwrap().len(), 1);
    assert_eq!(jobs["items"][0]["employer"], "Talleres Aurora");
    let none = service.get(&format!("/contributions?sourceId={account}")).await.body;
    assert_eq!(none["items"], json!([]));
    let invented = service.get(&format!("/identities?sourceId={account}")).await.body;
    assert_eq!(invented["items"].as_array().unwrap().len(), 1, "omitted data is generated");

    let path = format!("/scenarios/{}", text(&made.body["id"]));
    assert_eq!(service.delete(&path).await.status, 204);
    let session = service.session().await;
    let gone = service.submit(&session, PROVIDER, "ana.ruiz", "her own").await;
    let gone = service.until_settled(&session, &gone).await;
    assert!(gone.to_string().contains("INVALID_CREDENTIALS"), "{gone}");
}

#[tokio::test]
async fn custom_login_can_fail_and_is_validated() {
    let service = TestService::start(Backend::Sqlite).await;
    let failing = json!({"login": "locked-out", "asks": ["CODE"], "errorCode": "ACCOUNT_LOCKED"});
    assert_eq!(service.post("/scenarios", failing).await.status, 201);
    let session = service.session().await;
    let progress = service.submit(&session, PROVIDER, "locked-out", "pass").await;
    let code = service.until_settled(&session, &progress).await;
    let failed = service.answer(&session, &code, "1234").await;
    assert!(failed.to_string().contains("ACCOUNT_LOCKED"), "{failed}");
    for (body, field) in [
        (json!({"login": "good"}), "login"),
        (json!({"login": "ana", "data": {"eincomes": []}}), "data.eincomes"),
        (json!({"login": "ana", "data": {"employments": [{"wage": 3}]}}), "data.employments[0].wage"),
        (json!({"login": "ana", "data": {"incomes": [{"employer": "Aurora"}]}}), "data.incomes[0].currency"),
        (json!({"login": "ana", "asks": ["RIDDLE"]}), "asks[0]"),
    ] {
        let refused = service.post("/scenarios", body.clone()).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.body["errors"][0]["field"]),
            (422, &json!(field)),
            "{body}"
        );
    }
}

#[tokio::test]
async fn every_event_type_can_be_fired_and_is_delivered() {
    let service = TestService::start(Backend::Sqlite).await;
    let receiver = Receiver::start(&[]).await;
    let hook = json!({
        "url": receiver.url, "eventTypes": ["ALL_EVENTS"], "secret": "a secret long enough",
        "includePayload": true,
    });
    service.post("/webhooks", hook).await;
    for event_type in EventType::ALL {
        let fired = service.post("/events/fire", json!({"type": event_type})).await;
        assert_eq!(fired.status, 201, "{event_type} {:?}", fired.body);
        assert_eq!(fired.body["type"], event_type.as_str());
        let found = service.get(&format!("/events/{}", text(&fired.body["id"]))).await;
        assert_eq!(found.body, fired.body, "{event_type}");
    }
    let received = receiver.until(EventType::ALL.len()).await;
    let finished = received.iter().find(|it| it.event["type"] == "TASK_FINISHED").unwrap();
    let data = &finished.event["data"];
    assert!(data["payload"]["identity"].is_object(), "{}", finished.event);
    for computed in ["EINCOMES", "LINKS", "INSIGHTS"] {
        assert!(data["datapoints"].as_array().unwrap().contains(&json!(computed)), "{}", data["datapoints"]);
    }
    let documents = data["payload"]["documents"]["items"].as_array().unwrap();
    assert!(!documents.is_empty() && documents.iter().all(|it| it["fileUrl"].is_string()), "{documents:?}");
    let file = text(&documents[0]["fileUrl"]);
    let path = file.split_once("/sandbox/v1").unwrap().1;
    assert_eq!(
        service.send(Method::GET, path, As::Anonymous, None).await.status,
        404,
        "its account is invented"
    );
    let rating = received.iter().find(|it| it.event["type"] == "RATING_ADDED").unwrap();
    let provider = service.get(&format!("/providers/{}", text(&rating.event["data"]["providers"][0]))).await;
    let supported = provider.body["supported"].as_array().unwrap();
    assert!(supported.contains(&json!("RATINGS")), "{supported:?}");
    let (user, _) = service.user().await;
    let named = service.post("/events/fire", json!({"type": "ACCOUNT_CREATED", "userId": user})).await;
    assert_eq!(named.body["data"]["userId"], user);
    let other_user = "demo-0192f0c1a2b37c4d8e5f60718293a4b5";
    let refused =
        service.post("/events/fire", json!({"type": "ACCOUNT_CREATED", "userId": other_user})).await;
    assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!("userId")));
    assert_eq!(service.get("/accounts").await.body["items"], json!([]), "firing creates only events");
}

#[tokio::test]
async fn production_has_no_scenarios_or_fired_events() {
    let service = TestService::start(Backend::Sqlite).await;
    let production = service.production.clone();
    for (method, path, body) in [
        (Method::GET, "/scenarios", None),
        (Method::POST, "/scenarios", Some(json!({"login": "ana"}))),
        (Method::POST, "/events/fire", Some(json!({"type": "USER_CREATED"}))),
    ] {
        let response = service.send(method, path, As::Tenant(&production), body.as_ref()).await;
        assert_eq!(response.status, 404, "{path} {:?}", response.body);
    }
}
