//! Erasure: revoked data is gone from rows and files, and late writes cannot restore it.

use std::path::{Path, PathBuf};

use link_domain::change::{Change, Row};
use link_domain::linking::account::AccountState;
use link_domain::notifications::event::EventRecord;
use link_store::test_support::{Backend, TestDatabase};
use link_store::{
    AccountFilter, DataPointFilter, Day, EventFilter, PageRequest, PageSize, StoreError, StoreSettings,
};
use link_test_support::wait;
use link_types::data::DataPointKind;
use rstest::rstest;

use secrecy::ExposeSecret;

use crate::sample::{self, context, owner};

fn bodies_mention(bodies: &[Vec<u8>], text: &str) -> bool {
    bodies.iter().any(|body| String::from_utf8_lossy(body).contains(text))
}

#[rstest]
#[tokio::test]
async fn revoked_account_leaves_tombstone_and_stripped_events(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let kept = sample::read(&store, &user.id, "kept-login", 3).await;
    let account = sample::read(&store, &user.id, "gone-login", 3).await;
    let revoked = sample::revoke(&store, &account).await;
    let checked: Result<(), StoreError> = store
        .read(move |reader| {
            let tombstone = reader.accounts().get(&owner(), &account.id)?.expect("the tombstone stays");
            assert!(matches!(tombstone.state, AccountState::Disconnected(_)));
            assert_eq!(tombstone, revoked);
            let all = PageRequest::first(PageSize::new(150)?);
            for (id, left) in [(&account.id, 0), (&kept.id, 3)] {
                let source = DataPointFilter { source: Some(id.as_str()), ..DataPointFilter::default() };
                let points =
                    reader.data_points().list(&owner(), DataPointKind::Transactions, source, &all)?;
                assert_eq!(points.items.len(), left);
            }
            let of = |id: &link_types::id::AccountId| id.as_str().to_owned();
            let (gone, kept) = (of(&account.id), of(&kept.id));
            let mut bodies = |subject: &str| -> Result<Vec<Vec<u8>>, StoreError> {
                let filter = EventFilter { subject: Some(subject), ..EventFilter::default() };
                let events = reader.events().list(&owner(), filter, &all)?.items;
                let whole = |event: &EventRecord| {
                    reader.events().get(&owner(), &event.id).map(|it| it.unwrap().body(true).to_vec())
                };
                events.iter().map(whole).collect()
            };
            let (gone, kept) = (bodies(&gone)?, bodies(&kept)?);
            assert!(bodies_mention(&kept, "kept-login") && bodies_mention(&kept, "Salary number"));
            assert!(!bodies_mention(&gone, "gone-login") && !bodies_mention(&gone, "Salary number"));
            assert!(bodies_mention(&gone, "TASK_FINISHED") && bodies_mention(&gone, "ACCOUNT_DISCONNECTED"));
            assert_eq!(reader.scopes().erasures_after("")?.len(), 1);
            Ok(())
        })
        .await;
    checked.unwrap();
}

#[rstest]
#[tokio::test]
async fn late_write_for_an_erased_account_is_rejected(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let account = sample::read(&store, &user.id, "good", 1).await;
    sample::revoke(&store, &account).await;
    // A node that read the account before it was revoked, with a much newer version.
    let late = link_domain::linking::account::Account { version: account.version + 100, ..account };
    let change = Change::row(Row::Account(Box::new(late)));
    let result = store.write(move |tx| tx.apply(&change, context().now())).await;
    assert!(matches!(result, Err(StoreError::Erased)), "{result:?}");
}

#[rstest]
#[tokio::test]
async fn older_account_version_is_rejected(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let begun = sample::begin_account(&store, &user.id, "good").await;
    let now = context().now();
    let newer = link_domain::linking::account::Account { version: begun.version + 5, ..begun.clone() };
    sample::apply(&store, Change::row(Row::Account(Box::new(newer))), &context()).await;
    let change = Change::row(Row::Account(Box::new(begun)));
    let result = store.write(move |tx| tx.apply(&change, now)).await;
    assert!(matches!(result, Err(StoreError::Stale { table: "accounts" })), "{result:?}");
}

/// Returns whether the bytes are in any file below a folder.
pub fn holds(folder: &Path, needle: &[u8]) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            holds(&path, needle)
        } else {
            std::fs::read(&path).unwrap().windows(needle.len()).any(|window| window == needle)
        }
    })
}

#[tokio::test]
async fn no_file_holds_a_revoked_accounts_key_or_body() {
    let database = TestDatabase::new(Backend::Sqlite);
    let store = database.open().await;
    let user = sample::user(&store).await;
    // Enough accounts that the tables have inner pages, which are rebuilt.
    let mut accounts = Vec::new();
    for number in 0..25 {
        accounts.push(sample::read(&store, &user.id, &format!("login-{number}"), 4).await);
    }
    let folder = database.files();
    let mut secrets: Vec<Vec<u8>> = Vec::new();
    {
        let raw = rusqlite::Connection::open(folder.join("linchpin.db")).unwrap();
        for account in &accounts {
            for query in [
                "SELECT wrapped FROM scope_keys WHERE scope_id = ?1",
                "SELECT body FROM accounts WHERE id = ?1",
                "SELECT body FROM data_points WHERE scope_id = ?1 LIMIT 1",
                "SELECT with_payload FROM events WHERE scope_id = ?1 AND with_payload IS NOT NULL",
            ] {
                secrets.push(raw.query_row(query, [account.id.as_str()], |row| row.get(0)).unwrap());
            }
        }
    }
    // A part from the middle of each, because a page may split a long value.
    let pieces: Vec<&[u8]> = secrets.iter().map(|secret| &secret[24..56]).collect();
    assert!(pieces.iter().all(|piece| holds(&folder, piece)), "they are found before the revocation");
    for account in &accounts {
        sample::revoke(&store, account).await;
    }
    // The log is truncated before an erasure returns.
    for piece in pieces {
        assert!(!holds(&folder, piece));
    }
}

#[tokio::test]
async fn postgres_vacuum_removes_bucket_keys_from_the_files() {
    let database = TestDatabase::new(Backend::Postgres);
    let store = database.open().await;
    let user = sample::user(&store).await;
    let mut accounts = Vec::new();
    for number in 0..3 {
        accounts.push(sample::connect(&store, &user.id, &format!("login-{number}")).await);
    }
    let (keys, folder) = bucket_keys_on_disk(&database);
    assert_eq!(keys.len(), 1, "the three share a bucket");
    let files = database.files().join(folder);
    assert!(keys.iter().all(|key| holds(&files, key)), "they are found before the revocation");
    for account in &accounts {
        sample::revoke(&store, account).await;
    }
    // A store vacuums when it closes.
    store.close().await;
    assert_eq!(bucket_keys_on_disk(&database).0.len(), 0);
    assert!(!keys.iter().any(|key| holds(&files, key)));
}

#[tokio::test(flavor = "multi_thread")]
async fn next_process_vacuums_for_a_killed_one() {
    let database = TestDatabase::new(Backend::Postgres);
    let killed = database.open().await;
    let user = sample::user(&killed).await;
    let account = sample::connect(&killed, &user.id, "good").await;
    let (keys, folder) = bucket_keys_on_disk(&database);
    let files = database.files().join(folder);
    sample::revoke(&killed, &account).await;
    assert!(keys.iter().any(|key| holds(&files, key)), "a vacuum collects erasures first");
    // The process is still alive here, with its own vacuum pending. The other one knows about that only from the
    // database.
    database.open().await.close().await;
    bucket_keys_on_disk(&database);
    assert!(!keys.iter().any(|key| holds(&files, key)));
    let raw = || {
        let StoreSettings::Postgres { address, .. } = database.settings() else { panic!("a PostgreSQL") };
        let mut raw = postgres::Client::connect(address.expose_secret(), postgres::NoTls).unwrap();
        raw.query_one("SELECT COUNT(*) FROM pending_vacuums", &[]).unwrap().get::<_, i64>(0)
    };
    assert_eq!(tokio::task::block_in_place(raw), 0, "no vacuum is pending");
    killed.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn vacuum_waits_for_transactions_that_see_erased_rows() {
    let (database, elsewhere) = (TestDatabase::new(Backend::Postgres), TestDatabase::new(Backend::Postgres));
    // A snapshot of this database, and a transaction that writes to another database and is part of all new snapshots.
    for (holder, begun) in [
        (&database, "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1"),
        (&elsewhere, "BEGIN; SELECT pg_current_xact_id()"),
    ] {
        let store = database.open().await;
        let user = sample::user(&store).await;
        let account = sample::connect(&store, &user.id, "good").await;
        let (keys, folder) = bucket_keys_on_disk(&database);
        let files = database.files().join(folder);
        let (ended, vacuumed) = (std::sync::mpsc::channel::<()>(), std::sync::mpsc::channel::<()>());
        let (holding, mut held) = tokio::sync::mpsc::unbounded_channel();
        let StoreSettings::Postgres { address, .. } = holder.settings() else { panic!("a PostgreSQL") };
        let holder = std::thread::spawn(move || {
            let mut raw = postgres::Client::connect(address.expose_secret(), postgres::NoTls).unwrap();
            raw.batch_execute(begun).unwrap();
            holding.send(()).unwrap();
            ended.1.recv().unwrap();
            raw.batch_execute("COMMIT").unwrap();
        });
        held.recv().await.unwrap();
        sample::revoke(&store, &account).await;
        let StoreSettings::Postgres { address, .. } = database.settings() else { panic!("a PostgreSQL") };
        let looking = std::thread::spawn(move || {
            let mut raw = postgres::Client::connect(address.expose_secret(), postgres::NoTls).unwrap();
            let looks = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() \
                         AND pid <> pg_backend_pid() AND query LIKE '%pg_prepared_xacts%'";
            wait::blocking::until("the vacuum looks for transactions, or has ended", || {
                vacuumed.1.try_recv() != Err(std::sync::mpsc::TryRecvError::Empty)
                    || raw.query_one(looks, &[]).unwrap().get::<_, i64>(0) > 0
            });
            ended.0.send(()).unwrap();
        });
        store.close().await;
        vacuumed.0.send(()).ok();
        looking.join().unwrap();
        holder.join().unwrap();
        assert_eq!(bucket_keys_on_disk(&database).0.len(), 0);
        assert!(!keys.iter().any(|key| holds(&files, key)), "{begun}");
    }
}

/// Returns the wrapped keys of the buckets that wrap keys of accounts, and the folder of the database's files, after
/// the server has written everything to them. Without a bucket's key, the keys it wrapped are useless, wherever their
/// bytes remain.
pub fn bucket_keys_on_disk(database: &TestDatabase) -> (Vec<Vec<u8>>, String) {
    let StoreSettings::Postgres { address, .. } = database.settings() else {
        panic!("a PostgreSQL database")
    };
    let read = move || {
        let mut raw = postgres::Client::connect(address.expose_secret(), postgres::NoTls).unwrap();
        raw.batch_execute("CHECKPOINT").unwrap();
        let buckets = (0..32).map(|number| format!("SELECT bucket, wrapped FROM key_buckets_{number:02}"));
        let buckets = buckets.collect::<Vec<_>>().join(" UNION ALL ");
        let of_accounts = "SELECT bucket FROM scope_keys WHERE renewed = 0";
        let rows = format!("SELECT b.wrapped FROM ({buckets}) b WHERE b.bucket IN ({of_accounts})");
        let rows = raw.query(&rows, &[]).unwrap();
        let own = "SELECT oid::text FROM pg_database WHERE datname = current_database()";
        (rows.iter().map(|row| row.get(0)).collect(), raw.query_one(own, &[]).unwrap().get(0))
    };
    // The PostgreSQL client must not be driven from within an async runtime, so it gets its own thread.
    std::thread::spawn(read).join().unwrap()
}

#[rstest]
#[tokio::test]
async fn day_key_is_destroyed_after_its_scopes_are_erased(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let account = sample::read(&store, &user.id, "good", 2).await;
    let last_day = Day::from_micros(account.data_ends_at().micros());
    let day_after = Day(last_day.0 + 1);
    assert_eq!(
        store.destroy_day_keys_before(day_after).await.unwrap(),
        0,
        "the account's erasure needs the key"
    );
    let id = account.id.clone();
    let found: Result<_, StoreError> = store.read(move |reader| reader.accounts().get(&owner(), &id)).await;
    assert!(found.unwrap().is_some());
    sample::revoke(&store, &account).await;
    assert_eq!(store.destroy_day_keys_before(day_after).await.unwrap(), 1);
    let left = std::fs::read_dir(key_folder(&database)).unwrap().map(|it| it.unwrap().path());
    let left = left.filter(|path| path.extension().is_some_and(|it| it == "day")).count();
    assert_eq!(left, 1, "the last day of the user's key");
}

fn key_folder(database: &TestDatabase) -> PathBuf {
    match database.settings() {
        StoreSettings::Sqlite { keys, .. } | StoreSettings::Postgres { keys, .. } => keys.days,
        StoreSettings::Ephemeral => panic!("an ephemeral store has no key folder"),
    }
}

#[rstest]
#[tokio::test]
async fn database_copy_is_unreadable_without_its_day_keys(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let account = sample::read(&store, &user.id, "good", 2).await;
    store.close().await;
    // The database as in an older backup. A backup never includes the key folder.
    for key in std::fs::read_dir(key_folder(&database)).unwrap() {
        std::fs::remove_file(key.unwrap().path()).unwrap();
    }
    let store = database.open().await;
    let found: Result<(), StoreError> = store
        .read(move |reader| {
            assert!(matches!(reader.accounts().get(&owner(), &account.id), Err(StoreError::Erased)));
            assert!(matches!(reader.accounts().summary(&owner(), &account.id), Err(StoreError::Erased)));
            let all = PageRequest::default();
            let accounts = reader.accounts().summaries(&owner(), AccountFilter::default(), &all)?;
            assert_eq!(accounts.items, []);
            let filter = DataPointFilter::default();
            let points = reader.data_points().list(&owner(), DataPointKind::Transactions, filter, &all)?;
            assert_eq!(points.items.len(), 0);
            let events = reader.events().list(&owner(), EventFilter::default(), &all)?.items;
            assert!(events.iter().all(|event| event.sealed.is_none()));
            Ok(())
        })
        .await;
    found.unwrap();
}
