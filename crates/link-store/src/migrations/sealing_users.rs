//! The part of version 0011 that SQL cannot do: seals user data with each user's own key.
//!
//! The unencrypted data is still in old pages. Until they are rewritten, the empty table `users_unsealed` marks the
//! work as pending. On SQLite this module does it, on PostgreSQL `engine::sweeper`.

use std::collections::BTreeMap;

use link_domain::clock::{TenantTime, Wall};
use link_domain::user::User;
use link_types::id::UserId;

use crate::keys::{Keys, Location};
use crate::reader::parse;
use crate::sql::{Session, Sql, params};
use crate::tables::{count, owner};
use crate::{StoreError, Tx};

/// The number of rows in memory at once.
const BATCH: i64 = 500;

const UNSEALED: Sql = Sql::fixed(
    "users unsealed",
    "SELECT u.id, u.tenant_id, u.mode, u.created_at, u.event_count, b.reference, b.body \
     FROM users u JOIN users_unsealed b ON b.id = u.id WHERE u.id > ?1 ORDER BY u.id LIMIT ?2",
);
const SURVEYS: Sql = Sql::fixed(
    "surveys sealed before",
    "SELECT id, user_id, body FROM surveys WHERE id > ?1 ORDER BY id LIMIT ?2",
);
const SEAL_SURVEY: Sql = Sql::fixed("seal a survey", "UPDATE surveys SET body = ?2 WHERE id = ?1");
const FORGET_SURVEY: Sql = Sql::fixed("forget a survey", "DELETE FROM surveys WHERE id = ?1");
const OWED: Sql =
    Sql::fixed("log to be emptied", "SELECT name FROM sqlite_master WHERE name = 'users_unsealed'");
const EMPTY_LOG: Sql = Sql::fixed("empty the log", "PRAGMA wal_checkpoint(TRUNCATE)");
const DONE: &str = "DROP TABLE users_unsealed";

/// Log progress after each time this number of users was sealed.
const TOLD_EVERY: usize = 20 * BATCH as usize;

struct Unsealed {
    user: User,
    body: Vec<u8>,
}

/// Seals users and their survey responses.
///
/// Keys are wrapped as if they had been created together with their users. The service's first renewal round renews
/// those that are overdue. A `new` database has no old pages.
pub(super) fn seal(session: Session<'_>, keys: &Keys, new: bool) -> Result<(), StoreError> {
    let mut tx = Tx::new(session, keys);
    if new {
        return tx.session.script(DONE);
    }
    seal_users(&mut tx)?;
    seal_surveys(&mut tx)?;
    let forget =
        if tx.session.is_postgres() { "TRUNCATE users_unsealed" } else { "DELETE FROM users_unsealed" };
    tx.session.script(forget)
}

/// Copies SQLite's pages into the database, where deleted data is zeroed, and truncates the log. Runs after an upgrade,
/// and if it is still pending. If it fails, the service starts anyway, and the next start tries again.
pub(super) fn empty_log(session: &mut Session<'_>, upgraded: bool) -> Result<(), StoreError> {
    let owed = session.find(&OWED, params![], |_| Ok(()))?.is_some();
    if !owed && !upgraded {
        return Ok(());
    }
    match session.find(&EMPTY_LOG, params![], |row| row.flag(0)) {
        Ok(Some(false)) => session.script(if owed { DONE } else { "" }),
        Ok(Some(true) | None) => {
            tracing::warn!(
                "Another program reads the database, so its log still holds data that is now sealed. \
                 The next start will truncate it"
            );
            Ok(())
        }
        Err(error) => {
            tracing::warn!(%error, "The log still holds data that is now sealed; the next start will truncate the log");
            Ok(())
        }
    }
}

fn seal_users(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    const TABLE: &str = "users";
    let (mut after, mut sealed) = (String::new(), 0);
    loop {
        if sealed % TOLD_EVERY == 0 {
            tracing::info!(users = sealed, "Sealing user data with each user's own key (only once)");
        }
        let found = tx.session.query(&UNSEALED, params![&after, BATCH], |row| {
            let user = User {
                id: parse(TABLE, row.str(0)?)?,
                owner: owner(TABLE, row, 1)?,
                created_at: TenantTime::from_micros(row.int(3)?),
                reference: row.opt_text(5)?,
                external_metadata: BTreeMap::new(),
                event_count: count(TABLE, row.int(4)?)?,
            };
            Ok(Unsealed { user, body: row.bytes(6)? })
        })?;
        let Some(last) = found.last() else { return Ok(()) };
        after = last.user.id.to_string();
        sealed += found.len();
        for Unsealed { mut user, body } in found {
            let location = Location { table: TABLE, id: user.id.as_str() };
            user.external_metadata = tx.open_unscoped(location, &body)?;
            tx.put_user(&user, Wall::from_micros(user.created_at.micros()))?;
            tx.scope_keys.clear();
        }
    }
}

fn seal_surveys(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    const TABLE: &str = "surveys";
    let mut after = String::new();
    loop {
        let found = tx.session.query(&SURVEYS, params![&after, BATCH], |row| {
            Ok((row.text(0)?, parse::<UserId>(TABLE, row.str(1)?)?, row.bytes(2)?))
        })?;
        let Some((last, _, _)) = found.last() else { return Ok(()) };
        after.clone_from(last);
        for (id, user, body) in found {
            let location = Location { table: TABLE, id: &id };
            let clear: serde_json::Value = tx.open_unscoped(location, &body)?;
            match tx.seal_scoped(user.as_str(), location, &clear) {
                Ok(sealed) => tx.session.execute(&SEAL_SURVEY, params![&id, &sealed])?,
                Err(StoreError::Erased) => tx.session.execute(&FORGET_SURVEY, params![&id])?,
                Err(error) => return Err(error),
            };
            tx.scope_keys.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use link_domain::owner::Owner;
    use link_types::Mode;

    use super::*;
    use crate::KeyFiles;
    use crate::migrations::older::{self, past_the_store};
    use crate::test_support::{Backend, TestDatabase};

    const USER: &str = "demo-0192f0c1a2b37c4d8e5f60718293a4b5";

    fn written_before(tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let insert = |name, text: &str| Sql::composed(name, text.to_owned());
        let metadata = BTreeMap::from([("plan", "gold")]);
        let body = tx.seal_unscoped(Location { table: "users", id: USER }, &metadata)?;
        let user = insert(
            "a user",
            "INSERT INTO users (id, tenant_id, mode, created_at, reference, event_count, body) \
             VALUES (?1, 'demo', 'SANDBOX', 1, 'canary-ana', 3, ?2)",
        );
        tx.session.execute(&user, params![USER, &body])?;
        let survey = insert(
            "a survey",
            "INSERT INTO surveys (id, tenant_id, mode, user_id, template_id, received_at, body) \
             VALUES (?1, 'demo', 'SANDBOX', ?2, 'lt-01010101010101010101010101010101', 1, ?3)",
        );
        for (id, user) in [("s1", USER), ("s2", "demo-0192f0c1a2b37c4d8e5f60718293a4b6")] {
            let answer = BTreeMap::from([("employer", "Panadería")]);
            let body = tx.seal_unscoped(Location { table: "surveys", id }, &answer)?;
            tx.session.execute(&survey, params![id, user, &body])?;
        }
        let bytes = if tx.session.is_postgres() { "BYTEA" } else { "BLOB" };
        tx.session.script(
            "INSERT INTO delivery_attempts (delivery_id, number, at, duration_ms, response_body) \
             VALUES ('d', 1, 1, 1, CAST('canary-echo' AS BYTES)); \
             INSERT INTO jobs (id, key, tenant_id, mode, kind, due_at, run_at, attempts, fence) VALUES \
             ('1', 'step/x', 'demo', 'SANDBOX', CAST('k' AS BYTES), 1, 1, 0, 0), \
             ('2', 'complete/x', 'demo', 'SANDBOX', CAST('k' AS BYTES), 1, 1, 0, 0), \
             ('3', 'send/x', 'demo', 'SANDBOX', CAST('k' AS BYTES), 1, 1, 0, 0), \
             ('4', 'remove/x', 'demo', 'SANDBOX', CAST('k' AS BYTES), 1, 1, 0, 0);"
                .replace("BYTES", bytes)
                .as_str(),
        )
    }

    /// Creates a database as version 8 left it.
    fn of_version_8(session: &mut Session<'_>, files: &KeyFiles) -> Result<(), StoreError> {
        let keys = older::of_version(session, files, 8)?;
        written_before(&mut Tx::new(session.reborrowed(), &keys))
    }

    fn is_pending(database: &TestDatabase) -> bool {
        past_the_store(database, |session, _| {
            let table = if session.is_postgres() {
                "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE tablename = 'users_unsealed'"
            } else {
                "SELECT name FROM sqlite_master WHERE name = 'users_unsealed'"
            };
            let table = Sql::composed("left over", table.to_owned());
            Ok(session.find(&table, params![], |_| Ok(()))?.is_some())
        })
    }

    fn written(session: &mut Session<'_>) -> Result<(), StoreError> {
        if session.is_postgres() { session.script("CHECKPOINT") } else { Ok(()) }
    }

    /// Returns whether the bytes are in any file below a folder.
    fn holds(folder: &Path, needle: &[u8]) -> bool {
        std::fs::read_dir(folder).unwrap().any(|entry| {
            let path = entry.unwrap().path();
            if path.is_dir() {
                return holds(&path, needle);
            }
            // Files of other tests' databases may appear and disappear.
            let bytes = std::fs::read(&path).unwrap_or_default();
            bytes.windows(needle.len()).any(|window| window == needle)
        })
    }

    #[tokio::test]
    async fn version_8_database_is_sealed_swept_and_readable() {
        for backend in Backend::ALL {
            let database = TestDatabase::new(backend);
            past_the_store(&database, |session, files| {
                of_version_8(session, files)?;
                written(session)
            });
            assert!(holds(&database.files(), b"canary-ana"), "the data is found before it is sealed");
            let store = database.open().await;
            let owner = Owner { tenant: "demo".parse().unwrap(), mode: Mode::Sandbox };
            let found: Result<(), StoreError> = store
                .read(move |reader| {
                    let user = reader.user_by_reference(&owner, "canary-ana")?.unwrap();
                    assert_eq!((user.id.as_str(), user.event_count), (USER, 3));
                    assert_eq!(user.external_metadata["plan"], "gold");
                    let template = "lt-01010101010101010101010101010101".parse().unwrap();
                    let surveys = reader.surveys(&template, 9)?;
                    assert_eq!(surveys.len(), 1, "the other survey's user does not exist");
                    assert_eq!(surveys[0].answer.employer, "Panadería");
                    let lanes = Sql::composed("lanes", "SELECT lane FROM jobs ORDER BY id".to_owned());
                    let lanes = reader.session.query(&lanes, params![], |row| row.text(0))?;
                    assert_eq!(lanes, ["steps", "sources", "mail", "rest"]);
                    Ok(())
                })
                .await;
            found.unwrap();
            store.close().await;
            assert!(!is_pending(&database));
            past_the_store(&database, |session, _| written(session));
            assert!(!holds(&database.files(), b"canary-"), "it is still in old pages");
        }
    }

    #[tokio::test]
    async fn pending_sweep_is_done_by_the_next_start() {
        for backend in Backend::ALL {
            let database = TestDatabase::new(backend);
            database.open().await.close().await;
            assert!(!is_pending(&database), "a new database has nothing pending");
            past_the_store(&database, |session, _| {
                session.script("CREATE TABLE users_unsealed (id TEXT PRIMARY KEY NOT NULL)")
            });
            database.open().await.close().await;
            assert!(!is_pending(&database));
        }
    }
}
