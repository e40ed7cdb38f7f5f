//! Linking an account over HTTP, with its events in order.

use axum::http::Method;
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use rstest::rstest;
use serde_json::{Value, json};

use crate::service::{As, TestService, text};

const PROVIDER: &str = "mx_social_security";

#[tokio::test]
async fn linked_account_delivers_events_in_order_to_webhook() {
    let service = TestService::start(Backend::Sqlite).await;
    let receiver = Receiver::start(&[]).await;
    let hook = json!({
        "name": "all", "url": receiver.url, "eventTypes": ["ALL_EVENTS"], "secret": "a secret of a tenant", "includePayload": true,
    });
    assert_eq!(service.post("/webhooks", hook).await.status, 201);
    let session = service.session().await;
    let progress = service.submit(&session, PROVIDER, "good", "pass").await;
    let linked = service.until_settled(&session, &progress).await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
    service.until_event("TASK_FINISHED").await;

    let emitted = service.event_types().await;
    assert_eq!(emitted[..4], ["USER_CREATED", "ACCOUNT_CREATED", "ACCOUNT_CONNECTED", "TASK_STARTED"]);
    assert!(emitted[4..emitted.len() - 1].iter().all(|it| it.ends_with("_ADDED")), "{emitted:?}");
    assert_eq!(emitted.last().unwrap(), "TASK_FINISHED");
    receiver.until(emitted.len()).await;
    // Order is guaranteed per subject, so the user's event may arrive at any position.
    let of_account: Vec<_> = receiver.types().into_iter().filter(|it| it != "USER_CREATED").collect();
    assert_eq!(of_account, emitted[1..], "one account's events keep their order");

    let mut received = receiver.requests().into_iter().map(|it| it.event);
    let finished = received.find(|it| it["type"] == "TASK_FINISHED").unwrap();
    assert_eq!(finished["data"]["status"], "SUCCEEDED");
    assert!(finished["data"]["payload"]["identity"]["id"].is_string(), "{finished}");
    let accounts = service.get("/accounts").await;
    assert_eq!(accounts.body["items"][0]["connectionStatus"], "CONNECTED");
    let id = text(&linked["accountId"]);
    let payload = service.get(&format!("/accounts/{id}/payload")).await;
    assert_eq!(payload.body["identity"]["id"], finished["data"]["payload"]["identity"]["id"]);
    assert_eq!(payload.body["metadata"]["id"], id);
}

#[tokio::test]
async fn link_succeeds_with_right_code_after_wrong_code() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let progress = service.submit(&session, PROVIDER, "mfa-otp", "pass").await;
    let asked = service.until_settled(&session, &progress).await;
    assert_eq!(service.get("/accounts").await.body["items"][0]["connectionStatus"], "AWAITING_MFA");
    let wrong = service.answer(&session, &asked, "9999").await;
    assert_eq!(wrong["phase"]["challenge"]["challenge"]["wrongAnswer"], true, "{wrong}");
    let linked = service.answer(&session, &wrong, "1234").await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
    assert!(!service.event_types().await.contains(&"ACCOUNT_FAILED".to_owned()));
}

#[tokio::test]
async fn choice_challenge_links_and_rejects_stale_challenge_id() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let progress = service.submit(&session, PROVIDER, "mfa-choice", "pass").await;
    let asked = service.until_settled(&session, &progress).await;
    let stale =
        json!({"challengeId": format!("ch-{}", "0".repeat(32)), "answer": {"choice": {"value": "x"}}});
    let path = format!("/link/accounts/{}/answer", text(&asked["accountId"]));
    let refused = service.send(Method::POST, &path, As::Session(&session), Some(&stale)).await;
    assert_eq!(refused.status, 409, "{:?}", refused.body);
    let value = asked["phase"]["challenge"]["challenge"]["kind"]["choice"]["choices"][0]["value"].clone();
    let linked = service.answer_with(&session, &asked, json!({"choice": {"value": value}})).await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
}

#[tokio::test]
async fn retried_login_after_wrong_password_keeps_one_account() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let first = service.submit(&session, PROVIDER, "good", "wrong").await;
    let failed = service.until_settled(&session, &first).await;
    assert_eq!(failed["phase"]["failed"]["errorCode"], "INVALID_CREDENTIALS", "{failed}");
    let second = service.submit(&session, PROVIDER, "good", "pass").await;
    assert_eq!(second["accountId"], first["accountId"]);
    let linked = service.until_settled(&session, &second).await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
    let types = service.event_types().await;
    let count = |wanted: &str| types.iter().filter(|it| *it == wanted).count();
    assert_eq!((count("ACCOUNT_CREATED"), count("ACCOUNT_FAILED")), (1, 1), "{types:?}");
}

#[tokio::test]
async fn sandbox_error_login_fails_account_with_its_code() {
    let service = TestService::start(Backend::Sqlite).await;
    for code in link_types::LinkErrorCode::ALL {
        let session = service.session().await;
        let progress = service.submit(&session, PROVIDER, &format!("error-{code}"), "pass").await;
        let failed = service.until_settled(&session, &progress).await;
        assert_eq!(failed["phase"]["failed"]["errorCode"], code.as_str(), "{failed}");
        let account = service.get(&format!("/accounts/{}", text(&failed["accountId"]))).await;
        assert_eq!(account.body["connection"]["errorCode"], code.as_str());
        assert_eq!(account.body["connectionStatus"], "ERROR");
    }
}

#[tokio::test]
async fn revoked_account_loses_its_data_and_is_disconnected() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let progress = service.submit(&session, PROVIDER, "good", "pass").await;
    service.until_settled(&session, &progress).await;
    service.until_event("TASK_FINISHED").await;
    let id = text(&progress["accountId"]);
    let identity = text(&service.get("/identities").await.body["items"][0]["id"]);
    assert_eq!(service.delete(&format!("/accounts?id={id}")).await.status, 204);
    assert_eq!(service.delete(&format!("/accounts/{id}")).await.status, 204, "revocation is idempotent");
    let account = service.get(&format!("/accounts/{id}")).await;
    assert_eq!(account.body["connectionStatus"], "DISCONNECTED");
    assert_eq!(service.get(&format!("/identities/{identity}")).await.status, 404);
    assert_eq!(service.get(&format!("/accounts/{id}/payload")).await.status, 404);
    assert_eq!(service.get("/contributions").await.body["items"], json!([]));
    let ends = service.get("/events?type=ACCOUNT_DISCONNECTED").await.body["items"].clone();
    assert_eq!((ends.as_array().unwrap().len(), &ends[0]["data"]["reason"]), (1, &json!("TENANT")));
}

#[tokio::test]
async fn provider_without_login_emits_no_connected_event() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let mut body = service.login(&session, "mx_employment_registry", "good", "pass").await;
    let refused = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
    assert_eq!((refused.status.as_u16(), refused.body["errors"].as_array().unwrap().len()), (422, 3));
    for name in ["loginOption", "loginName", "credentials"] {
        body[name] = Value::Null;
    }
    let started = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
    assert_eq!(started.status, 201, "{:?}", started.body);
    let linked = service.until_settled(&session, &started.body).await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
    service.until_event("TASK_FINISHED").await;
    assert!(!service.event_types().await.contains(&"ACCOUNT_CONNECTED".to_owned()));
}

#[tokio::test]
async fn session_cannot_read_accounts_of_another_user() {
    let service = TestService::start(Backend::Sqlite).await;
    let (mine, theirs) = (service.session().await, service.session().await);
    let progress = service.submit(&theirs, PROVIDER, "good", "pass").await;
    let path = format!("/link/accounts/{}", text(&progress["accountId"]));
    assert_eq!(service.send(Method::GET, &path, As::Session(&mine), None).await.status, 404);
    let linked = service.send(Method::GET, "/link/linked", As::Session(&mine), None).await;
    assert_eq!(linked.body["accounts"], json!([]));
}

#[tokio::test]
async fn consent_to_another_text_version_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let mut body = service.login(&session, PROVIDER, "good", "pass").await;
    body["consent"]["version"] = "0.9".into();
    let refused = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
    assert_eq!((refused.status.as_u16(), &refused.body["code"]), (409, &json!("CONSENT_REQUIRED")));
}

#[tokio::test]
async fn disable_monitor_sets_status_customer_disabled() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let progress = service.submit(&session, PROVIDER, "good", "pass").await;
    service.until_settled(&session, &progress).await;
    let path = format!("/accounts/{}", text(&progress["accountId"]));
    assert_eq!(service.get(&path).await.body["monitorStatus"], "ACTIVE");
    let off = service
        .send(Method::POST, &format!("{path}/disableMonitor"), As::Tenant(&service.sandbox), None)
        .await;
    assert_eq!(off.status, 204, "{:?}", off.body);
    assert_eq!(service.get(&path).await.body["monitorStatus"], "CUSTOMER_DISABLED");
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_sessions_link_one_login_as_one_account(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let template = json!({
        "name": "second", "companyName": "Shop", "allowedOrigins": [crate::service::HOST_ORIGIN],
        "consentTemplateId": service.sandbox.consent,
    });
    let second = service.post("/linkTemplates", template).await;
    assert_eq!(second.status, 201, "{:?}", second.body);
    for _ in 0..8 {
        let (user, token) = service.user().await;
        let path = format!("/tokens?userId={user}");
        let other = service.send(Method::POST, &path, As::Tenant(&service.sandbox), None).await;
        let sessions = [crate::service::secret(), crate::service::secret()];
        assert_eq!(service.exchange(&token, &sessions[0]).await.status, 201);
        let mut body = service.exchange_of(&text(&other.body["accessToken"]), &sessions[1]);
        body["templateId"] = second.body["id"].clone();
        let opened = service.send(Method::POST, "/link/sessions", As::Anonymous, Some(&body)).await;
        assert_eq!(opened.status, 201, "{:?}", opened.body);
        let (one, other) = tokio::join!(
            service.submit(&sessions[0], PROVIDER, "good", "pass"),
            service.submit(&sessions[1], PROVIDER, "good", "pass"),
        );
        assert_eq!(one["accountId"], other["accountId"]);
    }
}

#[tokio::test]
async fn repeated_link_request_emits_connected_event_once() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let body = service.login(&session, PROVIDER, "good", "pass").await;
    let send = || service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body));
    let first = send().await;
    service.until_settled(&session, &first.body).await;
    service.until_event("TASK_FINISHED").await;
    let again = send().await;
    assert_eq!((again.status.as_u16(), &again.body["accountId"]), (201, &first.body["accountId"]));
    assert!(again.body["phase"].get("connected").is_some(), "{:?}", again.body);
    // An event of the repeated request would precede those of this login.
    let other = service.submit(&session, PROVIDER, "many", "pass").await;
    service.until_settled(&session, &other).await;
    let emitted = service.event_types().await;
    assert_eq!(emitted.iter().filter(|it| *it == "ACCOUNT_CONNECTED").count(), 2, "{emitted:?}");
}
