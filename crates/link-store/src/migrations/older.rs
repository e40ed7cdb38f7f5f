//! Databases of earlier versions, for migration tests.

use secrecy::ExposeSecret;

use super::{CREATE_SCHEMA_VERSIONS, INSERT_MASTER_KEY, RECORD_VERSION, VERSIONS, render};
use crate::keys::Keys;
use crate::sql::session::PgConnection;
use crate::sql::{Session, params};
use crate::test_support::TestDatabase;
use crate::{KeyFiles, StoreError, StoreSettings};

/// Creates a database and its keys as a version left them.
pub(super) fn of_version(
    session: &mut Session<'_>,
    files: &KeyFiles,
    version: usize,
) -> Result<Keys, StoreError> {
    let keys = Keys::open(files, true)?;
    session.execute(&CREATE_SCHEMA_VERSIONS, params![])?;
    for (version, text) in (1..).zip(&VERSIONS[..version]) {
        session.script(&render(text, session.is_postgres()))?;
        session.execute(&RECORD_VERSION, params![version])?;
    }
    session.execute(&INSERT_MASTER_KEY, params![&keys.master_id, &keys.master_check])?;
    Ok(keys)
}

/// Runs on a separate connection that bypasses the store. It needs its own thread, because the PostgreSQL client must
/// not be driven from within an async runtime.
pub(super) fn past_the_store<T: Send + 'static>(
    database: &TestDatabase,
    run: impl FnOnce(&mut Session<'_>, &KeyFiles) -> Result<T, StoreError> + Send + 'static,
) -> T {
    let settings = database.settings();
    let ran = std::thread::spawn(move || match settings {
        StoreSettings::Sqlite { folder, keys } => {
            std::fs::create_dir_all(&folder).unwrap();
            let connection = rusqlite::Connection::open(folder.join("linchpin.db"))?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "secure_delete", "ON")?;
            run(&mut Session::Sqlite(&connection), &keys)
        }
        StoreSettings::Postgres { address, keys, .. } => {
            let client = postgres::Client::connect(address.expose_secret(), postgres::NoTls)?;
            let mut connection = PgConnection::new(client);
            run(&mut Session::Postgres { connection: &mut connection, fault: None }, &keys)
        }
        StoreSettings::Ephemeral => panic!("an ephemeral store is not persisted"),
    });
    ran.join().unwrap().unwrap()
}
