//! Errors of the store.

pub(crate) mod sql_state;

use std::path::{Path, PathBuf};

use link_domain::kernel::master_key_source::MasterKeySourceError;
use tokio_postgres::error::SqlState;

use self::sql_state::{Consequence, consequence_of};

/// An error of the store. Messages name tables, files and constraints, never a value.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process owns the data folder.
    #[error(
        "the data folder {folder} is in use by another process ({owner}). Stop it, or use another folder"
    )]
    FolderInUse {
        /// The requested folder.
        folder: PathBuf,
        /// The lock file's text about its owner.
        owner: String,
    },
    /// A file or folder of the store cannot be used.
    #[error("{doing} {path}: {source}")]
    File {
        /// The attempted operation, e.g. "cannot create".
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A key file is invalid or missing.
    #[error("the key file {path} {fault}")]
    KeyFile {
        /// The key file.
        path: PathBuf,
        /// The fault, as the end of the message.
        fault: &'static str,
    },
    /// The source of the master key does not open or protect it.
    #[error("the master key {path} cannot be used: {source}")]
    KeySource {
        /// The key file.
        path: PathBuf,
        /// The source's error.
        source: MasterKeySourceError,
    },
    /// The key folder has another master key than the one that this database needs.
    #[error(
        "the master key in {path} has the id {found}, but this database needs {expected}: it was created with that key, or \
         `linchpin master-key rotate` has made it the current one. Name the right key folder, or copy the key from the node \
         that rotated it"
    )]
    WrongMasterKey {
        /// The key file that was read.
        path: PathBuf,
        /// The id of the key in that file.
        found: String,
        /// The id in the database.
        expected: String,
    },
    /// A store in memory has no key files.
    #[error("the database is in memory and has no key files")]
    NoKeyFiles,
    /// The database is empty, but there are keys of a database that was in use.
    #[error(
        "the database is empty, but {} belongs to a database that was in use. Check that --data-dir and --database-url \
         name the right database, or restore it from a backup. To start with an empty database, use another data \
         folder, or move the keys away",
        path.display()
    )]
    KeysWithoutDatabase {
        /// The key file or the key folder.
        path: PathBuf,
    },
    /// The database has a newer schema than this program can use.
    #[error(
        "the database's schema is at version {found}, for programs that know version {serves_from}, but this program knows \
         only {known}: start a newer program"
    )]
    SchemaTooNew {
        /// The schema version of the database.
        found: i64,
        /// The version that a program must know.
        serves_from: i64,
        /// The newest version that this program knows.
        known: i64,
    },
    /// The database address is invalid.
    #[error("the database address is not usable: {0}")]
    Address(String),
    /// SQLite returned an error.
    #[error("SQLite: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL returned an error.
    #[error("PostgreSQL: {}", server_message(.0))]
    Postgres(#[from] tokio_postgres::Error),
    /// PostgreSQL cannot be reached.
    #[error("PostgreSQL: {0}")]
    Unreachable(String),
    /// PostgreSQL rejects the configured user, does not have the database, or its certificate is not accepted.
    #[error("PostgreSQL: {0}")]
    Refused(String),
    /// PostgreSQL responds, and accepts no further connection at present.
    #[error("PostgreSQL: {0}")]
    Crowded(String),
    /// A unit of work or a read did not finish in time, and was cancelled.
    #[error("PostgreSQL: the statements did not finish within {} s and were cancelled", crate::engine::UNIT_TIMEOUT.as_secs())]
    Overdue,
    /// A unit of work was committed, but the server ended its wait for the synchronous standby, so a failover could lose it.
    #[error(
        "PostgreSQL: the synchronous standby has not confirmed the commit, because the server cancelled the wait for it"
    )]
    Unconfirmed,
    /// A row with this key already exists.
    #[error("a row with this key already exists ({0})")]
    Duplicate(String),
    /// Sealed bytes do not open: wrong key, wrong row or a changed byte.
    #[error("a sealed value in {table} cannot be opened")]
    Unsealable {
        /// The table that holds the value.
        table: &'static str,
    },
    /// The key of this value's erasure scope was destroyed: its source was revoked or has expired.
    #[error("the data was erased")]
    Erased,
    /// The aggregate changed after it was read.
    #[error("the row in {table} was changed in the meantime")]
    Stale {
        /// The table of the aggregate.
        table: &'static str,
    },
    /// Another unit of work held a lock for too long.
    #[error("another unit of work holds a row lock for too long")]
    Busy,
    /// A stored value cannot be decoded.
    #[error("a value in {table} cannot be decoded: {fault}")]
    Undecodable {
        /// The table that holds the value.
        table: &'static str,
        /// The decoder's message. It names fields, never values.
        fault: String,
    },
    /// The service did not sign this cursor, or signed it for another list.
    #[error("the cursor does not belong to this list")]
    BadCursor,
    /// A page size outside 1 to 150.
    #[error("a page holds 1 to 150 items")]
    BadPageSize,
    /// A statement failed and the unit of work ignored it. Nothing was committed.
    #[error("a statement failed, and the whole unit of work was rolled back")]
    Aborted,
    /// The closure of a unit panicked. Nothing was committed.
    #[error("the unit of work panicked")]
    Panicked,
    /// The store is shutting down.
    #[error("the store is closed")]
    Closed,
    /// The operating system returned no random bytes.
    #[error("the operating system returned no random bytes")]
    NoEntropy,
}

impl StoreError {
    /// Returns whether the same unit may succeed if it runs again.
    ///
    /// True for a serialization failure, a deadlock, or a row that another unit inserted after this one had looked for
    /// it.
    pub(crate) fn is_transient(&self) -> bool {
        if matches!(self, StoreError::Duplicate(_)) {
            return true;
        }
        matches!(self, StoreError::Postgres(error) if consequence_of(error) == Consequence::RunAgain)
    }

    /// Returns whether the database is unreachable, shutting down or not the primary, so that nothing succeeds until it
    /// returns.
    pub fn is_away(&self) -> bool {
        let StoreError::Postgres(error) = self else {
            return matches!(
                self,
                StoreError::Unreachable(_) | StoreError::Refused(_) | StoreError::Crowded(_)
            );
        };
        consequence_of(error) == Consequence::ServerLost
    }

    /// Returns whether the same request may succeed in a few seconds: the database is away, is short of a resource, has
    /// cancelled a statement, or is served by newer nodes.
    pub fn passes(&self) -> bool {
        let StoreError::Postgres(error) = self else {
            return self.is_away()
                || self.is_locked()
                || matches!(
                    self,
                    StoreError::Overdue | StoreError::Unconfirmed | StoreError::SchemaTooNew { .. }
                );
        };
        consequence_of(error) != Consequence::None
    }

    /// Returns whether another program holds the write lock of the SQLite database, as a forgotten `BEGIN IMMEDIATE` does.
    pub fn is_locked(&self) -> bool {
        let StoreError::Sqlite(error) = self else { return false };
        error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
    }

    /// Returns whether writes fail for now: the disk is full, a limit is reached, the device is
    /// read-only, or the key folder is away.
    pub fn is_unwritable(&self) -> bool {
        use rusqlite::ErrorCode::{CannotOpen, DiskFull, ReadOnly, SystemIoFailure};
        use std::io::ErrorKind::{
            FileTooLarge, NotADirectory, NotFound, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem,
            StorageFull,
        };
        if let StoreError::Sqlite(error) = self {
            return matches!(
                error.sqlite_error_code(),
                Some(CannotOpen | DiskFull | ReadOnly | SystemIoFailure)
            );
        }
        if let StoreError::File { source, .. } = self {
            return matches!(
                source.kind(),
                FileTooLarge
                    | QuotaExceeded
                    | ReadOnlyFilesystem
                    | StorageFull
                    // The key folder is away.
                    | NotFound
                    | NotADirectory
                    | PermissionDenied
            );
        }
        let StoreError::Postgres(error) = self else { return false };
        error.code() == Some(&SqlState::DISK_FULL)
    }

    /// Returns a short code: the database's own, if there is one.
    pub fn code(&self) -> String {
        if let StoreError::Postgres(error) = self
            && let Some(code) = error.code()
        {
            return code.code().to_owned();
        }
        if let StoreError::Sqlite(error) = self
            && let Some(code) = error.sqlite_error_code()
        {
            return format!("{code:?}");
        }
        if let StoreError::File { source, .. } = self {
            return source.kind().to_string();
        }
        // The name of the variant. Texts of the server may follow it.
        format!("{self:?}").split(['(', ' ', '{']).next().unwrap_or_default().to_owned()
    }

    /// Returns whether there is no space left.
    #[expect(clippy::wildcard_enum_match_arm, reason = "only these three kinds come from a disk")]
    pub fn is_full(&self) -> bool {
        use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        match self {
            StoreError::Sqlite(error) => error.sqlite_error().is_some_and(|error| {
                // SQLite reports a full disk as `DiskFull`. Limits of a process or a user fail its writes with other
                // codes.
                error.code == rusqlite::ErrorCode::DiskFull
                    || [
                        rusqlite::ffi::SQLITE_IOERR_WRITE,
                        rusqlite::ffi::SQLITE_IOERR_TRUNCATE,
                        rusqlite::ffi::SQLITE_IOERR_SHMSIZE,
                    ]
                    .contains(&error.extended_code)
            }),
            StoreError::File { source, .. } => {
                matches!(source.kind(), FileTooLarge | QuotaExceeded | StorageFull)
            }
            StoreError::Postgres(error) => error.code() == Some(&SqlState::DISK_FULL),
            _ => false,
        }
    }

    /// Returns the error of a stored value that cannot be decoded.
    pub(crate) fn undecodable(table: &'static str, fault: impl Into<String>) -> Self {
        Self::Undecodable { table, fault: fault.into() }
    }

    /// Returns whether one row cannot be decoded. Other errors are those of the database or the connection.
    pub(crate) fn is_row_fault(&self) -> bool {
        matches!(self, Self::Undecodable { .. } | Self::Unsealable { .. } | Self::KeyFile { .. })
    }

    /// Returns whether stored pages are damaged. Only a backup repairs that.
    pub fn is_damage(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        if let StoreError::Sqlite(error) = self {
            return matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase));
        }
        let StoreError::Postgres(error) = self else { return false };
        [SqlState::DATA_CORRUPTED, SqlState::INDEX_CORRUPTED].iter().any(|it| error.code() == Some(it))
    }

    /// Returns a function that adds the attempted operation and the path to an I/O error.
    pub(crate) fn file(
        doing: &'static str,
        path: &Path,
    ) -> impl FnOnce(std::io::Error) -> StoreError + use<> {
        let path = path.to_owned();
        move |source| StoreError::File { doing, path, source }
    }
}

/// Returns the server's message. Errors about data and constraints are left out, because they contain values.
fn server_message(error: &tokio_postgres::Error) -> String {
    let Some(refusal) = error.as_db_error() else { return error.to_string() };
    let code = refusal.code().code();
    if code.starts_with("22") || code.starts_with("23") {
        return format!("a statement was rejected ({code})");
    }
    let advice = match code {
        "42501" => ". The user in the database's address must own the database",
        _ => "",
    };
    format!("{} ({code}){advice}", refusal.message())
}
