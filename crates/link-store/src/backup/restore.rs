//! Restores a backup of either form into an empty database.

use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::os::unix::fs::{MetadataExt, fchown};
use std::path::Path;

use link_domain::kernel::clock::Wall;
use rusqlite::Connection;
use secrecy::ExposeSecret as _;
use tempfile::NamedTempFile;

use super::catalog::tables;
use super::database::Database;
use super::error::BackupError;
use super::format::FIRST_LINE;
use super::portable::{self, Source};
use super::sqlite_file::{check, master_key};
use crate::engine::PostgresServer;
use crate::engine::folder::{Folder, with_suffix};
use crate::engine::sqlite::open_reader;
use crate::keys::{Day, KeyFiles, Keys, MasterKey};
use crate::settings::StoreSettings;
use crate::sql::Session;
use crate::{StoreError, migrations};

const REPLACE: &str = "Name an empty data folder with --data-dir and its keys with --keys-dir, or replace the database with \
                       --replace";
const NEW_DATABASE: &str = "Create another one (`createdb NAME`), and name it with --database-url";

/// The number of rows of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoredTable {
    /// The table.
    pub name: String,
    /// The number of its rows.
    pub rows: u64,
}

/// The contents of a restored database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// When the backup was written. `None` for a SQLite file, which does not say so.
    pub created_at: Option<Wall>,
    /// The tables, without empty ones.
    pub tables: Vec<RestoredTable>,
}

/// Restores a backup into a database that no service uses, after a complete check of the backup. `replaces`: an existing SQLite
/// database is replaced.
///
/// # Errors
///
/// See [`BackupError`]. The database is unchanged, except if a file of the data folder cannot be replaced.
pub fn restore(
    settings: &StoreSettings,
    backup: &Path,
    replaces: bool,
    now: Wall,
) -> Result<Restored, BackupError> {
    let unreadable = |source| BackupError::Unreadable { path: backup.to_owned(), source };
    // The log is next to the target of a link.
    let real = backup.canonicalize().map_err(unreadable)?;
    let mut source = File::open(&real).map_err(unreadable)?;
    let mut first = Vec::new();
    (&mut source).take(FIRST_LINE.len() as u64).read_to_end(&mut first).map_err(unreadable)?;
    let is_portable = first == FIRST_LINE;
    let today = Day::from_micros(now.micros());
    match settings {
        StoreSettings::Ephemeral => Err(BackupError::InMemory),
        StoreSettings::Sqlite { folder, keys } => {
            if !folder.is_dir() {
                return Err(BackupError::NoFolder { folder: folder.to_owned() });
            }
            let owner = folder.metadata().map_err(StoreError::file("cannot access", folder))?;
            let folder = Folder::open(folder)?;
            let database = folder.database();
            if !replaces && database.symlink_metadata().is_ok() {
                return Err(BackupError::NotEmpty { place: database.display().to_string(), remedy: REPLACE });
            }
            let uncopied = |error| StoreError::file("cannot write the database next to", &database)(error);
            let draft = tempfile::Builder::new().prefix("linchpin.db-restored-").tempfile_in(folder.path());
            let mut draft = draft.map_err(uncopied)?;
            let restored = if is_portable {
                fill_file(&draft, source, &Keys::open(keys, false)?, backup, today)?
            } else {
                if with_suffix(&real, "-wal").metadata().is_ok_and(|log| log.len() > 0) {
                    return Err(BackupError::HasLog { path: backup.to_owned() });
                }
                source.rewind().map_err(unreadable)?;
                std::io::copy(&mut source, draft.as_file_mut()).map_err(uncopied)?;
                check(draft.path(), backup)?;
                check_key(draft.path(), backup, &database, keys)?;
                count_rows(draft.path())?
            };
            // An administrator may restore for the user that runs the service.
            fchown(draft.as_file(), Some(owner.uid()), Some(owner.gid()))
                .and_then(|()| draft.as_file().sync_all())
                .map_err(uncopied)?;
            folder.replace_database(draft.path())?;
            Ok(restored)
        }
        StoreSettings::Postgres { .. } if !is_portable => {
            Err(BackupError::NotPortable { path: backup.to_owned() })
        }
        StoreSettings::Postgres { address, keys, .. } => {
            let server = PostgresServer::parse(address.expose_secret())?;
            server.check_pooling()?;
            let mut database = Database::Postgres(Box::new(server.connect()?));
            if database.has_tables()? {
                let place = "the PostgreSQL database".to_owned();
                return Err(BackupError::NotEmpty { place, remedy: NEW_DATABASE });
            }
            let restored = fill(&mut database, source, &Keys::open(keys, false)?, backup, today)?;
            // The server has never seen these tables, and would plan their statements as if they were empty.
            database.session().script("ANALYZE")?;
            Ok(restored)
        }
    }
}

/// Fills a database with a portable backup.
fn fill(
    database: &mut Database,
    source: File,
    keys: &Keys,
    backup: &Path,
    today: Day,
) -> Result<Restored, BackupError> {
    let mut source: Source<'_, BufReader<File>> = Source::open(source, keys, backup)?;
    portable::restore(&mut source, database, today)?;
    let created_at = Some(Wall::from_micros(source.header().created_at));
    let sums = source.into_sums().into_iter().filter(|it| it.rows > 0);
    let tables = sums.map(|it| RestoredTable { name: it.table, rows: it.rows }).collect();
    Ok(Restored { created_at, tables })
}

/// Fills a new SQLite file, which nothing reads before it gets its name.
fn fill_file(
    draft: &NamedTempFile,
    source: File,
    keys: &Keys,
    backup: &Path,
    today: Day,
) -> Result<Restored, BackupError> {
    let connection = Connection::open(draft.path())?;
    connection
        .execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY")?;
    fill(&mut Database::Sqlite(connection), source, keys, backup, today)
}

/// Checks that a SQLite file belongs to the master key of the database that it replaces, or of the key folder.
fn check_key(copy: &Path, backup: &Path, database: &Path, keys: &KeyFiles) -> Result<(), BackupError> {
    // The reason for the restore may be that the database is damaged or gone.
    let of_database = master_key(database).ok().flatten().map(|id| ("the database", id));
    let of_folder = || MasterKey::open(&keys.master, false).ok().map(|key| ("the key folder", key.id()));
    let Some((owner, expected)) = of_database.or_else(of_folder) else { return Ok(()) };
    match master_key(copy)? {
        Some(found) if found != expected => {
            Err(BackupError::OtherKey { path: backup.to_owned(), found, owner, expected })
        }
        Some(_) | None => Ok(()),
    }
}

/// Counts the rows of a SQLite file.
fn count_rows(path: &Path) -> Result<Restored, BackupError> {
    let connection = open_reader(path)?;
    let version = migrations::version(&mut Session::Sqlite(&connection))?;
    let mut found = Vec::new();
    for table in tables(version, false)? {
        let name = table.name;
        let rows: i64 =
            connection.query_row(&format!("SELECT COUNT(*) FROM {name}"), [], |row| row.get(0))?;
        if rows > 0 {
            found.push(RestoredTable { name, rows: rows.unsigned_abs() });
        }
    }
    Ok(Restored { created_at: None, tables: found })
}
