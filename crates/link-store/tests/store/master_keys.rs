//! Rotation of the master key: all data stays readable, and the old key opens only backups that were made before.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use link_domain::kernel::master_key_source::{
    MasterKeyBytes, MasterKeySource, MasterKeySourceError, PlainKeyFile,
};
use link_store::test_support::{Backend, TestDatabase};
use link_store::{
    BackupError, BackupForm, KeyFiles, RestoreFlags, RotatedMasterKey, Store, StoreError, StoreSettings,
};
use link_types::id::UserId;
use rstest::rstest;
use secrecy::ExposeSecret;
use zeroize::Zeroizing;

use crate::erasure::holds;
use crate::opening::with_keys;
use crate::sample::{self, owner, wall};

/// A database with a user and a webhook from before the rotation of its key.
struct Rotated {
    database: TestDatabase,
    store: Store,
    user: UserId,
    keys: RotatedMasterKey,
}

impl Rotated {
    async fn new(backend: Backend) -> Self {
        let (database, store) = sample::open(backend).await;
        let user = sample::user(&store).await.id;
        sample::webhook(&store, true).await;
        let keys = store.rotate_master_key(wall()).await.unwrap();
        Self { database, store, user, keys }
    }

    /// Returns the settings with a key folder that has only this master key, and the same day keys.
    fn with_only(&self, key: &Path) -> StoreSettings {
        let folder = self.database.folder().join("only");
        std::fs::create_dir(&folder).unwrap();
        std::fs::copy(key, folder.join("master.key")).unwrap();
        let days = files(&self.database).days;
        with_keys(self.database.settings(), KeyFiles::new(folder.join("master.key"), days))
    }
}

fn files(database: &TestDatabase) -> KeyFiles {
    match database.settings() {
        StoreSettings::Sqlite { keys, .. } | StoreSettings::Postgres { keys, .. } => keys,
        StoreSettings::Ephemeral => panic!("no keys"),
    }
}

/// Asserts that `master.key` is the current key of a database.
async fn assert_settled(database: &TestDatabase, store: &Store) {
    let (files, current) = (files(database), store.master_keys().await.unwrap()[0].id.clone());
    let content = |path: PathBuf| std::fs::read(path).unwrap();
    assert_eq!(content(files.path_of(&current)), content(files.master), "{current}");
}

async fn has(store: &Store, user: &UserId) -> bool {
    let user = user.clone();
    let found: Result<_, StoreError> = store.read(move |reader| reader.users().get(&owner(), &user)).await;
    found.unwrap().is_some()
}

/// Reads the wrapped root key of the current master key, bypassing the store.
fn read_wrapped_root(database: &TestDatabase) -> Vec<u8> {
    let query = "SELECT root_key FROM master_keys WHERE replaced_at IS NULL";
    match database.settings() {
        StoreSettings::Postgres { address, .. } => std::thread::spawn(move || {
            let mut raw = postgres::Client::connect(address.expose_secret(), postgres::NoTls).unwrap();
            // Otherwise the row is in the server's memory only.
            raw.batch_execute("CHECKPOINT").unwrap();
            raw.query_one(query, &[]).unwrap().get(0)
        })
        .join()
        .unwrap(),
        StoreSettings::Sqlite { folder, .. } => {
            let raw = rusqlite::Connection::open(folder.join("linchpin.db")).unwrap();
            raw.query_row(query, [], |row| row.get(0)).unwrap()
        }
        StoreSettings::Ephemeral => panic!("no files"),
    }
}

#[rstest]
#[tokio::test]
async fn rotation_keeps_all_data_readable(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let Rotated { database, store, user, keys } = Rotated::new(backend).await;
    assert!(has(&store, &user).await);
    let later = sample::user(&store).await.id;
    let listed = store.master_keys().await.unwrap();
    let states: Vec<_> = listed.iter().map(|it| (it.id.clone(), it.replaced_at.is_some())).collect();
    assert_eq!(states, [(keys.new.clone(), false), (keys.old.clone(), true)]);
    assert_eq!(listed[1].replaced_at, Some(listed[0].created_at));
    assert_eq!((&keys.new_file, keys.is_settled), (&files(&database).path_of(&keys.new), true));
    assert_settled(&database, &store).await;
    store.check_master_key().await.unwrap();
    store.close().await;
    let store = database.open().await;
    assert!(has(&store, &user).await && has(&store, &later).await);
    // A second rotation begins with the first one's key.
    let again = store.rotate_master_key(wall()).await.unwrap();
    assert_eq!(again.old, keys.new);
    store.close().await;
    assert!(has(&database.open().await, &user).await);
}

#[rstest]
#[tokio::test]
async fn replaced_key_opens_nothing(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (database, store) = sample::open(backend).await;
    let user = sample::user(&store).await.id;
    let wrapped = read_wrapped_root(&database);
    assert!(holds(&database.files(), &wrapped), "it is found before the rotation");
    let keys = store.rotate_master_key(wall()).await.unwrap();
    if backend == Backend::Sqlite {
        assert!(!holds(&database.files(), &wrapped), "the log is emptied before the response");
    }
    // PostgreSQL vacuums when the store closes.
    store.close().await;
    read_wrapped_root(&database);
    assert!(!holds(&database.files(), &wrapped));
    let rotated = Rotated { store, user, keys, database };
    let only_old = rotated.with_only(&rotated.keys.old_file);
    let refused = Store::open(only_old).await.err().unwrap();
    let StoreError::WrongMasterKey { found, expected, .. } = &refused else { panic!("{refused}") };
    assert_eq!((found, expected), (&rotated.keys.old, &rotated.keys.new));
    std::fs::remove_file(&rotated.keys.old_file).unwrap();
    assert!(has(&rotated.database.open().await, &rotated.user).await);
}

#[rstest]
#[tokio::test]
async fn start_finishes_a_rotation_that_was_killed(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let Rotated { database, store, user, keys } = Rotated::new(backend).await;
    store.close().await;
    let files = files(&database);
    // The state after the commit: `master.key` is still the old key.
    std::fs::copy(&keys.old_file, &files.master).unwrap();
    let store = database.open().await;
    assert!(has(&store, &user).await);
    let content = |path: PathBuf| std::fs::read(path).unwrap();
    assert_eq!(content(files.master.clone()), content(files.path_of(&keys.new)));
    // The state before the commit: the file of a key that no database knows.
    let other = TestDatabase::new(Backend::Sqlite);
    let unused = other.open().await.rotate_master_key(wall()).await.unwrap();
    std::fs::copy(&unused.old_file, files.path_of(&unused.old)).unwrap();
    store.rotate_master_key(wall()).await.unwrap();
    store.close().await;
    assert!(has(&database.open().await, &user).await);
}

#[tokio::test]
async fn node_with_the_old_key_only_goes_on_and_does_not_start_again() {
    let (database, store) = sample::open(Backend::Postgres).await;
    let user = sample::user(&store).await.id;
    let folder = database.folder().join("node");
    std::fs::create_dir(&folder).unwrap();
    let shared = files(&database);
    let own = folder.join("master.key");
    std::fs::copy(&shared.master, &own).unwrap();
    let settings = with_keys(database.settings(), KeyFiles::new(own.clone(), shared.days.clone()));
    let node = Store::open(settings.clone()).await.unwrap();
    store.rotate_master_key(wall()).await.unwrap();

    let written = sample::user(&node).await.id;
    assert!(has(&node, &user).await && has(&store, &written).await);
    let refused = node.check_master_key().await.unwrap_err();
    assert!(matches!(refused, StoreError::WrongMasterKey { .. }), "{refused}");
    let refused = node.rotate_master_key(wall()).await.unwrap_err();
    assert!(matches!(refused, StoreError::WrongMasterKey { .. }), "{refused}");
    // Its backups name the key that opens them.
    let backup = database.folder().join("of-node.backup");
    node.back_up(backup.clone(), BackupForm::Portable, wall()).await.unwrap();
    let verified = tokio::task::spawn_blocking(move || link_store::verify(&shared, &backup, wall()));
    assert!(!verified.await.unwrap().unwrap().is_expired());
    node.close().await;
    let refused = Store::open(settings.clone()).await.err().unwrap().to_string();
    assert!(refused.contains("copy the key from the node that rotated it"), "{refused}");
    std::fs::copy(&files(&database).master, &own).unwrap();
    assert!(has(&Store::open(settings).await.unwrap(), &written).await);
}

#[rstest]
#[tokio::test]
async fn check_finishes_a_rotation_that_failed_late(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let Rotated { database, store, keys, .. } = Rotated::new(backend).await;
    let files = files(&database);
    // The state after an error or another node's race: `master.key` is still the old key.
    std::fs::copy(&keys.old_file, &files.master).unwrap();
    store.check_master_key().await.unwrap();
    assert_settled(&database, &store).await;
    // A folder in its place cannot be replaced.
    std::fs::remove_file(&files.master).unwrap();
    std::fs::create_dir(&files.master).unwrap();
    std::fs::write(files.master.join("file"), "").unwrap();
    assert!(store.check_master_key().await.is_err());
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn rotations_at_the_same_time_lose_no_key(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    let user = sample::user(&store).await.id;
    let other = if backend == Backend::Postgres { database.open().await } else { store.clone() };
    let rotations = (0..8).map(|number| {
        let node = if number % 2 == 0 { store.clone() } else { other.clone() };
        tokio::spawn(async move { node.rotate_master_key(wall()).await })
    });
    let mut done = 0;
    for rotation in rotations.collect::<Vec<_>>() {
        match rotation.await.unwrap() {
            Ok(_) => done += 1,
            Err(error) => assert!(matches!(error, StoreError::Stale { .. }), "{error}"),
        }
    }
    let listed = store.master_keys().await.unwrap();
    assert_eq!(listed.len(), done + 1);
    assert_eq!(listed.iter().filter(|it| it.replaced_at.is_none()).count(), 1);
    assert_settled(&database, &store).await;
    for node in [store, other] {
        node.close().await;
    }
    assert!(has(&database.open().await, &user).await);
}

#[rstest]
#[case(Backend::Sqlite, BackupForm::Usual)]
#[case(Backend::Sqlite, BackupForm::Portable)]
#[case(Backend::Postgres, BackupForm::Portable)]
#[tokio::test]
async fn backup_from_before_names_the_key_it_needs(#[case] backend: Backend, #[case] form: BackupForm) {
    let (database, store) = sample::open(backend).await;
    let user = sample::user(&store).await.id;
    let backup = database.folder().join("before.backup");
    store.back_up(backup.clone(), form, wall()).await.unwrap();
    let keys = store.rotate_master_key(wall()).await.unwrap();
    store.close().await;
    let shared = files(&database);
    let target = TestDatabase::new(backend);
    let settings = match target.settings() {
        StoreSettings::Sqlite { .. } => {
            StoreSettings::Sqlite { folder: target.folder().to_owned(), keys: shared.clone() }
        }
        other @ (StoreSettings::Postgres { .. } | StoreSettings::Ephemeral) => {
            with_keys(other, shared.clone())
        }
    };
    let restore = || {
        let (settings, backup) = (settings.clone(), backup.clone());
        let run = move || link_store::restore(&settings, &backup, RestoreFlags::default(), wall());
        std::thread::spawn(run).join().unwrap()
    };
    let aside = database.folder().join("aside");
    std::fs::rename(&keys.old_file, &aside).unwrap();
    let verified = link_store::verify(&shared, &backup, wall()).unwrap_err();
    let restored = restore().unwrap_err();
    for refused in [verified, restored] {
        let text = refused.to_string();
        let BackupError::OtherKey { needed, found, .. } = refused else { panic!("{text}") };
        assert_eq!((&needed, &found), (&keys.old, &keys.new));
        assert!(text.contains(&keys.old_file.display().to_string()), "{text}");
    }
    std::fs::rename(&aside, &keys.old_file).unwrap();
    assert!(!link_store::verify(&shared, &backup, wall()).unwrap().is_expired());
    restore().unwrap();
    let store = Store::open(settings).await.unwrap();
    assert!(has(&store, &user).await);
    // The restored database has the old key again, and no key is lost.
    assert_eq!(store.master_keys().await.unwrap()[0].id, keys.old);
    assert!(shared.path_of(&keys.new).exists());
    store.rotate_master_key(wall()).await.unwrap();
}

/// A program that wraps nothing any more.
#[derive(Debug)]
struct Refusing;

impl MasterKeySource for Refusing {
    fn open(&self, content: &[u8]) -> Result<MasterKeyBytes, MasterKeySourceError> {
        PlainKeyFile.open(content)
    }

    fn protect(&self, _: &MasterKeyBytes) -> Result<Zeroizing<Vec<u8>>, MasterKeySourceError> {
        let (program, words) = ("kms".to_owned(), "AccessDenied".to_owned());
        Err(MasterKeySourceError::Failed { program, action: "wrap", status: "exit status: 1".into(), words })
    }
}

#[rstest]
#[tokio::test]
async fn refused_rotation_changes_nothing(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (database, store) = sample::open(backend).await;
    let user = sample::user(&store).await.id;
    let before = store.master_keys().await.unwrap();
    store.close().await;
    let refusing = files(&database).with_source(Arc::new(Refusing));
    let store = Store::open(with_keys(database.settings(), refusing)).await.unwrap();
    let refused = store.rotate_master_key(wall()).await.unwrap_err();
    assert!(refused.to_string().contains("AccessDenied"), "{refused}");
    assert_eq!(store.master_keys().await.unwrap(), before);
    store.close().await;
    assert!(has(&database.open().await, &user).await);
}

#[tokio::test]
async fn store_in_memory_has_no_key_to_rotate() {
    let store = Store::open(StoreSettings::Ephemeral).await.unwrap();
    assert!(matches!(store.rotate_master_key(wall()).await, Err(StoreError::NoKeyFiles)));
    store.check_master_key().await.unwrap();
}
