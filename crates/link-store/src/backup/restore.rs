//! Restores a backup of either form into an empty database.

use std::fs::File;
use std::io::{Read, Seek};
use std::os::unix::fs::{MetadataExt, fchown};
use std::path::Path;
use std::time::{Duration, Instant};

use link_domain::kernel::clock::Wall;
use rusqlite::Connection;
use secrecy::ExposeSecret as _;
use tempfile::NamedTempFile;

use super::catalog::tables;
use super::database::Database;
use super::error::BackupError;
use super::format::{DatabaseKind, FIRST_LINE};
use super::portable::{self, HeadedFile, Source};
use super::sqlite_file::{check, root};
use crate::engine::PostgresServer;
use crate::engine::folder::{DATABASE_FILE, Folder, RESTORED_PREFIX, with_suffix};
use crate::engine::sqlite::open_reader;
use crate::keys::{Day, KeyFiles};
use crate::settings::StoreSettings;
use crate::sql::Session;
use crate::{StoreError, migrations};

/// How long the server may take to notice that a restore was killed, and how often to look.
const SESSIONS_TIMEOUT: Duration = Duration::from_secs(3);
const SESSIONS_INTERVAL: Duration = Duration::from_millis(200);

const REPLACE: &str = "Name an empty data folder with --data-dir and its keys with --keys-dir, or replace the database with \
                       --replace";
const NEW_DATABASE: &str = "Create another one (`createdb NAME`), and name it with --database-url";

/// Permissions of the operator for a restore.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RestoreFlags {
    /// Replace an existing SQLite database.
    pub replaces: bool,
    /// Restore a backup of SQLite into PostgreSQL, or the reverse.
    pub moves: bool,
}

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
    /// The database that was filled: SQLite's file, or the name of the PostgreSQL database.
    pub database: String,
    /// The tables, without empty ones.
    pub tables: Vec<RestoredTable>,
    /// Why the server did not analyze the tables, so that statements are slow until autovacuum does it.
    pub unanalyzed: Option<String>,
}

/// Looks whether a backup can be restored into a database: before a download that takes long.
///
/// # Errors
///
/// [`BackupError::NotEmpty`] if there is a database. Otherwise see [`BackupError`].
pub fn check_target(settings: &StoreSettings, flags: RestoreFlags) -> Result<(), BackupError> {
    match settings {
        StoreSettings::Ephemeral => Err(BackupError::InMemory),
        StoreSettings::Sqlite { folder, .. } => {
            if !folder.is_dir() {
                return Err(BackupError::NoFolder { folder: folder.to_owned() });
            }
            refuse_file(&folder.join(DATABASE_FILE), flags)
        }
        StoreSettings::Postgres { address, .. } => {
            let server = PostgresServer::parse(address.expose_secret())?;
            refuse_tables(&mut Database::Postgres(Box::new(server.connect()?)))
        }
    }
}

fn refuse_file(database: &Path, flags: RestoreFlags) -> Result<(), BackupError> {
    if flags.replaces || database.symlink_metadata().is_err() {
        return Ok(());
    }
    Err(BackupError::NotEmpty { place: database.display().to_string(), remedy: REPLACE })
}

fn refuse_tables(database: &mut Database) -> Result<(), BackupError> {
    if database.has_tables()? {
        let place = "the PostgreSQL database".to_owned();
        return Err(BackupError::NotEmpty { place, remedy: NEW_DATABASE });
    }
    Ok(())
}

/// Restores a backup into a database that no service uses, after a complete check of the backup.
///
/// # Errors
///
/// See [`BackupError`]. The database is unchanged, except if a file of the data folder cannot be replaced.
pub fn restore(
    settings: &StoreSettings,
    backup: &Path,
    flags: RestoreFlags,
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
            refuse_file(&database, flags)?;
            let uncopied = |error| StoreError::file("cannot write the database next to", &database)(error);
            let draft = tempfile::Builder::new().prefix(RESTORED_PREFIX).tempfile_in(folder.path());
            let mut draft = draft.map_err(uncopied)?;
            let filled = if is_portable {
                fill_file(&draft, source, keys, backup, (flags, today))?
            } else {
                if with_suffix(&real, "-wal").metadata().is_ok_and(|log| log.len() > 0) {
                    return Err(BackupError::HasLog { path: backup.to_owned() });
                }
                source.rewind().map_err(unreadable)?;
                std::io::copy(&mut source, draft.as_file_mut()).map_err(uncopied)?;
                check(draft.path(), backup)?;
                check_key(draft.path(), backup, &database, keys)?;
                forget_schedule(draft.path())?;
                count_rows(draft.path())?
            };
            // An administrator may restore for the user that runs the service.
            fchown(draft.as_file(), Some(owner.uid()), Some(owner.gid()))
                .and_then(|()| draft.as_file().sync_all())
                .map_err(uncopied)?;
            folder.replace_database(draft.path())?;
            Ok(filled.describe(database.display().to_string()))
        }
        StoreSettings::Postgres { .. } if !is_portable => {
            Err(BackupError::NotPortable { path: backup.to_owned() })
        }
        StoreSettings::Postgres { address, keys, .. } => {
            let server = PostgresServer::parse(address.expose_secret())?;
            let mut database = Database::Postgres(Box::new(server.connect()?));
            let name = refuse_other_sessions(&mut database)?;
            server.check_pooling()?;
            refuse_tables(&mut database)?;
            let filled = fill(&mut database, source, keys, backup, (flags, today))?;
            // The server has never seen these tables, and would plan their statements as if they were empty.
            let analyzed = database.session().script("ANALYZE");
            let unanalyzed = analyzed.err().map(|error| error.to_string());
            Ok(Restored { unanalyzed, ..filled.describe(format!("PostgreSQL database {name}")) })
        }
    }
}

/// Returns the name of the database, unless a service or another restore is connected to it.
fn refuse_other_sessions(database: &mut Database) -> Result<String, BackupError> {
    let began = Instant::now();
    loop {
        let (name, sessions) = database.find_sessions()?;
        if sessions == 0 {
            return Ok(name);
        }
        if began.elapsed() > SESSIONS_TIMEOUT {
            return Err(BackupError::InUse { database: name, sessions });
        }
        std::thread::sleep(SESSIONS_INTERVAL);
    }
}

/// The contents that a database was filled with.
struct Filled {
    created_at: Option<Wall>,
    tables: Vec<RestoredTable>,
}

impl Filled {
    fn describe(self, database: String) -> Restored {
        let Filled { created_at, tables } = self;
        Restored { created_at, database, tables, unanalyzed: None }
    }
}

/// Fills a database with a portable backup.
fn fill(
    database: &mut Database,
    source: File,
    files: &KeyFiles,
    backup: &Path,
    (flags, today): (RestoreFlags, Day),
) -> Result<Filled, BackupError> {
    let headed = HeadedFile::open(source, backup)?;
    let keys = headed.keys(files)?;
    let mut source = Source::new(headed, &keys)?;
    let is_of_postgres = source.header().database == DatabaseKind::Postgresql;
    if is_of_postgres != database.is_postgres() && !flags.moves {
        let (found, expected) =
            if is_of_postgres { ("PostgreSQL", "SQLite") } else { ("SQLite", "PostgreSQL") };
        return Err(BackupError::OtherDatabase { path: backup.to_owned(), found, expected });
    }
    portable::restore(&mut source, database, today)?;
    let created_at = Some(Wall::from_micros(source.header().created_at));
    let sums = source.into_sums().into_iter().filter(|it| it.rows > 0);
    let tables = sums.map(|it| RestoredTable { name: it.table, rows: it.rows }).collect();
    Ok(Filled { created_at, tables })
}

/// Fills a new SQLite file, which nothing reads before it gets its name.
fn fill_file(
    draft: &NamedTempFile,
    source: File,
    keys: &KeyFiles,
    backup: &Path,
    (flags, today): (RestoreFlags, Day),
) -> Result<Filled, BackupError> {
    let connection = Connection::open(draft.path())?;
    connection
        .execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY")?;
    fill(&mut Database::Sqlite(connection), source, keys, backup, (flags, today))
}

/// Checks that the key folder opens a SQLite file. If the folder has no key, the file must be of the same master key as the
/// database that it replaces, if that can be read: the reason for the restore may be that it is damaged or gone.
fn check_key(copy: &Path, backup: &Path, database: &Path, keys: &KeyFiles) -> Result<(), BackupError> {
    let Some(needed) = root(copy)? else { return Ok(()) };
    match portable::read_keys(keys, &needed, backup) {
        Err(BackupError::Store(StoreError::KeyFile { .. })) => match root(database).ok().flatten() {
            Some(found) if found.master_id != needed.master_id => Err(BackupError::OtherKey {
                path: backup.to_owned(),
                needed_file: keys.path_of(&needed.master_id),
                needed: needed.master_id,
                owner: "the database",
                found: found.master_id,
            }),
            Some(_) | None => Ok(()),
        },
        opened => opened.map(drop),
    }
}

/// Removes the schedule's row, so that a copy of a database does not remove the backups of the original.
fn forget_schedule(copy: &Path) -> Result<(), BackupError> {
    let connection = Connection::open(copy)?;
    if connection.table_exists(None, "scheduled_backups")? {
        connection.execute_batch("DELETE FROM scheduled_backups")?;
    }
    Ok(())
}

/// Counts the rows of a SQLite file.
fn count_rows(path: &Path) -> Result<Filled, BackupError> {
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
    Ok(Filled { created_at: None, tables: found })
}
