//! PgBouncer between the store and PostgreSQL: session mode works, and transaction mode is rejected when the store opens.

use link_store::test_support::pooler::{PoolMode, Pooler};
use link_store::test_support::{Backend, TestDatabase};
use link_store::{Store, StoreError};
use link_test_support::wait;

use crate::sample::{self, owner};

#[tokio::test(flavor = "multi_thread")]
async fn pooler_in_session_mode_serves_the_store() {
    let mut database = TestDatabase::new(Backend::Postgres);
    let pooler = Pooler::start(&database, PoolMode::Session);
    database.set_address(pooler.address());
    let store = database.open().await;
    let units: Vec<_> = (0..50)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move { sample::user(&store).await })
        })
        .collect();
    let mut users = Vec::new();
    for unit in units {
        users.push(unit.await.unwrap());
    }
    wait::until("all connections are open", async || {
        store.pool_health().is_some_and(|it| it.failing == 0 && it.fault.is_none())
    })
    .await;
    store.close().await;
    let store = database.open().await;
    for user in users {
        let found: Result<_, StoreError> =
            store.read(move |reader| reader.users().get(&owner(), &user.id)).await;
        assert!(found.unwrap().is_some());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pooler_in_transaction_mode_is_rejected_with_the_remedy() {
    let mut database = TestDatabase::new(Backend::Postgres);
    let pooler = Pooler::start(&database, PoolMode::Transaction);
    database.set_address(pooler.address());
    let refused = Store::open(database.settings()).await.err().unwrap();
    assert!(
        matches!(&refused, StoreError::Address(words) if words.contains("pool_mode = session")),
        "{refused}"
    );
}
