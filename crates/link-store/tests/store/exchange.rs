//! The token exchange: only one of several wins, and a lost response can be requested again.

use link_store::test_support::Backend;
use rstest::rstest;
use std::time::Duration;

use link_domain::change::{Change, Row};
use link_domain::kernel::clock::{ClockOffset, Now};
use link_domain::kernel::context::Context;
use link_domain::kernel::digest::Digest32;
use link_domain::linking::link::{
    Attempt, DEFAULT_TOKEN_LIFE, Exchange, ExchangeRequest, LinkSession, LinkToken, TokenError,
};
use link_store::{Store, StoreError, Tx};
use link_types::id::LinkSessionId;

use crate::sample::{self, apply, context, owner};

#[derive(Debug)]
enum UnitError {
    Store(#[expect(dead_code, reason = "shown by a failing test")] StoreError),
    Token(TokenError),
}

impl From<StoreError> for UnitError {
    fn from(error: StoreError) -> Self {
        UnitError::Store(error)
    }
}

impl From<TokenError> for UnitError {
    fn from(error: TokenError) -> Self {
        UnitError::Token(error)
    }
}

/// Exchanges a token in one unit, as the service does for `POST /link/sessions`.
fn exchange_in(
    tx: &mut Tx<'_>,
    token: &Digest32,
    secret: &str,
    context: &mut Context,
) -> Result<LinkSession, UnitError> {
    let now = context.now();
    let (template, _) = sample::templates();
    let request = ExchangeRequest {
        secret_hash: Digest32::from_text(secret),
        template_id: template.template.id.clone(),
        host_origin: "https://shop.example".into(),
        on_landing_page: false,
        on_own_host_of: None,
    };
    let token = tx.link_tokens().get(token)?.ok_or(TokenError::Invalid)?;
    match token.exchange(request, &template, context)? {
        Exchange::Opened { token, session } => {
            let open =
                match tx.link_attempts().find_open(&session.owner, &session.user_id, &session.template_id)? {
                    Some(attempt) => {
                        let before = tx.link_sessions().get(&attempt.session_id)?;
                        Some((attempt, before))
                    }
                    None => None,
                };
            let (session, _, entered) = Attempt::enter(*session, open, now.tenant());
            tx.apply(&Change::row(Row::LinkToken(*token)).then(entered), now)?;
            Ok(session)
        }
        Exchange::Replayed { secret_hash } => {
            Ok(tx.link_sessions().by_secret(&secret_hash)?.ok_or(TokenError::Used)?)
        }
    }
}

async fn exchange(
    store: &Store,
    token: Digest32,
    secret: String,
    context: Context,
) -> Result<LinkSession, UnitError> {
    store.write(move |tx| exchange_in(tx, &token, &secret, &mut context.clone())).await
}

async fn issue(store: &Store) -> (Digest32, Context) {
    let user = sample::user(store).await;
    let mut context = context();
    let (token, _) = LinkToken::issue(owner(), user.id, DEFAULT_TOKEN_LIFE, &mut context);
    let hash = token.hash;
    apply(store, Change::row(Row::LinkToken(token)), &context).await;
    (hash, context)
}

fn later(context: &Context, seconds: u64, number: u8) -> Context {
    let wall = context.now().wall() + Duration::from_secs(seconds);
    Context::new(Now::new(wall, ClockOffset::default()), [number; 32])
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn one_of_100_parallel_exchanges_wins(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    let (token, issued) = issue(&store).await;
    let exchanges: Vec<_> = (0..100_u8)
        .map(|number| {
            let (store, context) = (store.clone(), later(&issued, 1, number));
            tokio::spawn(async move { exchange(&store, token, format!("secret {number}"), context).await })
        })
        .collect();
    let (mut opened, mut used) = (0, 0);
    for exchange in exchanges {
        match exchange.await.unwrap() {
            Ok(_) => opened += 1,
            Err(UnitError::Token(TokenError::Used)) => used += 1,
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!((opened, used), (1, 99));
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn same_secret_gets_the_same_session_for_a_minute(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let (token, issued) = issue(&store).await;
    let exchanges: Vec<_> = (0..20_u8)
        .map(|number| {
            let (store, context) = (store.clone(), later(&issued, 1, number));
            tokio::spawn(async move { exchange(&store, token, "one secret".to_owned(), context).await })
        })
        .collect();
    let mut sessions: Vec<LinkSessionId> = Vec::new();
    for exchange in exchanges {
        sessions.push(exchange.await.unwrap().unwrap().id);
    }
    sessions.dedup();
    assert_eq!(sessions.len(), 1);

    let again = exchange(&store, token, "one secret".to_owned(), later(&issued, 60, 50)).await.unwrap();
    assert_eq!(again.id, sessions[0]);
    let late = exchange(&store, token, "one secret".to_owned(), later(&issued, 62, 51)).await;
    assert!(matches!(late, Err(UnitError::Token(TokenError::Used))));
    let other = exchange(&store, token, "another".to_owned(), later(&issued, 2, 52)).await;
    assert!(matches!(other, Err(UnitError::Token(TokenError::Used))));
}

#[rstest]
#[tokio::test]
async fn expired_token_is_rejected_and_stays_unused(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let (token, issued) = issue(&store).await;
    let late = exchange(&store, token, "late".to_owned(), later(&issued, 1_800, 1)).await;
    assert!(matches!(late, Err(UnitError::Token(TokenError::Expired))));
    let found: Result<_, StoreError> = store.read(move |reader| reader.link_tokens().get(&token)).await;
    assert_eq!(found.unwrap().unwrap().consumed, None);
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn parallel_tokens_of_one_user_leave_one_open_attempt(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let mut tokens = Vec::new();
    for _ in 0..10 {
        let mut context = context();
        let (token, _) = LinkToken::issue(owner(), user.id.clone(), DEFAULT_TOKEN_LIFE, &mut context);
        tokens.push((token.hash, later(&context, 1, tokens.len() as u8)));
        apply(&store, Change::row(Row::LinkToken(token)), &context).await;
    }
    let exchanges: Vec<_> = tokens
        .into_iter()
        .enumerate()
        .map(|(number, (token, context))| {
            let store = store.clone();
            tokio::spawn(async move { exchange(&store, token, format!("secret {number}"), context).await })
        })
        .collect();
    let mut attempts = std::collections::BTreeSet::new();
    let mut sessions = Vec::new();
    for exchange in exchanges {
        let session = exchange.await.unwrap().unwrap();
        attempts.insert(session.attempt_id.clone());
        sessions.push(session.secret_hash);
    }
    assert_eq!(attempts.len(), 1);
    let live: Result<usize, StoreError> = store
        .read(move |reader| {
            let mut live = 0;
            for secret_hash in &sessions {
                let session = reader.link_sessions().by_secret(secret_hash)?.expect("the session is there");
                live += usize::from(session.ended.is_none());
            }
            Ok(live)
        })
        .await;
    assert_eq!(live.unwrap(), 1);
}
