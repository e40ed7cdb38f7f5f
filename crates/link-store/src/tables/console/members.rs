//! Members of tenants. E-mail address and name are sealed with the member's own key. A keyed hash of the address keeps it
//! unique within the tenant, and finds the members with one mailbox.

use link_domain::console::mailed_link::MAX_MEMBERSHIPS;
use link_domain::console::member::Member;
use link_domain::kernel::clock::{Now, Wall};
use link_domain::kernel::digest::Digest32;
use link_domain::notifications::mail::member_hash;
use link_types::Sensitive;
use link_types::console::Role;
use link_types::id::{MemberId, TenantId};
use serde::{Deserialize, Serialize};

use crate::body::encode;
use crate::keys::{Label, Location};
use crate::reader::{ReadSession, parse};
use crate::sql::{ColumnList, Row, columns, params, statements};
use crate::tables::digest;
use crate::tables::kernel::scope_keys::{KeyColumns, key_columns};
use crate::tables::kernel::sealed::Sealed;
use crate::tables::resource::resource;
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "console_members";

columns! {
    /// The columns of a member.
    member_columns => struct Columns { id, tenant_id, role, created_at, email_hash, body }
}
const COLUMNS: Columns = Columns::after(0);
const KEY: KeyColumns = KeyColumns::after(Columns::COUNT);

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            member_columns!("m."),
            ", ",
            key_columns!("k."),
            " FROM console_members m LEFT JOIN scope_keys k ON k.scope_id = m.id",
            $rest
        )
    };
}

statements! {
    PUT = "INSERT INTO console_members (id, tenant_id, role, created_at, email_hash, body) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    SET_ROLE = "UPDATE console_members SET role = ?2 WHERE id = ?1";
    FIND = select!(" WHERE m.id = ?1");
    OF_MAILBOX = select!(" JOIN tenants t ON t.id = m.tenant_id AND t.standing = 'ACTIVE' WHERE m.email_hash = ?1 ORDER BY m.tenant_id LIMIT ?2");
    OF_TENANT = select!(" WHERE m.tenant_id = ?1 ORDER BY m.id");
    DELETE = "DELETE FROM console_members WHERE id = ?1";
    DELETE_ADDRESS = "DELETE FROM console_addresses WHERE member_id = ?1";
    DELETE_SESSIONS = "DELETE FROM console_sessions WHERE member_id = ?1";
    DELETE_PASSKEYS = "DELETE FROM console_passkeys WHERE member_id = ?1";
    DELETE_IDENTITY = "DELETE FROM console_identities WHERE member_id = ?1";
    DELETE_ADDRESSES_BY = "DELETE FROM console_addresses WHERE created_by = ?1";
    DELETE_SESSIONS_BY = "DELETE FROM console_sessions WHERE created_by = ?1";
    DELETE_PASSKEYS_BY = "DELETE FROM console_passkeys WHERE created_by = ?1";
    DELETE_IDENTITIES_BY = "DELETE FROM console_identities WHERE created_by = ?1";
}

/// The sealed part of a member.
#[derive(Serialize)]
struct Body<'a> {
    email: &'a str,
    name: &'a str,
}

#[derive(Deserialize)]
struct OpenedBody {
    email: Sensitive,
    name: Sensitive,
}

/// A member's row before its body is opened.
struct Stored {
    id: MemberId,
    tenant: TenantId,
    role: Role,
    created_at: Wall,
    email_hash: Digest32,
    body: Sealed,
}

fn read(row: &Row<'_>) -> Result<Stored, StoreError> {
    Ok(Stored {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        tenant: parse(TABLE, row.str(COLUMNS.tenant_id)?)?,
        role: parse(TABLE, row.str(COLUMNS.role)?)?,
        created_at: Wall::from_micros(row.int(COLUMNS.created_at)?),
        email_hash: digest(TABLE, row.bytes(COLUMNS.email_hash)?)?,
        body: Sealed::read(row, COLUMNS.body, KEY)?,
    })
}

impl Stored {
    /// Opens a member. One whose key is lost keeps id and role, so that others can still sign in, and remove them.
    fn open(self, reader: &mut Reader<'_>) -> Result<Member, StoreError> {
        let opened = self.body.open(reader, Location { table: TABLE, id: self.id.as_str() });
        let OpenedBody { email, name } = match opened {
            Err(StoreError::Erased) => OpenedBody { email: Sensitive::new(""), name: Sensitive::new("") },
            opened => opened?,
        };
        Ok(Member {
            id: self.id,
            tenant: self.tenant,
            email,
            name,
            role: self.role,
            created_at: self.created_at,
        })
    }
}

resource! {
    /// Members of tenants.
    ConsoleMembers, console_members
}

impl<'c, S: ReadSession<'c>> ConsoleMembers<'_, S> {
    /// Returns a member.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, id: &MemberId) -> Result<Option<Member>, StoreError> {
        let found = self.session().find(&FIND, params![id.as_str()], read)?;
        found.map(|stored| stored.open(self.0.reader())).transpose()
    }

    /// Returns the members of a tenant, oldest first. Their number is limited. A unit that decides by them locks the tenant
    /// first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn list(&mut self, tenant: &TenantId) -> Result<Vec<Member>, StoreError> {
        self.list_knowing(tenant, "")
    }

    /// Returns the members of a tenant as [`Self::list`] does. If the key of the member with this e-mail address is lost,
    /// they are recognized by its hash.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn list_knowing(&mut self, tenant: &TenantId, email: &str) -> Result<Vec<Member>, StoreError> {
        let hash = self.email_hash(email);
        let found = self.session().query(&OF_TENANT, params![tenant.as_str()], read)?;
        let open = |stored: Stored| -> Result<Member, StoreError> {
            let is_known = stored.email_hash == hash;
            let member = stored.open(self.0.reader())?;
            Ok(if is_known { Member { email: Sensitive::new(email), ..member } } else { member })
        };
        found.into_iter().map(open).collect()
    }

    /// Returns the members of all active tenants whose e-mail address has this hash, by tenant, at most [`MAX_MEMBERSHIPS`].
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn of_mailbox(&mut self, email_hash: &Digest32) -> Result<Vec<Member>, StoreError> {
        let limit = MAX_MEMBERSHIPS as i64;
        let found = self.session().query(&OF_MAILBOX, params![email_hash.as_bytes(), limit], read)?;
        found.into_iter().map(|stored| stored.open(self.0.reader())).collect()
    }

    /// Hashes an e-mail address. Without the master key, the hash does not reveal the address.
    fn email_hash(&mut self, email: &str) -> Digest32 {
        member_hash(&self.0.reader().derive_key(Label::Lookup), email)
    }
}

impl ConsoleMembers<'_, Tx<'_>> {
    pub(crate) fn put(&mut self, member: &Member, now: Wall) -> Result<(), StoreError> {
        let Member { id, tenant, email, name, role, created_at } = member;
        // Only the role changes, so this needs no key, which may be lost.
        if self.session().execute(&SET_ROLE, params![id.as_str(), role.as_str()])? == 1 {
            return Ok(());
        }
        let key = self.0.renew_scope_key(id.as_str(), now, false)?;
        let clear = encode(TABLE, &Body { email: email.expose(), name: name.expose() })?;
        let body = key.seal(Location { table: TABLE, id: id.as_str() }, &clear)?;
        let hash = self.email_hash(email.expose());
        self.session().execute_later(
            &PUT,
            params![id.as_str(), tenant.as_str(), role.as_str(), created_at.micros(), hash.as_bytes(), &body],
        )
    }

    /// Deletes a member with everything that is theirs, and destroys their key.
    pub(crate) fn delete(&mut self, id: &MemberId, now: Now) -> Result<(), StoreError> {
        self.delete_access_given_by(id)?;
        for sql in [&DELETE_SESSIONS, &DELETE_PASSKEYS, &DELETE_IDENTITY, &DELETE_ADDRESS, &DELETE] {
            self.session().execute_later(sql, params![id.as_str()])?;
        }
        self.0.scopes().destroy(id.as_str(), now.wall().micros())
    }

    /// Deletes the addresses that a member created, and the sessions, passkeys and identities that began with them.
    pub(crate) fn delete_access_given_by(&mut self, id: &MemberId) -> Result<(), StoreError> {
        for sql in [&DELETE_SESSIONS_BY, &DELETE_PASSKEYS_BY, &DELETE_IDENTITIES_BY, &DELETE_ADDRESSES_BY] {
            self.session().execute_later(sql, params![id.as_str()])?;
        }
        Ok(())
    }
}
