//! Nodes of two adjacent releases serve one database: the newer one expands the schema, and the older one goes on.

use link_store::test_support::{Backend, TestDatabase, sqlite};
use link_store::{Store, StoreError};
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
