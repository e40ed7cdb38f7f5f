//! Nodes of two adjacent releases serve one database: the newer one expands the schema, and the older one goes on.

use link_store::test_support::{Backend, TestDatabase, sqlite};
use std::time::Duration;

use link_store::{BackupTimes, Store, StoreError, WorkerId};
use rstest::rstest;

use crate::sample;

/// Does what the start of a program with a newer schema does: it runs its version, and records the programs that it serves.
async fn start_newer_program(backend: Backend, database: &TestDatabase, change: &str, serves_from: i64) {
    let record = format!("INSERT INTO schema_versions (version, serves_from) VALUES (2, {serves_from})");
    let statements = format!("{change}; {record}");
    match backend {
        Backend::Sqlite => {
            sqlite::execute(&database.folder().join("data").join("linchpin.db"), &statements);
        }
        Backend::Postgres => {
            let (socket, name) = database.socket();
            let folder = socket.parent().unwrap().display().to_string();
            let address = format!("host={folder} user=linchpin dbname={name}");
            let run = move || {
                postgres::Client::connect(&address, postgres::NoTls)
                    .unwrap()
                    .batch_execute(&statements)
                    .unwrap();
            };
            tokio::task::spawn_blocking(run).await.unwrap();
        }
    }
}

async fn ping(store: &Store) -> Result<(), StoreError> {
    store.read(|reader| reader.ping()).await
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn program_serves_the_schema_that_the_next_one_expanded(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    let before = sample::user(&store).await;
    let change = "ALTER TABLE users ADD COLUMN novelty TEXT; CREATE TABLE novelties (id TEXT PRIMARY KEY)";
    start_newer_program(backend, &database, change, 1).await;
    ping(&store).await.unwrap();
    let meanwhile = sample::user(&store).await;
    store.close().await;
    let store = database.open().await;
    let after = sample::user(&store).await;
    for user in [before, meanwhile, after] {
        let found: Result<_, StoreError> =
            store.read(move |reader| reader.users().get(&user.owner, &user.id)).await;
        assert!(found.unwrap().is_some());
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn scheduled_backup_is_left_to_a_program_that_knows_the_schema(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    start_newer_program(backend, &database, "SELECT 1", 1).await;
    let (worker, now) = (WorkerId::from_random([1; 16]), sample::wall());
    let times = BackupTimes { every: Duration::from_secs(3_600), retry: Duration::from_secs(600) };
    let claim: Result<_, StoreError> =
        store.write(move |tx| tx.scheduled_backups().claim(&worker, now, times)).await;
    assert_eq!(claim.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn units_of_a_program_that_is_too_old_are_refused() {
    let (database, store) = sample::open(Backend::Postgres).await;
    start_newer_program(Backend::Postgres, &database, "SELECT 1", 2).await;
    // No node has looked yet.
    sample::user(&store).await;
    let probed = store.probe().await.unwrap_err();
    assert!(matches!(probed, StoreError::SchemaTooNew { found: 2, serves_from: 2, known: 1 }), "{probed}");
    let unit: Result<(), StoreError> = store.write(|tx| tx.probe(0)).await;
    assert!(matches!(&unit, Err(error @ StoreError::SchemaTooNew { .. }) if error.passes()), "{unit:?}");
    let read: Result<_, StoreError> = store.read(|reader| reader.ping()).await;
    assert!(matches!(read, Err(StoreError::SchemaTooNew { .. })), "{read:?}");
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn program_stops_serving_a_schema_without_what_it_needs(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    start_newer_program(backend, &database, "DROP TABLE probes", 2).await;
    let refusal = ping(&store).await.unwrap_err();
    assert!(matches!(refusal, StoreError::SchemaTooNew { found: 2, serves_from: 2, known: 1 }), "{refusal}");
    store.close().await;
    let refusal = Store::open(database.settings()).await.err().unwrap();
    assert!(refusal.to_string().contains("start a newer program"), "{refusal}");
}
