//! Looks at a database without changing it, before a service opens it.

use std::path::Path;

use link_domain::kernel::clock::Wall;
use rusqlite::{Connection, OpenFlags};
use secrecy::ExposeSecret as _;

use crate::engine::PostgresServer;
use crate::engine::folder::{DATABASE_FILE, Folder};
use crate::keys::{KeyFiles, Keys};
use crate::settings::StoreSettings;
use crate::sql::{Session, Sql, params};
use crate::tables::kernel::master_keys;
use crate::{StoreError, migrations};

/// A database that a service can open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatabaseCheck {
    /// The version of its schema, 0 if no service has used it.
    pub version: i64,
    /// The newest version that this program knows.
    pub known: i64,
    /// The clock of a server.
    pub server_time: Option<Wall>,
}

// Each runs on one of the two databases.
static IS_USED_SQLITE: Sql = Sql::from_static(
    "check::IS_USED_SQLITE",
    "SELECT COUNT(*) FROM sqlite_schema WHERE name = 'schema_versions'",
);
static IS_USED_POSTGRES: Sql = Sql::from_static(
    "check::IS_USED_POSTGRES",
    "SELECT COUNT(*) FROM pg_class WHERE oid = to_regclass('schema_versions')",
);
static MAY_CREATE: Sql = Sql::from_static(
    "check::MAY_CREATE",
    "SELECT CASE WHEN has_schema_privilege(current_schema(), 'CREATE') THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END",
);
static SERVER_TIME: Sql = Sql::from_static(
    "check::SERVER_TIME",
    "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)",
);

/// Looks at the database that these settings name: whether it can be reached and used, and whether schema and master key are
/// right. Changes nothing.
///
/// # Errors
///
/// The error with which [`crate::Store::open`] would fail.
pub fn check_database(settings: &StoreSettings) -> Result<DatabaseCheck, StoreError> {
    match settings {
        StoreSettings::Ephemeral => {
            Ok(DatabaseCheck { version: 0, known: migrations::newest_version(), server_time: None })
        }
        StoreSettings::Sqlite { folder, keys } => check_sqlite(folder, keys),
        StoreSettings::Postgres { address, keys, .. } => {
            let server = PostgresServer::parse(address.expose_secret())?;
            server.check_pooling()?;
            let mut connection = server.connect()?;
            let mut session = Session::Postgres { connection: &mut connection, fault: None };
            let time = session.find(&SERVER_TIME, params![], |row| row.int(0))?;
            let is_used = session.find(&IS_USED_POSTGRES, params![], |row| row.int(0))? == Some(1);
            let may_create = session.find(&MAY_CREATE, params![], |row| row.opt_int(0))?.flatten();
            if !is_used && may_create != Some(1) {
                return Err(StoreError::Refused(
                    "the user of the database address may not create tables. Make it the owner of the database".to_owned(),
                ));
            }
            let version = check_contents(&mut session, keys, is_used)?;
            Ok(DatabaseCheck {
                version,
                known: migrations::newest_version(),
                server_time: time.map(Wall::from_micros),
            })
        }
    }
}

fn check_sqlite(folder: &Path, keys: &KeyFiles) -> Result<DatabaseCheck, StoreError> {
    Folder::check_free(folder)?;
    let path = &folder.join(DATABASE_FILE);
    if !path.try_exists().map_err(StoreError::file("cannot access", path))? {
        Keys::check(keys, None)?;
        return Ok(DatabaseCheck { version: 0, known: migrations::newest_version(), server_time: None });
    }
    // Closing a connection that may write removes the files that SQLite puts next to the database.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    let mut session = Session::Sqlite(&connection);
    let is_used = session.find(&IS_USED_SQLITE, params![], |row| row.int(0))? == Some(1);
    let version = check_contents(&mut session, keys, is_used)?;
    Ok(DatabaseCheck { version, known: migrations::newest_version(), server_time: None })
}

fn check_contents(session: &mut Session<'_>, keys: &KeyFiles, is_used: bool) -> Result<i64, StoreError> {
    let version = if is_used { migrations::find_served(session)?.newest } else { 0 };
    let root = if version > 0 { master_keys::find_root(session)? } else { None };
    Keys::check(keys, root.as_ref())?;
    Ok(version)
}
