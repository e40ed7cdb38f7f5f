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
