//! Challenges over HTTP: asked, answered, resent, extended, timed out.

use axum::http::Method;
use link_store::StoreError;
use link_store::test_support::Backend;
use link_types::id::AccountId;
use rstest::rstest;
use serde_json::{Value, json};

use crate::sealed::{assert_absent, each_file};
use crate::service::{As, TestResponse, TestService, secret, text};

const PROVIDER: &str = "mx_social_security";

fn challenge(progress: &Value) -> &Value {
    let challenge = &progress["phase"]["challenge"]["challenge"];
    assert!(challenge.is_object(), "no challenge: {progress}");
    challenge
}

async fn submit_and_settle(service: &TestService, session: &str, login: &str) -> Value {
    let progress = service.submit(session, PROVIDER, login, "pass").await;
    service.until_settled(session, &progress).await
}

/// Waits until the account leaves its challenge.
async fn until_challenge_ends(service: &TestService, session: &str, progress: &Value) -> Value {
    let mut progress = progress.clone();
    for _ in 0..10 {
        if progress["phase"].get("challenge").is_none() {
            return service.until_settled(session, &progress).await;
        }
        let path = format!(
            "/link/accounts/{}?after={}&wait=10000",
            text(&progress["accountId"]),
            progress["version"]
        );
        progress = service.send(Method::GET, &path, As::Session(session), None).await.body;
    }
    panic!("the challenge never ended: {progress}");
}

async fn ask(
    service: &TestService,
    session: &str,
    progress: &Value,
    what: &str,
    mut body: Value,
) -> TestResponse {
    body["challengeId"] = challenge(progress)["id"].clone();
    let path = format!("/link/accounts/{}/{what}", text(&progress["accountId"]));
    service.send(Method::POST, &path, As::Session(session), Some(&body)).await
}

#[tokio::test]
async fn typed_challenge_answers_link_the_account() {
    let service = TestService::start(Backend::Sqlite).await;
    for (login, kind, answer) in [
        ("mfa-otp", "oneTimeCode", "1234"),
        ("mfa-image", "image", "K7M4"),
        ("mfa-image-only", "image", "K7M4"),
        ("mfa-question", "question", "aurora"),
        ("mfa-timeout", "oneTimeCode", "1234"),
    ] {
        let session = service.session().await;
        let asked = submit_and_settle(&service, &session, login).await;
        assert!(challenge(&asked)["kind"].get(kind).is_some(), "{asked}");
        let linked = service.answer(&session, &asked, answer).await;
        assert!(linked["phase"].get("connected").is_some(), "{login}: {linked}");
    }
}

/// Returns whether the database has the recording of the account's challenge.
async fn stores_recording(service: &TestService, progress: &Value) -> bool {
    let (owner, id): (_, AccountId) = (service.owner(), text(&progress["accountId"]).parse().unwrap());
    match service.app.store.read(move |reader| reader.accounts().get(&owner, &id)).await {
        Ok(account) => format!("{account:?}").contains("data:audio/wav"),
        Err(StoreError::Erased) => false,
        Err(error) => panic!("{error}"),
    }
}

#[rstest]
#[tokio::test]
async fn recording_is_polled_sealed_and_erased_like_its_picture(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let (user, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    let asked = submit_and_settle(&service, &session, "mfa-image").await;
    let path = format!("/link/accounts/{}?after=0&wait=0", text(&asked["accountId"]));
    let polled = service.send(Method::GET, &path, As::Session(&session), None).await.body;
    let recording = text(&challenge(&polled)["kind"]["image"]["recording"]);
    assert!(recording.starts_with("data:audio/wav;base64,UklGR"), "{recording}");
    assert!(stores_recording(&service, &asked).await);
    each_file(&service.database.files(), &mut |path, bytes| {
        for needle in ["data:audio/wav", &recording[1_000..1_040]] {
            assert_absent(&path.display().to_string(), &bytes, needle);
        }
    });
    let linked = service.answer(&session, &asked, "K7M4").await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
    assert!(!stores_recording(&service, &linked).await, "the answered challenge is still there");
    let again = submit_and_settle(&service, &session, "mfa-image").await;
    assert!(stores_recording(&service, &again).await);
    assert_eq!(service.delete(&format!("/users/{user}")).await.status, 204);
    assert!(!stores_recording(&service, &again).await, "the user's erasure leaves the recording");
}

#[tokio::test]
async fn out_of_band_challenge_links_or_fails_without_an_answer() {
    let service = TestService::start(Backend::Sqlite).await;
    let cases = [
        ("mfa-push", "approve", "connected"),
        ("mfa-email", "emailLink", "connected"),
        ("mfa-push-denied", "approve", "failed"),
    ];
    let all = cases.map(async |(login, kind, end)| {
        let session = service.session().await;
        let asked = submit_and_settle(&service, &session, login).await;
        assert!(challenge(&asked)["kind"].get(kind).is_some(), "{asked}");
        let ended = until_challenge_ends(&service, &session, &asked).await;
        assert!(ended["phase"].get(end).is_some(), "{login}: {ended}");
    });
    let [push, email, denied] = all;
    tokio::join!(push, email, denied);
}

#[tokio::test]
async fn consecutive_challenges_link_the_account() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let choice = submit_and_settle(&service, &session, "mfa-many").await;
    let code = service.answer_with(&session, &choice, json!({"choice": {"value": "bahia"}})).await;
    assert!(challenge(&code)["kind"].get("oneTimeCode").is_some(), "{code}");
    let question = service.answer(&session, &code, "1234").await;
    assert!(challenge(&question)["kind"].get("question").is_some(), "{question}");
    let linked = service.answer(&session, &question, "Aurora").await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
}

#[tokio::test]
async fn challenge_continues_on_another_node() {
    let mut service = TestService::start(Backend::Postgres).await;
    let session = service.session().await;
    let choice = submit_and_settle(&service, &session, "mfa-many").await;
    let code = service.answer_with(&session, &choice, json!({"choice": {"value": "cumbre"}})).await;
    let sealed = service.sealer(&session).await.answer(challenge(&code), "1234");
    service.move_to_another_node().await;
    let question = service.answer_with(&session, &code, sealed).await;
    assert!(challenge(&question)["kind"].get("question").is_some(), "{question}");
    let linked = service.answer(&session, &question, "aurora").await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
}

#[tokio::test]
async fn third_wrong_answer_fails_the_link_once() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let mut progress = submit_and_settle(&service, &session, "mfa-otp").await;
    for tries_left in [3, 2, 1] {
        assert_eq!(challenge(&progress)["triesLeft"], tries_left);
        progress = service.answer(&session, &progress, "0000").await;
    }
    assert_eq!(progress["phase"]["failed"]["errorCode"], "INVALID_MFA", "{progress}");
    let types = service.event_types().await;
    assert_eq!(types.iter().filter(|it| *it == "ACCOUNT_FAILED").count(), 1);
}

#[tokio::test]
async fn extended_challenge_lasts_longer_then_times_out() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let asked = submit_and_settle(&service, &session, "mfa-timeout").await;
    let before = challenge(&asked)["expiresInMs"].as_u64().unwrap();
    assert!((1..=15_000).contains(&before) && challenge(&asked)["extendable"] == true, "{asked}");
    let path = format!("/link/accounts/{}?after={}&wait=2000", text(&asked["accountId"]), asked["version"]);
    let waited = service.send(Method::GET, &path, As::Session(&session), None).await.body;
    let extended = ask(&service, &session, &waited, "extend", json!({})).await;
    assert_eq!(extended.status, 200, "{:?}", extended.body);
    assert_eq!(challenge(&extended.body)["id"], challenge(&asked)["id"]);
    let (left_before, left_after) =
        (challenge(&waited)["expiresInMs"].as_u64(), challenge(&extended.body)["expiresInMs"].as_u64());
    assert!(left_after > left_before, "{left_before:?} {left_after:?}");
    let over = until_challenge_ends(&service, &session, &extended.body).await;
    assert_eq!(over["phase"]["failed"]["errorCode"], "MFA_TIMEOUT", "{over}");
}

#[tokio::test]
async fn unsupported_resend_and_extend_are_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let code = submit_and_settle(&service, &session, "mfa-otp").await;
    let early = ask(&service, &session, &code, "resend", json!({"channel": "VOICE"})).await;
    assert_eq!((early.status.as_u16(), early.body["code"].as_str()), (429, Some("REQUEST_LIMIT_EXCEEDED")));
    let wait: u64 = early.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=20).contains(&wait), "{wait}");
    let other = ask(&service, &session, &code, "resend", json!({"channel": "APP"})).await;
    assert_eq!(other.status, 409);
    let session = service.session().await;
    let choice = submit_and_settle(&service, &session, "mfa-choice").await;
    assert_eq!(ask(&service, &session, &choice, "extend", json!({})).await.status, 409);
}

#[rstest]
#[tokio::test]
async fn login_is_blocked_after_five_failures(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let session = service.session().await;
    let mut failed = Value::Null;
    for _ in 0..5 {
        let tried = service.submit(&session, PROVIDER, "good", "guess").await;
        failed = service.until_settled(&session, &tried).await;
        assert_eq!(failed["phase"]["failed"]["errorCode"], "INVALID_CREDENTIALS");
    }
    let wait = failed["phase"]["failed"]["retryInMs"].as_u64().unwrap();
    assert!((25_000..=30_000).contains(&wait), "{wait}");
    let body = service.login(&session, PROVIDER, "Good ", "pass").await;
    let refused = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
    assert_eq!(refused.status, 429, "{:?}", refused.body);
    let after: u64 = refused.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((25..=30).contains(&after), "{after}");
    let other = service.submit(&session, PROVIDER, "mfa-otp", "pass").await;
    assert!(other["accountId"].is_string(), "another login is not blocked");
}

#[rstest]
#[tokio::test]
async fn wrong_answers_count_across_sign_ins(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let service = TestService::start(backend).await;
    let session = service.session().await;
    for wrong_answers in [2, 2, 1] {
        let mut progress = submit_and_settle(&service, &session, "mfa-otp").await;
        for _ in 0..wrong_answers {
            progress = service.answer(&session, &progress, "0000").await;
            assert_eq!(challenge(&progress)["wrongAnswer"], true);
        }
    }
    let body = service.login(&session, PROVIDER, "mfa-otp", "pass").await;
    let refused = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
    assert_eq!(refused.status, 429, "{:?}", refused.body);
    assert!(!service.event_types().await.contains(&"ACCOUNT_FAILED".to_owned()));
}
