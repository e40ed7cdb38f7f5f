//! Stored responses: claimed together with the effect, and deleted with what they are about.

use std::time::Duration;

use link_domain::kernel::clock::{Now, Wall};
use link_domain::kernel::subject::Subject;
use link_domain::tenancy::idempotency::{
    About, Claim, IdempotencyKey, KeyedRequest, MAX_AGE, StoredResponse, expires_at,
};
use link_store::test_support::{Backend, TestDatabase};
use link_store::{Store, StoreError};
use rstest::rstest;

use crate::sample::{self, context, owner};

fn request(key: &str) -> KeyedRequest {
    let fingerprint = KeyedRequest::fingerprint("POST", "/users", "", &[1; 32]);
    KeyedRequest { owner: owner(), key: IdempotencyKey::parse(key.as_bytes()).unwrap(), fingerprint }
}

fn response(body: &str, subject: Option<Subject>, expires_at: Wall) -> StoredResponse {
    let subject = subject.map(About::Subject);
    StoredResponse { status: 201, body: body.into(), subject, expires_at, settled: true }
}

fn claim_with_body(body: &str) -> Claim {
    Claim::Responded { status: 201, body: body.into() }
}

/// Claims the key, and stores a response if the key was free.
async fn claim(store: &Store, now: Now, kept: StoredResponse) -> Result<Claim, StoreError> {
    store
        .write(move |tx| {
            let claim = tx.idempotency_keys().claim(&request("k"), now)?;
            if claim == Claim::Mine {
                tx.idempotency_keys().keep(&request("k"), &kept)?;
            }
            Ok(claim)
        })
        .await
}

#[rstest]
#[tokio::test]
async fn rolled_back_claim_leaves_the_key_free(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let now = context().now();
    let refused: Result<(), StoreError> = store
        .write(move |tx| {
            assert_eq!(tx.idempotency_keys().claim(&request("k"), now)?, Claim::Mine);
            Err(StoreError::BadPageSize)
        })
        .await;
    assert!(refused.is_err());
    let kept = || response("a", None, expires_at(now, None));
    assert_eq!(claim(&store, now, kept()).await.unwrap(), Claim::Mine);
    assert_eq!(claim(&store, now, kept()).await.unwrap(), claim_with_body("a"));
}

#[rstest]
#[tokio::test]
async fn expired_response_frees_its_key_before_its_deletion(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let now = context().now();
    let soon = now.wall() + Duration::from_secs(60);
    let later = |by| Now::new(now.wall() + by, link_domain::kernel::clock::ClockOffset::default());
    claim(&store, now, response("first", None, soon)).await.unwrap();
    let before = later(Duration::from_secs(59));
    let read = store.read(move |reader| reader.idempotency_keys().find(&request("k"), before)).await;
    assert_eq!(read.unwrap(), Some(claim_with_body("first")));
    let after = later(Duration::from_secs(60));
    let read = store.read(move |reader| reader.idempotency_keys().find(&request("k"), after)).await;
    assert_eq!(read.unwrap(), None);
    let second = response("second", None, expires_at(after, None));
    assert_eq!(claim(&store, after, second.clone()).await.unwrap(), Claim::Mine);
    assert_eq!(claim(&store, after, second).await.unwrap(), claim_with_body("second"));
    let deleted = |by| {
        let moment = after.wall() + by;
        store.write(move |tx| tx.idempotency_keys().delete_expired_by(moment))
    };
    assert_eq!(deleted(MAX_AGE - Duration::from_micros(1)).await.unwrap(), 0);
    assert_eq!(deleted(MAX_AGE).await.unwrap(), 1);
}

#[rstest]
#[tokio::test]
async fn response_about_an_account_is_erased_with_it(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let account = sample::begin_account(&store, &user.id, "good").await;
    let now = context().now();
    let about = Some(Subject::Account(account.id.clone()));
    let kept = || response("a", about.clone(), expires_at(now, None));
    assert_eq!(claim(&store, now, kept()).await.unwrap(), Claim::Mine);
    assert_eq!(claim(&store, now, kept()).await.unwrap(), claim_with_body("a"));
    sample::revoke(&store, &account).await;
    let read = store.read(move |reader| reader.idempotency_keys().find(&request("k"), now)).await;
    assert_eq!(read.unwrap(), None);
    let late = claim(&store, now, kept()).await;
    assert!(matches!(late, Err(StoreError::Erased)), "{late:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_duplicate_waits_at_most_5_seconds() {
    // SQLite has one writer, so there the second unit begins after the first has ended.
    let database = TestDatabase::new(Backend::Postgres);
    let store = database.open().await;
    let now = context().now();
    let (begun, mut begins) = tokio::sync::mpsc::unbounded_channel();
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let first = tokio::spawn({
        let store = store.clone();
        async move {
            store
                .write(move |tx| -> Result<(), StoreError> {
                    assert_eq!(tx.idempotency_keys().claim(&request("k"), now)?, Claim::Mine);
                    begun.send(()).unwrap();
                    wait.recv().unwrap();
                    tx.idempotency_keys().keep(&request("k"), &response("a", None, expires_at(now, None)))
                })
                .await
        }
    });
    begins.recv().await.unwrap();
    let began = tokio::time::Instant::now();
    let duplicate = claim(&store, now, response("b", None, expires_at(now, None))).await;
    assert!(matches!(duplicate, Err(StoreError::Busy)), "{duplicate:?}");
    assert!(began.elapsed() >= Duration::from_secs(5), "{:?}", began.elapsed());
    go.send(()).unwrap();
    first.await.unwrap().unwrap();
    let duplicate = claim(&store, now, response("b", None, expires_at(now, None))).await;
    assert_eq!(duplicate.unwrap(), claim_with_body("a"));
}
