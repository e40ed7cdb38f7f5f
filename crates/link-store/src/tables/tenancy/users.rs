//! Users. The tenant's reference and metadata are sealed with the user's own key. A user is found by the keyed hash of
//! the reference.

use std::collections::BTreeMap;

use hmac::{Hmac, KeyInit, Mac};
use link_domain::kernel::clock::{TenantTime, Wall};
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::user::User;
use link_types::Sensitive;
use link_types::id::UserId;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::body::encode;
use crate::keys::{Label, Location};
use crate::reader::{ReadSession, parse};
use crate::sql::{ColumnList, Row, columns, params, statements};
use crate::tables::kernel::scope_keys::{KeyColumns, key_columns};
use crate::tables::kernel::sealed::Sealed;
use crate::tables::list::{Created, List, ListQuery};
use crate::tables::resource::resource;
use crate::tables::{count, owner};
use crate::{Page, PageRequest, Reader, StoreError, Tx};

const TABLE: &str = "users";

columns! {
    /// The columns of a user.
    user_columns => struct Columns { id, tenant_id, mode, created_at, event_count, body }
}
const COLUMNS: Columns = Columns::after(0);
const KEY: KeyColumns = KeyColumns::after(Columns::COUNT);

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            user_columns!("u."),
            ", ",
            key_columns!("k."),
            " FROM users u LEFT JOIN scope_keys k ON k.scope_id = u.id",
            $rest
        )
    };
}

statements! {
    PUT = "INSERT INTO users (id, tenant_id, mode, created_at, reference_hash, event_count, body) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) \
           ON CONFLICT (id) DO UPDATE SET reference_hash = excluded.reference_hash, \
           event_count = excluded.event_count, body = excluded.body";
    FIND = select!(" WHERE u.id = ?1 AND u.tenant_id = ?2 AND u.mode = ?3");
    FIND_BY_REFERENCE = select!(" WHERE u.tenant_id = ?1 AND u.mode = ?2 AND u.reference_hash = ?3");
    LOCK = "SELECT id FROM users WHERE id = ?1 /*lock*/";
    LOCK_BY_REFERENCE = "SELECT id FROM users WHERE tenant_id = ?1 AND mode = ?2 AND reference_hash = ?3 /*lock*/";
}

pub(crate) static USERS: List = List {
    name: "users",
    select: select!(""),
    id: "u.id",
    position: COLUMNS.id,
    always: &["u.tenant_id = ?", "u.mode = ?"],
    filters: &["u.reference_hash = ?"],
};

/// The sealed part of a user.
#[derive(Serialize)]
struct Body<'a> {
    reference: &'a Option<String>,
    external_metadata: &'a BTreeMap<String, String>,
    proven_email: Option<&'a str>,
}

#[derive(Deserialize)]
struct OpenedBody {
    reference: Option<String>,
    external_metadata: BTreeMap<String, String>,
    proven_email: Option<Sensitive>,
}

/// A user's row before its body is opened.
struct Stored {
    id: UserId,
    owner: Owner,
    created_at: TenantTime,
    event_count: u64,
    body: Sealed,
}

fn read(row: &Row<'_>) -> Result<Stored, StoreError> {
    Ok(Stored {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        created_at: TenantTime::from_micros(row.int(COLUMNS.created_at)?),
        event_count: count(TABLE, row.int(COLUMNS.event_count)?)?,
        body: Sealed::read(row, COLUMNS.body, KEY)?,
    })
}

impl Stored {
    fn open(self, reader: &mut Reader<'_>) -> Result<User, StoreError> {
        let body: OpenedBody = self.body.open(reader, Location { table: TABLE, id: self.id.as_str() })?;
        Ok(User {
            id: self.id,
            owner: self.owner,
            created_at: self.created_at,
            reference: body.reference,
            external_metadata: body.external_metadata,
            proven_email: body.proven_email,
            event_count: self.event_count,
        })
    }
}

resource! {
    /// Users.
    Users, users
}

impl Users<'_, Reader<'_>> {
    /// Returns a user.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &UserId) -> Result<Option<User>, StoreError> {
        let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
        self.session().find(&FIND, owned, read)?.map(|stored| stored.open(self.0)).transpose()
    }

    /// Returns the user with the tenant's reference.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_reference(&mut self, owner: &Owner, reference: &str) -> Result<Option<User>, StoreError> {
        let hash = self.reference_hash(owner, reference);
        let named = params![owner.tenant.as_str(), owner.mode.as_str(), &hash];
        self.session().find(&FIND_BY_REFERENCE, named, read)?.map(|stored| stored.open(self.0)).transpose()
    }
}

impl<'c, S: ReadSession<'c>> Users<'_, S> {
    /// Hashes a reference for lookups. Without the master key, the hash does not reveal the reference.
    fn reference_hash(&mut self, owner: &Owner, reference: &str) -> String {
        // HMAC accepts keys of any length, so this cannot fail. A hash without a key would match no user.
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(
            self.0.reader().keys.tree.key(Label::Lookup).as_bytes(),
        )
        .unwrap_or_else(|_| <Hmac<Sha256> as KeyInit>::new(&Default::default()));
        for part in ["user reference", owner.tenant.as_str(), owner.mode.as_str(), reference] {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        base16ct::lower::encode_string(&mac.finalize().into_bytes())
    }

    /// Returns users, newest first: all of them, or the one with a reference.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database cannot be read.
    pub fn list(
        &mut self,
        owner: &Owner,
        reference: Option<&str>,
        created: Created,
        request: &PageRequest,
    ) -> Result<Page<User>, StoreError> {
        let prefix = format!("{}-", owner.tenant);
        let hash = reference.map(|reference| self.reference_hash(owner, reference));
        let filters = &[hash.as_deref()];
        let query = ListQuery { owner, always: &[], filters, created, prefix: &prefix, request };
        self.0.reader().page(&USERS, &query, read, |reader, stored| stored.open(reader))
    }
}

impl Users<'_, Tx<'_>> {
    /// Returns and locks a user.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &UserId) -> Result<Option<User>, StoreError> {
        // An outer-joined row cannot be locked, so the lock is taken first.
        self.session().lock(&LOCK, params![id.as_str()])?;
        self.0.reader.users().get(owner, id)
    }

    /// Returns and locks the user with the tenant's reference.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_reference(&mut self, owner: &Owner, reference: &str) -> Result<Option<User>, StoreError> {
        let hash = self.reference_hash(owner, reference);
        let named = params![owner.tenant.as_str(), owner.mode.as_str(), &hash];
        self.session().lock(&LOCK_BY_REFERENCE, named)?;
        self.0.reader.users().by_reference(owner, reference)
    }

    pub(crate) fn put(&mut self, user: &User, now: Wall) -> Result<(), StoreError> {
        let User { id, owner, created_at, reference, external_metadata, proven_email, event_count } = user;
        let proven_email = proven_email.as_ref().map(Sensitive::expose);
        // A unit that changes a user has opened its key.
        let key = self.0.renew_scope_key(id.as_str(), now, true)?;
        let clear = encode(TABLE, &Body { reference, external_metadata, proven_email })?;
        let body = key.seal(Location { table: TABLE, id: id.as_str() }, &clear)?;
        let hash = reference.as_ref().map(|reference| self.reference_hash(owner, reference));
        self.session().execute_later(
            &PUT,
            params![
                id.as_str(),
                owner.tenant.as_str(),
                owner.mode.as_str(),
                created_at.micros(),
                hash.as_ref(),
                *event_count as i64,
                &body,
            ],
        )
    }
}
