//! Portable backups, which both databases write and restore.

use std::path::PathBuf;

use link_domain::change::{Change, Row};
use link_domain::linking::account::Account;
use link_store::test_support::{Backend, TestDatabase, sqlite};
use link_store::{
    BackupError, BackupForm, KeyFiles, RestoreFlags, Restored, Store, StoreError, StoreSettings,
};
use link_types::id::UserId;
use rstest::rstest;

use crate::sample::{self, owner, wall};

const MOVE: RestoreFlags = RestoreFlags { replaces: false, moves: true };

fn file(database: &TestDatabase) -> PathBuf {
    database.folder().join("backup.linchpin")
}

async fn back_up(store: &Store, database: &TestDatabase) -> PathBuf {
    store.back_up(file(database), BackupForm::Portable, wall()).await.unwrap();
    file(database)
}

/// Returns the settings of an empty database with the keys of another.
fn settings_with_keys_of(source: &TestDatabase, target: &TestDatabase) -> StoreSettings {
    let of_source = source.settings();
    let (StoreSettings::Sqlite { keys, .. } | StoreSettings::Postgres { keys, .. }) = of_source else {
        panic!("no keys")
    };
    match target.settings() {
        StoreSettings::Sqlite { .. } => StoreSettings::Sqlite { folder: target.folder().to_owned(), keys },
        StoreSettings::Postgres { address, connections, .. } => {
            StoreSettings::Postgres { address, connections, keys }
        }
        StoreSettings::Ephemeral => StoreSettings::Ephemeral,
    }
}

/// Restores on a thread without a runtime, as the command line does.
async fn restore(settings: StoreSettings, backup: PathBuf) -> Result<Restored, BackupError> {
    tokio::task::spawn_blocking(move || {
        std::thread::spawn(move || link_store::restore(&settings, &backup, MOVE, wall())).join().unwrap()
    })
    .await
    .unwrap()
}

async fn has(store: &Store, user: &UserId) -> bool {
    let user = user.clone();
    let found: Result<_, StoreError> = store.read(move |reader| reader.users().get(&owner(), &user)).await;
    found.unwrap().is_some()
}

fn rows(restored: &Restored, table: &str) -> u64 {
    restored.tables.iter().find(|it| it.name == table).map_or(0, |it| it.rows)
}

#[rstest]
#[tokio::test]
async fn portable_backup_is_restored_into_either_database(
    #[values(Backend::Sqlite, Backend::Postgres)] from: Backend,
    #[values(Backend::Sqlite, Backend::Postgres)] to: Backend,
) {
    let (source, store) = sample::open(from).await;
    let user = sample::user_called(&store, Some("ana@example.com")).await;
    let account = sample::read(&store, &user.id, "ana", 40).await;
    let other = sample::read(&store, &user.id, "other", 3).await;
    let erased = sample::revoke(&store, &other).await;
    sample::webhook(&store, true).await;
    let backup = back_up(&store, &source).await;
    let lost = sample::user(&store).await;
    store.close().await;

    let target = TestDatabase::new(to);
    let settings = settings_with_keys_of(&source, &target);
    let restored = restore(settings.clone(), backup).await.unwrap();
    assert!(restored.created_at.is_some());
    assert!(rows(&restored, "users") == 1 && rows(&restored, "data_points") >= 40, "{restored:?}");

    let store = Store::open(settings).await.unwrap();
    assert!(has(&store, &user.id).await && !has(&store, &lost.id).await);
    let (id, gone) = (account.id.clone(), erased.id.clone());
    let read: Result<_, StoreError> = store
        .read(move |reader| {
            let points = reader.data_points().of_account(&owner(), &id)?.len();
            let tombstone = reader.accounts().get(&owner(), &gone)?.expect("the tombstone is there");
            let found = reader.users().by_reference(&owner(), "ana@example.com")?.map(|it| it.id);
            Ok((points, tombstone, found))
        })
        .await;
    let (points, tombstone, found) = read.unwrap();
    assert!(points >= 40, "{points}");
    assert_eq!((tombstone, found), (erased.clone(), Some(user.id.clone())));
    // New data can be written, under the keys of the backup and under new ones, and an erased key stays erased.
    let account = sample::read(&store, &user.id, "second", 5).await;
    sample::revoke(&store, &account).await;
    sample::read(&store, &sample::user(&store).await.id, "new", 1).await;
    let late = Account { version: other.version + 100, ..other };
    let change = Change::row(Row::Account(Box::new(late)));
    let rejected = store.write(move |tx| tx.apply(&change, sample::context().now())).await;
    assert!(matches!(rejected, Err(StoreError::Erased)), "{rejected:?}");
}

#[rstest]
#[tokio::test]
async fn backup_made_under_writes_is_one_snapshot(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (source, store) = sample::open(backend).await;
    let before = sample::user(&store).await;
    let writing = {
        let store = store.clone();
        tokio::spawn(async move {
            let mut made = Vec::new();
            loop {
                match tokio::time::timeout(std::time::Duration::from_secs(5), sample::user(&store)).await {
                    Ok(user) if made.len() < 400 => made.push(user),
                    Ok(_) | Err(_) => return made,
                }
            }
        })
    };
    let backup = back_up(&store, &source).await;
    let meanwhile = writing.await.unwrap();
    store.close().await;
    let target = TestDatabase::new(backend);
    let settings = settings_with_keys_of(&source, &target);
    let restored = restore(settings.clone(), backup).await.unwrap();
    let store = Store::open(settings).await.unwrap();
    assert!(has(&store, &before.id).await);
    let mut kept = 0;
    for user in &meanwhile {
        kept += u64::from(has(&store, &user.id).await);
    }
    // Each user is a row, and a row of its key, in the same state.
    assert_eq!(rows(&restored, "users"), 1 + kept);
    assert_eq!(rows(&restored, "scope_keys"), 1 + kept);
}

#[rstest]
#[tokio::test]
async fn unusable_portable_backup_leaves_the_database_empty(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (source, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let backup = back_up(&store, &source).await;
    store.close().await;
    let good = std::fs::read(&backup).unwrap();
    let target = TestDatabase::new(backend);
    let settings = settings_with_keys_of(&source, &target);
    let mut changed = good.clone();
    let at = good.windows(user.id.as_str().len()).position(|it| it == user.id.as_str().as_bytes()).unwrap();
    changed[at + 3] ^= 1;
    for (bytes, said) in [
        (&good[..good.len() - 1], "ends too early"),
        (&good[..good.len() / 2], "ends too early"),
        (changed.as_slice(), "do not match their hash"),
    ] {
        let bad = source.folder().join("bad");
        std::fs::write(&bad, bytes).unwrap();
        let refused = restore(settings.clone(), bad).await.unwrap_err().to_string();
        assert!(refused.contains(said), "{refused}");
    }
    let stranger = TestDatabase::new(backend);
    Store::open(stranger.settings()).await.unwrap().close().await;
    let other_keys = settings_with_keys_of(&stranger, &target);
    let refused = restore(other_keys, backup.clone()).await.unwrap_err();
    assert!(matches!(refused, BackupError::OtherKey { .. }), "{refused}");

    restore(settings.clone(), backup.clone()).await.unwrap();
    let again = restore(settings.clone(), backup).await.unwrap_err();
    assert!(matches!(again, BackupError::NotEmpty { .. }), "{again}");
    assert!(has(&Store::open(settings).await.unwrap(), &user.id).await);
}

#[rstest]
#[case(Backend::Sqlite, Backend::Postgres)]
#[case(Backend::Postgres, Backend::Sqlite)]
#[tokio::test]
async fn move_to_the_other_database_is_asked_for(#[case] from: Backend, #[case] to: Backend) {
    let (source, store) = sample::open(from).await;
    let backup = back_up(&store, &source).await;
    store.close().await;
    let target = TestDatabase::new(to);
    let settings = settings_with_keys_of(&source, &target);
    let attempt = |flags| {
        let (settings, backup) = (settings.clone(), backup.clone());
        std::thread::spawn(move || link_store::restore(&settings, &backup, flags, wall())).join().unwrap()
    };
    let refused = attempt(RestoreFlags::default()).unwrap_err();
    assert!(matches!(refused, BackupError::OtherDatabase { .. }), "{refused}");
    attempt(MOVE).unwrap();
}

#[tokio::test]
async fn restore_into_postgresql_is_rejected_while_a_service_uses_it() {
    let (source, store) = sample::open(Backend::Postgres).await;
    let backup = back_up(&store, &source).await;
    store.close().await;
    let target = TestDatabase::new(Backend::Postgres);
    let service = target.open().await;
    let refused = restore(settings_with_keys_of(&source, &target), backup).await.unwrap_err();
    assert!(matches!(&refused, BackupError::InUse { .. }), "{refused}");
    service.close().await;
}

#[rstest]
#[tokio::test]
async fn key_that_does_not_open_is_skipped_or_named(#[values(true, false)] is_known: bool) {
    let (source, store) = sample::open(Backend::Sqlite).await;
    let user = sample::user(&store).await;
    store.close().await;
    let StoreSettings::Sqlite { folder, .. } = source.settings() else { panic!("not SQLite") };
    let renewed = if is_known { 2 } else { 1 };
    let damage = format!("UPDATE scope_keys SET renewed = {renewed}, wrapped = zeroblob(length(wrapped))");
    sqlite::execute(&folder.join("linchpin.db"), &damage);
    let backup = back_up(&source.open().await, &source).await;
    let target = TestDatabase::new(Backend::Postgres);
    let restored = restore(settings_with_keys_of(&source, &target), backup).await;
    if is_known {
        assert_eq!(rows(&restored.unwrap(), "users"), 1);
    } else {
        let refused = restored.unwrap_err().to_string();
        assert!(refused.contains(user.id.as_str()), "{refused}");
    }
}

#[rstest]
#[case(Backend::Sqlite, Backend::Postgres)]
#[case(Backend::Postgres, Backend::Sqlite)]
#[tokio::test]
async fn missing_day_key_stops_the_move_to_the_other_database(#[case] from: Backend, #[case] to: Backend) {
    let (source, store) = sample::open(from).await;
    sample::user(&store).await;
    let backup = back_up(&store, &source).await;
    store.close().await;
    let target = TestDatabase::new(to);
    let settings = settings_with_keys_of(&source, &target);
    let (StoreSettings::Sqlite { keys, .. } | StoreSettings::Postgres { keys, .. }) = source.settings()
    else {
        panic!("no keys")
    };
    let day = std::fs::read_dir(&keys.days).unwrap().map(|it| it.unwrap().path());
    let day = day.into_iter().find(|path| path.extension().is_some_and(|it| it == "day")).unwrap();
    let aside = source.folder().join("aside");
    std::fs::rename(&day, &aside).unwrap();
    let then = sample::context().now().wall();
    let attempt = |settings: StoreSettings, backup: PathBuf| {
        std::thread::spawn(move || link_store::restore(&settings, &backup, MOVE, then)).join().unwrap()
    };
    let refused = attempt(settings.clone(), backup.clone()).unwrap_err();
    assert!(matches!(refused, BackupError::NoDayKey { keys: 1, .. }), "{refused}");
    std::fs::rename(&aside, &day).unwrap();
    attempt(settings, backup).unwrap();
}

#[tokio::test]
async fn sqlite_file_is_not_restored_into_postgresql() {
    let (source, store) = sample::open(Backend::Sqlite).await;
    store.back_up(file(&source), BackupForm::Usual, wall()).await.unwrap();
    store.close().await;
    let target = TestDatabase::new(Backend::Postgres);
    let refused = restore(settings_with_keys_of(&source, &target), file(&source)).await.unwrap_err();
    assert!(matches!(refused, BackupError::NotPortable { .. }), "{refused}");
}

fn keys_of(database: &TestDatabase) -> KeyFiles {
    match database.settings() {
        StoreSettings::Sqlite { keys, .. } | StoreSettings::Postgres { keys, .. } => keys,
        StoreSettings::Ephemeral => panic!("no keys"),
    }
}

#[rstest]
#[case(Backend::Sqlite, BackupForm::Usual)]
#[case(Backend::Sqlite, BackupForm::Portable)]
#[case(Backend::Postgres, BackupForm::Portable)]
#[tokio::test]
async fn verification_opens_values_of_each_sealed_column(#[case] backend: Backend, #[case] form: BackupForm) {
    let (database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let account = sample::read(&store, &user.id, "ana", 5).await;
    sample::webhook(&store, true).await;
    store.back_up(file(&database), form, wall()).await.unwrap();
    let verified = link_store::verify(&keys_of(&database), &file(&database), wall()).unwrap();
    assert!(!verified.is_expired());
    let opened: Vec<_> =
        verified.columns.iter().filter(|it| it.opened > 0).map(|it| it.name.as_str()).collect();
    for column in ["accounts.body", "data_points.body", "events.plain", "users.body", "webhooks.secret"] {
        assert!(opened.contains(&column), "{column}: {verified:?}");
    }
    assert!(verified.tables.iter().any(|it| it.table == "accounts" && it.rows == 1));
    drop(account);

    // Without the keys of the days, the backup is worth nothing.
    std::fs::rename(&keys_of(&database).days, database.folder().join("aside")).unwrap();
    let verified = link_store::verify(&keys_of(&database), &file(&database), wall()).unwrap();
    assert!(verified.is_expired() && verified.lost_days.is_empty(), "{verified:?}");
    // At a time at which these days are not over, their keys are lost.
    let then = sample::context().now().wall();
    let verified = link_store::verify(&keys_of(&database), &file(&database), then).unwrap();
    assert!(verified.lost_days.iter().map(|it| it.things).sum::<i64>() >= 2, "{verified:?}");
}

#[tokio::test]
async fn verification_finds_a_value_that_does_not_open() {
    let (database, store) = sample::open(Backend::Sqlite).await;
    sample::user(&store).await;
    store.back_up(file(&database), BackupForm::Usual, wall()).await.unwrap();
    sqlite::execute(&file(&database), "UPDATE users SET body = zeroblob(length(body))");
    let refused = link_store::verify(&keys_of(&database), &file(&database), wall()).unwrap_err().to_string();
    assert!(refused.contains("a sealed value in users cannot be opened"), "{refused}");
}
