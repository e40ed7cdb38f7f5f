//! The hand-off of a step to a phone. `access` is what the phone may not do, and what ends its access.

mod access;

use std::sync::Arc;
use std::time::Duration;

use axum::http::{Method, Request, header};
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::digest::Digest32;
use link_domain::linking::link::{HANDOFF_LIFE, Handoff, HandoffStep, SLIDING_LIFE};
use link_server::http::problem::ApiResult;
use link_server::workers::housekeeping;
use link_store::test_support::Backend;
use link_types::archive::ArchiveType;
use rstest::rstest;
use serde_json::{Value, json};

use crate::archives::TestClock;
use crate::service::{As, TestResponse, TestService, secret, text};
use crate::uploads::{Uploader, picture};

const UPLOAD: HandoffStep = HandoffStep::Upload(ArchiveType::Payslip);

/// Requests a code, as the widget does.
async fn ask(service: &TestService, session: &str, subject: &Value) -> TestResponse {
    let body = json!({ "subject": subject });
    service.send(Method::POST, "/link/handoff", As::Session(session), Some(&body)).await
}

/// Creates a hand-off in the store, where its token is known: in a response, it is a picture.
async fn token(service: &TestService, session: &str, step: &HandoffStep) -> String {
    let (hash, step) = (Digest32::from_text(session), step.clone());
    let context = service.app.context(ClockOffset::default());
    let token = service.app.store.write(move |tx| -> ApiResult<_> {
        let mut context = context.clone();
        let session = tx.link_sessions().by_secret(&hash)?.unwrap();
        let before = tx.link_handoffs().get(&session.id)?;
        let (_, token, change) = Handoff::create(&session, step.clone(), before, &mut context).unwrap();
        tx.apply(&change, context.now())?;
        Ok(token)
    });
    token.await.unwrap().expose().to_owned()
}

/// Uses a code on the hosted page, with the secret of a phone.
async fn scan(service: &TestService, token: &str, secret: &str) -> TestResponse {
    let mut body = service.exchange_of(token, secret);
    body["hostOrigin"] = service.app.settings.hosted_url.clone().into();
    service.send(Method::POST, "/link/sessions", As::Anonymous, Some(&body)).await
}

/// Lets a phone continue, and returns its secret.
async fn phone(service: &TestService, session: &str, step: &HandoffStep) -> String {
    let (token, secret) = (token(service, session, step).await, secret());
    let scanned = scan(service, &token, &secret).await;
    assert_eq!(scanned.status, 201, "{:?}", scanned.body);
    secret
}

/// Returns the name of the hand-off's phase.
async fn phase(service: &TestService, session: &str) -> String {
    let state = service.send(Method::GET, "/link/handoff", As::Session(session), None).await;
    assert_eq!(state.status, 200, "{:?}", state.body);
    assert_eq!(state.body["picture"], Value::Null, "only the request that creates the code shows it");
    state.body["phase"].as_object().unwrap().keys().next().unwrap().clone()
}

/// Returns a session whose account waits for a code, and the account's progress.
async fn start_challenge(service: &TestService) -> (String, Value) {
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "mfa-otp", "pass").await;
    let asked = service.until_settled(&session, &progress).await;
    assert!(asked["phase"].get("challenge").is_some(), "{asked}");
    (session, asked)
}

/// Returns the step of answering an account's challenge.
async fn challenge_of(service: &TestService, progress: &Value) -> HandoffStep {
    let (owner, id) = (service.owner(), text(&progress["accountId"]).parse().unwrap());
    let account = service.app.store.read(move |reader| reader.accounts().get(&owner, &id)).await;
    HandoffStep::challenges_of(&account.unwrap().unwrap()).unwrap()
}

fn refusal(response: &TestResponse) -> (u16, String) {
    (response.status.as_u16(), text(&response.body["code"]))
}

#[rstest]
#[tokio::test]
async fn phone_answers_the_challenge_of_the_computer(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let (computer, asked) = start_challenge(&service).await;
    let offered = ask(&service, &computer, &json!({"challenge": {}})).await;
    assert_eq!(offered.status, 201, "{:?}", offered.body);
    assert!(text(&offered.body["picture"]).starts_with("data:image/svg+xml;base64,"));
    assert_eq!(phase(&service, &computer).await, "waiting");

    let token = token(&service, &computer, &challenge_of(&service, &asked).await).await;
    let phone = secret();
    let scanned = scan(&service, &token, &phone).await;
    assert_eq!(scanned.status, 201, "{:?}", scanned.body);
    let attempt = &scanned.body["attempt"];
    assert_eq!(
        (&scanned.body["isHandoff"], &attempt["account"]["accountId"]),
        (&json!(true), &asked["accountId"])
    );
    assert_eq!(phase(&service, &computer).await, "continued");

    let linked = service.answer(&phone, &asked, "1234").await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
    assert_eq!(phase(&service, &computer).await, "finished");
    let session = service.send(Method::GET, "/link/session", As::Session(&computer), None).await;
    assert!(session.body["attempt"]["account"]["phase"].get("connected").is_some(), "{:?}", session.body);
    assert_eq!(session.body["isHandoff"], json!(false));
}

#[rstest]
#[tokio::test]
async fn phone_submits_a_document_for_the_computer(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let computer = Uploader::new(&service).await;
    let begun = computer.archive("PAYSLIP").await;
    let offered = ask(&service, &computer.session, &json!({"upload": {"archiveType": "PAYSLIP"}})).await;
    assert_eq!(offered.status, 201, "{:?}", offered.body);
    let phone = Uploader { service: &service, session: phone(&service, &computer.session, &UPLOAD).await };
    let seen = phone.send(Method::GET, "/link/session", None).await.body["attempt"]["archives"].clone();
    assert_eq!(seen[0]["archiveId"], json!(begun));
    assert_eq!(phone.upload(&begun, "PAGE", &picture(9_000)).await.status, 204);
    assert_eq!(phase(&service, &computer.session).await, "continued");
    let submit = format!("/link/archives/{begun}/submit");
    let unasked = phone.send(Method::POST, &submit, None).await;
    assert_eq!(refusal(&unasked), (409, "CONSENT_REQUIRED".to_owned()), "the computer's does not count");
    let consent = json!({"consent": phone.receipt()});
    let submitted = phone.send(Method::POST, &submit, Some(&consent)).await;
    assert_eq!(submitted.status, 200, "{:?}", submitted.body);
    assert_eq!(phase(&service, &computer.session).await, "finished");
    let refused = phone.send(Method::GET, "/link/session", None).await;
    assert_eq!(refusal(&refused), (401, "INVALID_TOKEN".to_owned()), "the phone's access has ended");
    let archive = computer.send(Method::GET, &format!("/link/archives/{begun}"), None).await;
    assert_eq!(archive.status, 200, "{:?}", archive.body);
}

#[tokio::test]
async fn code_is_used_once() {
    let service = TestService::start(Backend::Sqlite).await;
    let computer = service.session().await;
    let (token, first) = (token(&service, &computer, &UPLOAD).await, secret());
    let opened = scan(&service, &token, &first).await;
    assert_eq!(opened.status, 201, "{:?}", opened.body);
    let again = scan(&service, &token, &first).await;
    assert_eq!(again.body["sessionId"], opened.body["sessionId"], "the same phone lost the response");
    let second = secret();
    assert_eq!(refusal(&scan(&service, &token, &second).await), (401, "TOKEN_USED".to_owned()));
    let refused = service.send(Method::GET, "/link/session", As::Session(&second), None).await;
    assert_eq!(refused.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_20_parallel_phones_gets_access() {
    let service = Arc::new(TestService::start(Backend::Postgres).await);
    let computer = service.session().await;
    let token = token(&service, &computer, &UPLOAD).await;
    let mut scans = tokio::task::JoinSet::new();
    for secret in std::iter::repeat_with(secret).take(20) {
        let (service, token) = (Arc::clone(&service), token.clone());
        scans.spawn(async move { scan(&service, &token, &secret).await.status.as_u16() });
    }
    let statuses = scans.join_all().await;
    assert_eq!(statuses.iter().filter(|it| **it == 201).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|it| **it == 401).count(), 19, "{statuses:?}");
}

#[tokio::test]
async fn code_expires_after_ten_minutes() {
    let clock = Arc::new(TestClock::default());
    let moved = Arc::clone(&clock);
    let service =
        TestService::start_of(Backend::Sqlite, |_| {}, move |parts| parts.ports.clock = moved).await;
    let computer = service.session().await;
    let token = token(&service, &computer, &UPLOAD).await;
    clock.advance(HANDOFF_LIFE);
    assert_eq!(phase(&service, &computer).await, "expired");
    assert_eq!(refusal(&scan(&service, &token, &secret()).await), (401, "TOKEN_EXPIRED".to_owned()));
}

#[tokio::test]
async fn code_works_only_on_the_hosted_page() {
    let service = TestService::start(Backend::Sqlite).await;
    let computer = service.session().await;
    let token = token(&service, &computer, &UPLOAD).await;
    let refused = service.exchange(&token, &secret()).await;
    assert_eq!(refusal(&refused), (401, "INVALID_TOKEN".to_owned()), "a tenant's page cannot use it");
    assert_eq!(scan(&service, &token, &secret()).await.status, 201, "nor does it use it up");
}

#[tokio::test]
async fn wrong_codes_are_limited_like_other_guesses() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| {
            live.rate_per_second = 1.try_into().unwrap();
            live.rate_burst = 5.try_into().unwrap();
        });
    })
    .await;
    let mut statuses = Vec::new();
    for number in 0..12 {
        statuses.push(scan(&service, &format!("lph_wrong-{number}"), &secret()).await.status.as_u16());
    }
    assert_eq!(statuses[0], 401);
    assert!(statuses.contains(&429), "{statuses:?}");
}

#[tokio::test]
async fn eleventh_code_of_a_session_is_refused() {
    let service = TestService::start(Backend::Sqlite).await;
    let computer = service.session().await;
    let upload = json!({"upload": {"archiveType": "PAYSLIP"}});
    for _ in 0..10 {
        assert_eq!(ask(&service, &computer, &upload).await.status, 201);
    }
    assert_eq!(refusal(&ask(&service, &computer, &upload).await), (409, "CONFLICT".to_owned()));
}

#[tokio::test]
async fn step_that_is_not_under_way_is_not_handed_off() {
    let service = TestService::start(Backend::Sqlite).await;
    let (computer, asked) = start_challenge(&service).await;
    let stranger = service.session().await;
    let challenge = json!({"challenge": {}});
    assert_eq!(refusal(&ask(&service, &stranger, &challenge).await), (409, "CONFLICT".to_owned()));
    service.answer(&computer, &asked, "1234").await;
    assert_eq!(refusal(&ask(&service, &computer, &challenge).await), (409, "CONFLICT".to_owned()));
    let none = service.send(Method::GET, "/link/handoff", As::Session(&stranger), None).await;
    assert_eq!(none.status, 404);
    for wrong in [json!({}), json!({"upload": {}}), json!({"upload": {"archiveType": "SELFIE"}})] {
        assert_eq!(ask(&service, &computer, &wrong).await.status, 422, "{wrong}");
    }
}

#[tokio::test]
async fn phone_page_has_no_token_and_may_embed_the_frame() {
    let service = TestService::start(Backend::Sqlite).await;
    let hosted = service.app.settings.hosted_url.clone();
    let hosted_host = hosted.split_once("://").unwrap().1;
    let get = async |host: &str, path: &str| {
        let request = Request::get(path).header(header::HOST, host).body(axum::body::Body::empty());
        service.send_raw(request.unwrap()).await
    };
    let page = get(hosted_host, &format!("/continue/{}", service.sandbox.template)).await;
    assert_eq!(page.status, 200);
    let html = String::from_utf8(page.bytes).unwrap();
    assert!(html.contains("data-page=\"phone\"") && html.contains("linchpin.v2.js"), "{html}");
    assert!(!html.contains("lph_"));
    assert_eq!(page.headers[header::CACHE_CONTROL], "no-store");
    let frame = get("localhost:8787", &format!("/sdk/frame/p1/{}", service.sandbox.template)).await;
    if frame.status == 200 {
        let policy = frame.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.contains(&hosted), "the phone's page embeds the frame: {policy}");
    }
    for unknown in ["lt-00000000000000000000000000000000", "unknown"] {
        assert_eq!(get(hosted_host, &format!("/continue/{unknown}")).await.status, 404);
    }
}

#[tokio::test]
async fn old_hand_offs_are_removed() {
    let clock = Arc::new(TestClock::default());
    let moved = Arc::clone(&clock);
    let service =
        TestService::start_of(Backend::Sqlite, |_| {}, move |parts| parts.ports.clock = moved).await;
    let computer = service.session().await;
    let token = token(&service, &computer, &UPLOAD).await;
    let hash = Digest32::from_text(&token);
    let is_stored = async || {
        let found = service.app.store.read(move |reader| reader.link_handoffs().by_token(&hash)).await;
        found.unwrap().is_some()
    };
    let week = Duration::from_secs(7 * 86_400);
    for (after, expected) in [(Duration::ZERO, true), (week + Duration::from_secs(1), false)] {
        clock.advance(after);
        housekeeping::tidy(&service.app, service.app.wall()).await.unwrap();
        assert_eq!(is_stored().await, expected);
    }
}
