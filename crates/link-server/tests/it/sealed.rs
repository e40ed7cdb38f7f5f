//! Rejects credentials and answers that are not sealed, or sealed for something else.

use axum::http::Method;
use link_store::test_support::Backend;
use link_test_support::sealing::Sealer;
use serde_json::{Value, json};

use crate::service::{Answer, As, TestService, text};

const PROVIDER: &str = "mx_social_security";

fn form() -> Value {
    json!({"username": "good", "password": "pass"})
}

async fn start(service: &TestService, session: &str, body: &Value) -> Answer {
    service.send(Method::POST, "/link/accounts", As::Session(session), Some(body)).await
}

async fn failure(service: &TestService, session: &str, body: &Value) -> String {
    let started = start(service, session, body).await;
    assert_eq!(started.status, 201, "{:?}", started.body);
    let settled = service.settled(session, &started.body).await;
    text(&settled["phase"]["failed"]["errorCode"])
}

#[tokio::test]
async fn unsealed_or_foreign_credentials_are_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let (session, other) = (service.session().await, service.session().await);
    let mut body = service.login(&session, PROVIDER, "good", "pass").await;
    body["credentials"] = form();
    let refused = start(&service, &session, &body).await;
    assert_eq!(refused.status, 422);
    let named = refused.body["errors"].as_array().unwrap();
    assert!(named.iter().all(|it| text(&it["field"]).starts_with("credentials")), "{:?}", refused.body);

    body["credentials"] = service.sealer(&other).await.credentials(PROVIDER, &form());
    let refused = start(&service, &session, &body).await;
    assert_eq!(
        (refused.status.as_u16(), &refused.body["errors"][0]["field"]),
        (422, &json!("credentials.keyId"))
    );

    for name in ["credentials", "loginName"] {
        let mut body = service.login(&session, PROVIDER, "good", "pass").await;
        body[name] = Value::Null;
        let refused = start(&service, &session, &body).await;
        assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!(name)));
    }
    assert_eq!(service.get("/accounts").await.body["items"], json!([]), "no account was created");
}

#[tokio::test]
async fn mismatched_sealed_credentials_fail_the_link() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let mine = service.sealer(&session).await;
    let elsewhere = Sealer { attempt_id: format!("at-{}", "0".repeat(32)), ..mine.clone() };
    let damaged = |mut sealed: Value| {
        let ciphertext = text(&sealed["ciphertext"]);
        let first = if ciphertext.starts_with('A') { "B" } else { "A" };
        sealed["ciphertext"] = format!("{first}{}", &ciphertext[1..]).into();
        sealed
    };
    for (credentials, code) in [
        (elsewhere.credentials(PROVIDER, &form()), "INVALID_AUTH"),
        (mine.credentials("ph_social_security", &form()), "INVALID_AUTH"),
        (damaged(mine.credentials(PROVIDER, &form())), "INVALID_AUTH"),
        (mine.credentials(PROVIDER, &json!({"username": "many", "password": "pass"})), "INVALID_AUTH"),
        (mine.credentials(PROVIDER, &json!({"username": "good"})), "AUTH_REQUIRED"),
    ] {
        let mut body = service.login(&session, PROVIDER, "good", "pass").await;
        body["credentials"] = credentials;
        assert_eq!(failure(&service, &session, &body).await, code);
    }
    let right = service.submit(&session, PROVIDER, "good", "pass").await;
    assert!(service.settled(&session, &right).await["phase"].get("connected").is_some());
}

#[tokio::test]
async fn sealed_answer_must_match_challenge_and_format() {
    let service = TestService::start(Backend::Sqlite).await;
    let other_challenge = json!({"id": format!("ch-{}", "0".repeat(32))});
    for (sealed_for, answer, code) in
        [(Some(other_challenge), "1234", "INVALID_AUTH"), (None, "not a code", "INVALID_MFA")]
    {
        let session = service.session().await;
        let progress = service.submit(&session, PROVIDER, "mfa-otp", "pass").await;
        let asked = service.settled(&session, &progress).await;
        let challenge = sealed_for.unwrap_or(asked["phase"]["challenge"]["challenge"].clone());
        let sealed = service.sealer(&session).await.answer(&challenge, answer);
        let failed = service.answer_with(&session, &asked, sealed).await;
        assert_eq!(failed["phase"]["failed"]["errorCode"], code, "{failed}");
    }
}

#[tokio::test]
async fn unsealed_answer_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let progress = service.submit(&session, PROVIDER, "mfa-otp", "pass").await;
    let asked = service.settled(&session, &progress).await;
    let path = format!("/link/accounts/{}/answer", text(&asked["accountId"]));
    let id = &asked["phase"]["challenge"]["challenge"]["id"];
    let body = json!({"challengeId": id, "answer": {"text": {"text": "1234"}}});
    let refused = service.send(Method::POST, &path, As::Session(&session), Some(&body)).await;
    assert_eq!(refused.status, 422, "{:?}", refused.body);
    let linked = service.answer(&session, &asked, "1234").await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
}
