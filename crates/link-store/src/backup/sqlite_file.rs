//! Backups that are SQLite files.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::draft::Draft;
use super::error::BackupError;
use crate::engine::sqlite::open_reader;
use crate::keys::WrappedRoot;
use crate::sql::Session;
use crate::tables::kernel::master_keys;
use crate::{StoreError, migrations};

/// Writes a backup to a new file.
pub(crate) fn write(database: &Path, target: &Path) -> Result<(), BackupError> {
    let draft = Draft::create(target)?;
    let connection = open_reader(database)?;
    draft.check_space(super::database::Database::size_of_sqlite(&connection)?)?;
    let path = draft.path().to_str().ok_or_else(|| draft.unwritable(&"its path is not UTF-8"))?;
    // SQLite does not flush it.
    connection.execute("VACUUM INTO ?1", [path]).map_err(|error| draft.unwritable(&error))?;
    draft.keep()
}

/// Returns the wrapped root key of a database, if it can be read.
pub(super) fn root(path: &Path) -> Result<Option<WrappedRoot>, StoreError> {
    let connection = open_reader(path)?;
    master_keys::find_root(&mut Session::Sqlite(&connection))
}

/// Checks all pages of a backup's copy, and that it has a schema that this program knows.
pub(super) fn check(copy: &Path, backup: &Path) -> Result<(), BackupError> {
    let damaged = |fault: String| BackupError::Damaged { path: backup.to_owned(), fault };
    // Closing a connection that may write removes the files that SQLite puts next to the copy.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(copy, flags).map_err(|error| damaged(error.to_string()))?;
    check_pages(&connection, backup)
}

/// Checks all pages of a backup, and its schema.
pub(super) fn check_pages(connection: &Connection, backup: &Path) -> Result<(), BackupError> {
    let damaged = |fault: String| BackupError::Damaged { path: backup.to_owned(), fault };
    let verdict = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get::<_, String>(0));
    match verdict {
        Ok(verdict) if verdict == "ok" => {}
        Ok(verdict) => return Err(damaged(verdict)),
        Err(error) => return Err(damaged(error.to_string())),
    }
    match migrations::version(&mut Session::Sqlite(connection)) {
        Ok(_) => Ok(()),
        Err(StoreError::Sqlite(error)) => Err(damaged(error.to_string())),
        Err(error) => Err(error.into()),
    }
}
