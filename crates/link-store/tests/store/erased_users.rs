//! Users as erasure scopes: their data is sealed with each user's own key, which is destroyed with the user.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use link_domain::change::{Change, Row};
use link_domain::kernel::clock::{ClockOffset, Now, Wall};
use link_domain::kernel::subject::Subject;
use link_domain::linking::link::Survey;
use link_domain::notifications::delivery::AttemptShares;
use link_domain::notifications::webhook_sender::{AttemptOutcome, ReceiverResponse};
use link_domain::tenancy::idempotency::{
    Claim as Met, IdempotencyKey, KeyedRequest, StoredResponse, expires_at,
};
use link_domain::tenancy::user::User;
use link_domain::use_cases::MAX_ERASED_AT_ONCE;
use link_store::test_support::deliveries::claim_due;
use link_store::test_support::{Backend, TestDatabase};
use link_store::{Claim, DeliveryQueue, PageRequest, Store, StoreError, StoreSettings, WorkerId};
use link_types::id::{DeliveryId, LinkTemplateId, UserId};
use link_types::uploading::EmployerSurvey;
use link_types::webhook::RetryProfile;
use rstest::rstest;
use secrecy::ExposeSecret;

use crate::erasure::holds;
use crate::sample::{self, context, owner, wall};

const REFERENCE: &str = "canary-reference@example.com";

fn template() -> LinkTemplateId {
    LinkTemplateId::from_bytes([1; 16])
}

fn request() -> KeyedRequest {
    let fingerprint = KeyedRequest::fingerprint("POST", "/users", "", &[1; 32]);
    KeyedRequest { owner: owner(), key: IdempotencyKey::parse(b"k").unwrap(), fingerprint }
}

async fn create_user(store: &Store) -> User {
    let mut context = context();
    let metadata = BTreeMap::from([("plan".to_owned(), "canary-metadata".to_owned())]);
    let (user, change) = User::create(owner(), Some(REFERENCE.to_owned()), metadata, &mut context);
    sample::apply(store, change, &context).await;
    user
}

async fn erase(store: &Store, user: &User) {
    let (user, context) = (user.clone(), context());
    let erased: Result<(), StoreError> = store
        .write(move |tx| {
            let mut context = context.clone();
            let user = tx.users().get(&owner(), &user.id)?.expect("the user is there");
            let user_data = tx.users().data(&owner(), &user.id, MAX_ERASED_AT_ONCE)?;
            let change = user.erase(user_data, &mut context);
            tx.apply(&change, context.now())
        })
        .await;
    erased.unwrap();
}

/// Creates a user with a reference, metadata, a survey response, a stored response and a receiver's echo.
async fn create_known(store: &Store) -> (User, DeliveryId) {
    sample::webhook(store, false).await;
    let user = create_user(store).await;
    let survey = Survey {
        id: "survey-1".into(),
        owner: owner(),
        user_id: user.id.clone(),
        template_id: template(),
        answer: EmployerSurvey { employer: "canary-employer".into(), searched: None },
        received_at: context().now().wall(),
    };
    sample::apply(store, Change::row(Row::Survey(survey)), &context()).await;
    let (now, id) = (context().now(), user.id.clone());
    let kept: Result<(), StoreError> = store
        .write(move |tx| {
            assert_eq!(tx.idempotency_keys().claim(&request(), now)?, Met::Mine);
            let subject = Some(Subject::User(id.clone()).into());
            let body = b"canary-answer of more than thirty-two bytes".to_vec();
            let expires_at = expires_at(now, None);
            tx.idempotency_keys()
                .keep(&request(), &StoredResponse { status: 201, body, subject, expires_at, settled: true })
        })
        .await;
    kept.unwrap();
    (user, attempt_delivery(store).await)
}

/// Attempts the only due delivery. The receiver echoes personal data.
async fn attempt_delivery(store: &Store) -> DeliveryId {
    let worker = WorkerId::from_random([1; 16]);
    let recorded: Result<_, StoreError> = store
        .write(move |tx| {
            let claim = Claim { worker: &worker, now: wall(), limit: 9 };
            let due = claim_due(tx, DeliveryQueue::First, claim, &AttemptShares::default())?.remove(0);
            let response =
                ReceiverResponse { status: 200, body: "canary-echo of more than thirty-two bytes".into() };
            let outcome = AttemptOutcome { took: Duration::from_millis(5), result: Ok(response) };
            let delivery =
                tx.deliveries().get(&owner(), &due.item.delivery.id)?.expect("the delivery is there");
            let now = Now::new(wall(), ClockOffset::default());
            let (delivery, log) =
                delivery.record_attempt(&outcome, RetryProfile::Standard, now.tenant(), now, 0.5);
            assert!(tx.delivery_attempts().record(&due, &delivery, &log)?);
            Ok(delivery.id)
        })
        .await;
    recorded.unwrap()
}

/// Returns the folder of this database's files, after the server has written everything to them.
fn files(database: &TestDatabase) -> PathBuf {
    let StoreSettings::Postgres { address, .. } = database.settings() else { return database.files() };
    let folder = std::thread::spawn(move || -> String {
        let mut raw = postgres::Client::connect(address.expose_secret(), postgres::NoTls).unwrap();
        raw.batch_execute("CHECKPOINT").unwrap();
        let own = "SELECT oid::text FROM pg_database WHERE datname = current_database()";
        raw.query_one(own, &[]).unwrap().get(0)
    });
    database.files().join(folder.join().unwrap())
}

/// Reads one column of the first row, bypassing the store.
fn raw_bytes(database: &TestDatabase, query: &'static str) -> Vec<u8> {
    match database.settings() {
        StoreSettings::Postgres { address, .. } => std::thread::spawn(move || {
            let mut raw = postgres::Client::connect(address.expose_secret(), postgres::NoTls).unwrap();
            raw.query_one(query, &[]).unwrap().get(0)
        })
        .join()
        .unwrap(),
        StoreSettings::Sqlite { folder, .. } => {
            let raw = rusqlite::Connection::open(folder.join("linchpin.db")).unwrap();
            raw.query_row(query, [], |row| row.get(0)).unwrap()
        }
        StoreSettings::Ephemeral => panic!("an ephemeral store has no files"),
    }
}

#[rstest]
#[tokio::test]
async fn user_data_is_sealed_and_unreadable_after_erasure(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    let (user, delivery) = create_known(&store).await;
    let (id, of) = (user.id.clone(), delivery.clone());
    let found: Result<(), StoreError> = store
        .read(move |reader| {
            assert_eq!(reader.users().by_reference(&owner(), REFERENCE)?.as_ref(), Some(&user));
            let page = PageRequest::default();
            let listed = reader.users().list(&owner(), Some(REFERENCE), Default::default(), &page)?;
            assert_eq!(listed.items, std::slice::from_ref(&user));
            assert_eq!(reader.surveys().newest(&template(), 5)?[0].answer.employer, "canary-employer");
            let echo = reader.delivery_attempts().of_delivery(&of)?.remove(0).response_body;
            assert!(echo.unwrap().starts_with("canary-echo"));
            Ok(())
        })
        .await;
    found.unwrap();
    assert!(!holds(&files(&database), b"canary-"), "user data is stored unencrypted");
    let key = match database.settings() {
        // Without its bucket's key a wrapped key opens nothing.
        StoreSettings::Postgres { .. } => crate::key_buckets::EVERY_KEY,
        StoreSettings::Sqlite { .. } | StoreSettings::Ephemeral => "SELECT wrapped FROM scope_keys",
    };
    let sealed = [
        key,
        "SELECT body FROM users",
        "SELECT body FROM surveys",
        "SELECT answer FROM idempotency_keys",
        "SELECT response_body FROM delivery_attempts",
    ]
    .map(|query| raw_bytes(&database, query)[24..56].to_vec());
    let before = files(&database);
    assert!(sealed.iter().all(|piece| holds(&before, piece)), "they are found before the erasure");

    let user = sample_user(&store, &id).await;
    erase(&store, &user).await;
    let gone: Result<(), StoreError> = store
        .read(move |reader| {
            assert_eq!(reader.users().by_reference(&owner(), REFERENCE)?, None);
            assert!(reader.surveys().newest(&template(), 5)?.is_empty());
            assert_eq!(reader.idempotency_keys().find(&request(), context().now())?, None);
            assert_eq!(reader.delivery_attempts().of_delivery(&delivery)?.remove(0).response_body, None);
            let erased = reader.scopes().erasures_after("")?;
            assert_eq!(erased.iter().map(|it| it.scope.as_str()).collect::<Vec<_>>(), [id.as_str()]);
            Ok(())
        })
        .await;
    gone.unwrap();
    match database.settings() {
        // The log is truncated before an erasure returns.
        StoreSettings::Sqlite { .. } => {
            for piece in &sealed {
                assert!(!holds(&files(&database), piece));
            }
        }
        // A store vacuums when it closes. Without the key the rest is useless.
        StoreSettings::Postgres { .. } | StoreSettings::Ephemeral => {
            store.close().await;
            assert!(!holds(&files(&database), &sealed[0]));
        }
    }
}

async fn sample_user(store: &Store, id: &UserId) -> User {
    let id = id.clone();
    let found: Result<_, StoreError> = store.read(move |reader| reader.users().get(&owner(), &id)).await;
    found.unwrap().unwrap()
}

#[rstest]
#[tokio::test]
async fn late_write_for_an_erased_user_is_rejected(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let user = create_user(&store).await;
    erase(&store, &user).await;
    let change = Change::row(Row::User(user));
    let result = store.write(move |tx| tx.apply(&change, context().now())).await;
    assert!(matches!(result, Err(StoreError::Erased)), "{result:?}");
}

#[rstest]
#[tokio::test]
async fn renewed_user_key_makes_older_copies_useless(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    let user = create_user(&store).await;
    let older = raw_bytes(&database, "SELECT wrapped FROM scope_keys");
    let begun = context().now().wall();
    let renewed = |days: u64| {
        let now = begun + Duration::from_secs(days * 86_400);
        let store = store.clone();
        async move { store.write(move |tx| tx.scopes().renew_keys(now, 10)).await }
    };
    let count: Result<usize, StoreError> = renewed(0).await;
    assert_eq!(count.unwrap(), 0, "it was created just now");
    assert_eq!(renewed(40).await.unwrap(), 1);
    assert_eq!(renewed(40).await.unwrap(), 0);
    assert_ne!(raw_bytes(&database, "SELECT wrapped FROM scope_keys"), older);
    // The older copy needs the key of a day that ends, and is useless after that.
    let days_on = |days: i64| link_store::Day(link_store::Day::from_micros(begun.micros()).0 + days);
    assert_eq!(store.destroy_day_keys_before(days_on(91)).await.unwrap(), 1);
    assert_eq!(sample_user(&store, &user.id).await, user);
}

#[rstest]
#[tokio::test]
async fn overdue_user_key_keeps_its_day_key(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    let user = create_user(&store).await;
    let later = Wall::from_micros(context().now().wall().micros()) + Duration::from_secs(200 * 86_400);
    let day = link_store::Day::from_micros(later.micros());
    assert_eq!(store.destroy_day_keys_before(day).await.unwrap(), 0);
    let renewed: Result<usize, StoreError> = store.write(move |tx| tx.scopes().renew_keys(later, 10)).await;
    assert_eq!(renewed.unwrap(), 1);
    assert_eq!(store.destroy_day_keys_before(day).await.unwrap(), 1);
    assert_eq!(sample_user(&store, &user.id).await, user);
}

fn days_after(begun: Wall, days: u64) -> Wall {
    begun + Duration::from_secs(days * 86_400)
}

async fn renew_keys(store: &Store, now: Wall) -> usize {
    let renewed: Result<usize, StoreError> = store.write(move |tx| tx.scopes().renew_keys(now, 10)).await;
    renewed.unwrap()
}

#[rstest]
#[tokio::test]
async fn damaged_user_key_does_not_block_renewals(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    let damaged = create_user(&store).await;
    let user = sample::user(&store).await;
    let begun = context().now().wall();
    crate::faults::spoil(
        &database,
        "UPDATE scope_keys SET wrapped = (SELECT body FROM users LIMIT 1) \
         WHERE scope_id = (SELECT MIN(id) FROM users)",
    );
    let later = days_after(begun, 40);
    assert_eq!(renew_keys(&store, later).await, 2);
    assert_eq!(renew_keys(&store, later).await, 0);
    let day = link_store::Day::from_micros(days_after(begun, 91).micros());
    assert_eq!(store.destroy_day_keys_before(day).await.unwrap(), 1);
    assert_eq!(sample_user(&store, &user.id).await, user);
    let lost: Result<_, StoreError> =
        store.read(move |reader| reader.users().get(&owner(), &damaged.id)).await;
    assert!(lost.is_err());
}

#[rstest]
#[tokio::test]
async fn damaged_day_file_is_isolated_and_restorable(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    let user = create_user(&store).await;
    let begun = context().now().wall();
    assert_eq!(renew_keys(&store, days_after(begun, 40)).await, 1);
    let unlucky = sample::user(&store).await;
    store.close().await;
    let (StoreSettings::Sqlite { keys, .. } | StoreSettings::Postgres { keys, .. }) = database.settings()
    else {
        panic!("there is a key folder")
    };
    let mut files: Vec<_> = std::fs::read_dir(keys.days).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let right = std::fs::read(&files[0]).unwrap();
    std::fs::write(&files[0], "no key").unwrap();

    let store = database.open().await;
    let later = days_after(begun, 100);
    assert_eq!(renew_keys(&store, later).await, 1);
    assert_eq!(sample_user(&store, &user.id).await, user);
    let day = link_store::Day::from_micros(later.micros());
    assert_eq!(
        store.destroy_day_keys_before(day).await.unwrap(),
        0,
        "it is needed once its file is restored"
    );
    std::fs::write(&files[0], right).unwrap();
    assert_eq!(renew_keys(&store, later).await, 1);
    assert_eq!(sample_user(&store, &unlucky.id).await, unlucky);
}

#[tokio::test(flavor = "multi_thread")]
async fn user_by_reference_waits_for_a_concurrent_erasure() {
    // SQLite has one writer, so there the second unit begins after the first has ended.
    let database = Arc::new(TestDatabase::new(Backend::Postgres));
    let store = database.open().await;
    let user = create_user(&store).await;
    let (begun, mut begins) = tokio::sync::mpsc::unbounded_channel();
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let erasure = tokio::spawn({
        let (store, id, context) = (store.clone(), user.id.clone(), context());
        async move {
            store
                .write(move |tx| -> Result<(), StoreError> {
                    let mut context = context.clone();
                    let user = tx.users().get(&owner(), &id)?.expect("the user is there");
                    let user_data = tx.users().data(&owner(), &id, MAX_ERASED_AT_ONCE)?;
                    tx.apply(&user.erase(user_data, &mut context), context.now())?;
                    begun.send(()).unwrap();
                    wait.recv().unwrap();
                    Ok(())
                })
                .await
        }
    });
    begins.recv().await.unwrap();
    let (asked, mut asks) = tokio::sync::mpsc::unbounded_channel();
    let asking = tokio::spawn({
        let store = store.clone();
        async move {
            store
                .write(move |tx| -> Result<_, StoreError> {
                    asked.send(()).unwrap();
                    tx.users().by_reference(&owner(), REFERENCE)
                })
                .await
        }
    });
    asks.recv().await.unwrap();
    database.until_a_unit_waits().await;
    go.send(()).unwrap();
    erasure.await.unwrap().unwrap();
    assert_eq!(asking.await.unwrap().unwrap(), None, "the user was read during their erasure");
}
