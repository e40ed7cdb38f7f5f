//! What can go wrong in the store, in the words of its callers.

use std::error::Error as _;
use std::path::{Path, PathBuf};

use postgres::error::SqlState;

/// A failure of the store. Messages name tables, files and constraints, never a value.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process owns the data folder.
    #[error(
        "the data folder {folder} is in use by another process ({owner}). Stop it, or give this one a folder of its own"
    )]
    FolderInUse {
        /// The folder asked for.
        folder: PathBuf,
        /// What the lock file says of its owner.
        owner: String,
    },
    /// A file or folder of the store cannot be used.
    #[error("{doing} {path}: {source}")]
    File {
        /// What was tried, e.g. "cannot create".
        doing: &'static str,
        /// Where.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A key file is not what a key file must be.
    #[error("the key file {path} {fault}")]
    KeyFile {
        /// Where.
        path: PathBuf,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// The database was made with another master key.
    #[error(
        "the master key in {path} has the id {found}, but this database was made with {expected}: start with the file that belongs to it"
    )]
    WrongMasterKey {
        /// The key file read.
        path: PathBuf,
        /// The id of the key in that file.
        found: String,
        /// The id that the database holds.
        expected: String,
    },
    /// The write-ahead log next to the database belongs to another file.
    #[error(
        "the write-ahead log {} does not belong to the database {}: that was replaced or changed after the service wrote \
         it last, and the log would damage it. If you restored a back-up, remove {0} and {1}-shm, and start again. If you \
         replaced nothing, `sqlite3 {1} 'PRAGMA wal_checkpoint(TRUNCATE)'` applies the log",
        log.display(), database.display()
    )]
    StaleLog {
        /// The log.
        log: PathBuf,
        /// The database next to it.
        database: PathBuf,
    },
    /// The database was never used, but keys of one that was are there.
    #[error(
        "the database is empty, but {} belongs to one that was in use. Check that --data-dir and --database-url name \
         the right database, or restore it from a back-up. To begin with an empty one, name another data folder, or move \
         the keys away",
        path.display()
    )]
    KeysWithoutDatabase {
        /// The key file or the folder of keys.
        path: PathBuf,
    },
    /// The database knows a newer schema than this program.
    #[error("the database's schema is at {found}, this program knows {known}: start a newer program")]
    SchemaTooNew {
        /// The database's version.
        found: i64,
        /// The newest version known here.
        known: i64,
    },
    /// The database's address cannot be used.
    #[error("the database address is not usable: {0}")]
    Address(String),
    /// SQLite refused.
    #[error("SQLite: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL refused.
    #[error("PostgreSQL: {}", told(.0))]
    Postgres(#[from] postgres::Error),
    /// No connection to PostgreSQL came about.
    #[error("PostgreSQL: {0}")]
    Unreachable(String),
    /// PostgreSQL lets nobody in under the address that is set, or has no such database.
    #[error("PostgreSQL: {0}")]
    Refused(String),
    /// A row with this key is already there.
    #[error("a row like this is already there ({0})")]
    Duplicate(String),
    /// Sealed bytes did not open: wrong key, wrong row or a changed byte.
    #[error("a sealed value in {table} cannot be opened")]
    Unsealable {
        /// The table that holds it.
        table: &'static str,
    },
    /// The key of this value's erasure scope is gone: its source was revoked or has expired.
    #[error("the data was erased")]
    Erased,
    /// The aggregate changed since it was read.
    #[error("the row in {table} was changed meanwhile")]
    Stale {
        /// The table of the aggregate.
        table: &'static str,
    },
    /// Another unit held what this one waited for, and did not let go in time.
    #[error("another unit of work holds a row for too long")]
    Busy,
    /// A stored value does not decode.
    #[error("a value in {table} does not decode: {fault}")]
    Undecodable {
        /// The table that holds it.
        table: &'static str,
        /// What the decoder said (it names fields, never values).
        fault: String,
    },
    /// A cursor that this service did not sign, or signed for another list.
    #[error("the cursor does not belong to this list")]
    BadCursor,
    /// A page size outside 1..150.
    #[error("a page holds 1 to 150 items")]
    BadPageSize,
    /// A statement failed and the unit went on as if it had not: nothing of it was kept.
    #[error("a statement failed, and with it the whole unit of work")]
    Aborted,
    /// The closure of a unit panicked; nothing of it was kept.
    #[error("the unit of work panicked")]
    Panicked,
    /// The store is shutting down.
    #[error("the store is closed")]
    Closed,
    /// No randomness from the operating system.
    #[error("the operating system gives no random bytes")]
    NoEntropy,
}

impl StoreError {
    /// Whether the same unit may succeed when it runs again: a serialization failure, a deadlock, or a row that
    /// another unit put there after this one had looked for it.
    pub(crate) fn is_transient(&self) -> bool {
        if matches!(self, StoreError::Duplicate(_)) {
            return true;
        }
        let StoreError::Postgres(error) = self else { return false };
        error.code().is_some_and(|code| {
            *code == postgres::error::SqlState::T_R_SERIALIZATION_FAILURE
                || *code == postgres::error::SqlState::T_R_DEADLOCK_DETECTED
        })
    }

    /// Whether the database cannot be reached or is being stopped: the same request may succeed in a moment.
    pub fn is_away(&self) -> bool {
        let StoreError::Postgres(error) = self else { return matches!(self, StoreError::Unreachable(_)) };
        let broke_off = error.source().is_some_and(|it| it.is::<std::io::Error>());
        error.is_closed() || broke_off || error.code().is_some_and(passes)
    }

    /// Whether nothing can be stored for now: the disk is full, or the device or its limits refuse writes.
    pub fn is_unwritable(&self) -> bool {
        use rusqlite::ErrorCode::{CannotOpen, DiskFull, ReadOnly, SystemIoFailure};
        use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        if let StoreError::Sqlite(error) = self {
            return matches!(
                error.sqlite_error_code(),
                Some(CannotOpen | DiskFull | ReadOnly | SystemIoFailure)
            );
        }
        if let StoreError::File { source, .. } = self {
            return matches!(source.kind(), FileTooLarge | QuotaExceeded | ReadOnlyFilesystem | StorageFull);
        }
        let StoreError::Postgres(error) = self else { return false };
        error.code() == Some(&SqlState::DISK_FULL)
    }

    /// Whether there is no room left to store anything.
    #[expect(clippy::wildcard_enum_match_arm, reason = "only these three kinds come from a disk")]
    pub fn is_full(&self) -> bool {
        use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        match self {
            StoreError::Sqlite(error) => error.sqlite_error().is_some_and(|error| {
                // What SQLite calls full is a full disk. Limits of a process or a user fail its writes otherwise.
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

    /// Whether stored pages are damaged: nothing but a back-up mends that.
    pub fn is_damage(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        if let StoreError::Sqlite(error) = self {
            return matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase));
        }
        let StoreError::Postgres(error) = self else { return false };
        [SqlState::DATA_CORRUPTED, SqlState::INDEX_CORRUPTED].iter().any(|it| error.code() == Some(it))
    }

    /// A file error with what was tried.
    pub(crate) fn file(
        doing: &'static str,
        path: &Path,
    ) -> impl FnOnce(std::io::Error) -> StoreError + use<> {
        let path = path.to_owned();
        move |source| StoreError::File { doing, path, source }
    }
}

/// Whether a refusal passes: a connection that broke off, a server that is stopped, is starting or has no connection left.
pub(crate) fn passes(code: &SqlState) -> bool {
    ["08", "57P", "53300"].iter().any(|it| code.code().starts_with(it))
}

/// What the server says, but for faults of data and of constraints: those name values.
fn told(error: &postgres::Error) -> String {
    let Some(refusal) = error.as_db_error() else { return error.to_string() };
    let code = refusal.code().code();
    if code.starts_with("22") || code.starts_with("23") {
        return format!("a statement was refused ({code})");
    }
    let advice = match code {
        "42501" => ". The user in the database's address must own the database",
        _ => "",
    };
    format!("{} ({code}){advice}", refusal.message())
}
