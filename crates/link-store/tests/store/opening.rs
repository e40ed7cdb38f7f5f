//! Opening a store: locks, permissions, keys and the state that a start finds.

use std::os::unix::fs::PermissionsExt;

use link_store::test_support::{Backend, TestDatabase};
use link_store::{KeyFiles, Store, StoreError, StoreSettings};
use rstest::rstest;
use secrecy::{ExposeSecret as _, SecretString};

use crate::sample::{self, owner};

pub fn with_keys(settings: StoreSettings, keys: KeyFiles) -> StoreSettings {
    match settings {
        StoreSettings::Sqlite { folder, .. } => StoreSettings::Sqlite { folder, keys },
        StoreSettings::Postgres { address, connections, .. } => {
            StoreSettings::Postgres { address, connections, keys }
        }
        StoreSettings::Ephemeral => StoreSettings::Ephemeral,
    }
}

#[tokio::test]
async fn folder_in_use_is_rejected_with_the_owners_process_id() {
    let database = TestDatabase::new(Backend::Sqlite);
    let store = database.open().await;
    let refusal = Store::open(database.settings()).await.err().unwrap();
    assert!(matches!(refusal, StoreError::FolderInUse { .. }));
    assert!(refusal.to_string().contains(&format!("process {}", std::process::id())), "{refusal}");
    store.close().await;
    database.open().await;
}

#[tokio::test]
async fn data_folder_and_files_are_private() {
    let database = TestDatabase::new(Backend::Sqlite);
    let _store = database.open().await;
    let mode = |name: &str| {
        let path = database.folder().join("data").join(name);
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    };
    assert_eq!((mode(""), mode("keys"), mode("master.key")), (0o700, 0o700, 0o600));
    for file in ["linchpin.db", "linchpin.db-wal", "linchpin.db-shm"] {
        assert_eq!(mode(file), 0o600, "{file}");
    }
}

#[tokio::test]
async fn two_nodes_share_a_postgres_database() {
    let database = TestDatabase::new(Backend::Postgres);
    let (one, other) = (database.open().await, database.open().await);
    let user = sample::user(&one).await;
    let account = sample::connect(&one, &user.id, "good").await;
    let found: Result<_, StoreError> =
        other.read(move |reader| reader.accounts().get(&owner(), &account.id)).await;
    assert!(found.unwrap().is_some());
}

#[tokio::test]
async fn postgres_errors_include_advice() {
    let database = TestDatabase::new(Backend::Postgres);
    let StoreSettings::Postgres { address, connections, keys } = database.settings() else { unreachable!() };
    let right = address.expose_secret();
    for (address, said, advice) in [
        (format!("{right} dbname=nowhere"), "database \"nowhere\" does not exist", "createdb"),
        (format!("{right} user=nobody"), "role \"nobody\" does not exist", "Check user, password"),
        (
            "host=127.0.0.1 port=1 user=nobody".to_owned(),
            "Connection refused",
            "Check that the server is running",
        ),
        (
            format!("{right} options='-c default_transaction_read_only=on'"),
            "database does not allow writes",
            "Name all hosts of the cluster",
        ),
    ] {
        let address = SecretString::from(format!("{address} password=canary"));
        let refused = Store::open(StoreSettings::Postgres { address, connections, keys: keys.clone() }).await;
        let refused = refused.err().unwrap().to_string();
        assert!(refused.contains(said) && refused.contains(advice), "{refused}");
        assert!(!refused.contains("canary"), "{refused}");
    }
}

#[rstest]
#[tokio::test]
async fn wrong_or_missing_master_key_is_rejected(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    store.close().await;

    let elsewhere =
        KeyFiles::new(database.folder().join("another.key"), database.folder().join("other-keys"));
    let missing = Store::open(with_keys(database.settings(), elsewhere.clone())).await.err().unwrap();
    assert!(missing.to_string().contains("restore it"), "{missing}");
    assert!(!elsewhere.master.exists());

    std::fs::write(&elsewhere.master, "11".repeat(32)).unwrap();
    std::fs::set_permissions(&elsewhere.master, std::fs::Permissions::from_mode(0o600)).unwrap();
    let wrong = Store::open(with_keys(database.settings(), elsewhere)).await.err().unwrap();
    assert!(matches!(wrong, StoreError::WrongMasterKey { .. }), "{wrong}");

    let store = database.open().await;
    let found: Result<_, StoreError> = store.read(move |reader| reader.users().get(&owner(), &user.id)).await;
    assert!(found.unwrap().is_some());
}

#[rstest]
#[tokio::test]
async fn start_recovers_a_master_key_draft(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    store.close().await;
    let (StoreSettings::Sqlite { keys, .. } | StoreSettings::Postgres { keys, .. }) = database.settings()
    else {
        panic!("it has keys")
    };
    std::fs::rename(&keys.master, keys.master.with_extension("key.new")).unwrap();
    let store = database.open().await;
    let found: Result<_, StoreError> = store.read(move |reader| reader.users().get(&owner(), &user.id)).await;
    assert!(found.unwrap().is_some());
    assert!(keys.master.exists() && !keys.master.with_extension("key.new").exists());
}

#[rstest]
#[tokio::test]
async fn empty_database_with_existing_keys_is_rejected(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let used = TestDatabase::new(backend);
    let store = used.open().await;
    sample::user(&store).await;
    store.close().await;
    let (StoreSettings::Sqlite { keys, .. } | StoreSettings::Postgres { keys, .. }) = used.settings() else {
        panic!("it has keys")
    };
    let empty = TestDatabase::new(backend);
    for beside in [keys.clone(), KeyFiles::new(used.folder().join("none.key"), keys.days.clone())] {
        let refused = Store::open(with_keys(empty.settings(), beside.clone())).await.err().unwrap();
        assert!(matches!(refused, StoreError::KeysWithoutDatabase { .. }), "{refused}");
        assert_eq!(beside.master.exists(), beside.master == keys.master, "no key is created");
    }
    empty.open().await;
}

#[rstest]
#[tokio::test]
async fn lost_days_lists_days_with_missing_key_files(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (database, store) = sample::open(backend).await;
    sample::user(&store).await;
    assert_eq!(store.find_lost_days(link_store::Day(0)).await.unwrap(), []);
    store.close().await;
    let (StoreSettings::Sqlite { keys, .. } | StoreSettings::Postgres { keys, .. }) = database.settings()
    else {
        panic!("it has keys")
    };
    std::fs::remove_dir_all(keys.days).unwrap();
    let store = database.open().await;
    let lost = store.find_lost_days(link_store::Day(0)).await.unwrap();
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert_eq!(lost[0].things, 1);
    let later = link_store::Day(lost[0].day.0 + 1);
    assert_eq!(store.find_lost_days(later).await.unwrap(), [], "a day that is over may be destroyed");
}

#[tokio::test]
async fn invalid_address_is_rejected_without_showing_it() {
    let database = TestDatabase::new(Backend::Sqlite);
    let keys = KeyFiles::in_folder(database.folder());
    let address = "postgres://someone:s3cret@host:notaport/db".into();
    let refusal = Store::open(StoreSettings::Postgres { address, connections: 1, keys }).await.err().unwrap();
    assert!(matches!(refusal, StoreError::Address(_)), "{refusal}");
    assert!(!refusal.to_string().contains("s3cret"), "{refusal}");
}
