//! The schema, one file per version, in one text for both databases.
//!
//! Our own: refinery runs each file as it is, and these are one text for both databases (ADR 3).
//!
//! The files use three types: `TEXT` (compared byte by byte on both), `BIGINT` and `BYTES`. A released version is never
//! edited. Changes go into a new version.

use crate::keys::{Keys, WrappedRoot};
use crate::sql::{Session, params, statements};
use crate::tables::kernel::master_keys;
use crate::{Reader, StoreError};

const VERSIONS: &[&str] = &[include_str!("0001_initial.sql")];

statements! {
    CREATE_SCHEMA_VERSIONS = "CREATE TABLE IF NOT EXISTS schema_versions (version BIGINT PRIMARY KEY)";
    RECORD_VERSION = "INSERT INTO schema_versions (version) VALUES (?1)";
    NEWEST_VERSION = "SELECT COALESCE(MAX(version), 0) FROM schema_versions";
}

/// The text after this line of a version is for PostgreSQL only.
const POSTGRES_ALONE: &str = "-- PostgreSQL alone:";

/// Nodes that start at the same time migrate one after the other.
const MIGRATION_LOCK: &str = "SELECT pg_advisory_xact_lock(7237465112)";

/// Brings the schema up to date, then opens the keys with `open_keys`, passing `None` if the database never had any.
pub(crate) fn prepare(
    session: &mut Session<'_>,
    open_keys: impl FnOnce(Option<&WrappedRoot>) -> Result<(Keys, Option<WrappedRoot>), StoreError>,
) -> Result<Keys, StoreError> {
    session.script("BEGIN")?;
    let prepared = migrate_to(session, known()).and_then(|()| prepare_keys(session, open_keys));
    session.script(if prepared.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    let (keys, master_id) = prepared?;
    keys.keep(&master_id)?;
    Ok(keys)
}

/// Returns the newest version of the schema that this program knows.
pub(crate) const fn known() -> i64 {
    VERSIONS.len() as i64
}

/// Runs the missing versions up to one. The caller has begun a transaction.
pub(crate) fn migrate_to(session: &mut Session<'_>, newest: i64) -> Result<(), StoreError> {
    let postgres = session.is_postgres();
    if postgres {
        session.script(MIGRATION_LOCK)?;
    }
    session.execute(&CREATE_SCHEMA_VERSIONS, params![])?;
    let found = version(session)?;
    for (version, text) in (1..=newest).zip(VERSIONS).filter(|(version, _)| *version > found) {
        session.script(&render(text, postgres))?;
        session.execute(&RECORD_VERSION, params![version])?;
    }
    Ok(())
}

/// Returns the version of the schema, and rejects one that is newer than this program.
pub(crate) fn version(session: &mut Session<'_>) -> Result<i64, StoreError> {
    let found = session.find(&NEWEST_VERSION, params![], |row| row.int(0))?.unwrap_or(0);
    let known = known();
    if found > known { Err(StoreError::SchemaTooNew { found, known }) } else { Ok(found) }
}

/// Opens the keys, and records new ones. Returns the id of the master key too.
fn prepare_keys(
    session: &mut Session<'_>,
    open_keys: impl FnOnce(Option<&WrappedRoot>) -> Result<(Keys, Option<WrappedRoot>), StoreError>,
) -> Result<(Keys, String), StoreError> {
    let known = master_keys::find_root(session)?;
    let (keys, created) = open_keys(known.as_ref())?;
    if let Some(created) = &created {
        master_keys::insert_first(session, created)?;
    }
    let master_id = created.or(known).ok_or(StoreError::Closed)?.master_id;
    Ok((keys, master_id))
}

/// Renders a version's text for one database.
fn render(text: &str, postgres: bool) -> String {
    if postgres {
        // The server's own collation would sort ids, and therefore cursors, differently from SQLite.
        let text = text.replace(" STRICT", "").replace(", WITHOUT ROWID", "");
        text.replace(" TEXT", " TEXT COLLATE \"C\"").replace(" BYTES", " BYTEA")
    } else {
        let text = text.split(POSTGRES_ALONE).next().unwrap_or_default();
        text.replace(" BIGINT", " INTEGER").replace(" BYTES", " BLOB")
    }
}

impl Reader<'_> {
    /// Checks that the database responds.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it does not.
    pub fn ping(&mut self) -> Result<(), StoreError> {
        self.session.find(&NEWEST_VERSION, params![], |row| row.int(0)).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_database_gets_its_own_types_and_statements() {
        let text = "CREATE TABLE a (b TEXT, c BIGINT, d BYTES) STRICT, WITHOUT ROWID;\n-- PostgreSQL alone:\nDROP TABLE a;\n";
        assert_eq!(
            render(text, false),
            "CREATE TABLE a (b TEXT, c INTEGER, d BLOB) STRICT, WITHOUT ROWID;\n"
        );
        assert_eq!(
            render(text, true),
            "CREATE TABLE a (b TEXT COLLATE \"C\", c BIGINT, d BYTEA);\n-- PostgreSQL alone:\nDROP TABLE a;\n"
        );
    }
}
