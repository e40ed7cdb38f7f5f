//! A fault in one row, worker or request does not affect others.

use std::collections::BTreeMap;
use std::time::Duration;

use link_domain::change::job::{Job, JobKind, JobQueue};
use link_domain::change::{Change, Row};
use link_domain::kernel::clock::{TenantTime, Wall};
use link_domain::kernel::digest::Digest32;
use link_domain::linking::account::Account;
use link_domain::linking::guesses::{GuessCount, GuessCounter, LoginTries};
use link_domain::notifications::delivery::AttemptShares;
use link_domain::notifications::webhook_sender::{AttemptOutcome, ReceiverResponse};
use link_store::test_support::deliveries::claim_due;
use link_store::test_support::{Backend, TestDatabase};
use link_store::{Claim, DeliveryQueue, Leased, Share, Store, StoreError, WorkerId};
use link_types::id::ArchiveId;
use link_types::link::GuessLimit;
use link_types::webhook::RetryProfile;
use rstest::rstest;

use crate::sample::{self, apply, context, owner, provider, wall};

fn worker() -> WorkerId {
    WorkerId::from_random([1; 16])
}

/// Changes one row, bypassing the store.
pub fn spoil(database: &TestDatabase, statement: &'static str) {
    assert_eq!(database.change(statement), 1);
}

async fn jobs(store: &Store) -> Vec<Leased<Job>> {
    let claimed: Result<_, StoreError> = store
        .write(|tx| {
            let share = Share {
                most: 9,
                held: BTreeMap::new(),
                most_of_provider: 9,
                held_of_provider: BTreeMap::new(),
            };
            tx.jobs().claim(JobQueue::Maintenance, Claim { worker: &worker(), now: wall(), limit: 9 }, share)
        })
        .await;
    claimed.unwrap().jobs
}

#[rstest]
#[tokio::test]
async fn undecodable_job_does_not_block_others(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    let mut context = context();
    let kind = |number| JobKind::DeleteOrphans {
        holder: (&ArchiveId::from_bytes([number; 16])).into(),
        since: Wall::from_micros(0),
    };
    let jobs_owed: Vec<Job> = [1, 2].map(|number| Job::now(&owner(), kind(number), &mut context)).into();
    let good = jobs_owed[1].id.clone();
    apply(&store, Change { jobs: jobs_owed, ..Change::default() }, &context).await;
    let first = "UPDATE jobs SET mode = 'NOWHERE' WHERE id = (SELECT MIN(id) FROM jobs WHERE key LIKE '%01')";
    spoil(&database, first);
    let claimed = jobs(&store).await;
    let ids: Vec<_> = claimed.iter().map(|job| job.item.id.clone()).collect();
    assert_eq!(ids, [good]);
    assert_eq!(jobs(&store).await.len(), 0, "the undecodable one is set aside");
}

#[rstest]
#[tokio::test]
async fn undecodable_delivery_does_not_block_others(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    sample::webhook(&store, true).await;
    let users = [sample::user(&store).await, sample::user(&store).await];
    sample::begin_account(&store, &users[0].id, "ana").await;
    spoil(&database, "UPDATE deliveries SET mode = 'NOWHERE' WHERE event_type = 'ACCOUNT_CREATED'");
    let claim = || async {
        let claimed: Result<_, StoreError> = store
            .write(|tx| {
                claim_due(
                    tx,
                    DeliveryQueue::First,
                    Claim { worker: &worker(), now: wall(), limit: 9 },
                    &AttemptShares::default(),
                )
            })
            .await;
        claimed.unwrap()
    };
    let types: Vec<_> = claim().await.iter().map(|due| due.item.delivery.event_type.as_str()).collect();
    assert_eq!(types, ["USER_CREATED", "USER_CREATED"]);
    assert_eq!(claim().await.len(), 0, "the undecodable one is set aside");
}

#[rstest]
#[tokio::test]
async fn delivery_without_event_does_not_block_the_next(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    sample::webhook(&store, true).await;
    sample::connect(&store, &user.id, "ana").await;
    spoil(&database, "DELETE FROM events WHERE event_type = 'ACCOUNT_CREATED'");
    let claim = || async {
        let claimed: Result<_, StoreError> = store
            .write(|tx| {
                claim_due(
                    tx,
                    DeliveryQueue::First,
                    Claim { worker: &worker(), now: wall(), limit: 9 },
                    &AttemptShares::default(),
                )
            })
            .await;
        claimed.unwrap().len()
    };
    assert_eq!(claim().await, 0, "the event is gone");
    assert_eq!(claim().await, 1, "the account's next one waited for it");
}

#[rstest]
#[tokio::test]
async fn attempt_after_an_erasure_is_logged_without_response(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    sample::webhook(&store, true).await;
    let account = sample::connect(&store, &user.id, "ana").await;
    let claimed: Result<Vec<_>, StoreError> = store
        .write(|tx| {
            claim_due(
                tx,
                DeliveryQueue::First,
                Claim { worker: &worker(), now: wall(), limit: 9 },
                &AttemptShares::default(),
            )
        })
        .await;
    let due = claimed.unwrap().remove(0);
    // The account is revoked while its event is being sent.
    sample::revoke(&store, &account).await;
    let id = due.item.delivery.id.clone();
    let recorded: Result<bool, StoreError> = store
        .write(move |tx| {
            let (now, delivery) = (context().now(), due.item.delivery.clone());
            let response = ReceiverResponse { status: 200, body: "thanks, Ana".into() };
            let outcome = AttemptOutcome { took: Duration::from_millis(5), result: Ok(response) };
            let (after, log) =
                delivery.record_attempt(&outcome, RetryProfile::Standard, now.tenant(), now, 0.5);
            tx.delivery_attempts().record(&due, &after, &log)
        })
        .await;
    assert!(recorded.unwrap());
    let attempts: Result<_, StoreError> =
        store.read(move |reader| reader.delivery_attempts().of_delivery(&id)).await;
    let attempts = attempts.unwrap();
    assert_eq!((attempts.len(), attempts[0].response_status), (1, Some(200)));
    assert_eq!(attempts[0].response_body, None);
}

#[rstest]
#[tokio::test]
async fn same_account_version_is_written_once(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let begun = sample::begin_account(&store, &user.id, "ana").await;
    let twice = Change::row(Row::Account(Box::new(begun)));
    let result = store.write(move |tx| tx.apply(&twice, context().now())).await;
    assert!(matches!(result, Err(StoreError::Stale { table: "accounts" })), "{result:?}");
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn account_by_login_waits_for_a_concurrent_change(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let begun = sample::begin_account(&store, &user.id, "ana").await;
    let (login, version) = (begun.login_hash.unwrap(), begun.version);
    let (inside, mut is_inside) = tokio::sync::mpsc::unbounded_channel();
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let changes = tokio::spawn({
        let store = store.clone();
        async move {
            let changed: Result<(), StoreError> = store
                .write(move |tx| {
                    let account = tx.accounts().get(&owner(), &begun.id)?.unwrap();
                    inside.send(()).unwrap();
                    wait.recv().unwrap();
                    let next = Account { version: account.version + 1, ..account };
                    tx.apply(&Change::row(Row::Account(Box::new(next))), context().now())
                })
                .await;
            changed.unwrap();
        }
    });
    is_inside.recv().await.unwrap();
    let looks = tokio::spawn(async move {
        let found: Result<_, StoreError> =
            store.write(move |tx| tx.accounts().by_login(&owner(), &user.id, &provider(), &login)).await;
        found.unwrap().unwrap()
    });
    // It has read the row that is about to change.
    database.until_a_unit_waits().await;
    go.send(()).unwrap();
    assert_eq!(looks.await.unwrap().version, version + 1);
    changes.await.unwrap();
}

#[rstest]
#[tokio::test]
async fn old_login_failures_and_attempts_are_deleted(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let at = wall();
    let tries = LoginTries { failures: 3, failed_at: at, ..sample::tries(&user.id, "ana") };
    let hash = tries.login_hash;
    let attempt = link_domain::linking::link::Attempt {
        id: link_types::id::AttemptId::from_bytes([5; 16]),
        owner: owner(),
        user_id: user.id.clone(),
        template_id: sample::templates().0.template.id,
        session_id: link_types::id::LinkSessionId::from_bytes([6; 16]),
        account_id: None,
        place: Default::default(),
        created_at: TenantTime::from_micros(at.micros()),
        ended_at: Some(TenantTime::from_micros(at.micros())),
    };
    let counter = GuessCounter { limit: GuessLimit::Network, hash };
    let count = GuessCount { failures: 7, last_at: at, ..GuessCount::none(owner(), counter) };
    let rows = vec![Row::LoginTries(tries), Row::GuessCount(count), Row::Attempt(attempt)];
    apply(&store, Change { rows, ..Change::default() }, &context()).await;
    let tidy = |moment: Wall| {
        let (store, user) = (store.clone(), user.id.clone());
        async move {
            let left: Result<_, StoreError> = store
                .write(move |tx| {
                    let tries = tx.login_tries().delete_failed_before(moment)?;
                    let attempts =
                        tx.link_attempts().delete_ended_before(TenantTime::from_micros(moment.micros()))?;
                    let counts = tx.guess_counts().delete_before(moment)?;
                    let failures = tx.login_tries().get(&owner(), &user, &provider(), hash)?.failures;
                    let guesses = tx.guess_counts().get(&owner(), counter)?.failures;
                    Ok(((tries, counts, attempts), (failures, guesses)))
                })
                .await;
            left.unwrap()
        }
    };
    assert_eq!(tidy(at).await, ((0, 0, 0), (3, 7)));
    assert_eq!(tidy(at + Duration::from_micros(1)).await, ((1, 1, 1), (0, 0)));
}

#[rstest]
#[tokio::test]
async fn concurrent_first_guesses_are_all_counted(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let counter = GuessCounter { limit: GuessLimit::Provider, hash: Digest32::from_text("provider") };
    let mut tries = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let store = store.clone();
        tries.spawn(async move {
            let counted: Result<(), StoreError> = store
                .write(move |tx| {
                    let count = tx.guess_counts().get(&owner(), counter)?;
                    let counted = GuessCount { failures: count.failures + 1, last_at: wall(), ..count };
                    tx.apply(&Change::row(Row::GuessCount(counted)), context().now())
                })
                .await;
            counted.unwrap();
        });
    }
    tries.join_all().await;
    let counted: Result<_, StoreError> =
        store.write(move |tx| tx.guess_counts().get(&owner(), counter)).await;
    assert_eq!(counted.unwrap().failures, 16);
}
