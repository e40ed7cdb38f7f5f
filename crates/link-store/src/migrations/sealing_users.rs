//! The part of version 0011 that no SQL can do: what was kept beside users is sealed with keys of their own.

use std::collections::BTreeMap;

use link_domain::clock::{TenantTime, Wall};
use link_domain::user::User;
use link_types::id::UserId;

use crate::keys::{Keys, Location};
use crate::reader::parse;
use crate::sql::{Session, Sql, params};
use crate::tables::{count, owner};
use crate::{StoreError, Tx};

/// Rows that are in memory at once.
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
const DONE: Sql = Sql::fixed("users sealed", "DROP TABLE users_unsealed");

struct Unsealed {
    user: User,
    body: Vec<u8>,
}

/// Seals users and what they answered. Keys are wrapped as if each had been made with its user; those whose time is
/// over by now are renewed by the service's first round.
pub(super) fn seal(session: Session<'_>, keys: &Keys) -> Result<(), StoreError> {
    let mut tx = Tx::new(session, keys);
    seal_users(&mut tx)?;
    seal_surveys(&mut tx)?;
    tx.session.execute(&DONE, params![]).map(drop)
}

fn seal_users(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    const TABLE: &str = "users";
    let mut after = String::new();
    loop {
        let found = tx.session.query(&UNSEALED, params![&after, BATCH], |row| {
            let user = User {
                id: parse(TABLE, &row.text(0)?)?,
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
            Ok((row.text(0)?, parse::<UserId>(TABLE, &row.text(1)?)?, row.bytes(2)?))
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
    use link_domain::owner::Owner;
    use link_types::Mode;

    use super::*;
    use crate::migrations::{USERS_SEALED, render};
    use crate::test_support::{Backend, TestDatabase};

    const USER: &str = "demo-0192f0c1a2b37c4d8e5f60718293a4b5";

    /// The tables as the version before had them.
    const BEFORE: &str = "
        DROP INDEX users_reference;
        ALTER TABLE users DROP COLUMN reference_hash;
        ALTER TABLE users ADD COLUMN reference TEXT;
        CREATE UNIQUE INDEX users_reference ON users (tenant_id, mode, reference);
        DROP INDEX scope_keys_renewed;
        ALTER TABLE scope_keys DROP COLUMN renewed;";

    fn written_before(tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let insert = |name, text: &str| Sql::composed(name, text.to_owned());
        let metadata = BTreeMap::from([("plan", "gold")]);
        let body = tx.seal_unscoped(Location { table: "users", id: USER }, &metadata)?;
        let user = insert(
            "a user",
            "INSERT INTO users (id, tenant_id, mode, created_at, reference, event_count, body) \
             VALUES (?1, 'demo', 'SANDBOX', 1, 'ana', 3, ?2)",
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
        Ok(())
    }

    #[tokio::test]
    async fn what_was_kept_of_users_before_is_sealed_and_found_as_ever() {
        for backend in Backend::ALL {
            let database = TestDatabase::new(backend);
            let store = database.open().await;
            let migrated: Result<(), StoreError> = store
                .write(|tx| {
                    tx.session.script(BEFORE)?;
                    written_before(tx)?;
                    let version = render(USERS_SEALED, tx.session.is_postgres());
                    tx.session.script(&version)?;
                    let keys = tx.keys;
                    seal(tx.session.reborrowed(), keys)
                })
                .await;
            migrated.unwrap();
            let owner = Owner { tenant: "demo".parse().unwrap(), mode: Mode::Sandbox };
            let found: Result<(), StoreError> = store
                .read(move |reader| {
                    let user = reader.user_by_reference(&owner, "ana")?.unwrap();
                    assert_eq!((user.id.as_str(), user.event_count), (USER, 3));
                    assert_eq!(user.external_metadata["plan"], "gold");
                    let template = "lt-01010101010101010101010101010101".parse().unwrap();
                    let surveys = reader.surveys(&template, 9)?;
                    assert_eq!(surveys.len(), 1, "nobody is there whose the other is");
                    assert_eq!(surveys[0].answer.employer, "Panadería");
                    let left = Sql::composed("left over", "SELECT COUNT(*) FROM users_unsealed".to_owned());
                    assert!(reader.session.find(&left, params![], |row| row.int(0)).is_err());
                    Ok(())
                })
                .await;
            found.unwrap();
        }
    }
}
