//! Key buckets on PostgreSQL: an erasure replaces a bucket without locking a large table, also with several nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use link_domain::change::{Change, Row};
use link_domain::linking::account::Account;
use link_domain::tenancy::user::User;
use link_store::test_support::{Backend, TestDatabase};
use link_store::{Store, StoreError, StoreSettings};
use link_test_support::wait;
use secrecy::ExposeSecret;

use crate::erasure::{bucket_keys_on_disk, holds};
use crate::sample::{self, owner};

/// Selects the wrapped keys of all buckets. A database with one user has one.
pub const EVERY_KEY: &str = "SELECT wrapped FROM key_buckets_00 UNION ALL SELECT wrapped FROM key_buckets_01 \
    UNION ALL SELECT wrapped FROM key_buckets_02 UNION ALL SELECT wrapped FROM key_buckets_03 \
    UNION ALL SELECT wrapped FROM key_buckets_04 UNION ALL SELECT wrapped FROM key_buckets_05 \
    UNION ALL SELECT wrapped FROM key_buckets_06 UNION ALL SELECT wrapped FROM key_buckets_07 \
    UNION ALL SELECT wrapped FROM key_buckets_08 UNION ALL SELECT wrapped FROM key_buckets_09 \
    UNION ALL SELECT wrapped FROM key_buckets_10 UNION ALL SELECT wrapped FROM key_buckets_11 \
    UNION ALL SELECT wrapped FROM key_buckets_12 UNION ALL SELECT wrapped FROM key_buckets_13 \
    UNION ALL SELECT wrapped FROM key_buckets_14 UNION ALL SELECT wrapped FROM key_buckets_15 \
    UNION ALL SELECT wrapped FROM key_buckets_16 UNION ALL SELECT wrapped FROM key_buckets_17 \
    UNION ALL SELECT wrapped FROM key_buckets_18 UNION ALL SELECT wrapped FROM key_buckets_19 \
    UNION ALL SELECT wrapped FROM key_buckets_20 UNION ALL SELECT wrapped FROM key_buckets_21 \
    UNION ALL SELECT wrapped FROM key_buckets_22 UNION ALL SELECT wrapped FROM key_buckets_23 \
    UNION ALL SELECT wrapped FROM key_buckets_24 UNION ALL SELECT wrapped FROM key_buckets_25 \
    UNION ALL SELECT wrapped FROM key_buckets_26 UNION ALL SELECT wrapped FROM key_buckets_27 \
    UNION ALL SELECT wrapped FROM key_buckets_28 UNION ALL SELECT wrapped FROM key_buckets_29 \
    UNION ALL SELECT wrapped FROM key_buckets_30 UNION ALL SELECT wrapped FROM key_buckets_31";

/// Runs a closure that bypasses the store. The PostgreSQL client must not be driven from within an async runtime, so it
/// gets its own thread.
fn raw<T: Send + 'static>(
    database: &TestDatabase,
    run: impl FnOnce(&mut postgres::Client) -> T + Send + 'static,
) -> std::thread::JoinHandle<T> {
    let StoreSettings::Postgres { address, .. } = database.settings() else { panic!("a PostgreSQL") };
    std::thread::spawn(move || {
        run(&mut postgres::Client::connect(address.expose_secret(), postgres::NoTls).unwrap())
    })
}

async fn opens(store: &Store, account: &Account) -> bool {
    let id = account.id.clone();
    let found: Result<_, StoreError> = store.read(move |reader| reader.accounts().get(&owner(), &id)).await;
    found.unwrap().as_ref() == Some(account)
}

#[tokio::test(flavor = "multi_thread")]
async fn units_that_begin_one_scope_share_its_key() {
    let database = TestDatabase::new(Backend::Postgres);
    let store = database.open().await;
    let mut context = sample::context();
    let (user, created) = User::create(owner(), Some("one".to_owned()), BTreeMap::new(), &mut context);
    let rows = created.rows.into_iter().filter(|row| matches!(row, Row::User(_))).collect();
    let (change, now) = (Arc::new(Change { rows, ..Change::default() }), context.now());
    let units: Vec<_> = (0..16)
        .map(|_| {
            let (store, change) = (store.clone(), Arc::clone(&change));
            tokio::spawn(async move { store.write(move |tx| tx.apply(&change, now)).await })
        })
        .collect();
    for unit in units {
        let written: Result<(), StoreError> = unit.await.unwrap();
        written.unwrap();
    }
    let id = user.id.clone();
    let found: Result<_, StoreError> = store.read(move |reader| reader.users().get(&owner(), &id)).await;
    assert_eq!(found.unwrap(), Some(user));
    store.close().await;
}

#[tokio::test]
async fn account_in_the_same_bucket_opens_after_a_vacuum() {
    let database = TestDatabase::new(Backend::Postgres);
    let store = database.open().await;
    let user = sample::user(&store).await;
    let gone = sample::connect(&store, &user.id, "gone").await;
    let kept = sample::connect(&store, &user.id, "kept").await;
    let (before, folder) = bucket_keys_on_disk(&database);
    sample::revoke(&store, &gone).await;
    store.close().await;
    let files = database.files().join(folder);
    let after = bucket_keys_on_disk(&database).0;
    assert_eq!(after.len(), 1, "the bucket is replaced");
    assert!(!before.iter().any(|key| holds(&files, key)), "the old one is gone");
    assert!(after.iter().all(|key| holds(&files, key)), "live keys are found");
    let store = database.open().await;
    assert!(opens(&store, &kept).await);
    store.close().await;
}

#[tokio::test]
async fn node_continues_after_another_replaced_its_bucket() {
    let database = TestDatabase::new(Backend::Postgres);
    let (one, other) = (database.open().await, database.open().await);
    let user = sample::user(&one).await;
    let gone = sample::connect(&one, &user.id, "gone").await;
    let kept = sample::connect(&one, &user.id, "kept").await;
    sample::revoke(&other, &gone).await;
    other.close().await;
    assert!(opens(&one, &kept).await);
    // The bucket that this node was filling is gone.
    let new = sample::connect(&one, &user.id, "new").await;
    assert!(opens(&one, &new).await);
    one.close().await;
    let later = database.open().await;
    assert!(opens(&later, &kept).await && opens(&later, &new).await);
    later.close().await;
}

#[tokio::test]
async fn vacuum_killed_after_a_replacement_is_finished_on_start() {
    let database = TestDatabase::new(Backend::Postgres);
    let killed = database.open().await;
    let user = sample::user(&killed).await;
    let account = sample::connect(&killed, &user.id, "good").await;
    let (keys, folder) = bucket_keys_on_disk(&database);
    let files = database.files().join(folder);
    sample::revoke(&killed, &account).await;
    // The state of a vacuum that was killed before it rewrote the tables: the bucket's row is deleted, but its bytes
    // remain.
    let replaced = raw(&database, |client| {
        let id: i64 = client.query_one("SELECT bucket FROM stale_buckets", &[]).unwrap().get(0);
        let table = format!("key_buckets_{:02}", id % 32);
        client.execute(&format!("DELETE FROM {table} WHERE bucket = $1"), &[&id]).unwrap()
    });
    assert_eq!(replaced.join().unwrap(), 1);
    bucket_keys_on_disk(&database);
    assert!(keys.iter().all(|key| holds(&files, key)));
    database.open().await.close().await;
    bucket_keys_on_disk(&database);
    assert!(!keys.iter().any(|key| holds(&files, key)));
    let pending = raw(&database, |client| {
        client.query_one("SELECT COUNT(*) FROM stale_buckets", &[]).unwrap().get::<_, i64>(0)
    });
    assert_eq!(pending.join().unwrap(), 0);
    killed.close().await;
}

const MANY_KEYS: &str = "INSERT INTO scope_keys (scope_id, day, wrapped) \
    SELECT 'r-' || n, 30000, decode(repeat('5a', 80), 'hex') FROM generate_series(1, 100000) n";
/// Locks that block readers or writers of a table, held or requested.
const STRONG: &str = "SELECT c.relname::text, l.mode FROM pg_locks l JOIN pg_class c ON c.oid = l.relation \
    WHERE l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND c.relkind = 'r' \
    AND l.locktype = 'relation' \
    AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')";

#[tokio::test]
async fn erasure_locks_no_large_table() {
    let database = TestDatabase::new(Backend::Postgres);
    let store = database.open().await;
    let user = sample::user(&store).await;
    let account = sample::connect(&store, &user.id, "good").await;
    raw(&database, |client| client.batch_execute(MANY_KEYS).unwrap()).join().unwrap();
    let ended = Arc::new(AtomicBool::new(false));
    let (until, looking) = (Arc::clone(&ended), Arc::new(AtomicBool::new(false)));
    let begun = Arc::clone(&looking);
    let locks = raw(&database, move |client| {
        let (mut seen, statement) = (BTreeSet::new(), client.prepare(STRONG).unwrap());
        while !until.load(Ordering::SeqCst) {
            for row in client.query(&statement, &[]).unwrap() {
                seen.insert((row.get::<_, String>(0), row.get::<_, String>(1)));
            }
            begun.store(true, Ordering::SeqCst);
        }
        seen
    });
    wait::until("the locks are observed", async || looking.load(Ordering::SeqCst)).await;
    sample::revoke(&store, &account).await;
    // A store vacuums when it closes.
    store.close().await;
    ended.store(true, Ordering::SeqCst);
    let seen = locks.join().unwrap();
    let large: Vec<_> = seen.iter().filter(|(table, _)| !table.starts_with("key_buckets_")).collect();
    assert!(large.is_empty(), "{large:?}");
    // The rewritten tables have one row per 256 keys.
    let rows = raw(&database, |client| {
        client.query_one(&format!("SELECT COUNT(*) FROM ({EVERY_KEY}) b"), &[]).unwrap().get::<_, i64>(0)
    });
    assert!(rows.join().unwrap() < 10);
}
