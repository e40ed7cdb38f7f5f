//! Backups that are SQLite files, and their restore.

use std::path::{Path, PathBuf};

use link_store::test_support::{Backend, TestDatabase, sqlite};
use link_store::{BackupError, BackupForm, RestoreFlags, Restored, Store, StoreError, StoreSettings};
use link_types::id::UserId;

use crate::sample::{self, owner, wall};

const REPLACE: RestoreFlags = RestoreFlags { replaces: true, moves: false };

fn data(database: &TestDatabase) -> PathBuf {
    database.folder().join("data")
}

/// Restores over the database of a folder.
fn restore(folder: &Path, backup: &Path) -> Result<Restored, BackupError> {
    link_store::restore(&StoreSettings::in_folder(folder), backup, REPLACE, wall())
}

fn back_up(folder: &Path, backup: &Path) -> Result<(), BackupError> {
    link_store::back_up(&StoreSettings::in_folder(folder), backup, BackupForm::Usual, wall())
}

async fn back_up_running(store: &Store, backup: &Path) -> Result<(), BackupError> {
    store.back_up(backup.to_owned(), BackupForm::Usual, wall()).await
}

async fn has(store: &Store, user: &UserId) -> bool {
    let user = user.clone();
    let found: Result<_, StoreError> = store.read(move |reader| reader.users().get(&owner(), &user)).await;
    found.unwrap().is_some()
}

/// Returns the message of a restore that must fail.
fn refusal(folder: &Path, backup: &Path) -> String {
    restore(folder, backup).unwrap_err().to_string()
}

#[tokio::test]
async fn restored_backup_replaces_the_database_and_its_log() {
    let (database, store) = sample::open(Backend::Sqlite).await;
    let kept = sample::user(&store).await;
    let backup = database.folder().join("backup.db");
    back_up_running(&store, &backup).await.unwrap();
    let lost = sample::user(&store).await;

    let in_use = restore(&data(&database), &backup).unwrap_err();
    assert!(matches!(in_use, BackupError::Store(StoreError::FolderInUse { .. })), "{in_use}");

    // What a killed process leaves: a database and a log that together hold both users.
    let log = std::fs::read(data(&database).join("linchpin.db-wal")).unwrap();
    let shared = std::fs::read(data(&database).join("linchpin.db-shm")).unwrap();
    let file = std::fs::read(data(&database).join("linchpin.db")).unwrap();
    assert!(!log.is_empty());
    store.close().await;
    for (name, bytes) in [("linchpin.db-wal", log), ("linchpin.db-shm", shared), ("linchpin.db", file)] {
        std::fs::write(data(&database).join(name), bytes).unwrap();
    }
    restore(&data(&database), &backup).unwrap();
    assert!(!data(&database).join("linchpin.db-wal").exists());
    assert!(!data(&database).join("linchpin.db-shm").exists());

    let store = database.open().await;
    assert!(has(&store, &kept.id).await);
    assert!(!has(&store, &lost.id).await);
}

#[tokio::test]
async fn backup_of_a_stopped_service_holds_its_log() {
    let (database, store) = sample::open(Backend::Sqlite).await;
    let user = sample::user(&store).await;
    let (killed, backup) = (database.folder().join("killed"), database.folder().join("backup.db"));
    std::fs::create_dir(&killed).unwrap();
    for file in ["linchpin.db", "linchpin.db-wal"] {
        std::fs::copy(data(&database).join(file), killed.join(file)).unwrap();
    }
    store.close().await;
    back_up(&killed, &backup).unwrap();
    assert!(killed.join("linchpin.db-wal").exists(), "a backup changes nothing");
    restore(&data(&database), &backup).unwrap();
    assert!(has(&database.open().await, &user.id).await);
}

#[tokio::test]
async fn backup_is_a_new_private_file() {
    use std::os::unix::fs::PermissionsExt;
    let (database, store) = sample::open(Backend::Sqlite).await;
    let backup = database.folder().join("backup.db");
    back_up_running(&store, &backup).await.unwrap();
    assert_eq!(std::fs::metadata(&backup).unwrap().permissions().mode() & 0o777, 0o600);
    let before = std::fs::read(&backup).unwrap();
    let again = back_up_running(&store, &backup).await.unwrap_err().to_string();
    assert!(again.contains("exists. Name a new file"), "{again}");
    assert_eq!(std::fs::read(&backup).unwrap(), before);
    let nowhere =
        back_up_running(&store, &database.folder().join("missing/backup.db")).await.unwrap_err().to_string();
    assert!(nowhere.contains("missing/backup.db") && nowhere.contains("can write"), "{nowhere}");
    let drafts = std::fs::read_dir(database.folder()).unwrap().map(|it| it.unwrap().file_name());
    assert!(drafts.into_iter().all(|name| !name.to_string_lossy().starts_with('.')));
}

#[tokio::test]
async fn unusable_backup_changes_nothing() {
    let (database, store) = sample::open(Backend::Sqlite).await;
    let user = sample::user(&store).await;
    let good = database.folder().join("good.db");
    back_up_running(&store, &good).await.unwrap();
    store.close().await;
    let bad = |name: &str| {
        let path = database.folder().join(name);
        std::fs::copy(&good, &path).unwrap();
        path
    };
    let (damaged, newer, live, text) = (bad("damaged.db"), bad("newer.db"), bad("live.db"), bad("text.db"));
    sqlite::damage(&damaged, "users");
    sqlite::execute(&newer, "INSERT INTO schema_versions (version, serves_from) VALUES (99, 1)");
    std::fs::write(database.folder().join("live.db-wal"), "log").unwrap();
    std::fs::write(&text, "no database").unwrap();
    let empty = database.folder().join("empty.db");
    std::fs::write(&empty, "").unwrap();
    for (backup, said) in [
        (&damaged, "is damaged or not a backup"),
        (&newer, "start a newer program"),
        (&live, "live.db-wal holds a part of it"),
        (&text, "file is not a database"),
        (&empty, "no such table"),
        (&database.folder().join("missing.db"), "cannot read the backup"),
    ] {
        let refused = refusal(&data(&database), backup);
        assert!(refused.contains(said), "{backup:?}: {refused}");
        let mut names = std::fs::read_dir(data(&database)).unwrap().map(|it| it.unwrap().file_name());
        assert!(names.all(|name| !name.to_string_lossy().contains("restored")), "{backup:?}");
    }
    let elsewhere = refusal(&database.folder().join("nowhere"), &good);
    assert!(elsewhere.contains("does not exist"), "{elsewhere}");
    let without = back_up(&database.folder().join("nowhere"), &empty).unwrap_err().to_string();
    assert!(without.contains("has no SQLite database"), "{without}");
    assert!(has(&database.open().await, &user.id).await);
}

#[tokio::test]
async fn backup_of_another_installation_is_rejected() {
    let (database, store) = sample::open(Backend::Sqlite).await;
    let user = sample::user(&store).await;
    store.close().await;
    let (other, elsewhere) = sample::open(Backend::Sqlite).await;
    let backup = other.folder().join("backup.db");
    back_up_running(&elsewhere, &backup).await.unwrap();
    let refused = restore(&data(&database), &backup).unwrap_err();
    assert!(matches!(refused, BackupError::OtherKey { .. }), "{refused}");
    assert!(has(&database.open().await, &user.id).await);
}

#[tokio::test]
async fn backup_behind_a_link_with_a_log_is_rejected() {
    let (database, store) = sample::open(Backend::Sqlite).await;
    let link = database.folder().join("latest.db");
    std::os::unix::fs::symlink(data(&database).join("linchpin.db"), &link).unwrap();
    sample::user(&store).await;
    let other = database.folder().join("other");
    std::fs::create_dir(&other).unwrap();
    let refused = restore(&other, &link).unwrap_err();
    assert!(matches!(refused, BackupError::HasLog { .. }), "{refused}");
}

#[tokio::test]
async fn existing_database_is_replaced_only_on_request() {
    let (database, store) = sample::open(Backend::Sqlite).await;
    let backup = database.folder().join("backup.db");
    back_up_running(&store, &backup).await.unwrap();
    let user = sample::user(&store).await;
    store.close().await;
    let refused =
        link_store::restore(&database.settings(), &backup, RestoreFlags::default(), wall()).unwrap_err();
    assert!(matches!(refused, BackupError::NotEmpty { .. }), "{refused}");
    assert!(has(&database.open().await, &user.id).await);
}

#[tokio::test]
async fn restored_file_reports_the_rows_of_each_table() {
    let (database, store) = sample::open(Backend::Sqlite).await;
    for _ in 0..3 {
        sample::user(&store).await;
    }
    let backup = database.folder().join("backup.db");
    back_up_running(&store, &backup).await.unwrap();
    store.close().await;
    let restored = restore(&data(&database), &backup).unwrap();
    let users = restored.tables.iter().find(|it| it.name == "users").map(|it| it.rows);
    assert_eq!(users, Some(3), "{restored:?}");
}
