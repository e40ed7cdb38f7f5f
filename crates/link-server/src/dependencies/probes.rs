//! Tries what the service needs from its dependencies.

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use link_domain::documents::file_store::{FileStore, FileStoreError};
use link_store::{BackupTarget, ObjectFiles, Store, StoreError, is_marked, on_thread};
use tokio::time::MissedTickBehavior;

use super::checks::database_fault;
use super::{Dependency, DependencyError};
use crate::app::App;

/// How often the folders of this machine are probed, and every dependency that refuses.
const EVERY: Duration = Duration::from_secs(10);
/// How long another program may read the SQLite database after an erasure before that is an error.
const MAX_HELD: Duration = Duration::from_secs(30);
/// The size of the temporary file of a probe. A page of a document is larger than a small rest of a disk.
const TEMPORARY_BYTES: usize = 1 << 20;

/// Writes, reads, lists and deletes an object in the store of files.
///
/// # Errors
/// The refusal, with the store's own code.
pub async fn probe_files(files: &dyn FileStore, number: u64) -> Result<(), DependencyError> {
    probe_objects(Dependency::Files, files, "probes", number).await
}

/// Looks for the mark of the first backup in a folder.
///
/// # Errors
/// The error, if it is missing: no backup was written yet, or its volume is away.
pub fn probe_marker(target: &BackupTarget) -> Result<(), DependencyError> {
    match target {
        BackupTarget::Folder(folder) if !is_marked(folder) => Err(DependencyError {
            dependency: Dependency::Backups,
            code: "NoMarker".to_owned(),
            cause: "the folder has no scheduled backup yet, or its volume is not mounted".to_owned(),
            remedy: format!("If {} has backups, mount its volume", folder.display()).into(),
        }),
        BackupTarget::Folder(_) | BackupTarget::Bucket { .. } => Ok(()),
    }
}

/// Writes a file to the place of backups, or an object, which it also reads, lists and deletes. If a backup was written
/// there (`is_used`), a folder must have its mark.
///
/// # Errors
/// The refusal, with the place's own code.
pub async fn probe_backups(target: &BackupTarget, number: u64, is_used: bool) -> Result<(), DependencyError> {
    let dependency = Dependency::Backups;
    match target {
        BackupTarget::Folder(folder) => {
            let (target, path) = (target.clone(), folder.clone());
            let probed = on_thread(move || {
                let written = tempfile::tempfile_in(path).map(drop);
                (written, if is_used { probe_marker(&target) } else { Ok(()) })
            });
            let (written, marked) =
                probed.await.unwrap_or_else(|it| (Err(std::io::Error::other(it)), Ok(())));
            written.map_err(|error| {
                let folder = folder.display();
                let remedy = format!(
                    "Create the folder {folder} (--backup-to), and make this user its owner. A systemd unit needs it in \
                     ReadWritePaths="
                );
                DependencyError::from_io(dependency, &error, remedy)
            })?;
            marked
        }
        BackupTarget::Bucket { files, prefix } => {
            let files = ObjectFiles::open(files.clone());
            let files = files.map_err(|error| DependencyError {
                dependency,
                code: "Settings".to_owned(),
                cause: error.to_string(),
                remedy: "Correct --backup-to, --s3-region and --s3-endpoint".into(),
            })?;
            probe_objects(dependency, &files, prefix, number).await
        }
    }
}

async fn probe_objects(
    dependency: Dependency,
    files: &dyn FileStore,
    prefix: &str,
    number: u64,
) -> Result<(), DependencyError> {
    let (folder, content) = (format!("{prefix}/{number:016x}"), number.to_be_bytes().to_vec());
    let name = format!("{folder}/object");
    let tried = async {
        files.put(&name, content.clone()).await?;
        let found = files.get(&name).await?;
        let listed = files.list(&folder).await?;
        files.delete(&name).await?;
        Ok::<_, FileStoreError>((found == content, listed.iter().any(|it| it.name == name)))
    };
    let new_error = |code: &str, cause: String, remedy: &'static str| DependencyError {
        dependency,
        code: code.to_owned(),
        cause,
        remedy: remedy.into(),
    };
    match tried.await {
        Ok((true, true)) => Ok(()),
        Ok(_) => Err(new_error(
            "Inconsistent",
            "an object that was just written is not read back, or not listed".to_owned(),
            "Use a store whose reads and lists see every completed write",
        )),
        Err(error) => Err(DependencyError::from_objects(dependency, &error).unwrap_or_else(|| {
            new_error(
                "Unavailable",
                error.to_string(),
                "Check that the store runs, and check --s3-endpoint and the network",
            )
        })),
    }
}

/// Writes a temporary file of 1 MB.
///
/// # Errors
/// The refusal of the file system, with the folder.
pub fn probe_temporary_folder() -> Result<(), DependencyError> {
    let tried = tempfile::tempdir().and_then(|folder| {
        let mut file = std::fs::File::create_new(folder.path().join("probe"))?;
        file.write_all(&vec![0; TEMPORARY_BYTES])?;
        file.sync_data()
    });
    tried.map_err(|error| {
        let folder = std::env::temp_dir();
        let remedy = format!(
            "Documents are read in the folder {} (TMPDIR). Create it, make this user its owner, mount it so that it can be \
             written, and leave 200 MB free",
            folder.display()
        );
        DependencyError::from_io(Dependency::TemporaryFolder, &error, remedy)
    })
}

/// Reads the master key's file and writes a file next to the day keys.
///
/// # Errors
/// The refusal of the file system, with the folder.
pub fn probe_keys(keys_dir: &Path) -> Result<(), DependencyError> {
    let days = keys_dir.join("keys");
    let tried = std::fs::File::open(keys_dir.join("master.key")).and_then(|_| tempfile::tempfile_in(&days));
    tried.map(drop).map_err(|error| {
        let remedy = format!(
            "The service creates a key in {} for each day. Mount the key folder (--keys-dir) again, and make this user its \
             owner",
            days.display()
        );
        DependencyError::from_io(Dependency::Keys, &error, remedy)
    })
}

/// Opens the master key from its file, as the next start will.
///
/// # Errors
/// The error, if this node has the file of a key that was replaced, or the source does not open it.
pub async fn probe_master_key(store: &Store) -> Result<(), DependencyError> {
    let Err(error) = store.check_master_key().await else { return Ok(()) };
    let (code, remedy) = if let StoreError::KeySource { source, .. } = &error {
        (source.code().to_owned(), "Correct what the program reports. It is tried again within 70 s")
    } else if matches!(error, StoreError::WrongMasterKey { .. }) {
        (error.code(), "Copy master-ID.key with the needed id from the node that rotated it")
    } else if matches!(error, StoreError::File { .. }) {
        (error.code(), "Let the service write the key folder, or restore the file from its second copy")
    } else if matches!(error, StoreError::KeyFile { .. } | StoreError::Unsealable { .. }) {
        (error.code(), "Restore the file of the master key from its second copy")
    } else {
        // Readiness reports errors of the database.
        return Ok(());
    };
    let remedy = format!("The service runs on, but its next start would fail. {remedy}").into();
    Err(DependencyError { dependency: Dependency::Keys, code, cause: error.to_string(), remedy })
}

/// Looks whether a newer node has brought PostgreSQL's schema to a version that this program cannot serve. For SQLite, looks for
/// another program that holds the database: one that reads for long, or keeps its write lock.
///
/// # Errors
/// The error, with the remedy.
pub async fn probe_database(app: &App) -> Result<(), DependencyError> {
    let refuse = |code: &str, cause: String| {
        let database = app.settings.data_dir.join("linchpin.db");
        let remedy =
            format!("Find the program with `fuser -v {}`, and end its transaction", database.display());
        Err(DependencyError {
            dependency: Dependency::Database,
            code: code.to_owned(),
            cause,
            remedy: remedy.into(),
        })
    };
    if app.store.pool_health().is_some() {
        return match app.store.probe().await {
            Err(error @ StoreError::SchemaTooNew { .. }) => Err(database_fault(&error)),
            // Readiness reports other errors.
            Ok(()) | Err(_) => Ok(()),
        };
    }
    if let Some(held) = app.store.log_is_held_for().filter(|it| *it > MAX_HELD) {
        let seconds = held.as_secs();
        return refuse(
            "READ_LOCK",
            format!("another program has read the database for {seconds} s, so erased pages stay in its log"),
        );
    }
    match app.store.write(|tx| tx.probe(0)).await {
        Err(error) if error.is_locked() => {
            refuse("SQLITE_BUSY", "another program holds the write lock of the database".to_owned())
        }
        // Readiness reports other errors.
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Probes the dependencies at the start, and then what is cheap or refuses, until the service stops.
pub async fn keep(app: App) {
    let mut stopping = app.stopping.clone();
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut is_first = true;
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            _ = stopping.wait_for(|stop| *stop) => return,
        }
        probe_folders(&app).await;
        app.health.dependencies.note_result(Dependency::Database, probe_database(&app).await);
        let refuses = app.health.dependencies.all().iter().any(|it| it.dependency == Dependency::Files);
        if is_first || refuses {
            let result = probe_files(app.ports.files.as_ref(), app.random()).await;
            app.health.dependencies.note_result(Dependency::Files, result);
        }
        is_first = false;
    }
}

/// Probes the folders of this machine.
pub(super) async fn probe_folders(app: &App) {
    let (errors, keys_dir) = (app.health.dependencies.clone(), app.settings.keys_dir.clone());
    let is_ephemeral = app.settings.ephemeral;
    let probed = tokio::task::spawn_blocking(move || {
        errors.note_result(Dependency::TemporaryFolder, probe_temporary_folder());
        if is_ephemeral { Ok(()) } else { probe_keys(&keys_dir) }
    });
    // A panic is in the log.
    let Ok(folder) = probed.await else { return };
    let keys = match folder {
        Ok(()) => probe_master_key(&app.store).await,
        refused => refused,
    };
    app.health.dependencies.note_result(Dependency::Keys, keys);
}
