//! Users. What the tenant keeps beside a user is sealed; its own name for the user is looked up, so it is not.

use link_domain::clock::TenantTime;
use link_domain::owner::Owner;
use link_domain::user::User;
use link_types::id::UserId;

use super::list::{Created, List, ListQuery};
use super::{count, owner};
use crate::keys::Location;
use crate::reader::parse;
use crate::sql::{Row, params, statements};
use crate::{Page, PageRequest, Reader, StoreError, Tx};

const TABLE: &str = "users";

statements! {
    PUT = "INSERT INTO users (id, tenant_id, mode, created_at, reference, event_count, body) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) \
           ON CONFLICT (id) DO UPDATE SET reference = excluded.reference, event_count = excluded.event_count, \
           body = excluded.body";
    FIND = "SELECT id, tenant_id, mode, created_at, reference, event_count, body FROM users \
            WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3";
    FIND_LOCKED = "SELECT id, tenant_id, mode, created_at, reference, event_count, body FROM users \
                   WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3 /*lock*/";
    FIND_BY_REFERENCE = "SELECT id, tenant_id, mode, created_at, reference, event_count, body FROM users \
                         WHERE tenant_id = ?1 AND mode = ?2 AND reference = ?3";
}

pub(crate) static USERS: List = List {
    name: "users",
    select: "SELECT id, tenant_id, mode, created_at, reference, event_count, body FROM users",
    id: "id",
    always: &["tenant_id = ?", "mode = ?"],
    filters: &["reference = ?"],
};

struct Stored {
    user: User,
    body: Vec<u8>,
}

fn read(row: &Row<'_>) -> Result<Stored, StoreError> {
    Ok(Stored {
        user: User {
            id: parse(TABLE, &row.text(0)?)?,
            owner: owner(TABLE, row, 1)?,
            created_at: TenantTime::from_micros(row.int(3)?),
            reference: row.opt_text(4)?,
            external_metadata: Default::default(),
            event_count: count(TABLE, row.int(5)?)?,
        },
        body: row.bytes(6)?,
    })
}

impl Stored {
    fn open(self, reader: &Reader<'_>) -> Result<User, StoreError> {
        let location = Location { table: TABLE, id: self.user.id.as_str() };
        let external_metadata = reader.open_unscoped(location, &self.body)?;
        Ok(User { external_metadata, ..self.user })
    }
}

impl Reader<'_> {
    /// A user.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database cannot be read.
    pub fn user(&mut self, owner: &Owner, id: &UserId) -> Result<Option<User>, StoreError> {
        let found = self.session.find(
            &FIND,
            params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()],
            read,
        )?;
        found.map(|stored| stored.open(self)).transpose()
    }

    /// The user that the tenant knows by this name.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database cannot be read.
    pub fn user_by_reference(&mut self, owner: &Owner, reference: &str) -> Result<Option<User>, StoreError> {
        let found = self.session.find(
            &FIND_BY_REFERENCE,
            params![owner.tenant.as_str(), owner.mode.as_str(), reference],
            read,
        )?;
        found.map(|stored| stored.open(self)).transpose()
    }

    /// Users, newest first; all of them, or the one with a reference.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] when the database cannot be read.
    pub fn users(
        &mut self,
        owner: &Owner,
        reference: Option<&str>,
        created: Created,
        request: &PageRequest,
    ) -> Result<Page<User>, StoreError> {
        let prefix = format!("{}-", owner.tenant);
        let query =
            ListQuery { owner, always: &[], filters: &[reference], created, prefix: &prefix, request };
        self.page(&USERS, &query, read, |reader, stored| stored.open(reader))
    }
}

impl Tx<'_> {
    /// A user, locked.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database cannot be read.
    pub fn user(&mut self, owner: &Owner, id: &UserId) -> Result<Option<User>, StoreError> {
        let found = self.session.find(
            &FIND_LOCKED,
            params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()],
            read,
        )?;
        found.map(|stored| stored.open(self)).transpose()
    }

    pub(crate) fn put_user(&mut self, user: &User) -> Result<(), StoreError> {
        let User { id, owner, created_at, reference, external_metadata, event_count } = user;
        let body = self.seal_unscoped(Location { table: TABLE, id: id.as_str() }, external_metadata)?;
        self.session
            .execute(
                &PUT,
                params![
                    id.as_str(),
                    owner.tenant.as_str(),
                    owner.mode.as_str(),
                    created_at.micros(),
                    reference.as_ref(),
                    *event_count as i64,
                    &body,
                ],
            )
            .map(drop)
    }
}
