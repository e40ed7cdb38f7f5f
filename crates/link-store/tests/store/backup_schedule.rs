//! The schedule of backups, which nodes share.

use std::time::Duration;

use link_domain::kernel::clock::Wall;
use link_store::test_support::Backend;
use link_store::{
    BackupFault, BackupForm, BackupLease, BackupTimes, LEASE, RestoreFlags, ScheduledBackup, Store,
    StoreError, WorkerId,
};
use rstest::rstest;

use crate::sample::{self, wall};

const TIMES: BackupTimes = BackupTimes { every: Duration::from_secs(3_600), retry: Duration::from_secs(600) };

fn worker(number: u8) -> WorkerId {
    WorkerId::from_random([number; 16])
}

async fn claim(store: &Store, number: u8, now: Wall) -> Option<BackupLease> {
    let claim: Result<_, StoreError> =
        store.write(move |tx| tx.scheduled_backups().claim(&worker(number), now, TIMES)).await;
    claim.unwrap()
}

async fn record_good(store: &Store, lease: &BackupLease) -> bool {
    let lease = lease.clone();
    let recorded: Result<_, StoreError> = store
        .write(move |tx| {
            let is_held = tx.scheduled_backups().record_good(&lease, "place")?;
            tx.scheduled_backups().release(&lease)?;
            Ok(is_held)
        })
        .await;
    recorded.unwrap()
}

fn good(at: Wall) -> ScheduledBackup {
    ScheduledBackup { good_at: Some(at), place: Some("place".to_owned()), fault: None }
}

async fn last(store: &Store) -> ScheduledBackup {
    let read: Result<_, StoreError> = store.read(|reader| reader.scheduled_backups().get()).await;
    read.unwrap()
}

#[rstest]
#[tokio::test]
async fn one_of_several_nodes_writes_a_backup(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let claims = (0..8).map(|node| {
        let store = store.clone();
        tokio::spawn(async move { claim(&store, node, wall()).await })
    });
    let mut leases = Vec::new();
    for claimed in claims.collect::<Vec<_>>() {
        leases.extend(claimed.await.unwrap());
    }
    assert_eq!(leases.len(), 1, "{leases:?}");
    assert!(record_good(&store, &leases[0]).await);
    assert_eq!(claim(&store, 1, wall()).await, None, "it is not due");
    if backend == Backend::Postgres {
        assert_eq!(claim(&store, 1, wall() + TIMES.every).await, None, "the clock of a node does not matter");
    }
}

#[tokio::test]
async fn node_that_read_the_clock_earlier_gets_no_second_lease() {
    let (_database, store) = sample::open(Backend::Sqlite).await;
    let began = wall();
    claim(&store, 1, began).await.unwrap();
    assert_eq!(claim(&store, 2, began - Duration::from_millis(2)).await, None);
}

/// PostgreSQL has its own clock, so these times are those of SQLite.
#[tokio::test]
async fn backup_is_due_after_its_interval_or_a_wrong_clock() {
    let (_database, store) = sample::open(Backend::Sqlite).await;
    let began = wall();
    let lease = claim(&store, 1, began).await.unwrap();
    record_good(&store, &lease).await;
    assert_eq!(last(&store).await, good(began));
    assert_eq!(claim(&store, 1, began + Duration::from_secs(3_599)).await, None);
    assert!(claim(&store, 1, began - TIMES.every).await.is_some(), "the clock was ahead");
    assert!(claim(&store, 1, began + TIMES.every).await.is_some());
}

#[tokio::test]
async fn failed_backup_is_tried_again_and_keeps_its_cause() {
    let (_database, store) = sample::open(Backend::Sqlite).await;
    let began = wall();
    let lease = claim(&store, 1, began).await.unwrap();
    let fault = BackupFault {
        code: "AccessDenied".to_owned(),
        cause: "No.".to_owned(),
        remedy: "Allow it".to_owned(),
    };
    let recorded = fault.clone();
    let record: Result<_, StoreError> =
        store.write(move |tx| tx.scheduled_backups().record_fault(&lease, began, &recorded)).await;
    record.unwrap();
    assert_eq!(last(&store).await, ScheduledBackup { fault: Some(fault), ..ScheduledBackup::default() });
    assert_eq!(claim(&store, 1, began + Duration::from_secs(599)).await, None);
    let lease = claim(&store, 1, began + TIMES.retry).await.unwrap();
    record_good(&store, &lease).await;
    assert_eq!(last(&store).await.fault, None);
}

#[tokio::test]
async fn killed_nodes_backup_passes_to_another() {
    let (_database, store) = sample::open(Backend::Sqlite).await;
    let began = wall();
    let lost = claim(&store, 1, began).await.unwrap();
    let renew = lost.clone();
    let renewed: Result<_, StoreError> =
        store.write(move |tx| tx.scheduled_backups().renew(&renew, began + LEASE / 2)).await;
    assert!(renewed.unwrap());
    assert_eq!(claim(&store, 2, began + LEASE).await, None, "it was renewed");
    let lease = claim(&store, 2, began + 2 * LEASE).await.unwrap();
    // The first node was only slow, and its result does not count.
    assert!(!record_good(&store, &lost).await);
    assert_eq!(last(&store).await.good_at, None);
    assert!(record_good(&store, &lease).await);
    assert_eq!(last(&store).await.good_at, Some(began + 2 * LEASE));
}

#[tokio::test]
async fn lease_of_a_clock_that_was_ahead_does_not_last() {
    let (_database, store) = sample::open(Backend::Sqlite).await;
    let year = Duration::from_secs(365 * 86_400);
    let ahead = claim(&store, 1, wall() + year).await.unwrap();
    let lease = claim(&store, 2, wall()).await.unwrap();
    assert_eq!(claim(&store, 3, wall() + LEASE / 2).await, None, "this one lasts");
    assert_eq!((ahead.series == lease.series, lease.last_place), (true, None), "the database is the same");
}

#[tokio::test]
async fn released_lease_is_free_at_once() {
    let (_database, store) = sample::open(Backend::Sqlite).await;
    let lease = claim(&store, 1, wall()).await.unwrap();
    let release: Result<_, StoreError> = store.write(move |tx| tx.scheduled_backups().release(&lease)).await;
    release.unwrap();
    assert!(claim(&store, 2, wall()).await.is_some());
}

#[tokio::test]
async fn restored_database_begins_a_new_series() {
    let (database, store) = sample::open(Backend::Sqlite).await;
    let lease = claim(&store, 1, wall()).await.unwrap();
    assert!(record_good(&store, &lease).await);
    let file = database.folder().join("backup.db");
    store.back_up(file.clone(), BackupForm::Usual, wall()).await.unwrap();
    store.close().await;
    let flags = RestoreFlags { replaces: true, moves: false };
    link_store::restore(&database.settings(), &file, flags, wall()).unwrap();
    let store = database.open().await;
    assert_eq!(last(&store).await, ScheduledBackup::default());
    assert_ne!(claim(&store, 2, wall()).await.unwrap().series, lease.series);
}
