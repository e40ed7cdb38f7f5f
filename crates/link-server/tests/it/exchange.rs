//! The exchange of link tokens, and the lifetimes of tokens, sessions and attempts.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts as _;
use axum::http::{Method, Request, header};
use link_domain::change::{Change, Row};
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::digest::Digest32;
use link_domain::linking::link::{LinkSession, SessionEnd};
use link_server::http::extract::session_caller::SessionCaller;
use link_server::http::problem::ApiResult;
use link_store::Tx;
use link_store::test_support::Backend;
use link_types::problem::ProblemCode;
use rstest::rstest;

use crate::archives::TestClock;
use crate::service::{As, TestService, secret, text};

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn one_of_100_parallel_token_exchanges_succeeds(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = Arc::new(TestService::start(backend).await);
    let (_, token) = service.user().await;
    let mut exchanges = tokio::task::JoinSet::new();
    for secret in std::iter::repeat_with(secret).take(100) {
        let (service, token) = (Arc::clone(&service), token.clone());
        exchanges.spawn(async move { (service.exchange(&token, &secret).await, secret) });
    }
    let responses = exchanges.join_all().await;
    let won: Vec<_> = responses.iter().filter(|(response, _)| response.status == 201).collect();
    let used = responses.iter().filter(|(response, _)| response.body["code"] == "TOKEN_USED");
    assert_eq!((won.len(), used.count()), (1, 99));
    let again = service.exchange(&token, &won[0].1).await;
    assert_eq!(again.status, 201);
    assert_eq!(again.body["sessionId"], won[0].0.body["sessionId"]);
}

#[tokio::test]
async fn link_token_is_rejected_from_other_origin_or_template() {
    let service = TestService::start(Backend::Sqlite).await;
    let (_, token) = service.user().await;
    let mut elsewhere = service.exchange_of(&token, &secret());
    elsewhere["hostOrigin"] = "https://evil.example".into();
    let refused = service.send(Method::POST, "/link/sessions", As::Anonymous, Some(&elsewhere)).await;
    assert_eq!((refused.status.as_u16(), text(&refused.body["code"])), (401, "INVALID_TOKEN".to_owned()));
    let mut other_template = service.exchange_of(&token, &secret());
    other_template["templateId"] = service.production.template.clone().into();
    let refused = service.send(Method::POST, "/link/sessions", As::Anonymous, Some(&other_template)).await;
    assert_eq!(text(&refused.body["code"]), "INVALID_TOKEN");
    // The rejected exchanges did not use up the token.
    assert_eq!(service.exchange(&token, &secret()).await.status, 201);
}

#[tokio::test]
async fn new_session_resumes_attempt_and_ends_older_session() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, token) = service.user().await;
    let older = secret();
    let opened = service.exchange(&token, &older).await;
    let progress = service.submit(&older, "mx_social_security", "mfa-otp", "pass").await;
    let asked = service.until_settled(&older, &progress).await;
    assert!(asked["phase"].get("challenge").is_some(), "{asked}");

    let path = format!("/tokens?userId={user}");
    let token = service.send(Method::POST, &path, As::Tenant(&service.sandbox), None).await;
    let newer = secret();
    let resumed = service.exchange(&text(&token.body["accessToken"]), &newer).await;
    assert_eq!(resumed.body["attempt"]["id"], opened.body["attempt"]["id"]);
    assert_eq!(resumed.body["attempt"]["account"]["accountId"], asked["accountId"]);
    assert!(resumed.body["attempt"]["account"]["phase"].get("challenge").is_some(), "{:?}", resumed.body);
    let refused = service.send(Method::GET, "/link/session", As::Session(&older), None).await;
    assert_eq!((refused.status.as_u16(), text(&refused.body["code"])), (401, "INVALID_TOKEN".to_owned()));
    assert_eq!(service.send(Method::GET, "/link/session", As::Session(&newer), None).await.status, 200);
}

#[tokio::test]
async fn ended_session_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    assert_eq!(service.send(Method::DELETE, "/link/session", As::Session(&session), None).await.status, 204);
    assert_eq!(service.send(Method::GET, "/link/providers", As::Session(&session), None).await.status, 401);
}

#[tokio::test]
async fn exchange_repeated_after_session_end_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let (_, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    let again = service.exchange(&token, &session).await;
    assert_eq!(again.status, 201, "{:?}", again.body);
    let ended = service.send(Method::DELETE, "/link/session", As::Session(&session), None).await;
    assert_eq!(ended.status, 204);
    let refused = service.exchange(&token, &session).await;
    assert_eq!((refused.status.as_u16(), text(&refused.body["code"])), (401, "TOKEN_USED".to_owned()));
}

#[rstest]
#[tokio::test]
async fn authenticated_request_writes_nothing_after_session_end(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let session = service.session().await;
    let bearer = format!("Bearer {session}");
    let request = Request::get("/sandbox/v1/").header(header::AUTHORIZATION, bearer).body(()).unwrap();
    let (mut parts, ()) = request.into_parts();
    let caller = SessionCaller::from_request_parts(&mut parts, &service.app).await.unwrap();
    assert!(caller.write(|_| Ok(())).await.is_ok());
    let ended = service.send(Method::DELETE, "/link/session", As::Session(&session), None).await;
    assert_eq!(ended.status, 204);
    let refused = caller.write(|_| -> ApiResult<()> { panic!("the unit of work ran") }).await.unwrap_err();
    assert_eq!(refused.code(), ProblemCode::InvalidToken);
}

#[tokio::test]
async fn unauthorized_response_has_basic_or_bearer_challenge() {
    let service = TestService::start(Backend::Sqlite).await;
    for (path, caller, challenge) in [
        ("/users", As::Anonymous, "Basic realm=\"linchpin\""),
        ("/link/session", As::Anonymous, "Bearer realm=\"linchpin\", error=\"invalid_token\""),
        ("/link/session", As::Session("lps_gone"), "Bearer realm=\"linchpin\", error=\"invalid_token\""),
    ] {
        let refused = service.send(Method::GET, path, caller, None).await;
        assert_eq!(refused.status, 401);
        assert_eq!(refused.headers[header::WWW_AUTHENTICATE], challenge, "{path}");
    }
}

#[tokio::test]
async fn long_poll_waits_until_timeout_without_change() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "mfa-otp", "pass").await;
    let asked = service.until_settled(&session, &progress).await;
    let path = format!("/link/accounts/{}?after={}&wait=300", text(&asked["accountId"]), asked["version"]);
    let began = tokio::time::Instant::now();
    let same = service.send(Method::GET, &path, As::Session(&session), None).await;
    assert_eq!(same.body["version"], asked["version"]);
    assert!(began.elapsed() >= Duration::from_millis(290), "it waited for the whole 300 ms");
}

#[tokio::test]
async fn expired_link_token_is_rejected() {
    let clock = Arc::new(TestClock::default());
    let moved = Arc::clone(&clock);
    let service =
        TestService::start_of(Backend::Sqlite, |_| {}, move |parts| parts.ports.clock = moved).await;
    let (_, token) = service.user().await;
    clock.advance(service.app.settings.token_life());
    let refused = service.exchange(&token, &secret()).await;
    assert_eq!((refused.status.as_u16(), text(&refused.body["code"])), (401, "TOKEN_EXPIRED".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_use_does_not_reopen_an_ended_session() {
    // PostgreSQL only: SQLite has one writer, so the use would be written after the end.
    let service = TestService::start(Backend::Postgres).await;
    let session = service.session().await;
    let hash = Digest32::from_text(&session);
    let (store, now) = (service.app.store.clone(), service.app.now(ClockOffset::default()));
    // Idle long enough that the next use is written.
    let idle = move |tx: &mut Tx<'_>| -> ApiResult<LinkSession> {
        let session = tx.link_sessions().by_secret(&hash)?.unwrap();
        let idle = LinkSession { last_used_at: now.wall() - Duration::from_secs(120), ..session };
        tx.apply(&Change::row(Row::LinkSession(idle.clone())), now)?;
        Ok(idle)
    };
    store.write(idle).await.unwrap();
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let (begun, mut begins) = tokio::sync::mpsc::unbounded_channel::<()>();
    let ends = tokio::spawn({
        let store = store.clone();
        async move {
            store
                .write(move |tx| -> ApiResult<()> {
                    let ended = tx.link_sessions().by_secret(&hash)?.unwrap().end(SessionEnd::TakenOver);
                    tx.apply(&Change::row(Row::LinkSession(ended)), now)?;
                    begun.send(()).unwrap();
                    wait.recv().unwrap();
                    Ok(())
                })
                .await
        }
    });
    begins.recv().await.unwrap();
    let used = service.send(Method::GET, "/link/session", As::Session(&session), None);
    let released = async {
        // The use has read the session before its end is committed.
        service.database.until_a_unit_waits().await;
        go.send(()).unwrap();
    };
    let (used, ()) = tokio::join!(used, released);
    ends.await.unwrap().unwrap();
    assert_eq!(used.status, 401, "{:?}", used.body);
    let again = service.send(Method::GET, "/link/session", As::Session(&session), None).await;
    assert_eq!(again.status, 401, "{:?}", again.body);
}
