//! Signing in again to a connected account: consent only if it is needed, and only with the login of the account.

use axum::http::Method;
use link_store::test_support::Backend;
use serde_json::{Value, json};

use crate::service::{As, TestResponse, TestService, secret, text};

const PROVIDER: &str = "mx_social_security";

/// Links the login `reauth` and waits until its data is read. Returns the session and the account's id.
async fn link_account(service: &TestService) -> (String, String) {
    let session = service.session().await;
    let progress = service.submit(&session, PROVIDER, "reauth", "pass").await;
    let settled = service.until_settled(&session, &progress).await;
    assert!(settled["phase"].get("connected").is_some(), "{settled}");
    service.until_event("TASK_FINISHED").await;
    (session, text(&settled["accountId"]))
}

/// Signs in to an account again. `consent` is whether the receipt is sent.
async fn again(
    service: &TestService,
    session: &str,
    id: &str,
    (login, consent): (&str, bool),
) -> TestResponse {
    let mut body = service.login(session, PROVIDER, login, "pass").await;
    body["accountId"] = id.into();
    if !consent {
        body["consent"] = Value::Null;
    }
    service.send(Method::POST, "/link/accounts", As::Session(session), Some(&body)).await
}

async fn consent_needed(service: &TestService, session: &str) -> Value {
    let shown = service.send(Method::GET, "/link/linked", As::Session(session), None).await;
    shown.body["accounts"][0]["consentNeeded"].clone()
}

fn code(response: &TestResponse) -> (u16, &str) {
    (response.status.as_u16(), response.body["code"].as_str().unwrap_or_default())
}

#[tokio::test]
async fn unchanged_consent_is_kept_and_changed_terms_are_asked() {
    let service = TestService::start(Backend::Sqlite).await;
    let (session, id) = link_account(&service).await;
    let receipt = async || service.get(&format!("/accounts/{id}/consent")).await.body;
    let first = receipt().await;
    assert_eq!(consent_needed(&service, &session).await, false);
    let place = json!({"providerId": PROVIDER, "accountId": id});
    let put = service.send(Method::PUT, "/link/attempt", As::Session(&session), Some(&place)).await;
    assert_eq!(put.status, 204, "{:?}", put.body);
    let state = service.send(Method::GET, "/link/session", As::Session(&session), None).await.body;
    assert_eq!(state["attempt"]["consentNeeded"], false);

    let started = again(&service, &session, &id, ("reauth", false)).await;
    assert_eq!((started.status.as_u16(), &started.body["accountId"]), (201, &json!(id)));
    service.until_settled(&session, &started.body).await;
    service.until_events("TASK_FINISHED", 2).await;
    assert_eq!(receipt().await, first, "the receipt stays valid");

    let template = format!("/linkTemplates/{}", service.sandbox.template);
    let daily = json!({"syncInterval": "DAILY"});
    assert_eq!(service.patch(&template, daily).await.status, 200);
    assert_eq!(consent_needed(&service, &session).await, true);
    let refused = again(&service, &session, &id, ("reauth", false)).await;
    assert_eq!(code(&refused), (409, "CONSENT_REQUIRED"), "{:?}", refused.body);
    assert_eq!(receipt().await, first);
    let accepted = again(&service, &session, &id, ("reauth", true)).await;
    assert_eq!(accepted.status, 201, "{:?}", accepted.body);
    service.until_settled(&session, &accepted.body).await;
    service.until_events("TASK_FINISHED", 3).await;
    assert!(text(&receipt().await["consentedWith"]).contains("again every day"));
    assert_eq!(consent_needed(&service, &session).await, false);
}

#[tokio::test]
async fn login_of_another_account_changes_nothing() {
    let service = TestService::start(Backend::Sqlite).await;
    let (session, id) = link_account(&service).await;
    let other = service.session().await;
    let seen = async || {
        let accounts = service.get("/accounts").await.body["items"].clone();
        let consent = service.get(&format!("/accounts/{id}/consent")).await.body;
        let billed = service.get("/billing/summary").await.body["total"].clone();
        (accounts, consent, billed, service.event_types().await)
    };
    let before = seen().await;
    for consent in [false, true] {
        let refused = again(&service, &session, &id, ("good", consent)).await;
        assert_eq!(code(&refused), (409, "ACCOUNT_MISMATCH"), "{:?}", refused.body);
    }
    assert_eq!(seen().await, before);
    let foreign = again(&service, &other, &id, ("reauth", true)).await;
    assert_eq!(code(&foreign), (404, "MISSING_RESOURCE"), "the account of another user");
    assert_eq!(seen().await, before);
}

#[tokio::test]
async fn new_account_requires_a_receipt_of_the_terms_that_were_shown() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let mut body = service.login(&session, PROVIDER, "good", "pass").await;
    let shown = core::mem::take(&mut body["consent"]);
    for consent in [Value::Null, json!({"syncInterval": "DAILY"}), json!({"syncInterval": null})] {
        body["consent"] = match consent.get("syncInterval") {
            Some(interval) => {
                let mut other = shown.clone();
                other["syncInterval"] = interval.clone();
                other
            }
            None => Value::Null,
        };
        let refused = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
        assert_eq!(code(&refused), (409, "CONSENT_REQUIRED"), "{consent}");
    }
    assert_eq!(service.get("/accounts").await.body["items"], json!([]));
}

#[tokio::test]
async fn consent_is_omitted_only_for_a_named_account() {
    let service = TestService::start(Backend::Sqlite).await;
    let (session, _) = link_account(&service).await;
    for login in ["reauth", "good"] {
        let mut body = service.login(&session, PROVIDER, login, "pass").await;
        body["consent"] = Value::Null;
        let refused = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
        assert_eq!(code(&refused), (409, "CONSENT_REQUIRED"), "the answer does not tell whose login it is");
    }
}

#[tokio::test]
async fn repeated_submission_is_accepted_after_the_terms_change() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let body = service.login(&session, PROVIDER, "good", "pass").await;
    let submit =
        async || service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
    let first = submit().await;
    assert_eq!(first.status, 201, "{:?}", first.body);
    let template = format!("/linkTemplates/{}", service.sandbox.template);
    assert_eq!(service.patch(&template, json!({"syncInterval": "DAILY"})).await.status, 200);
    let repeated = submit().await;
    assert_eq!((repeated.status.as_u16(), &repeated.body["accountId"]), (201, &first.body["accountId"]));
}

#[tokio::test]
async fn session_forgets_an_account_that_was_revoked() {
    let service = TestService::start(Backend::Sqlite).await;
    let (session, id) = link_account(&service).await;
    let place = json!({"providerId": PROVIDER, "accountId": id});
    let put = service.send(Method::PUT, "/link/attempt", As::Session(&session), Some(&place)).await;
    assert_eq!(put.status, 204, "{:?}", put.body);
    let stored = async || {
        let state = service.send(Method::GET, "/link/session", As::Session(&session), None).await.body;
        state["attempt"]["place"]["accountId"].clone()
    };
    assert_eq!(stored().await, json!(id));
    assert_eq!(service.delete(&format!("/accounts/{id}")).await.status, 204);
    assert_eq!(stored().await, Value::Null);
}

/// Exchanges a new token of the user for another session. Returns the session's state.
async fn reopen(service: &TestService, user: &str) -> Value {
    let token = service.post(&format!("/tokens?userId={user}"), json!({})).await;
    let opened = service.exchange(&text(&token.body["accessToken"]), &secret()).await;
    assert_eq!(opened.status, 201, "{:?}", opened.body);
    opened.body
}

#[tokio::test]
async fn finished_attempt_is_not_resumed_for_a_reauthorization() {
    let service = TestService::start(Backend::Sqlite).await;
    let (session, id) = link_account(&service).await;
    let account = service.get(&format!("/accounts/{id}")).await.body;
    assert_eq!(account["monitorStatus"], "USER_ACTION_REQUIRED", "{account}");
    let before = service.send(Method::GET, "/link/session", As::Session(&session), None).await.body;
    assert_eq!(before["attempt"]["account"]["accountId"], id.as_str());
    // The tab is closed on the success page: no request ends the session.
    let state = reopen(&service, &text(&account["userId"])).await;
    assert_eq!(state["attempt"]["account"], Value::Null, "the person must sign in");
    assert_ne!(state["attempt"]["id"], before["attempt"]["id"], "events of the new login have other keys");
}

#[tokio::test]
async fn seen_success_is_not_resumed_by_another_session() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let progress = service.submit(&session, PROVIDER, "good", "pass").await;
    service.until_settled(&session, &progress).await;
    let state = service.send(Method::GET, "/link/session", As::Session(&session), None).await.body;
    let user = text(&state["userId"]);
    // The success page saves that no choice is left. A session that lost its page before that shows it.
    for (is_seen, expected) in [(false, progress["accountId"].clone()), (true, Value::Null)] {
        let state = reopen_in(&service, &user, is_seen).await;
        assert_eq!(state["attempt"]["account"]["accountId"], expected);
    }
}

/// Opens a session, lets the person see its page if they should, and opens another one. Returns the other one's state.
async fn reopen_in(service: &TestService, user: &str, is_seen: bool) -> Value {
    let token = service.post(&format!("/tokens?userId={user}"), json!({})).await;
    let session = secret();
    let opened = service.exchange(&text(&token.body["accessToken"]), &session).await;
    assert_eq!(opened.status, 201, "{:?}", opened.body);
    if is_seen {
        let put = service.send(Method::PUT, "/link/attempt", As::Session(&session), Some(&json!({}))).await;
        assert_eq!(put.status, 204, "{:?}", put.body);
    }
    reopen(service, user).await
}
