//! Units of work: all or nothing, panics fail only their own unit, and groups commit together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use link_domain::change::{Change, Row};
use link_domain::tenancy::user::User;
use link_store::test_support::{Backend, TestDatabase};
use link_store::{Store, StoreError, StoreSettings};
use rstest::rstest;

use crate::sample::{self, context, owner};

#[derive(Debug)]
enum UnitError {
    Store(#[expect(dead_code, reason = "shown by a failing test")] StoreError),
    NotToday,
}

impl From<StoreError> for UnitError {
    fn from(error: StoreError) -> Self {
        UnitError::Store(error)
    }
}

#[rstest]
#[tokio::test]
async fn error_rolls_back_the_whole_unit(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    let (user, change) = User::create(owner(), None, Default::default(), &mut context());
    let now = context().now();
    let result = store
        .write(move |tx| {
            tx.apply(&change, now)?;
            Err::<(), _>(UnitError::NotToday)
        })
        .await;
    assert!(matches!(result, Err(UnitError::NotToday)));
    let found = store.read(move |reader| reader.users().get(&owner(), &user.id)).await;
    assert!(matches!(found, Ok::<_, StoreError>(None)));
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn panic_rolls_back_only_its_own_unit(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    let mut units = Vec::new();
    for number in 0..100 {
        let store = store.clone();
        units.push(tokio::spawn(async move {
            let mut context = context();
            let (user, change) = User::create(owner(), None, Default::default(), &mut context);
            let result = store
                .write(move |tx| {
                    tx.apply(&change, context.now())?;
                    assert!(number % 10 != 3, "a bug in a unit");
                    Ok::<_, StoreError>(())
                })
                .await;
            (number, user.id, result)
        }));
    }
    for unit in units {
        let (number, id, result) = unit.await.unwrap();
        let found = store.read(move |reader| reader.users().get(&owner(), &id)).await.unwrap_or_else(stop);
        if number % 10 == 3 {
            assert!(matches!(result, Err(StoreError::Panicked)));
            assert!(found.is_none());
        } else {
            result.unwrap();
            assert!(found.is_some());
        }
    }
}

fn stop<T>(error: StoreError) -> T {
    panic!("{error}")
}

#[tokio::test(flavor = "multi_thread")]
async fn queued_units_commit_together_before_they_return() {
    let database = TestDatabase::new(Backend::Sqlite);
    let store = database.open().await;
    let (open_gate, gate) = channel::<()>();
    let (entered, writer_is_held) = channel();
    let mut gate = Some(gate);
    let holder = tokio::spawn({
        let store = store.clone();
        async move {
            store
                .write(move |_| {
                    entered.send(()).unwrap();
                    gate.take().unwrap().recv().unwrap();
                    Ok::<_, StoreError>(())
                })
                .await
        }
    });
    writer_is_held.recv().unwrap();

    let ran = Arc::new(AtomicUsize::new(0));
    let mut units = Vec::new();
    for _ in 0..200 {
        let ran = Arc::clone(&ran);
        let mut context = context();
        let (_, change) = User::create(owner(), None, Default::default(), &mut context);
        let mut unit = Box::pin({
            let store = store.clone();
            async move {
                let counted = Arc::clone(&ran);
                store
                    .write(move |tx| {
                        counted.fetch_add(1, Ordering::SeqCst);
                        tx.apply(&change, context.now())
                    })
                    .await
                    .unwrap_or_else(stop);
                ran.load(Ordering::SeqCst)
            }
        });
        // The first poll queues the unit.
        let mut idle = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(unit.as_mut().poll(&mut idle).is_pending());
        units.push(unit);
    }
    open_gate.send(()).unwrap();
    holder.await.unwrap().unwrap();
    let ran_at_first_answer = units.remove(0).await;
    assert_eq!(ran_at_first_answer, 200, "the first unit returns after the whole group ran");
    for unit in units {
        unit.await;
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_updates_of_one_row_are_not_lost(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let units: Vec<_> = (0..50)
        .map(|_| {
            let (store, id) = (store.clone(), user.id.clone());
            tokio::spawn(async move {
                store
                    .write(move |tx| {
                        let user = tx.users().get(&owner(), &id)?.expect("the user is there");
                        let user = User { event_count: user.event_count + 1, ..user };
                        tx.apply(&Change::row(Row::User(user)), context().now())
                    })
                    .await
                    .unwrap_or_else(stop)
            })
        })
        .collect();
    for unit in units {
        unit.await.unwrap();
    }
    let found: Result<_, StoreError> = store.read(move |reader| reader.users().get(&owner(), &user.id)).await;
    assert_eq!(found.unwrap().unwrap().event_count, 51);
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_creations_of_one_reference_make_one_user(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let units: Vec<_> = (0..20)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move {
                let context = context();
                store
                    .write(move |tx| {
                        if let Some(user) = tx.users().by_reference(&owner(), "customer-7")? {
                            return Ok((user, false));
                        }
                        let mut context = context.clone();
                        let reference = Some("customer-7".to_owned());
                        let (user, change) =
                            User::create(owner(), reference, Default::default(), &mut context);
                        tx.apply(&change, context.now())?;
                        Ok::<_, StoreError>((user, true))
                    })
                    .await
                    .unwrap()
            })
        })
        .collect();
    let mut made = Vec::new();
    let mut ids = std::collections::BTreeSet::new();
    for unit in units {
        let (user, created) = unit.await.unwrap();
        made.push(created);
        ids.insert(user.id);
    }
    assert_eq!(made.into_iter().filter(|created| *created).count(), 1);
    assert_eq!(ids.len(), 1);
}

#[rstest]
#[tokio::test]
async fn existing_row_is_a_duplicate_error(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    let mut context = context();
    let (_, change) = User::create(owner(), None, Default::default(), &mut context);
    let now = context.now();
    let result = store
        .write(move |tx| {
            tx.apply(&change, now)?;
            tx.apply(&change, now)
        })
        .await;
    assert!(matches!(result, Err(StoreError::Duplicate(_))), "{result:?}");
}

#[rstest]
#[tokio::test]
async fn closed_store_rejects_units(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    store.close().await;
    let written = store.write(|_| Ok::<_, StoreError>(())).await;
    assert!(matches!(written, Err(StoreError::Closed)));
}

#[tokio::test]
async fn ephemeral_store_works_in_memory() {
    let store = Store::open(StoreSettings::Ephemeral).await.unwrap();
    let user = sample::user(&store).await;
    let account = sample::read(&store, &user.id, "good", 3).await;
    let found: Result<_, StoreError> =
        store.read(move |reader| reader.accounts().get(&owner(), &account.id)).await;
    assert!(found.unwrap().is_some());
}
