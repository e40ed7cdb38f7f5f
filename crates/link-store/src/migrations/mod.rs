//! The schema, one file per version, in one text for both databases.
//!
//! Our own: refinery runs each file as it is, and these are one text for both databases (ADR 3).
//!
//! The files use three types: `TEXT` (compared byte by byte on both), `BIGINT` and `BYTES`. A released version is never
//! edited. Changes go into a new version.
//!
//! Nodes of two adjacent releases may serve one database, so a version only expands the schema that the release before it
//! knows, and the release after removes what nothing uses (ADR 284). Each version states the oldest program that it serves.

use crate::keys::{Keys, WrappedRoot};
use crate::sql::{Session, params, statements};
use crate::tables::kernel::master_keys;
use crate::{Reader, StoreError};

const VERSIONS: &[Version] = &[Version { text: include_str!("0001_initial.sql"), serves_from: 1 }];

statements! {
    CREATE_SCHEMA_VERSIONS = "CREATE TABLE IF NOT EXISTS schema_versions \
        (version BIGINT PRIMARY KEY, serves_from BIGINT NOT NULL)";
    RECORD_VERSION = "INSERT INTO schema_versions (version, serves_from) VALUES (?1, ?2)";
    NEWEST_VERSION = "SELECT COALESCE(MAX(version), 0), COALESCE(MAX(serves_from), 0) FROM schema_versions";
}

/// A version of the schema.
struct Version {
    text: &'static str,
    /// The newest version that a program must know to serve a database with this one.
    serves_from: i64,
}

/// The schema that a database has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchemaVersion {
    /// Its newest version, 0 if no service has used the database.
    pub newest: i64,
    /// The newest version that a program must know to serve the database.
    pub serves_from: i64,
}

impl SchemaVersion {
    /// Rejects a schema that this program cannot serve.
    pub(crate) fn check_served(self) -> Result<Self, StoreError> {
        let (known, SchemaVersion { newest, serves_from }) = (newest_version(), self);
        if serves_from > known {
            Err(StoreError::SchemaTooNew { found: newest, serves_from, known })
        } else {
            Ok(self)
        }
    }
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
    let prepared = migrate_to(session, newest_version()).and_then(|()| prepare_keys(session, open_keys));
    // An aborted transaction refuses this read.
    let schema = if prepared.is_ok() { Some(find_served(session)?) } else { None };
    session.script(if prepared.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    if let Some(SchemaVersion { newest, serves_from }) = schema {
        tracing::info!(
            schema = newest,
            serves_from,
            known = newest_version(),
            "The schema is one that this program serves"
        );
    }
    let (keys, master_id) = prepared?;
    keys.keep(&master_id)?;
    Ok(keys)
}

/// Returns the newest version of the schema that this program knows.
pub(crate) const fn newest_version() -> i64 {
    VERSIONS.len() as i64
}

/// Runs the missing versions up to one. The caller has begun a transaction.
pub(crate) fn migrate_to(session: &mut Session<'_>, newest: i64) -> Result<(), StoreError> {
    let postgres = session.is_postgres();
    if postgres {
        session.script(MIGRATION_LOCK)?;
    }
    session.execute(&CREATE_SCHEMA_VERSIONS, params![])?;
    let found = find_served(session)?.newest;
    for (number, version) in (1..=newest).zip(VERSIONS).filter(|(number, _)| *number > found) {
        session.script(&render(version.text, postgres))?;
        session.execute(&RECORD_VERSION, params![number, version.serves_from])?;
    }
    Ok(())
}

/// Returns the schema of the database, and rejects one that this program cannot serve.
pub(crate) fn find_served(session: &mut Session<'_>) -> Result<SchemaVersion, StoreError> {
    let found = session.find(&NEWEST_VERSION, params![], |row| {
        Ok(SchemaVersion { newest: row.int(0)?, serves_from: row.int(1)? })
    })?;
    found.unwrap_or(SchemaVersion { newest: 0, serves_from: 0 }).check_served()
}

/// Returns the version of the schema, and rejects one that has tables or columns that this program does not know.
pub(crate) fn version(session: &mut Session<'_>) -> Result<i64, StoreError> {
    let (found, known) = (find_served(session)?.newest, newest_version());
    if found > known { Err(StoreError::SchemaTooNew { found, serves_from: found, known }) } else { Ok(found) }
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
    /// Checks that the database responds and that this program still serves its schema.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it does not, and [`StoreError::SchemaTooNew`] after a newer node has removed what this one needs.
    pub fn ping(&mut self) -> Result<(), StoreError> {
        find_served(&mut self.session).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_serves_the_program_before_it() {
        for (number, version) in (1..).zip(VERSIONS) {
            assert!((1..=i64::max(1, number - 1)).contains(&version.serves_from), "version {number}");
        }
    }

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
