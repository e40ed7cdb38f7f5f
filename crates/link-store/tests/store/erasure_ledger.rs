//! The ledger of erasures: after an older backup is restored, what was erased since then is erased again.

use std::path::{Path, PathBuf};
use std::time::Duration;

use link_domain::kernel::clock::Wall;
use link_domain::linking::account::Account;
use link_domain::tenancy::user::User;
use link_domain::use_cases::MAX_ERASED_AT_ONCE;
use link_store::test_support::{Backend, TestDatabase};
use link_store::{BackupForm, RestoreFlags, Store, StoreError, StoreSettings};
use link_types::id::UserId;
use rstest::rstest;

use crate::sample::{self, context, owner, wall};

/// Returns the settings of the database after a restore: SQLite's folder again, or another database of the server.
async fn restore(database: &TestDatabase, target: &TestDatabase, backup: PathBuf) -> StoreSettings {
    let settings = match (database.settings(), target.settings()) {
        (StoreSettings::Postgres { keys, connections, .. }, StoreSettings::Postgres { address, .. }) => {
            StoreSettings::Postgres { address, connections, keys }
        }
        (sqlite, _) => sqlite,
    };
    let used = settings.clone();
    tokio::task::spawn_blocking(move || {
        let flags = RestoreFlags { replaces: true, ..RestoreFlags::default() };
        std::thread::spawn(move || link_store::restore(&used, &backup, flags, wall())).join().unwrap()
    })
    .await
    .unwrap()
    .unwrap();
    settings
}

async fn erase_user(store: &Store, user: &User) {
    let (id, context) = (user.id.clone(), context());
    let erased: Result<(), StoreError> = store
        .write(move |tx| {
            let mut context = context.clone();
            let user = tx.users().get(&owner(), &id)?.expect("the user is there");
            let data = tx.users().data(&owner(), &id, MAX_ERASED_AT_ONCE)?;
            let change = user.erase(data, &mut context);
            tx.apply(&change, context.now())
        })
        .await;
    erased.unwrap();
}

async fn account_is_there(store: &Store, account: &Account) -> bool {
    let id = account.id.clone();
    let found: Result<_, StoreError> = store.read(move |reader| reader.accounts().get(&owner(), &id)).await;
    found.unwrap().is_some()
}

async fn record_clock(store: &Store, now: Wall) {
    let recorded: Result<(), StoreError> = store.write(move |tx| tx.retention_clock().record(now)).await;
    recorded.unwrap();
}

fn key_folder(database: &TestDatabase) -> PathBuf {
    match database.settings() {
        StoreSettings::Sqlite { keys, .. } | StoreSettings::Postgres { keys, .. } => keys.days,
        StoreSettings::Ephemeral => panic!("no key folder"),
    }
}

fn ledgers(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|it| it == "erased")).collect()
}

#[rstest]
#[tokio::test]
async fn restored_backup_loses_what_was_erased_after_it(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
    #[values(BackupForm::Usual, BackupForm::Portable)] form: BackupForm,
) {
    let (database, store) = sample::open(backend).await;
    let (kept, gone) = (sample::user(&store).await, sample::user_called(&store, Some("canary")).await);
    let account = sample::read(&store, &kept.id, "kept", 3).await;
    let revoked = sample::read(&store, &kept.id, "revoked", 3).await;
    let of_gone = sample::read(&store, &gone.id, "gone", 3).await;
    record_clock(&store, context().now().wall()).await;
    let backup = database.folder().join("backup");
    store.back_up(backup.clone(), form, wall()).await.unwrap();
    erase_user(&store, &gone).await;
    sample::revoke(&store, &revoked).await;
    store.close().await;

    let target = TestDatabase::new(backend);
    let settings = restore(&database, &target, backup).await;
    let store = Store::open(settings).await.unwrap();
    assert!(account_is_there(&store, &of_gone).await, "the backup still has it");
    let erased = store.replay_erasures(context()).await.unwrap();
    assert_eq!(erased, 3, "a user and two accounts");
    for account in [&of_gone, &revoked] {
        assert!(!account_is_there(&store, account).await);
    }
    assert!(account_is_there(&store, &account).await);
    let left: Result<_, StoreError> = store
        .read(move |reader| {
            let gone = reader.users().by_reference(&owner(), "canary")?;
            let kept = reader.users().get(&owner(), &kept.id)?.is_some();
            Ok((gone, kept, reader.data_points().of_account(&owner(), &revoked.id)?.len()))
        })
        .await;
    assert_eq!(left.unwrap(), (None, true, 0));
    assert_eq!(store.replay_erasures(context()).await.unwrap(), 0, "once");
}

/// Does what the job does that erases the rest of a user.
async fn erase_rest(store: &Store, user: &UserId) {
    let (user, context) = (user.clone(), context());
    let erased: Result<(), StoreError> = store
        .write(move |tx| {
            let job = tx.jobs().get(&owner(), &format!("erase-user/{user}"))?;
            assert!(job.is_some(), "a job erases what has no line in the ledger");
            let data = tx.users().data(&owner(), &user, 1_000)?;
            let change = data.erase(&owner(), &user, &mut context.clone());
            tx.apply(&change, context.now())
        })
        .await;
    erased.unwrap();
}

#[rstest]
#[tokio::test]
async fn replay_for_a_user_also_erases_older_and_late_objects(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let mut accounts = Vec::new();
    for number in 0..=MAX_ERASED_AT_ONCE {
        accounts.push(sample::begin_account(&store, &user.id, &format!("login-{number}")).await);
    }
    let revoked = sample::read(&store, &user.id, "revoked", 3).await;
    accounts.push(sample::revoke(&store, &revoked).await);
    record_clock(&store, context().now().wall()).await;
    let backup = database.folder().join("backup");
    store.back_up(backup.clone(), BackupForm::Portable, wall()).await.unwrap();
    // The service is killed before the job erases the rest.
    erase_user(&store, &user).await;
    store.close().await;

    let target = TestDatabase::new(backend);
    let store = Store::open(restore(&database, &target, backup).await).await.unwrap();
    store.replay_erasures(context()).await.unwrap();
    erase_rest(&store, &user.id).await;
    for account in &accounts {
        assert!(!account_is_there(&store, account).await, "{account:?}");
    }
}

#[rstest]
#[tokio::test]
async fn missing_line_of_an_erasure_is_added_at_the_next_start(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    record_clock(&store, context().now().wall()).await;
    erase_user(&store, &sample::user(&store).await).await;
    let [file] = ledgers(&key_folder(&database)).try_into().unwrap();
    let lines = std::fs::read_to_string(&file).unwrap();
    assert_eq!(lines.lines().count(), 1, "{lines}");
    // The database was in use for long since then.
    record_clock(&store, context().now().wall() + Duration::from_secs(40 * 86_400)).await;
    store.close().await;
    // A process that was killed right after the commit left no line.
    std::fs::remove_file(&file).unwrap();
    let store = database.open().await;
    assert_eq!(store.replay_erasures(context()).await.unwrap(), 0);
    let [file] = ledgers(&key_folder(&database)).try_into().unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), lines);
}

#[rstest]
#[tokio::test]
async fn erasure_is_not_acknowledged_without_its_line(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let (folder, aside) = (key_folder(&database), database.folder().join("aside"));
    std::fs::rename(&folder, &aside).unwrap();
    let context = context();
    let id = user.id.clone();
    let refused = store
        .write(move |tx| {
            let mut context = context.clone();
            let user = tx.users().get(&owner(), &id)?.expect("the user is there");
            let change = user.erase(tx.users().data(&owner(), &id, MAX_ERASED_AT_ONCE)?, &mut context);
            tx.apply(&change, context.now())
        })
        .await;
    assert!(refused.as_ref().is_err_and(StoreError::is_unwritable), "{refused:?}");
    std::fs::rename(&aside, &folder).unwrap();
    // The next erasure writes both lines.
    erase_user(&store, &sample::user(&store).await).await;
    let lines: usize =
        ledgers(&folder).iter().map(|it| std::fs::read_to_string(it).unwrap().lines().count()).sum();
    assert_eq!(lines, 2);
}
