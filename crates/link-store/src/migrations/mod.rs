//! The schema, one file per version, in one text for both databases.
//!
//! The files use three types: `TEXT` (compared byte by byte on both), `BIGINT` and `BYTES`. A released version is never
//! edited. Changes go into a new version.

#[cfg(test)]
mod older;
mod sealing_users;

use subtle::ConstantTimeEq;

use crate::keys::Keys;

use crate::sql::{Session, params, statements};
use crate::{Reader, StoreError};

/// Before this version, users were sealed with the service's key, and their references were stored unencrypted.
const USERS_SEALED: &str = include_str!("0011_users_sealed.sql");

const VERSIONS: &[&str] = &[
    include_str!("0001_main_job.sql"),
    include_str!("0002_widget.sql"),
    include_str!("0003_archives.sql"),
    include_str!("0004_idempotency.sql"),
    include_str!("0005_records_signals.sql"),
    include_str!("0006_invites_forms.sql"),
    include_str!("0007_data.sql"),
    include_str!("0008_hooks.sql"),
    include_str!("0009_lists.sql"),
    include_str!("0010_lanes.sql"),
    USERS_SEALED,
    include_str!("0012_scopes_anew.sql"),
    include_str!("0013_message_pack.sql"),
    include_str!("0014_unswept.sql"),
    include_str!("0016_guess_counts.sql"),
    include_str!("0017_quotas.sql"),
    include_str!("0018_key_buckets.sql"),
    include_str!("0019_probes.sql"),
    include_str!("0020_mail.sql"),
    include_str!("0021_webhook_breakers.sql"),
];

statements! {
    CREATE_SCHEMA_VERSIONS = "CREATE TABLE IF NOT EXISTS schema_versions (version BIGINT PRIMARY KEY)";
    RECORD_VERSION = "INSERT INTO schema_versions (version) VALUES (?1)";
    NEWEST_VERSION = "SELECT COALESCE(MAX(version), 0) FROM schema_versions";
    INSERT_MASTER_KEY =
        "INSERT INTO master_keys (slot, key_id, check_value) VALUES (1, ?1, ?2) ON CONFLICT (slot) DO NOTHING";
    FIND_MASTER_KEY = "SELECT key_id, check_value FROM master_keys WHERE slot = 1";
}

/// The first line of a version that PostgreSQL does not need.
const SQLITE_ALONE: &str = "-- SQLite alone:";
/// The text after this line of a version is for PostgreSQL only.
const POSTGRES_ALONE: &str = "-- PostgreSQL alone:";

/// Nodes that start at the same time migrate one after the other.
const MIGRATION_LOCK: &str = "SELECT pg_advisory_xact_lock(7237465112)";

/// Brings the schema up to date, then opens the keys with `open_keys`, passing `true` if the database never had any.
pub(crate) fn prepare(
    session: &mut Session<'_>,
    open_keys: impl FnOnce(bool) -> Result<Keys, StoreError>,
) -> Result<Keys, StoreError> {
    session.script("BEGIN")?;
    let mut upgraded = false;
    let prepared = migrate(session).and_then(|ran| {
        upgraded = !ran.is_empty() && ran.len() < VERSIONS.len();
        let keys = check_keys(session, open_keys)?;
        if ran.contains(&USERS_SEALED) {
            sealing_users::seal(session.reborrowed(), &keys, ran.len() == VERSIONS.len())?;
        }
        Ok(keys)
    });
    session.script(if prepared.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    let keys = prepared?;
    keys.keep()?;
    if !session.is_postgres() {
        sealing_users::empty_log(session, upgraded)?;
    }
    Ok(keys)
}

/// Runs the missing versions and returns them.
fn migrate(session: &mut Session<'_>) -> Result<Vec<&'static str>, StoreError> {
    let postgres = session.is_postgres();
    if postgres {
        session.script(MIGRATION_LOCK)?;
    }
    session.execute(&CREATE_SCHEMA_VERSIONS, params![])?;
    let found = session.find(&NEWEST_VERSION, params![], |row| row.int(0))?.unwrap_or(0);
    let known = VERSIONS.len() as i64;
    if found > known {
        return Err(StoreError::SchemaTooNew { found, known });
    }
    let mut ran = Vec::new();
    for (version, text) in (1..).zip(VERSIONS).filter(|(version, _)| *version > found) {
        session.script(&render(text, postgres))?;
        session.execute(&RECORD_VERSION, params![version])?;
        ran.push(*text);
    }
    Ok(ran)
}

fn check_keys(
    session: &mut Session<'_>,
    open_keys: impl FnOnce(bool) -> Result<Keys, StoreError>,
) -> Result<Keys, StoreError> {
    let known = master_key(session)?;
    let keys = open_keys(known.is_none())?;
    session.execute(&INSERT_MASTER_KEY, params![&keys.master_id, &keys.master_check])?;
    let (expected, check) = master_key(session)?.ok_or(StoreError::Closed)?;
    if expected != keys.master_id || !bool::from(check.ct_eq(&keys.master_check)) {
        return Err(StoreError::WrongMasterKey {
            path: keys.master_path.clone(),
            found: keys.master_id.clone(),
            expected,
        });
    }
    Ok(keys)
}

fn master_key(session: &mut Session<'_>) -> Result<Option<(String, Vec<u8>)>, StoreError> {
    session.find(&FIND_MASTER_KEY, params![], |row| Ok((row.text(0)?, row.bytes(1)?)))
}

/// Renders a version's text for one database.
fn render(text: &str, postgres: bool) -> String {
    if postgres {
        // The server's own collation would sort ids, and therefore cursors, differently from SQLite.
        if text.starts_with(SQLITE_ALONE) {
            return String::new();
        }
        text.replace(" TEXT", " TEXT COLLATE \"C\"").replace(" BYTES", " BYTEA").replace(" STRICT", "")
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
    use super::older::{of_version, past_the_store};
    use crate::sql::{Row, Session, Sql, params};
    use crate::test_support::{Backend, TestDatabase};
    use crate::{Reader, StoreError};

    const SCOPES: &str = "INSERT INTO scopes (scope_id, epoch) VALUES ('u-2', 0), ('u-1', 0), ('u-3', 1)";
    const KEYS: &str = "INSERT INTO scope_keys (scope_id, day, wrapped, renewed) \
                        VALUES ('u-2', 20500, CAST('two' AS BYTES), 1), ('u-1', 20400, CAST('one' AS BYTES), 0)";

    fn rows<T>(
        session: &mut Session<'_>,
        text: &str,
        read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        session.query(&Sql::composed("what is there", text.to_owned()), params![], read)
    }

    #[tokio::test]
    async fn scopes_and_keys_of_version_11_survive_the_upgrade() {
        for backend in Backend::ALL {
            let database = TestDatabase::new(backend);
            past_the_store(&database, |session, files| {
                of_version(session, files, 11)?;
                let bytes = if session.is_postgres() { "BYTEA" } else { "BLOB" };
                session.script(SCOPES)?;
                session.script(&KEYS.replace("BYTES", bytes))
            });
            let store = database.open().await;
            let found: Result<(), StoreError> = store
                .read(|reader: &mut Reader<'_>| {
                    let session = &mut reader.session;
                    let epoch = |row: &Row<'_>| Ok((row.text(0)?, row.int(1)?));
                    let scopes =
                        rows(session, "SELECT scope_id, epoch FROM scopes ORDER BY scope_id", epoch)?;
                    assert_eq!(scopes, [("u-1".into(), 0), ("u-2".into(), 0), ("u-3".into(), 1)]);
                    let key = |row: &Row<'_>| Ok((row.text(0)?, row.int(1)?, row.bytes(2)?, row.int(3)?));
                    let all = "SELECT scope_id, day, wrapped, renewed FROM scope_keys ORDER BY scope_id";
                    let keys = rows(session, all, key)?;
                    assert_eq!(
                        keys,
                        [
                            ("u-1".into(), 20_400, b"one".to_vec(), 0),
                            ("u-2".into(), 20_500, b"two".to_vec(), 1)
                        ]
                    );
                    Ok(())
                })
                .await;
            found.unwrap();
            store.close().await;
        }
    }
}
