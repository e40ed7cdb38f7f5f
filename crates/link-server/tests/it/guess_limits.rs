//! Limits on guessing logins through the widget.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, header};
use link_domain::change::{Change, Row};
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::system::BoxFuture;
use link_domain::linking::account_source::{AccountSource, Guessing, Read, ReadRequest, Step, StepRequest};
use link_domain::linking::guesses::{GuessCount, GuessCounter, TryOf, login_hash};
use link_domain::linking::withdrawal::{NotWithdrawnError, WithdrawRequest};
use link_server::http::problem::ApiResult as Outcome;
use link_store::Label;
use link_store::test_support::Backend;
use link_types::id::{LinkSessionId, ProviderId, UserId};
use link_types::link::GuessLimit;
use link_types::provider::Provider;
use rstest::rstest;
use serde_json::json;
use tokio::sync::{mpsc, watch};

use crate::service::{As, TestResponse, TestService, secret, text};

const PROVIDER: &str = "mx_social_security";

/// A source that reports each step and waits for permission to return.
struct GatedSource {
    inner: Arc<dyn AccountSource>,
    asked: mpsc::UnboundedSender<()>,
    may_answer: watch::Receiver<bool>,
}

impl AccountSource for GatedSource {
    fn providers(&self) -> Arc<[Provider]> {
        self.inner.providers()
    }

    fn guessing<'a>(
        &'a self,
        owner: &'a Owner,
        provider: &'a ProviderId,
        login_name: &'a str,
    ) -> BoxFuture<'a, Guessing> {
        self.inner.guessing(owner, provider, login_name)
    }

    fn step<'a>(&'a self, request: StepRequest<'a>) -> BoxFuture<'a, Step> {
        Box::pin(async move {
            self.asked.send(()).unwrap();
            self.may_answer.clone().wait_for(|may| *may).await.unwrap();
            self.inner.step(request).await
        })
    }

    fn read<'a>(&'a self, request: ReadRequest<'a>) -> BoxFuture<'a, Read> {
        self.inner.read(request)
    }

    fn withdraw<'a>(&'a self, request: WithdrawRequest<'a>) -> BoxFuture<'a, Result<(), NotWithdrawnError>> {
        self.inner.withdraw(request)
    }
}

async fn failures(service: &TestService, user: &str) -> u32 {
    let user: UserId = user.parse().unwrap();
    let provider: ProviderId = PROVIDER.parse().unwrap();
    let (store, owner) = (&service.app.store, service.owner());
    let tries = store.write(move |tx| -> Outcome<_> {
        let hash = login_hash(&tx.derive_key(Label::Lookup), &provider, "good");
        Ok(tx.login_tries().get(&owner, &user, &provider, hash)?)
    });
    tries.await.unwrap().failures
}

#[rstest]
#[tokio::test]
async fn parallel_guesses_of_one_login_stop_at_five(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (asked, mut was_asked) = mpsc::unbounded_channel();
    let (answer, may_answer) = watch::channel(false);
    let service = TestService::start_of(
        backend,
        |_| {},
        |parts| {
            let inner = Arc::clone(&parts.ports.sandbox);
            parts.ports.sandbox = Arc::new(GatedSource { inner, asked, may_answer });
        },
    )
    .await;
    let (user, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    let mut statuses = Vec::new();
    for guess in 0..32 {
        let refused = guess_at(&service, &session, "good", guess).await;
        statuses.push(refused.status.as_u16());
        if refused.status == 201 {
            was_asked.recv().await.unwrap();
        }
    }
    assert_eq!(statuses[..5], [201; 5]);
    assert_eq!(statuses[5..], [429; 27]);
    assert_eq!(failures(&service, &user).await, 5, "attempts in progress count");
    answer.send_replace(true);
    service.until_event("ACCOUNT_FAILED").await;
    assert_eq!(failures(&service, &user).await, 5, "a result does not count again");
}

/// Submits a wrong password.
async fn guess_at(service: &TestService, session: &str, login: &str, guess: u32) -> TestResponse {
    let body = service.login(session, PROVIDER, login, &format!("guess {guess}")).await;
    service.send(Method::POST, "/link/accounts", As::Session(session), Some(&body)).await
}

/// Returns the `Retry-After` of a rejected guess, in seconds.
fn wait_of(refused: &TestResponse) -> u64 {
    assert_eq!(refused.status, 429, "{:?}", refused.body);
    assert_eq!(refused.body["code"], "LOGIN_LIMIT_EXCEEDED", "{:?}", refused.body);
    refused.headers["retry-after"].to_str().unwrap().parse().unwrap()
}

#[rstest]
#[tokio::test]
async fn one_login_accepts_ten_guesses_across_users(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let mut accepted = 0;
    let mut refused = None;
    for guess in 0..16 {
        let session = service.session().await;
        // Another spelling is the same login.
        let login = if guess % 2 == 0 { "ana.victim" } else { "ANA-Victim" };
        let answered = guess_at(&service, &session, login, guess).await;
        match answered.status.as_u16() {
            201 => accepted += 1,
            _ => refused = Some(answered),
        }
    }
    assert_eq!(accepted, 10);
    assert!((1..=30).contains(&wait_of(&refused.unwrap())));
    let session = service.session().await;
    assert_eq!(guess_at(&service, &session, "somebody.else", 0).await.status, 201);
}

#[rstest]
#[tokio::test]
async fn one_user_may_try_ten_logins_a_day(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let service = TestService::start(backend).await;
    let user = service.post("/users", json!({"reference": "attacker"})).await;
    let mut session = secret();
    assert_eq!(service.exchange(&text(&user.body["token"]["accessToken"]), &session).await.status, 201);
    let mut accepted = 0;
    let mut refused = None;
    for guess in 0..14 {
        if guess == 7 {
            let again = service.post("/users", json!({"reference": "attacker"})).await;
            session = secret();
            let token = text(&again.body["token"]["accessToken"]);
            assert_eq!(service.exchange(&token, &session).await.status, 201, "another session");
        }
        let answered = guess_at(&service, &session, &format!("victim{guess}"), guess).await;
        match answered.status.as_u16() {
            201 => accepted += 1,
            _ => refused = Some(answered),
        }
    }
    assert_eq!(accepted, 10);
    assert!((86_000..=86_400).contains(&wait_of(&refused.unwrap())));
}

#[rstest]
#[tokio::test]
async fn guess_limit_applies_per_network(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let service = TestService::start(backend).await;
    let (session, provider) = (service.session().await, PROVIDER.parse::<ProviderId>().unwrap());
    let network: [u8; 16] = Ipv4Addr::new(192, 0, 2, 7).to_ipv6_mapped().octets();
    let now = service.app.now(ClockOffset::default());
    let owner = service.owner();
    let preload = service.app.store.write(move |tx| -> Outcome<_> {
        let key = tx.derive_key(Label::Lookup);
        let id = LinkSessionId::from_bytes([1; 16]);
        let of = TryOf { provider: &provider, login_name: "x", session: &id, network: &network };
        let all = GuessCounter::for_try(of, Guessing::Limited, &key);
        let counter = all.into_iter().find(|it| it.limit == GuessLimit::Network).unwrap();
        let count = GuessCount { failures: 99, ..tx.guess_counts().get(&owner, counter)? };
        let count = GuessCount { since: now.wall(), last_at: now.wall(), ..count };
        Ok(tx.apply(&Change::row(Row::GuessCount(count)), now)?)
    });
    preload.await.unwrap();
    let mut statuses = Vec::new();
    let tries = [("192.0.2.7", "ana"), ("192.0.2.7", "bea"), ("192.0.2.8", "cia"), ("192.0.2.7", "good")];
    for (from, login) in tries {
        let from: SocketAddr = format!("{from}:4000").parse().unwrap();
        let body = service.login(&session, PROVIDER, login, "pass").await;
        let request = Request::post("/sandbox/v1/link/accounts")
            .header(header::HOST, "localhost:8787")
            .header(header::AUTHORIZATION, format!("Bearer {session}"))
            .header(header::CONTENT_TYPE, "application/json")
            .extension(ConnectInfo(from))
            .body(Body::from(body.to_string()))
            .unwrap();
        statuses.push(service.send_raw(request).await.status.as_u16());
    }
    assert_eq!(statuses, [201, 429, 201, 201], "published logins are exempt");
}

#[tokio::test]
async fn published_sandbox_logins_are_exempt_from_guess_limits() {
    let service = TestService::start(Backend::Sqlite).await;
    for _ in 0..12 {
        let session = service.session().await;
        let failed = service.submit(&session, PROVIDER, "error-INVALID_CREDENTIALS", "pass").await;
        service.until_settled(&session, &failed).await;
        let linked = service.submit(&session, PROVIDER, "good", "pass").await;
        let linked = service.until_settled(&session, &linked).await;
        assert!(linked["phase"].get("connected").is_some(), "{linked}");
    }
}
