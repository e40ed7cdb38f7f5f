//! Backups of a SQLite database: each is one file, which a restore puts in the place of the database.
//!
//! A backup holds neither keys nor files. The keys must stay outside, so that old backups lose what was erased.

use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, fchown};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use crate::StoreError;
use crate::engine::folder::Folder;
use crate::engine::sqlite::open_reader;
use crate::migrations;
use crate::sql::Session;

/// Reason why a backup was not written or not restored. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The data folder holds no SQLite database.
    #[error(
        "the folder {} has no SQLite database. Name the data folder with --data-dir. For PostgreSQL, use pg_dump and \
         pg_restore",
        folder.display()
    )]
    NoDatabase {
        /// The data folder.
        folder: PathBuf,
    },
    /// The data folder does not exist.
    #[error(
        "the data folder {} does not exist. Name it with --data-dir, or create it and restore its keys",
        folder.display()
    )]
    NoFolder {
        /// The data folder.
        folder: PathBuf,
    },
    /// The store is not SQLite on a disk.
    #[error("the database is not SQLite. For PostgreSQL, use pg_dump and pg_restore")]
    NotSqlite,
    /// The file to write exists.
    #[error("the file {} exists. Name a new file", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The backup cannot be written.
    #[error(
        "cannot write the backup {} ({fault}). Name a file in a folder that the user of the service can write, with \
         enough space",
        path.display()
    )]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The cause.
        fault: String,
    },
    /// The backup cannot be read.
    #[error("cannot read the backup {} ({source}). Name a file that this user can read", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The file has a write-ahead log, which holds a part of it.
    #[error(
        "the file {} is the database of a folder, not a backup: {0}-wal holds a part of it. Make a backup with \
         `linchpin backup`",
        path.display()
    )]
    HasLog {
        /// The file.
        path: PathBuf,
    },
    /// The file is damaged, or not the database of a service.
    #[error(
        "the file {} is damaged or not a backup of Linchpin ({fault}). Nothing was changed. Use another backup",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The first fault.
        fault: String,
    },
    /// The backup is of another installation, or of before its master key was replaced.
    #[error(
        "the backup {} belongs to the master key {found}, and the database to {expected}. Nothing was changed. Use a \
         backup of this database, or move linchpin.db away if this one is right",
        path.display()
    )]
    OtherKey {
        /// The file.
        path: PathBuf,
        /// The id of the backup's master key.
        found: String,
        /// The id of the database's master key.
        expected: String,
    },
    /// The folder is in use, a file in it cannot be written, or the schema is newer than this program.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Writes a backup of the database in a data folder that no service uses.
///
/// # Errors
///
/// [`StoreError::FolderInUse`] if a service runs: then [`crate::Store::back_up`] does the same. Otherwise see
/// [`BackupError`].
pub fn back_up(folder: &Path, target: &Path) -> Result<(), BackupError> {
    let database = folder.join("linchpin.db");
    if !database.try_exists().map_err(StoreError::file("cannot access", &database))? {
        return Err(BackupError::NoDatabase { folder: folder.to_owned() });
    }
    write(&Folder::open(folder)?.database(), target)
}

/// Writes a backup to a new file, which has its name only once it is complete and on disk.
pub(crate) fn write(database: &Path, target: &Path) -> Result<(), BackupError> {
    if target.symlink_metadata().is_ok() {
        return Err(BackupError::Exists { path: target.to_owned() });
    }
    let unwritable = |fault: &dyn std::fmt::Display| BackupError::Unwritable {
        path: target.to_owned(),
        fault: fault.to_string(),
    };
    let folder = target.parent().ok_or(unwritable(&"it is a folder"))?;
    let draft = tempfile::Builder::new().prefix(".linchpin-backup-").tempfile_in(folder);
    let draft = draft.map_err(|error| unwritable(&error))?;
    let path = draft.path().to_str().ok_or(unwritable(&"its path is not UTF-8"))?;
    let connection = open_reader(database)?;
    connection.execute("VACUUM INTO ?1", [path]).map_err(|error| unwritable(&error))?;
    // SQLite does not flush it.
    draft.as_file().sync_all().map_err(|error| unwritable(&error))?;
    draft.persist_noclobber(target).map_err(|error| {
        if error.error.kind() == ErrorKind::AlreadyExists {
            BackupError::Exists { path: target.to_owned() }
        } else {
            unwritable(&error.error)
        }
    })?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| unwritable(&error))
}

/// Replaces the database in a data folder that no service uses, after a complete check of the backup.
///
/// # Errors
///
/// See [`BackupError`]. The database is unchanged, except if a file of the data folder cannot be replaced.
pub fn restore(folder: &Path, backup: &Path) -> Result<(), BackupError> {
    let unreadable = |source| BackupError::Unreadable { path: backup.to_owned(), source };
    // The log is next to the target of a link.
    let real = backup.canonicalize().map_err(unreadable)?;
    let mut source = File::open(&real).map_err(unreadable)?;
    if with_suffix(&real, "-wal").metadata().is_ok_and(|log| log.len() > 0) {
        return Err(BackupError::HasLog { path: backup.to_owned() });
    }
    if !folder.is_dir() {
        return Err(BackupError::NoFolder { folder: folder.to_owned() });
    }
    let owner = folder.metadata().map_err(StoreError::file("cannot access", folder))?;
    let folder = Folder::open(folder)?;
    let database = folder.database();
    let uncopied = |error| StoreError::file("cannot copy the backup next to", &database)(error);
    let draft = tempfile::Builder::new().prefix("linchpin.db-restored-").tempfile_in(folder.path());
    let mut draft = draft.map_err(uncopied)?;
    std::io::copy(&mut source, draft.as_file_mut())
        // An administrator may restore for the user that runs the service.
        .and_then(|_| fchown(draft.as_file(), Some(owner.uid()), Some(owner.gid())))
        .and_then(|()| draft.as_file().sync_all())
        .map_err(uncopied)?;
    check(draft.path(), backup)?;
    check_key(draft.path(), backup, &database)?;
    Ok(folder.replace_database(draft.path())?)
}

/// Checks that the backup belongs to the master key of the database that it replaces, if that can still be read.
fn check_key(copy: &Path, backup: &Path, database: &Path) -> Result<(), BackupError> {
    let key = |path: &Path| -> Result<Option<String>, StoreError> {
        let connection = open_reader(path)?;
        Ok(migrations::master_key(&mut Session::Sqlite(&connection))?.map(|(id, _)| id))
    };
    // The reason for the restore may be that it is damaged or gone.
    let Ok(Some(expected)) = key(database) else { return Ok(()) };
    match key(copy)? {
        Some(found) if found != expected => {
            Err(BackupError::OtherKey { path: backup.to_owned(), found, expected })
        }
        Some(_) | None => Ok(()),
    }
}

/// Checks all pages of a backup's copy, and that it has a schema that this program knows.
fn check(copy: &Path, backup: &Path) -> Result<(), BackupError> {
    let damaged = |fault: String| BackupError::Damaged { path: backup.to_owned(), fault };
    // Closing a connection that may write removes the files that SQLite puts next to the copy.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let checked = Connection::open_with_flags(copy, flags).and_then(|connection| {
        let verdict = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get::<_, String>(0))?;
        Ok((connection, verdict))
    });
    let (connection, verdict) = checked.map_err(|error| damaged(error.to_string()))?;
    if verdict != "ok" {
        return Err(damaged(verdict));
    }
    match migrations::version(&mut Session::Sqlite(&connection)) {
        Ok(_) => Ok(()),
        Err(StoreError::Sqlite(error)) => Err(damaged(error.to_string())),
        Err(error) => Err(error.into()),
    }
}

/// Returns the path of a file that SQLite keeps next to a database.
pub(crate) fn with_suffix(database: &Path, suffix: &str) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}
